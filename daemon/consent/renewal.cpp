#include "daemon/consent/renewal.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/join.h"
#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/notification_store.h"
#include "core/store/open_matter_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/message_types.h"
#include "daemon/card/card.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/flood.h"
#include "daemon/consent/newer.h"
#include "daemon/consent/own_offer.h"
#include "daemon/consent/said.h"
#include "daemon/decide/decision.h"

namespace a2h::consent {
namespace {

using nlohmann::json;

constexpr std::chrono::minutes kRenewalNewsEvery{1};
constexpr int kStandingHopsMax = 10'000;

/// A message that the card does not show. Late: the peer sent it before others that arrived
/// earlier.
struct Unread {
    InboxMessage message;
    bool is_late = false;
};

/// The only peer's messages to the agent that the card does not show, oldest first.
struct Unshown {
    std::vector<Unread> messages;
    std::int64_t seen_inbox_id = 0;  ///< the newest message that was examined
    bool has_more = false;           ///< there are more than were examined
};

json envelope_words(std::string_view message_type, std::string_view message_id,
                    std::string_view trace_id) {
    json words = json::object();
    if (!wire::is_message_type(message_type)) words["message_type"] = message_type;
    if (!is_wordless_id(message_id)) words["message_id"] = message_id;
    if (!trace_id.empty() && !is_wordless_id(trace_id)) words["trace_id"] = trace_id;
    return words;
}

/// Equal for a message and its repetition. The same words are something else under another type.
std::string type_and_words(const InboxMessage& message, std::string_view said) {
    return message.message_type + "\n" + std::string(said);
}

/// Type and words of the newest message on the card; empty if it shows none.
Result<std::string> said_last(store::Database& db, const Approval& approval) {
    if (approval.job_id == 0 && approval.since_text.empty()) return std::string();
    A2H_ASSIGN_OR_RETURN(auto last, store::get_inbox(db, approval.seen_inbox_id));
    const bool is_theirs =
        last && last->sender_id == approval.peer_id && last->agent_id == approval.agent_id;
    return is_theirs ? type_and_words(*last, all_said_in(*last)) : std::string();
}

Result<Unshown> unshown_of(store::Database& db, const Approval& approval) {
    Unshown unshown;
    unshown.seen_inbox_id = approval.seen_inbox_id;
    if (approval.peer_id.empty()) return unshown;
    A2H_ASSIGN_OR_RETURN(const auto sure, asked_about(db, approval, approval.peer_id));
    A2H_ASSIGN_OR_RETURN(auto later,
                         store::decided_after(db, approval.agent_id, approval.peer_id,
                                              approval.seen_inbox_id, sure, kSaidMax + 1));
    unshown.has_more = later.size() > kSaidMax;
    if (later.empty()) return unshown;
    A2H_ASSIGN_OR_RETURN(auto last_said, said_last(db, approval));
    for (InboxMessage& message : later) {
        unshown.seen_inbox_id = message.id;
        const std::string said = all_said_in(message);
        std::string again = type_and_words(message, said);
        if (again == last_said || is_harmless(message.message_type, said)) continue;
        A2H_ASSIGN_OR_RETURN(const auto job, store::get_job_of_inbox(db, message.id));
        if (job && has_own_way(approval, job->rule_id, said)) continue;
        last_said = std::move(again);
        A2H_ASSIGN_OR_RETURN(const auto is_late, store::is_out_of_order(db, message));
        unshown.messages.push_back({std::move(message), is_late});
    }
    return unshown;
}

std::string written(const Unread& unread, i18n::Language language) {
    const std::string late =
        unread.is_late ? i18n::text(language, "approval.arrived_late") + " " : std::string();
    return entry_of(late + card::message_in_words(all_said_in(unread.message), language));
}

/// False if there is more than a card can show.
bool fits(const Approval& approval) {
    return count_entries(approval.since_text) <= kSaidMax &&
           approval.since_text.size() <= kSaidBytesMax;
}

/// Adds what the peer has said after what the card shows. nullopt: nothing. Otherwise whether the
/// card shows all of it.
Result<std::optional<bool>> add_newer(store::Database& db, Approval& approval,
                                      i18n::Language language) {
    A2H_ASSIGN_OR_RETURN(const auto unshown, unshown_of(db, approval));
    A2H_ASSIGN_OR_RETURN(const auto elsewhere, said_elsewhere(db, approval, language));
    approval.seen_inbox_id = unshown.seen_inbox_id;
    for (const Unread& unread : unshown.messages)
        approval.since_text += written(unread, language);
    approval.since_text += elsewhere.text;
    const bool has_more = unshown.has_more || elsewhere.has_more;
    if (unshown.messages.empty() && elsewhere.count == 0 && !has_more) return std::optional<bool>();
    return std::optional(!has_more && fits(approval));
}

std::string too_much_open(const Approval& approval) {
    const std::string peers = joined_with(" and ", peers_of(approval));
    return peers +
           " said more since your human's last yes than a card can show, so this cannot be asked; "
           "ask your human to read the conversation (`a2h inbox " +
           peers_of(approval).front() + "`) and to answer it (`a2h send`)";
}

/// Words of an assistant's own could answer everything that is open with the peer.
Result<void> show_open(store::Database& db, Approval& approval, i18n::Language language) {
    A2H_ASSIGN_OR_RETURN(const auto newest, store::newest_inbox_id(db));
    A2H_ASSIGN_OR_RETURN(const auto read_ms, store::newest_read_ms(db));
    approval.seen_inbox_id = approval.seen_other_id = newest;
    approval.seen_read_ms = read_ms;
    if (!approval.asked_by.empty()) return {};
    A2H_ASSIGN_OR_RETURN(auto open, said_and_open(db, approval, language));
    if (open.has_more) return fail(ErrorCode::PermissionDenied, too_much_open(approval));
    approval.since_text = std::move(open.text);
    return {};
}

/// The card of a question about a message shows what of the peer's words before it is open, and
/// everything that the peer has said since. False if that is more than it can show.
Result<bool> begin_at_message(store::Database& db, Approval& approval, i18n::Language language) {
    approval.seen_inbox_id = approval.seen_other_id = approval.job_id;
    A2H_ASSIGN_OR_RETURN(const auto message, store::get_inbox(db, approval.job_id));
    if (message) approval.seen_read_ms = message->received_at_ms;
    if (approval.peer_id.empty()) return true;
    A2H_ASSIGN_OR_RETURN(auto open, open_before(db, approval, language));
    approval.since_text = std::move(open.text);
    if (!open.has_more) return true;
    approval.since_text +=
        entry_of(i18n::text(language, "card.said_more", {{"peer", approval.peer_id}}));
    return false;
}

/// Whether the question is renewed with the message: its yes sends the peer something or accepts
/// something of it, or it is about the peer's terms. A question that asks the human to read the
/// conversation is renewed only if people may be notified of it again.
Result<bool> is_renewed_at_once(store::Database& db, const Approval& approval, UnixMs now_ms) {
    if (peers_of(approval).empty()) return false;
    if (card::closes_without_answer(approval) && !is_about_offer(approval)) return false;
    if (!asks_to_read(approval)) return true;
    A2H_ASSIGN_OR_RETURN(const auto notified_at_ms, news_time(db, approval, now_ms));
    return notified_at_ms <= now_ms;
}

/// The card cannot show what was said. A question about several peers has no conversation that
/// could be read instead, so it ends.
Result<std::optional<Approval>> end_unshown(store::Database& db, const Approval& approval,
                                            const Policy& policy, UnixMs now_ms) {
    if (!approval.peer_id.empty()) {
        A2H_ASSIGN_OR_RETURN(auto reading, read_instead(db, approval, policy, now_ms));
        return std::optional(std::move(reading));
    }
    A2H_TRY(close_question(db, approval, ClosedBy::UnreadMessage, "", policy, now_ms));
    return std::optional(approval);
}

}  // namespace

bool is_harmless(std::string_view message_type, std::string_view payload_json) {
    if (message_type != wire::kChatMessageType) return false;
    const json payload = json::parse(payload_json, nullptr, false);
    if (!payload.is_object()) return false;
    const bool has_type = wire::text_member(payload, "type") == "text";
    return payload.size() == (has_type ? 2 : 1) &&
           decide::is_greeting_or_thanks(wire::text_member(payload, "text"));
}

bool has_plain_envelope(std::string_view message_type, std::string_view message_id,
                        std::string_view trace_id) {
    return envelope_words(message_type, message_id, trace_id).empty();
}

std::string all_said(std::string_view message_type, std::string_view message_id,
                     std::string_view trace_id, const std::string& payload_json) {
    json words = envelope_words(message_type, message_id, trace_id);
    if (words.empty()) return payload_json;
    json payload = json::parse(payload_json, nullptr, false);
    if (!payload.is_object()) payload = {{"text", payload_json}};
    json& envelope = payload["envelope"];
    if (!envelope.is_null()) words["envelope"] = envelope;
    envelope = std::move(words);
    return wire::canonical_json(payload);
}

std::string all_said_in(const InboxMessage& message) {
    return all_said(message.message_type, message.message_id, message.trace_id,
                    message.payload_json);
}

Result<UnixMs> news_time(store::Database& db, const Approval& before, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto rows, store::notifications_of_approval(db, before.id));
    UnixMs last_ms = 0;
    bool was_asked_first = false;
    bool is_owed = false;
    for (const Notification& row : rows) {
        if (row.kind != kAskedKind) continue;
        last_ms = std::max(last_ms, row.created_at_ms);
        // A renewal keeps the time of the question that was asked first, but is notified later.
        was_asked_first = was_asked_first || row.created_at_ms <= before.created_at_ms;
        is_owed = is_owed || (row.state == "queued" && row.attempts == 0);
    }
    if (last_ms > now_ms) return last_ms;
    if (last_ms == 0 || was_asked_first || is_owed) return now_ms;
    return std::max(now_ms, last_ms + std::chrono::milliseconds(kRenewalNewsEvery).count());
}

