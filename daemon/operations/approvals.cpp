#include "daemon/consent/approvals.h"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/domain/person.h"
#include "core/store/approval_stats.h"
#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/notification_store.h"
#include "core/wire/json_member.h"
#include "daemon/card/assistants_words.h"
#include "daemon/consent/votes.h"
#include "daemon/mail/conversation_text.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/reading_first.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

using ApprovalsParts = Asker;

constexpr int kApprovalsListed = 100;
constexpr int kStatsDays = 30;
constexpr std::int64_t kDayMs = 24LL * 3600 * 1000;
constexpr std::int64_t kFastYesMs = 5'000;
constexpr int kContextMessages = 6;

/// A person who names no agent sees and answers the questions of all agents of the home. A dialog
/// of an assistant's program is about those of its own agent.
bool means_all_agents(const Call& call) {
    return call.caller.face == Face::Human && !call.names_agent && call.action != "approval.elicit";
}

/// The approval `id`, if the call may be about it.
Result<Approval> find_approval(const ApprovalsParts& parts, const Call& call,
                               const std::string& id) {
    A2H_ASSIGN_OR_RETURN(auto approval, store::get_approval(parts.kernel.reader, id));
    if (!approval || (!means_all_agents(call) && approval->agent_id != call.agent_id())) {
        return fail(ErrorCode::NotFound, "there is no approval " + id.substr(0, 40));
    }
    return std::move(*approval);
}

Result<Approval> approval_named(const ApprovalsParts& parts, const Call& call) {
    return find_approval(parts, call, call.text("approval_id"));
}

constexpr std::string_view kRefusalKept =
    "Nothing was sent to the peer: a no without a proof only closes the question. Your human can "
    "refuse with the PIN, the link or the code, or write to the peer with `a2h send`.";

json answered_json(const consent::Answered& answered) {
    json data = to_json(answered.approval);
    data["reply_queued"] = answered.reply_queued;
    const bool keeps_refusal = answered.approval.status == ApprovalStatus::Rejected &&
                               !answered.reply_queued && !answered.approval.reject_text.empty();
    if (keeps_refusal) data["next"] = kRefusalKept;
    if (!answered.votes.empty()) data["votes"] = answered.votes;
    if (answered.next) {
        data["next_approval_id"] = answered.next->id;
        data["next_reply_text"] = answered.next->reply_text;
    }
    return data;
}

/// The value at `percent` of a sorted list, in seconds with one decimal; 0 for an empty list.
double seconds_at(const std::vector<std::int64_t>& sorted_ms, std::size_t percent) {
    if (sorted_ms.empty()) return 0;
    const std::size_t at = (sorted_ms.size() - 1) * percent / 100;
    return static_cast<double>(sorted_ms[at] / 100) / 10;
}

/// Figures that distinguish a human who decides from one who only clicks: the share of yes, the
/// time of a yes, and the questions that were not delivered.
json counts_json(const std::vector<store::ApprovalCount>& counts,
                 const std::vector<std::int64_t>& yes_ms) {
    std::int64_t asked = 0, yes = 0, no = 0, instructed = 0, expired = 0, open = 0, mandate = 0;
    std::int64_t closed = 0, unanswered = 0;
    for (const store::ApprovalCount& row : counts) {
        asked += row.count;
        if (row.surface == AnswerSurface::Mandate) {
            mandate += row.count;
        } else if (row.status == ApprovalStatus::Approved && row.only_closes) {
            unanswered += row.count;
        } else if (row.status == ApprovalStatus::Approved) {
            yes += row.count;
        } else if (row.status == ApprovalStatus::Rejected) {
            no += row.count;
        } else if (row.status == ApprovalStatus::Instructed) {
            instructed += row.count;
        } else if (row.status == ApprovalStatus::Pending) {
            open += row.count;
        } else if (row.status == ApprovalStatus::Cancelled) {
            closed += row.count;
        } else {
            expired += row.count;
        }
    }
    const auto fast = std::upper_bound(yes_ms.begin(), yes_ms.end(), kFastYesMs);
    const std::int64_t answered = yes + no + instructed;
    return {{"asked", asked},
            {"approved", yes},
            {"rejected", no},
            {"instructed", instructed},
            {"expired", expired},
            {"closed", closed},
            {"closed_without_answer", unanswered},
            {"open", open},
            {"by_mandate", mandate},
            {"yes_percent", answered == 0 ? 0 : 100 * yes / answered},
            {"yes_median_s", seconds_at(yes_ms, 50)},
            {"yes_p90_s", seconds_at(yes_ms, 90)},
            {"yes_within_5s", fast - yes_ms.begin()}};
}

