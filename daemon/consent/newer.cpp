#include "daemon/consent/newer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/store/contact_store.h"
#include "core/store/event_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/open_matter_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/job_state.h"
#include "daemon/decide/decision.h"
#include "daemon/effects/rows.h"

namespace a2h::consent {
namespace {

constexpr std::string_view kRule = "rule:";
constexpr std::array<std::pair<ClosedBy, std::string_view>, 8> kClosedWords = {{
    {ClosedBy::NewerMessage, "the peer has sent a newer message"},
    {ClosedBy::Renewed, "the peer has written since; check again"},
    {ClosedBy::Withdrawal, "the peer has withdrawn it"},
    {ClosedBy::UnreadMessage, "the peer has sent more messages than a2hd reads"},
    {ClosedBy::Agreement, "an agreement was reached"},
    {ClosedBy::OwnAnswer, "the peer has been answered"},
    {ClosedBy::Order, "the order has changed at the market"},
    {ClosedBy::Market, "it has changed at the market"},
}};

std::vector<NewsReader>& news_readers() {
    static std::vector<NewsReader> readers;
    return readers;
}

bool is_older(const Approval& question, const Later& later) {
    if (question.id == later.next_id) return false;
    const std::int64_t answered = question.job_id;  // 0 for an assistant's own words
    if (answered != 0) return later.job_id == 0 || answered < later.job_id;
    const bool changes_terms = later.is_offer || later.what == ClosedBy::Withdrawal;
    return changes_terms && question.created_at_ms < later.at_ms;
}

Result<bool> is_sure_enough(store::Database& db, const Approval& question, const Later& later) {
    if (!later.provenance) return true;
    const int sure = certainty(*later.provenance);
    if (sure == certainty(Provenance::Forged)) return false;
    if (sure == certainty(Provenance::Verified)) return true;
    A2H_ASSIGN_OR_RETURN(const auto asked, asked_about(db, question, question.peer_id));
    return sure >= certainty(asked);
}

/// A question about a message of the peer that the human answers in their own words.
bool is_without_draft(const Approval& question) {
    return row_of(question.action).answers_peer && question.job_id != 0 &&
           question.about != About::Terms && question.reply_text.empty();
}

/// Whether the question that replaces it asks the same: its card shows all that is open with the
/// peer, and neither has a draft that the other one lacks.
bool is_shown_by(const Approval& question, const Later& later) {
    return later.asks_on() && !later.next_id.empty() && is_without_draft(question);
}

/// A further question of the peer leaves open the drafts that are not about an offer.
bool is_for(const Approval& question, const Later& later) {
    if (later.closes != nullptr) return later.closes(question);
    if (is_shown_by(question, later)) return true;
    if (!sends_words(question) && !is_about_offer(question)) return false;
    return !later.asks_on() || is_part_of_offer(question);
}

enum class Same { Yes, No, Perhaps };

Same is_same(const ActionIds& ids, const Later& later) {
    if (!ids.order_id.empty() && !later.order_id.empty())
        return ids.order_id == later.order_id ? Same::Yes : Same::No;
    if (!ids.works_id.empty() && !later.works_id.empty())
        return ids.works_id == later.works_id ? Same::Yes : Same::No;
    return Same::Perhaps;
}

std::string closed_detail(const Approval& approval) {
    return wire::text_object({{"status", to_string(approval.status)},
                              {"outcome", to_string(approval.outcome)},
                              {"closed_by", to_string(*approval.closed_by)},
                              {"why", closed_words(approval)},
                              {"next", approval.next_id}});
}

/// Returns what else the peer asked, for the card of the question that replaces the closed one.
std::string also_asked(const Approval& closed) {
    std::string text = closed.also_text;
    if (is_about_offer(closed) || closed.job_id == 0 || closed.peer_text.empty()) return text;
    if (!closed.requested_by.starts_with(kRule)) return text;
    if (!text.empty()) text += '\n';
    return text + closed.peer_text;
}

Result<void> mention(store::Database& db, std::string_view next_id, const std::string& also_text) {
    if (next_id.empty() || also_text.empty()) return {};
    return store::put_also_text(db, next_id, also_text);
}

Result<bool> is_being_overtaken_by(store::Database& db, const Approval& approval,
                                   const std::string& peer_id) {
    A2H_ASSIGN_OR_RETURN(const auto asked, asked_about(db, approval, peer_id));
    const std::int64_t since = approval.job_id != 0 ? approval.job_id : approval.seen_inbox_id;
    A2H_ASSIGN_OR_RETURN(const auto here,
                         store::has_undecided_after(db, approval.agent_id, peer_id, since, asked));
    if (here) return true;
    A2H_ASSIGN_OR_RETURN(const auto agents,
                         store::agents_that_heard(db, peer_id, approval.seen_other_id));
    for (const std::string& agent_id : agents) {
        if (agent_id == approval.agent_id) continue;
        A2H_ASSIGN_OR_RETURN(
            const auto elsewhere,
            store::has_undecided_after(db, agent_id, peer_id, approval.seen_other_id, asked));
        if (elsewhere) return true;
    }
    return false;
}

}  // namespace

bool is_about_offer(const Approval& question) {
    return row_of(question.action).answers_peer && question.about == About::Terms;
}

bool is_part_of_offer(const Approval& question) {
    return is_about_offer(question) ||
           (question.requested_by.starts_with("approval:") && sends_words(question));
}

bool sends_words(const Approval& question) {
    return row_of(question.action).sends_words && !question.peer_id.empty() &&
           !question.reply_text.empty();
}

void register_news_reader(NewsReader reader) {
    std::vector<NewsReader>& readers = news_readers();
    if (std::find(readers.begin(), readers.end(), reader) == readers.end())
        readers.push_back(reader);
}

std::optional<Later> later_by_news(const std::string& agent_id, const std::string& payload_json) {
    for (const NewsReader read : news_readers()) {
        if (auto later = read(agent_id, payload_json)) return later;
    }
    return std::nullopt;
}

Result<Provenance> asked_about(store::Database& db, const Approval& question,
                               const std::string& peer_id) {
    if (const auto asked = parse_provenance(question.provenance)) return *asked;
    A2H_ASSIGN_OR_RETURN(const auto contact, store::get_contact(db, question.agent_id, peer_id));
    const bool has_key = contact && !contact->public_key.empty();
    return has_key ? Provenance::Verified : Provenance::Unverified;
}

std::string closed_words(const Approval& approval) {
    if (!approval.closed_by) return {};
    const auto found =
        std::find_if(kClosedWords.begin(), kClosedWords.end(),
                     [&](const auto& words) { return words.first == *approval.closed_by; });
    std::string text = "changed meanwhile: " + std::string(found->second);
    if (!approval.next_id.empty()) text += "; " + approval.next_id + " asks about it";
    return text;
}

Result<void> close_question(store::Database& db, Approval approval, ClosedBy what,
                            std::string_view next_id, const Policy& policy, UnixMs now_ms) {
    approval.status = ApprovalStatus::Cancelled;
    approval.surface = AnswerSurface::System;
    approval.answered_by = "system";
    approval.answered_at_ms = now_ms;
    approval.closed_by = what;
    approval.next_id = next_id;
    A2H_TRY(store::answer_approval(db, approval));
    if (what != ClosedBy::Renewed) {
        A2H_TRY(settle_job(db, approval.job_id,
                           i18n::text(policy.language, "approval.job_outdated"), now_ms));
    }
    const std::string detail = closed_detail(approval);
    A2H_TRY(store::append_audit(db, approval.id, "cancelled", detail, now_ms));
    const Event event =
        effects::new_event(approval.agent_id, "approval.cancelled", approval.id, detail, now_ms);
    const auto inserted = store::insert_event(db, event);
    return inserted ? Result<void>() : fail(inserted.error());
}

Result<bool> is_made_old_by(store::Database& db, const Approval& question, const Later& later) {
    if (!is_older(question, later)) return false;
    return is_sure_enough(db, question, later);
}

Result<int> close_older(store::Database& db, const Later& later, const Policy& policy,
                        UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto open, store::pending_about(db, later.agent_id, later.peer_id));
    std::vector<const Approval*> older;
    for (const Approval& question : open) {
        const ActionIds ids = ids_of_action(question.action_json);
        if (!is_older(question, later) || !is_for(question, later) ||
            is_same(ids, later) == Same::No) {
            continue;
        }
        A2H_ASSIGN_OR_RETURN(const auto sure, is_sure_enough(db, question, later));
        if (sure) older.push_back(&question);
    }
    int closed = 0;
    std::string also;
    for (const Approval* question : older) {
        const Same same = is_same(ids_of_action(question->action_json), later);
        const bool is_shown = is_shown_by(*question, later);
        if (same == Same::Perhaps && older.size() > 1 && !sends_words(*question) && !is_shown)
            continue;
        A2H_TRY(close_question(db, *question, later.what, later.next_id, policy, now_ms));
        ++closed;
        const std::string asked = is_shown ? std::string() : also_asked(*question);
        if (!asked.empty()) also += (also.empty() ? "" : "\n") + asked;
    }
    A2H_TRY(mention(db, later.next_id, also));
    return closed;
}

