#include "daemon/mail/acceptance.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/domain/outbox.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "core/wire/envelope.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"
#include "daemon/consent/actions.h"
#include "daemon/deals/book.h"

namespace a2h::mail {
namespace {

using nlohmann::json;
using wire::text_member;

// docs/protocol.md, "Exchange".
constexpr std::string_view kRejection = "reject";

/// `payload` in place of the offer `open_id`. The same offer again stays the same call, which is
/// carried out once.
Result<json> in_place_of(store::Database& db, json payload, const std::string& open_id,
                         const std::string& agent_id) {
    constexpr int kSameIdMax = 10;  // more than the agents of a home that use one message id
    A2H_ASSIGN_OR_RETURN(const auto sent, store::outbox_with_id(db, open_id, kSameIdMax));
    const auto open = std::find_if(sent.begin(), sent.end(), [&](const OutboxMessage& message) {
        return message.agent_id == agent_id;
    });
    if (open == sent.end()) return payload;
    json before = json::parse(open->payload_json, nullptr, false);
    const std::string replaced = text_member(before, "replaces");
    before.erase("replaces");
    if (before != payload) {
        payload["replaces"] = open_id;
    } else if (!replaced.empty()) {
        payload["replaces"] = replaced;
    }
    return payload;
}

/// The members of an answer to the typed `offer`, without its type and words.
json answer_to(const InboxMessage& offer, const consent::Ask& ask) {
    const json said = json::parse(offer.payload_json, nullptr, false);
    json answer{{"offer_message_id", offer.message_id}};
    const std::string works_id = text_member(said, "worksId");
    if (!works_id.empty()) answer["worksId"] = works_id;
    if (!ask.order_id.empty()) answer["orderId"] = ask.order_id;
    return answer;
}

bool cannot_be_accepted(ErrorCode code) {
    return code == ErrorCode::NotFound || code == ErrorCode::InvalidArgument ||
           code == ErrorCode::Conflict;
}

}  // namespace

Result<Money> price_in(const json& payload) {
    const wire::PayloadView view = wire::view_payload(wire::canonical_json(payload));
    auto money = parse_money(view.offer_amount, view.offer_currency);
    if (money && money->minor == 0) return invalid("price.amount must be above 0");
    if (money) return money;
    return invalid(
        "an offer needs price {currency, amount}, the amount in major units with no "
        "more digits than the currency has: " +
        money.error().message);
}

Result<UnixMs> end_of_offer(const json& payload, UnixMs now_ms) {
    const json& given = wire::member(payload, "valid_until");
    if (given.is_null()) return UnixMs{0};
    const auto time = parse_time(given.is_string() ? given.get<std::string>() : "");
    if (!time) return invalid("valid_until must be an ISO 8601 time with a zone");
    if (*time <= now_ms) {
        return fail(ErrorCode::Conflict, "the offer was valid until " + given.get<std::string>());
    }
    return *time;
}

Result<std::optional<Deal>> deal_of(store::Database& db, const std::string& agent_id,
                                    const std::string& peer_id, const json& payload,
                                    UnixMs now_ms) {
    OutboxMessage message;
    message.agent_id = agent_id;
    message.target_id = peer_id;
    message.payload_json = wire::canonical_json(payload);
    return deals::find(db, deals::named_in(message), now_ms);
}

Result<json> in_place_of_open_offer(store::Database& db, const std::string& agent_id,
                                    const std::string& peer_id, json payload, UnixMs now_ms) {
    if (payload.contains("replaces")) return payload;
    A2H_ASSIGN_OR_RETURN(const auto deal, deal_of(db, agent_id, peer_id, payload, now_ms));
    if (!deal || !deal->open_at_market) return payload;
    return in_place_of(db, std::move(payload), deal->open_at_market->message_id, agent_id);
}

Result<Acceptance> acceptance_of(store::Database& db, const InboxMessage& offer, json payload,
                                 UnixMs now_ms) {
    const json said = json::parse(offer.payload_json, nullptr, false);
    if (!consent::is_offering(text_member(said, "type")))
        return fail(ErrorCode::NotFound, "no offer with that message id came from that agent");
    auto price = price_in(said);
    if (!price) return fail(price.error().with_context("the offer cannot be accepted"));
    A2H_ASSIGN_OR_RETURN(const auto end, end_of_offer(said, now_ms));
    payload["type"] = consent::accepting_types().front();
    payload["offer_message_id"] = offer.message_id;
    // The market makes a deal only of the offer that was shown, whatever else has its id.
    payload["offer_payload_hash"] = wire::signed_payload_hash(offer.envelope_json);
    A2H_ASSIGN_OR_RETURN(auto complete, in_place_of_open_offer(db, offer.agent_id, offer.sender_id,
                                                               std::move(payload), now_ms));
    return Acceptance{std::move(complete), std::move(*price), end};
}

Result<bool> accept_by_yes(store::Database& db, const InboxMessage& offer, consent::Ask& ask,
                           UnixMs now_ms) {
    json words = answer_to(offer, ask);
    words["text"] = ask.reply_text;
    const auto made = acceptance_of(db, offer, std::move(words), now_ms);
    if (!made) {
        return cannot_be_accepted(made.error().code) ? Result<bool>(false) : fail(made.error());
    }
    if (ask.amount_minor != made->amount.minor || ask.currency != made->amount.currency)
        return false;
    json request{{"payload", made->payload}};
    if (!ask.reject_text.empty()) {
        request["refusal"] = answer_to(offer, ask);
        request["refusal"]["type"] = kRejection;
    }
    if (made->until_ms != 0) request["act_before_ms"] = made->until_ms;
    ask.request_json = wire::canonical_json(request);
    return true;
}

}  // namespace a2h::mail