void hand_in(const ApprovalsParts& parts, const Call& call, const consent::Answer& answer,
             const std::string& pin, const Reply& reply) {
    parts.answers.answer(answer, pin,
                         [action = call.action, has_pin = !pin.empty(),
                          reply](const Result<consent::Answered>& answered) {
                             if (answered)
                                 return reply(ok_result(action, answered_json(*answered)));
                             reply(has_pin ? error_result_of_pin(action, answered.error())
                                           : error_result(action, answered.error()));
                         });
}

/// The answer in the call's arguments; the caller adds who gives it and the proof.
Result<consent::Answer> decision_in(const ApprovalsParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto approval, approval_named(parts, call));
    consent::Answer answer;
    answer.approval_id = approval.id;
    answer.words = call.text("decision");
    answer.kind = call.arguments.value("as_instruction", false)
                      ? AnswerKind::Instruct
                      : consent::understand_answer(approval, answer.words);
    answer.digest_seen = call.text("digest");
    return answer;
}

/// Handles an answer that the assistant relays, or that a dialog of its program has passed on
/// directly.
void relay(const ApprovalsParts& parts, const Call& call, bool elicited, const Reply& reply) {
    auto answer = decision_in(parts, call);
    if (!answer) {
        reply(error_result(call.action, answer.error()));
        return;
    }
    // An assistant that relays "ok" has understood a yes, which needs the code like "approve" does.
    if (!elicited && answer->kind == AnswerKind::Instruct && consent::is_plain_yes(answer->words))
        answer->kind = AnswerKind::Approve;
    answer->proof = call.text("code");
    answer->surface = answer->proof.empty() ? AnswerSurface::Relayed : AnswerSurface::Code;
    answer->elicited = elicited;
    hand_in(parts, call, *answer, "", reply);
}

void handle_approval_create(const ApprovalsParts& parts, const Call& call, const Reply& reply) {
    consent::Ask ask;
    ask.agent_id = call.agent_id();
    ask.peer_id = call.text("peer_id");
    ask.action = kReplyAction;
    ask.reply_text = call.text("reply_text");
    const i18n::Language language = parts.config->approval.language;
    ask.question = card::asked_by_assistant(call.text("question"), language);
    const std::string context = call.text("context");
    if (!context.empty()) ask.context = card::written_by_assistant(context, language);
    for (std::string& label : call.arguments.value("options", std::vector<std::string>()))
        ask.options.emplace_back(std::move(label));
    ask.requested_by = card::kAssistantAsks;
    ask.asked_by = call.caller.proved_by;
    if (context.empty()) {
        const auto recent =
            store::history(parts.kernel.reader, ask.agent_id, ask.peer_id, 1, kContextMessages);
        if (recent) ask.context = mail::conversation_text(*recent, nullptr, language);
    }
    const consent::Question approval =
        consent::new_approval(ask, parts.config->approval, parts.kernel.clock.now_ms());
    open_and_notify(parts, approval,
                    [&parts, action = call.action, approval, reply](const Result<json>& notified) {
                        if (!notified) {
                            reply(not_asked(parts, action, notified.error()));
                            return;
                        }
                        reply(ok_result(action, {{"approval_id", approval.id},
                                                 {"status", to_string(approval.status)},
                                                 {"notified", *notified},
                                                 {"next", next_after_asking(*notified)}}));
                    });
}

void handle_approval_response(const ApprovalsParts& parts, const Call& call, const Reply& reply) {
    relay(parts, call, false, reply);
}

void handle_approval_elicit(const ApprovalsParts& parts, const Call& call, const Reply& reply) {
    relay(parts, call, true, reply);
}

void handle_approval_answer(const ApprovalsParts& parts, const Call& call, const Reply& reply) {
    auto answer = decision_in(parts, call);
    if (!answer) {
        reply(error_result(call.action, answer.error()));
        return;
    }
    answer->edited_reply_text = call.text("reply_text");
    answer->surface = AnswerSurface::Terminal;
    answer->person = person_of(parts.config, call);
    hand_in(parts, call, *answer, call.text("pin"), reply);
}

/// Whether the yes of the owner counts.
bool owner_may_approve(const ApprovalsParts& parts, const Approval& approval) {
    return consent::check_voter(approval, owner_of(parts.config->approval.people)).has_value();
}

