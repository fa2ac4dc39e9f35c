#include "daemon/mail/dead_letter.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/money.h"
#include "core/domain/notification.h"
#include "core/store/event_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/door.h"
#include "daemon/consent/unsent.h"
#include "daemon/effects/message_audit.h"
#include "daemon/effects/rows.h"
#include "daemon/mail/acceptance.h"
#include "daemon/mail/late_mail.h"

namespace a2h::mail {
namespace {

using nlohmann::json;

constexpr std::string_view kKind = "outbox.dead";
constexpr std::string_view kTooLate = "it could not be delivered in time";

/// The members of the notification's body, as it is written and read.
namespace member {
constexpr std::string_view kPeer = "peer_id";
constexpr std::string_view kMessage = "message_id";
constexpr std::string_view kRow = "outbox_id";
constexpr std::string_view kWhy = "why";
constexpr std::string_view kError = "error";
constexpr std::string_view kCanBeSent = "can_be_sent";
constexpr std::string_view kWas = "was";
constexpr std::string_view kOfferId = "offer_id";
constexpr std::string_view kAmount = "amount";
}  // namespace member

/// The words of a reason in the outbox row and, as a key, in the notification.
struct Reason {
    GivenUp why;
    std::string_view name;
    std::string_view error;
    std::string_view key;
    std::string_view again_key{};  ///< if sending again can help; empty: it never can
};
constexpr Reason kReasons[] = {
    {GivenUp::Expired, "expired", "", "notify.outbox_dead_expired",
     "notify.outbox_dead_expired_again"},
    {GivenUp::Unread, "unread", "mail could not be read, so the peer may have written meanwhile",
     "notify.outbox_dead_unread", "notify.outbox_dead_unread_again"},
    {GivenUp::Overtaken, "overtaken",
     "the peer has written in the meantime, or what allowed this has ended; decide again what to "
     "say",
     "notify.outbox_dead_overtaken"},
    {GivenUp::ListingChanged, "listing_changed",
     "the listing has changed or cannot be read; decide again what to say",
     "notify.outbox_dead_listing"},
    {GivenUp::NoPermit, "no_permit", "it has no permit, or was changed after it was given",
     "notify.outbox_dead_permit"},
    {GivenUp::Stopped, "stopped", "agent_not_found", "notify.outbox_dead_stopped"},
    {GivenUp::Undeliverable, "undeliverable", "", "notify.outbox_dead"},
};

/// What a message would have committed to, and the key of the sentence about it.
constexpr std::pair<std::string_view, std::string_view> kCommitments[] = {
    {"own_offer", "notify.unsent_offer"},
    {"acceptance", "notify.unsent_acceptance"},
    {"agreement", "notify.unsent_words"}};

const Reason& reason_of(GivenUp why) {
    return *std::find_if(std::begin(kReasons), std::end(kReasons),
                         [&](const Reason& reason) { return reason.why == why; });
}

/// The reason in the stored notification decides; those of earlier versions name none.
std::string_view text_key(const notify::News& news) {
    const std::string name = wire::text_member(news.body, member::kWhy);
    const auto reason = std::find_if(std::begin(kReasons), std::end(kReasons),
                                     [&](const Reason& known) { return known.name == name; });
    if (reason == std::end(kReasons)) return reason_of(GivenUp::Undeliverable).key;
    const json& can_be_sent = wire::member(news.body, member::kCanBeSent);
    return can_be_sent == true && !reason->again_key.empty() ? reason->again_key : reason->key;
}

std::string shown(const json& body, std::string_view name) {
    return printable(wire::text_member(body, name));
}

/// What the message would have committed to; empty if it names no amount.
std::string what_it_was(const notify::News& news) {
    const std::string was = wire::text_member(news.body, member::kWas);
    const auto known = std::find_if(std::begin(kCommitments), std::end(kCommitments),
                                    [&](const auto& each) { return each.first == was; });
    if (known == std::end(kCommitments)) return {};
    // Behind a command, which ends with the line.
    return "\n" + i18n::text(news.language, known->second,
                             {{"id", shown(news.body, member::kOfferId)},
                              {"amount", shown(news.body, member::kAmount)}});
}

notify::Words words(const notify::News& news) {
    const json& row = wire::member(news.body, member::kRow);
    return {i18n::text(news.language, "notify.outbox_dead_title"),
            i18n::text(news.language, text_key(news),
                       {{"peer", shown(news.body, member::kPeer)},
                        {"why", shown(news.body, member::kError)},
                        {"row", row.is_number_integer() ? row.dump() : "0"}}) +
                what_it_was(news)};
}

/// Adds to `body` which offer or acceptance `message` is: the human may rely on it.
Result<void> put_commitment(store::Database& db, const OutboxMessage& message, json& body) {
    const json payload = json::parse(message.payload_json, nullptr, false);
    const std::string type = wire::text_member(payload, "type");
    if (consent::is_offering(type)) {
        const auto price = price_in(payload);
        if (!price) return {};
        body[member::kWas] = "own_offer";
        body[member::kAmount] = to_text(*price);
        return {};
    }
    A2H_ASSIGN_OR_RETURN(const auto yes, consent::yes_to(db, message));
    if (!yes || yes->status != ApprovalStatus::Approved || !yes->amount_minor) return {};
    body[member::kWas] = consent::is_accepting(type) ? "acceptance" : "agreement";
    body[member::kOfferId] = wire::text_member(payload, "offer_message_id");
    body[member::kAmount] = to_text(Money{*yes->amount_minor, yes->currency});
    return {};
}

/// What nothing permits to leave never leaves, whatever else has happened to it.
Result<DeadLetter> as_permitted(store::Database& db, const OutboxMessage& message,
                                const DeadLetter& dead) {
    A2H_ASSIGN_OR_RETURN(const bool permitted, consent::has_permit(db, message));
    return permitted ? dead : DeadLetter{GivenUp::NoPermit, dead.error};
}

/// The yes of a mandate is taken back, so a person decides about what it had released. What was to
/// be sent before a time is not sent after it.
Result<bool> can_be_sent(store::Database& db, const OutboxMessage& message, GivenUp why) {
    const bool has_own_end =
        message.expires_at_ms - message.created_at_ms < effects::kOutboxLifetimeMs;
    if (reason_of(why).again_key.empty() || has_own_end) return false;
    A2H_ASSIGN_OR_RETURN(const auto yes, mandates_yes(db, message));
    return !yes.has_value();
}

}  // namespace

constexpr notify::KindRow kDeadLetterRow{.kind = kKind, .words = words};

std::string error_of(const DeadLetter& dead) {
    return dead.error.empty() ? std::string(reason_of(dead.why).error) : dead.error;
}

Result<void> record_dead_letter(store::Database& db, const OutboxMessage& message,
                                const DeadLetter& dead, UnixMs now_ms,
                                const consent::Policy& policy) {
    const std::string error = error_of(dead);
    A2H_ASSIGN_OR_RETURN(const DeadLetter told, as_permitted(db, message, dead));
    A2H_ASSIGN_OR_RETURN(const bool again, can_be_sent(db, message, told.why));
    json body{{member::kPeer, message.target_id},
              {member::kMessage, message.message_id},
              {member::kRow, message.id},
              {member::kWhy, reason_of(told.why).name},
              {member::kCanBeSent, again}};
    if (!error.empty()) body[std::string(member::kError)] = error;
    A2H_TRY(put_commitment(db, message, body));
    const std::string body_json = wire::canonical_json(body);
    A2H_TRY(store::insert_event(
        db, effects::new_event(message.agent_id, kKind, message.message_id, body_json, now_ms)));
    Notification news;
    news.agent_id = message.agent_id;
    news.kind = kKind;
    news.body_json = body_json;
    A2H_TRY(consent::notify_human(db, news, policy, now_ms));
    A2H_TRY(take_back_late(db, message, error, now_ms));
    A2H_TRY(consent::record_unsent(db, message, error.empty() ? kTooLate : error, now_ms));
    return effects::audit_end(db, message, "message.given_up", now_ms);
}

}  // namespace a2h::mail