Result<std::string> question_after(store::Database& db, const Approval& approval) {
    if (approval.job_id == 0 || approval.status != ApprovalStatus::Pending) return std::string();
    A2H_ASSIGN_OR_RETURN(const auto open,
                         store::pending_about(db, approval.agent_id, approval.peer_id));
    const ActionIds ids = ids_of_action(approval.action_json);
    for (const Approval& question : open) {
        const ActionIds other = ids_of_action(question.action_json);
        const Later later{.agent_id = question.agent_id,
                          .peer_id = question.peer_id,
                          .order_id = other.order_id,
                          .works_id = other.works_id,
                          .job_id = question.job_id,
                          .provenance = parse_provenance(question.provenance),
                          .what = ClosedBy::NewerMessage,
                          .is_offer = false,
                          .at_ms = 0,
                          .next_id = question.id,
                          .closes = nullptr};
        if (question.job_id <= approval.job_id || !is_for(approval, later) ||
            is_same(ids, later) == Same::No) {
            continue;
        }
        A2H_ASSIGN_OR_RETURN(const auto sure, is_sure_enough(db, approval, later));
        if (sure) return question.id;
    }
    return std::string();
}

namespace {

/// An offer is accepted once: other questions whose yes would accept it again are closed.
Result<void> close_same_acceptance(store::Database& db, const OutboxMessage& message,
                                   const Policy& policy, UnixMs now_ms) {
    constexpr std::string_view kOffer = "offer_message_id";
    const auto said = nlohmann::json::parse(message.payload_json, nullptr, false);
    const std::string accepted = wire::text_member(said, kOffer);
    if (accepted.empty()) return {};
    A2H_ASSIGN_OR_RETURN(const auto open,
                         store::pending_about(db, message.agent_id, message.target_id));
    for (const Approval& question : open) {
        const auto payload =
            nlohmann::json::parse(payload_of_action(question.action_json), nullptr, false);
        const bool accepts_it = wire::text_member(payload, kOffer) == accepted;
        if (accepts_it)
            A2H_TRY(close_question(db, question, ClosedBy::Agreement, {}, policy, now_ms));
    }
    return {};
}

}  // namespace