Result<bool> show_newer(store::Database& db, Approval& approval, const Policy& policy) {
    if (peers_of(approval).empty()) return true;
    if (approval.seen_inbox_id == 0 && approval.job_id == 0) {
        A2H_TRY(show_open(db, approval, policy.language));
        return true;
    }
    bool shows_before = true;
    if (approval.seen_inbox_id == 0) {
        A2H_ASSIGN_OR_RETURN(shows_before, begin_at_message(db, approval, policy.language));
    }
    Approval shown = approval;
    A2H_ASSIGN_OR_RETURN(const auto shows_since, add_newer(db, shown, policy.language));
    if (shows_since.value_or(true)) approval = std::move(shown);
    return shows_before && shows_since.value_or(true);
}

Result<bool> has_spoken_elsewhere(store::Database& db, const Approval& approval,
                                  i18n::Language language) {
    Approval shown = approval;
    A2H_ASSIGN_OR_RETURN(const auto elsewhere, said_elsewhere(db, shown, language));
    return elsewhere.count > 0 || elsewhere.has_more;
}

Result<std::optional<Approval>> renew(store::Database& db, const Approval& approval,
                                      const Policy& policy, UnixMs now_ms) {
    if (peers_of(approval).empty()) return std::optional<Approval>();
    Approval next = approval;
    A2H_ASSIGN_OR_RETURN(const auto is_whole, add_newer(db, next, policy.language));
    A2H_ASSIGN_OR_RETURN(const bool has_other_offer, name_own_offer(db, next, now_ms));
    if (!is_whole && !has_other_offer) return std::optional<Approval>();
    if (!is_whole.value_or(true)) return end_unshown(db, approval, policy, now_ms);
    next.id = new_approval_id();
    next.number = 0;
    next.code_failures = 0;
    count_no_words(next);
    A2H_ASSIGN_OR_RETURN(const auto notified_at_ms, news_time(db, approval, now_ms));
    A2H_TRY(store_question(db, next, now_ms));
    if (next.escalated_at_ms != 0)
        A2H_TRY(store::mark_escalated(db, next.id, next.escalated_at_ms));
    A2H_TRY(store::move_references(db, approval.id, next.id));
    A2H_TRY(close_question(db, approval, ClosedBy::Renewed, next.id, policy, now_ms));
    A2H_TRY(notify_asked(db, next, kAskedKind, policy, now_ms, notified_at_ms));
    return std::optional(std::move(next));
}

