#include "daemon/mail/snapshot.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/money.h"
#include "core/domain/order.h"
#include "core/domain/outbox.h"
#include "core/store/approval_store.h"
#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/renewal.h"
#include "daemon/deals/book.h"
#include "daemon/decide/conversation_order.h"
#include "daemon/decide/playbook.h"
#include "daemon/mail/conversation_text.h"
#include "daemon/reading/listing_index.h"

namespace a2h::mail {
namespace {

constexpr UnixMs kDayMs = 24LL * 3600 * 1000;
constexpr UnixMs kMinuteMs = 60LL * 1000;
/// The messages of the conversation that a decision uses.
constexpr int kRecentMessages = 5;
/// The most senders whose rate is remembered. When full, all start again at zero.
constexpr std::size_t kCountedPeersMax = 10'000;
/// More than the events of any order.
constexpr int kOrderEventsMax = 20;
/// More than the agents of a home that use one message id.
constexpr int kSameIdMax = 10;
constexpr std::string_view kReject = "reject";  // docs/protocol.md, "Exchange"

/// Removes the arrivals of one peer that are not within the last minute, and counts the others.
int count_arrivals(std::deque<UnixMs>& arrivals, UnixMs now_ms) {
    // Later times come from before the clock was set back.
    const auto counts = [now_ms](UnixMs at_ms) {
        return at_ms >= now_ms - kMinuteMs && at_ms <= now_ms + kMinuteMs;
    };
    while (!arrivals.empty() && !counts(arrivals.front()))
        arrivals.pop_front();
    return static_cast<int>(arrivals.size());
}

/// The order has ended for both sides.
bool is_over(OrderState state) {
    return allowed_order_actions(state, OrderRole::Customer).empty() &&
           allowed_order_actions(state, OrderRole::Provider).empty();
}

/// The market's last news about an order that the conversation names. Nothing is read if it names
/// none.
Result<void> read_order(store::Database& reader, decide::Input& input) {
    const std::string order_id = decide::order_of_conversation(input);
    if (order_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(const auto payloads,
                         store::market_payloads(reader, input.message.agent_id,
                                                {.text = order_id, .limit = kOrderEventsMax}));
    for (const std::string& payload : payloads) {
        const auto event = nlohmann::json::parse(payload, nullptr, false);
        const auto& order = wire::member(event, "order");
        if (wire::text_member(order, "orderId") != order_id) continue;
        const auto state = parse_order_state(wire::text_member(order, "status"));
        if (!state) continue;
        input.order_has_ended = is_over(*state);
        return {};
    }
    return {};
}

/// The offer of ours with this id to the sender of `message`. The peer may answer before the broker
/// has told us that the offer was sent.
Result<std::optional<OutboxMessage>> own_offer(store::Database& reader, const InboxMessage& message,
                                               const std::string& id) {
    A2H_ASSIGN_OR_RETURN(const auto sent, store::outbox_with_id(reader, id, kSameIdMax));
    const auto found = std::find_if(sent.begin(), sent.end(), [&](const OutboxMessage& offer) {
        return offer.agent_id == message.agent_id && offer.target_id == message.sender_id &&
               consent::is_offering(wire::view_payload(offer.payload_json).type);
    });
    return found == sent.end() ? std::optional<OutboxMessage>() : *found;
}

/// An acceptance of another offer with the same id is none.
Result<void> read_answered_offer(store::Database& reader, decide::Input& input) {
    const InboxMessage& message = input.message;
    const auto payload = nlohmann::json::parse(message.payload_json, nullptr, false);
    const std::string id = wire::text_member(payload, "offer_message_id");
    const bool is_accepted = consent::is_accepting(input.payload.type);
    const bool is_answer = is_accepted || input.payload.type == kReject;
    if (id.empty() || !is_answer || !is_authentic(message.provenance)) return {};
    A2H_ASSIGN_OR_RETURN(const auto offer, own_offer(reader, message, id));
    if (!offer) return {};
    const wire::PayloadView said = wire::view_payload(offer->payload_json);
    const auto money = parse_money(said.offer_amount, said.offer_currency);
    const std::string hash = wire::text_member(payload, "offer_payload_hash");
    const bool is_other = !hash.empty() && hash != wire::sha256_hex(offer->payload_json);
    if (!is_other && money) input.answered_offer = to_text(*money);
    return {};
}

decide::Input known_about(i18n::Language owner_language, const Agent& agent,
                          const InboxMessage& message) {
    decide::Input input;
    input.message = message;
    input.payload = wire::view_payload(message.payload_json);
    input.listings = agent.listings;
    input.owner_language = owner_language;
    return input;
}

Result<ContactState> contact_of(store::Database& reader, const InboxMessage& message,
                                bool has_history) {
    A2H_ASSIGN_OR_RETURN(const auto contact,
                         store::get_contact(reader, message.agent_id, message.sender_id));
    return state_of(contact ? &*contact : nullptr, has_history);
}

/// Unverifiable messages are counted separately, so that they do not use up the sender's own
/// limits.
std::deque<UnixMs>& arrivals_of(Agent& agent, const InboxMessage& message) {
    auto& arrivals =
        is_authentic(message.provenance) ? agent.recent_arrivals : agent.unproved_arrivals;
    if (arrivals.size() >= kCountedPeersMax) arrivals.clear();
    return arrivals[message.sender_id];
}

}  // namespace

void count_arrival(Agent& agent, const InboxMessage& message, UnixMs now_ms) {
    if (message.provenance == Provenance::Forged) return;
    arrivals_of(agent, message).push_back(now_ms);
}

Result<decide::Input> take_snapshot(const kernel::Kernel& kernel, const decide::RuleSet& rules,
                                    i18n::Language owner_language, Agent& agent,
                                    const InboxMessage& message) {
    store::Database& reader = kernel.reader;
    decide::Input input = known_about(owner_language, agent, message);
    input.now_ms = kernel.clock.now_ms();
    if (!agent.listing_index || !agent.listing_index->is_of(agent.listings, rules.words())) {
        agent.listing_index = reading::ListingIndex::of(agent.listings, rules.words());
    }
    input.index = agent.listing_index;
    A2H_ASSIGN_OR_RETURN(auto recent, store::context_of(reader, message, kRecentMessages));
    input.recent = std::move(recent);
    A2H_TRY(read_order(reader, input));
    A2H_ASSIGN_OR_RETURN(input.deal,
                         deals::find(reader, deals::named_in(message), message.received_at_ms));
    A2H_TRY(read_answered_offer(reader, input));
    A2H_ASSIGN_OR_RETURN(const auto is_late, store::is_out_of_order(reader, message));
    input.is_late = is_late;
    if (rules.needs_contact()) {
        A2H_ASSIGN_OR_RETURN(const auto contact,
                             contact_of(reader, message, !input.recent.empty()));
        input.contact = contact;
    }
    if (rules.needs_mandates()) {
        A2H_ASSIGN_OR_RETURN(auto ranges, mandates::ranges(reader, message.agent_id, input.now_ms));
        input.mandates = std::move(ranges);
    }
    A2H_ASSIGN_OR_RETURN(const auto repeats,
                         store::count_same_payload(reader, message, input.now_ms - kDayMs));
    input.same_payload_count = repeats;
    if (repeats > 0) {
        // A peer that goes back to an earlier offer, or makes a withdrawn one again, means it.
        A2H_ASSIGN_OR_RETURN(
            const auto is_meant_anew,
            store::has_moved_on(reader, message, whole_message(consent::all_said_in(message))));
        if (is_meant_anew) input.same_payload_count = 0;
    }
    A2H_ASSIGN_OR_RETURN(const auto answers,
                         store::count_answers_since(reader, message, input.now_ms - kDayMs));
    input.answers_last_day = answers;
    input.messages_last_minute = count_arrivals(arrivals_of(agent, message), input.now_ms) + 1;
    return input;
}

Result<decide::Input> snapshot_of_then(store::Database& reader, i18n::Language owner_language,
                                       const Agent& agent, const InboxMessage& message,
                                       const Job& job) {
    decide::Input input = known_about(owner_language, agent, message);
    input.now_ms = job.created_at_ms;
    A2H_ASSIGN_OR_RETURN(auto recent, store::context_before(reader, message, kRecentMessages));
    input.recent = std::move(recent);
    A2H_ASSIGN_OR_RETURN(const auto contact, contact_of(reader, message, !input.recent.empty()));
    input.contact = contact;
    const auto basis = nlohmann::json::parse(job.basis_json, nullptr, false);
    if (!basis.is_object()) return input;
    input.answers_last_day = basis.value("rounds", 0);
    input.messages_last_minute = basis.value("per_minute", 0);
    input.same_payload_count = basis.value("repeated", 0);
    const std::string fit = basis.value("mandate", std::string());
    const auto named = std::ranges::find(decide::kMandateFitNames, fit);
    input.mandate_fit =
        named == decide::kMandateFitNames.end()
            ? decide::MandateFit::None
            : static_cast<decide::MandateFit>(named - decide::kMandateFitNames.begin());
    if (const auto then = parse_contact_state(basis.value("contact", std::string()))) {
        input.contact = *then;
    }
    return input;
}

}  // namespace a2h::mail