Result<void> close_answered(store::Database& db, const OutboxMessage& message, const Policy& policy,
                            UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto waits,
                         store::has_pending_approval(db, message.agent_id, message.target_id));
    if (!waits) return {};
    const wire::PayloadView payload = wire::view_payload(message.payload_json);
    const bool accepts = is_accepting(payload.type);
    const bool is_typed = accepts || payload.type == "offer" || payload.type == "reject";
    if (!is_typed && !decide::answers_offer(payload.text)) return {};
    const Later later{.agent_id = message.agent_id,
                      .peer_id = message.target_id,
                      .order_id = payload.order_id,
                      .works_id = payload.works_id,
                      .job_id = 0,
                      .provenance = std::nullopt,
                      .what = accepts ? ClosedBy::Agreement : ClosedBy::OwnAnswer,
                      .is_offer = is_typed,
                      .at_ms = message.created_at_ms + 1,
                      .next_id = {},
                      .closes = nullptr};
    const auto closed = close_older(db, later, policy, now_ms);
    if (!closed) return fail(closed.error());
    return accepts ? close_same_acceptance(db, message, policy, now_ms) : Result<void>();
}

Result<void> close_plain_questions(store::Database& db, const Approval& released,
                                   const Policy& policy, UnixMs now_ms) {
    if (released.peer_id.empty() || released.surface == AnswerSurface::Mandate) return {};
    A2H_ASSIGN_OR_RETURN(const auto open,
                         store::pending_about(db, released.agent_id, released.peer_id));
    for (const Approval& question : open) {
        const bool is_plain =
            row_of(question.action).answers_peer && question.about == About::Facts;
        if (!is_plain || question.created_at_ms > released.created_at_ms) continue;
        A2H_TRY(close_question(db, question, ClosedBy::OwnAnswer, {}, policy, now_ms));
    }
    return {};
}

Result<void> close_void(store::Database& db, std::string_view agent_id, std::string_view news_json,
                        const Policy& policy, UnixMs now_ms) {
    const auto news = nlohmann::json::parse(news_json, nullptr, false);
    if (!news.is_object()) return {};
    A2H_ASSIGN_OR_RETURN(const auto live, store::live_approvals(db, agent_id));
    for (const Approval& question : live) {
        const ActionRow& row = row_of(question.action);
        if (question.status != ApprovalStatus::Pending || row.is_void == nullptr) continue;
        const auto action = nlohmann::json::parse(question.action_json, nullptr, false);
        if (!row.is_void(wire::member(action, "request"), news)) continue;
        A2H_TRY(close_question(db, question, ClosedBy::Market, {}, policy, now_ms));
    }
    return {};
}

Result<bool> is_being_overtaken(store::Database& db, const Approval& approval) {
    for (const std::string& peer_id : peers_of(approval)) {
        A2H_ASSIGN_OR_RETURN(const auto overtaken, is_being_overtaken_by(db, approval, peer_id));
        if (overtaken) return true;
    }
    return false;
}

Result<bool> has_newer(store::Database& db, const Approval& approval,
                       std::int64_t accepts_inbox_id) {
    const std::int64_t since = std::max(approval.job_id, accepts_inbox_id);
    if (since == 0 || approval.peer_id.empty()) return false;
    A2H_ASSIGN_OR_RETURN(const auto asked, asked_about(db, approval, approval.peer_id));
    return store::has_newer_message(db, approval.agent_id, approval.peer_id, since, asked);
}

}  // namespace a2h::consent