Result<int> renew_older(store::Database& db, std::int64_t inbox_id, const Policy& policy,
                        UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto open, store::pending_about_sender(db, inbox_id));
    int renewed = 0;
    for (const Approval& question : open) {
        if (renewed == kRenewedAtOnce) break;
        if (question.seen_inbox_id >= inbox_id) continue;
        // A question before it may have become one about all of them.
        A2H_ASSIGN_OR_RETURN(const auto stored, store::get_approval(db, question.id));
        if (!stored || stored->status != ApprovalStatus::Pending) continue;
        A2H_ASSIGN_OR_RETURN(const bool is_due, is_renewed_at_once(db, question, now_ms));
        if (!is_due) continue;
        A2H_ASSIGN_OR_RETURN(const auto next, renew(db, question, policy, now_ms));
        renewed += next ? 1 : 0;
    }
    return renewed;
}

Result<std::optional<Approval>> standing_for(store::Database& db, const Approval& approval) {
    std::optional<Approval> now = approval;
    for (int hop = 0; now && hop < kStandingHopsMax; ++hop) {
        if (now->status == ApprovalStatus::Pending) return now;
        if (now->next_id.empty()) break;
        auto next = store::get_approval(db, now->next_id);
        if (!next) return next;
        now = std::move(*next);
    }
    return std::optional<Approval>();
}

}  // namespace a2h::consent