Result<json> handle_approval_list(const ApprovalsParts& parts, const Call& call) {
    if (!call.text("approval_id").empty()) {
        A2H_ASSIGN_OR_RETURN(const auto approval, approval_named(parts, call));
        const card::Reader reader = reader_of(parts, call);
        json row = to_json(approval, reader);
        row["language"] =
            i18n::language_tag(reader.language);  // a dialog around the card speaks it, too
        A2H_ASSIGN_OR_RETURN(
            const auto trusted,
            consent::trusts_dialog(parts.kernel.reader, approval, parts.config->approval));
        row["dialog_needs_code"] = !trusted;
        // The owner sees the dialog: a code that only others have cannot be typed there.
        const std::string owner = owner_of(parts.config->approval.people);
        row["owner_may_approve"] = owner_may_approve(parts, approval);
        const auto delivered = store::was_code_delivered(parts.kernel.reader, approval.id, owner);
        row["code_delivered"] = delivered && *delivered;
        return json{{"approvals", json::array({std::move(row)})}};
    }
    const auto status = parse_approval_status(call.text("status"));
    const int limit = call.number("limit", kApprovalsListed);
    const auto before = call.arguments.value("before", std::numeric_limits<std::int64_t>::max());
    A2H_ASSIGN_OR_RETURN(
        const auto list,
        store::list_approvals(parts.kernel.reader,
                              means_all_agents(call) ? std::string() : call.agent_id(), status,
                              limit + 1, before));
    const bool more = static_cast<int>(list.size()) > limit;
    json approvals = json::array();
    for (const Approval& approval : list) {
        if (static_cast<int>(approvals.size()) == limit) break;
        json row = to_json(approval, reader_of(parts, call));
        row["owner_may_approve"] = owner_may_approve(parts, approval);
        approvals.push_back(std::move(row));
    }
    json data{{"approvals", std::move(approvals)}, {"more", more}};
    if (more) data["next_before"] = list[static_cast<std::size_t>(limit) - 1].number;
    return data;
}

void handle_approval_answer_many(const ApprovalsParts& parts, const Call& call,
                                 const Reply& reply) {
    const bool yes = call.text("decision") == "approve";
    std::vector<consent::Answer> answers;
    for (const json& entry : call.arguments.at("answers")) {
        consent::Answer answer;
        answer.approval_id = wire::text_member(entry, "approval_id");
        answer.digest_seen = wire::text_member(entry, "digest");
        answer.kind = yes ? AnswerKind::Approve : AnswerKind::Reject;
        answer.words = call.text("decision");
        answer.surface = AnswerSurface::Terminal;
        answer.person = person_of(parts.config, call);
        const auto approval = find_approval(parts, call, answer.approval_id);
        if (!approval) return reply(error_result(call.action, approval.error()));
        answers.push_back(std::move(answer));
    }
    if (answers.empty()) {
        reply(error_result(call.action, {ErrorCode::InvalidArgument, "answers is empty"}));
        return;
    }
    parts.answers.answer_many(
        answers, call.text("pin"), [action = call.action, answers, reply](const auto& results) {
            json rows = json::array();
            int answered = 0;
            for (std::size_t i = 0; i < results.size(); ++i) {
                json row = results[i] ? ok_result(action, answered_json(*results[i]))
                                      : error_result(action, results[i].error());
                row.erase("action");
                row["approval_id"] = answers[i].approval_id;
                answered += results[i] ? 1 : 0;
                rows.push_back(std::move(row));
            }
            if (answered == 0) return reply(error_result(action, results.front().error()));
            reply(ok_result(action, {{"answered", answered}, {"results", std::move(rows)}}));
        });
}

Result<json> handle_approval_stats(const ApprovalsParts& parts, const Call& call) {
    const int days = call.number("days", kStatsDays);
    const UnixMs since = parts.kernel.clock.now_ms() - std::int64_t{days} * kDayMs;
    store::Database& db = parts.kernel.reader;
    A2H_ASSIGN_OR_RETURN(const auto counts, store::count_approvals(db, call.agent_id(), since));
    A2H_ASSIGN_OR_RETURN(const auto durations, store::yes_durations_ms(db, call.agent_id(), since));
    A2H_ASSIGN_OR_RETURN(const auto edited, store::count_edited(db, call.agent_id(), since));
    json data = counts_json(counts, durations);
    data["days"] = days;
    data["edited"] = edited;
    return data;
}

}  // namespace

void add_approvals(Table& table, const AllParts& all) {
    const Sender& sender = all.sender;
    const ApprovalsParts& parts = sender;
    table.add("approval.create", after_reading(sender, with(parts, handle_approval_create)));
    table.add("approval.response", with(parts, handle_approval_response));
    table.add("approval.elicit", with(parts, handle_approval_elicit));
    table.add("approval.answer", with(parts, handle_approval_answer));
    table.add("approval.list", with(parts, handle_approval_list));
    table.add("approval.answer_many", with(parts, handle_approval_answer_many));
    table.add("approval.stats", with(parts, handle_approval_stats));
}

}  // namespace a2h::operations
