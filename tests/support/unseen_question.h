#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "daemon/consent/approvals.h"
#include "tests/support/unseen.h"

namespace a2h::test {

/// A question about a call of the market, each of whose words is `hidden`, also as the name of a
/// member. A text that a yes sends is among them.
inline Approval question_of(const std::string& hidden) {
    consent::Ask ask;
    ask.agent_id = "ag_seller";
    ask.peer_id = "ag_buyer" + hidden;
    ask.action = "send";
    const nlohmann::json payload{
        {hidden, hidden}, {"summary", hidden}, {"list", {hidden, {{hidden, hidden}}, {{hidden}}}}};
    ask.request_json = nlohmann::json{
        {"target_agent_id", hidden},
        {"works_id", hidden},
        {"text", "x" + hidden},
        {"payload",
         payload}}.dump();
    ask.reply_text = "reply " + hidden;
    ask.reject_text = "reject " + hidden;
    ask.question = "question " + hidden;
    ask.context = "context " + hidden;
    ask.options = {"option " + hidden, "another"};
    ask.provenance = "verified";
    ask.requested_by = "rule:" + hidden;
    ask.amount_minor = 30'000;
    ask.currency = "CNY";
    auto approval = consent::new_approval(ask, {}, 1'760'000'000'000);
    approval.since_text = "since " + hidden;
    approval.also_text = "also " + hidden;
    return approval;
}

/// A question to the owner of the text `hidden`, which nothing else contains.
inline Approval short_question_of(const std::string& hidden) {
    consent::Ask ask;
    ask.agent_id = "ag_seller";
    ask.peer_id = "ag_buyer";
    ask.action = "reply.send";
    ask.question = "May I?";
    ask.reply_text = hidden;
    return consent::new_approval(ask, {}, 1'760'000'000'000);
}

/// The same, answered.
inline Approval answered(Approval question, const std::string& hidden) {
    question.status = ApprovalStatus::Approved;
    question.outcome = ApprovalOutcome::Failed;
    question.surface = AnswerSurface::Page;
    question.answered_by = "by " + hidden;
    question.answer_text = "answer " + hidden;
    question.outcome_detail = "detail " + hidden;
    question.answered_at_ms = question.created_at_ms + 1;
    return question;
}

}  // namespace a2h::test
