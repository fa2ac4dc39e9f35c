#include "daemon/stages/flow.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/check.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"
#include "daemon/effects/rows.h"
#include "daemon/stages/case_json.h"
#include "daemon/stages/context_service.h"
#include "daemon/stages/verdict.h"

namespace a2h::stages {
namespace {

using nlohmann::json;
using wire::TaskMessageType;

constexpr std::size_t kPeerTextMax = 4'000;      ///< code points in the payload of a TaskEvent
constexpr std::size_t kPreviousTextMax = 2'000;  ///< code points of the previous slice's result
constexpr double kFullScore = 100;

/// What we write is well-formed: peers' texts were checked on arrival, and drafts in `drafted`.
template <typename Message>
std::string written(const Message& message) {
    auto text = wire::write_task_message(message);
    A2H_CHECK(text.has_value());
    return std::move(*text);
}

/// Null if the text is not a JSON object.
json stored_object(const std::string& text) {
    json object = json::parse(text, nullptr, false);
    return object.is_object() ? object : json();
}

/// The payload of the current TaskEvent or RetryEvent.
json payload_of(const StageCase& stage_case) {
    return wire::member(stored_object(stage_case.event_json), "payload");
}

i18n::Language language_in(const json& payload) {
    return i18n::language_of(wire::text_member(payload, "language"));
}

/// Another draft can be different; a rule's text cannot.
wire::NextAction after_failure(const StageCase& stage_case) {
    return stage_case.kind == CaseKind::Draft ? wire::NextAction::Retry : wire::NextAction::None;
}

}  // namespace

Flow::Flow(const Setup& setup, const decide::Input& input, const Job& job, Step& step)
    : setup_(setup), input_(input), job_(job), step_(step) {}

void Flow::begin() {
    StageCase& now = step_.now;
    const InboxMessage& message = input_.message;
    now.task_uuid =
        wire::uuid_of(message.agent_id + " " + message.sender_id + " " + message.message_id);
    now.max_attempts = setup_.options.max_attempts;
    begin_slice(0, {});
}

void Flow::begin_slice(int slice, const std::string& previous) {
    StageCase& now = step_.now;
    now.slice = slice;
    now.retry_count = 0;
    now.reasons_json = "[]";
    now.trace_id = new_trace_id(input_.now_ms);
    wire::TaskEvent event;
    event.envelope = envelope();
    event.task_id = now.task_uuid;
    event.payload_json = task_payload(slice, previous);
    event.max_attempts = now.max_attempts;
    begin_try(std::move(event), TaskMessageType::TaskEvent);
}

void Flow::retry() {
    StageCase& now = step_.now;
    const auto before = wire::read_task_message<wire::TaskEvent>(now.event_json);
    now.trace_id = new_trace_id(input_.now_ms);
    auto event = before ? wire::retry_of(*before, envelope()) : fail(before.error());
    if (!event) {
        ask();
        return;
    }
    now.retry_count = event->retry_count;
    begin_try(std::move(*event), TaskMessageType::RetryEvent);
}

void Flow::begin_try(wire::TaskEvent event, TaskMessageType type) {
    StageCase& now = step_.now;
    now.event_json = written(event);
    now.blocks_json.clear();
    now.results_json.clear();
    now.context_reads = 0;
    const bool goes_out = now.kind == CaseKind::Draft && !setup_.options.agent.empty();
    record(type, kOurselves, goes_out ? setup_.options.agent : kOurselves, now.event_json);
    if (now.kind == CaseKind::Draft) {
        ask_for_context();
        return;
    }
    const auto decision = read_decision(now.decision_json);
    model::Draft draft;
    draft.wish = model::Wish::Reply;
    if (decision) {
        draft.text = now.kind == CaseKind::Reply ? decision->reply_text : decision->holding_text;
        draft.why = decision->why;
    }
    report(draft, "rule:" + (decision ? decision->rule_id : std::string()));
}

void Flow::ask_for_context() {
    const Options& options = setup_.options;
    const json payload = payload_of(step_.now);
    const auto reasons = read_texts(step_.now.reasons_json);
    json globals = json::object();
    globals["task"] = payload;
    globals["retry_count"] = step_.now.retry_count;
    globals["reasons"] = reasons;
    wire::GetContextRequest request;
    request.envelope = envelope();
    request.agent_id = wire::uuid_of(options.agent.empty() ? step_.now.agent_id : options.agent);
    request.task_id = step_.now.task_uuid;
    request.globals_json = wire::canonical_json(globals);
    const std::string text = written(request);
    record(TaskMessageType::GetContextRequest, kOurselves,
           options.context.empty() ? kOurselves : options.context, text);
    if (!options.context.empty()) {
        send(TaskMessageType::GetContextRequest, options.context, text);
        wait_for(CaseStage::Context);
        return;
    }
    auto blocks = build_blocks({.input = input_,
                                .language = language_in(payload),
                                .previous = wire::text_member(payload, "previous"),
                                .reasons = reasons});
    blocks.envelope = envelope();
    blocks_arrived(written(blocks), kOurselves);
}

void Flow::blocks_arrived(std::string blocks_json, std::string_view author) {
    record(TaskMessageType::PromptBlocksResponse, author, kOurselves, blocks_json);
    step_.now.blocks_json = std::move(blocks_json);
    ask_for_draft();
}

void Flow::ask_for_draft() {
    wait_for(CaseStage::Agent);
    if (setup_.options.agent.empty()) {
        step_.must_draft = true;
        return;
    }
    const bool is_first = step_.now.retry_count == 0;
    send(is_first ? TaskMessageType::TaskEvent : TaskMessageType::RetryEvent, setup_.options.agent,
         step_.now.event_json);
}

void Flow::read_blocks(std::string request_json, std::string_view author) {
    record(TaskMessageType::GetContextRequest, author, kOurselves, request_json);
    ++step_.now.context_reads;
    auto blocks = wire::read_task_message<wire::PromptBlocksResponse>(step_.now.blocks_json);
    if (!blocks) return;  // it waits without a result, and the attempt ends by its time limit
    blocks->envelope = envelope();
    const std::string text = written(*blocks);
    record(TaskMessageType::PromptBlocksResponse, kOurselves, author, text);
    send(TaskMessageType::PromptBlocksResponse, std::string(author), text);
}

void Flow::drafted(const model::Draft& draft) {
    const std::string author = draft.model.empty() ? "model" : "model:" + draft.model;
    const bool is_text = is_utf8(draft.text) && is_utf8(draft.why) && is_utf8(draft.model);
    const auto usable = is_text ? read_results(results_of(draft, input_))
                                : Result<model::Draft>(invalid("the draft is not UTF-8"));
    if (!usable) {
        fail_try(usable.error().message);
        return;
    }
    report(draft, author);
}

void Flow::report(const model::Draft& draft, std::string_view author) {
    wire::ReportResultRequest report;
    report.envelope = envelope();
    report.task_id = step_.now.task_uuid;
    report.task_results_json = results_of(draft, input_);
    const std::string text = written(report);
    reported(text, report.task_results_json, author);
}

void Flow::reported(std::string report_json, std::string results_json, std::string_view author) {
    const bool adds_context = step_.now.kind == CaseKind::Draft && !setup_.options.context.empty();
    record(TaskMessageType::ReportResultRequest, author,
           adds_context ? setup_.options.context : kOurselves, report_json);
    if (adds_context) {
        send(TaskMessageType::ReportResultRequest, setup_.options.context, std::move(report_json));
    }
    step_.now.results_json = std::move(results_json);
    evaluate();
}

void Flow::evaluate() {
    const std::string& reviewer = setup_.options.review;
    const model::Draft draft = results();
    if (draft.wish == model::Wish::Ask) {
        ask();
        return;
    }
    wire::EvaluationRequest request;
    request.envelope = envelope();
    request.task_id = step_.now.task_uuid;
    request.task_results_json = step_.now.results_json;
    const std::string text = written(request);
    const bool passes = passes_own_review(draft);
    const bool goes_out = passes && !reviewer.empty();
    record(TaskMessageType::EvaluationRequest, kOurselves, goes_out ? reviewer : kOurselves, text);
    if (goes_out) {
        send(TaskMessageType::EvaluationRequest, reviewer, text);
        wait_for(CaseStage::Review);
        return;
    }
    judge(passes, passes ? wire::NextAction::None : after_failure(step_.now),
          passes ? kFullScore : 0);
}

/// Whether the draft passes our own review; records the reasons if it does not.
bool Flow::passes_own_review(const model::Draft& draft) {
    const auto own = own_review(step_.now.kind, draft, input_, setup_.known,
                                language_in(payload_of(step_.now)), setup_.owner_language);
    for (const std::string& reason : own.reasons)
        add_reason(reason);
    return own.free;
}

void Flow::judge(bool passed, wire::NextAction next, double score) {
    wire::EvaluationResponse verdict;
    verdict.envelope = envelope();
    verdict.task_id = step_.now.task_uuid;
    verdict.status = passed ? wire::EvaluationStatus::Pass : wire::EvaluationStatus::Fail;
    verdict.score = score;
    verdict.next_action = next;
    record(TaskMessageType::EvaluationResponse, kOurselves, kOurselves, written(verdict));
    follow_verdict(verdict);
}

void Flow::evaluated(std::string response_json, const wire::EvaluationResponse& response,
                     std::string_view author) {
    record(TaskMessageType::EvaluationResponse, author, kOurselves, response_json);
    wire::EvaluationResponse verdict = response;
    if (!passes_own_review(results())) {  // the listings may have changed since
        verdict.status = wire::EvaluationStatus::Fail;
        verdict.next_action = after_failure(step_.now);
    } else if (verdict.status == wire::EvaluationStatus::Fail) {
        add_reason(i18n::text(setup_.owner_language, "stages.reason_score",
                              {{"reviewer", std::string(author)},
                               {"score", std::to_string(static_cast<int>(verdict.score))}}));
    }
    follow_verdict(verdict);
}

void Flow::follow_verdict(const wire::EvaluationResponse& verdict) {
    switch (follow(verdict.status, verdict.next_action, step_.now)) {
        case Move::Conclude:
            conclude();
            return;
        case Move::Retry:
            retry();
            return;
        case Move::NextSlice: {
            const bool passed = verdict.status == wire::EvaluationStatus::Pass;
            begin_slice(step_.now.slice + 1, passed ? results().text : std::string());
            return;
        }
        case Move::Ask:
            ask();
            return;
    }
}

void Flow::fail_try(const std::string& reason) {
    add_reason(reason);
    wire::EvaluationResponse verdict;
    verdict.next_action = wire::NextAction::Retry;
    follow_verdict(verdict);
}

void Flow::give_up(const std::string& reason) {
    add_reason(reason);
    ask();
}

void Flow::conclude() {
    const model::Draft draft = results();
    auto stored = read_decision(step_.now.decision_json);
    if (!stored) {
        ask();
        return;
    }
    decide::Decision decision = std::move(*stored);
    const i18n::Language owner = setup_.owner_language;
    if (step_.now.kind == CaseKind::Holding) {
        auto message = effects::new_outbox_message(
            step_.now.agent_id, step_.now.peer_id,
            wire::text_payload(draft.text, decision.order_id, decision.works_id),
            input_.message.trace_id, "rule:" + decision.rule_id, input_.now_ms);
        message.effect_key = "task:" + std::to_string(step_.now.job_id) + ":hold";
        step_.effects.outbox.push_back(std::move(message));
        close("passed");
        return;
    }
    const bool is_drafted = step_.now.kind == CaseKind::Draft;
    const bool is_reply = draft.wish == model::Wish::Reply;
    decision.kind = is_reply ? decide::Kind::Answer : decide::Kind::Silent;
    decision.reply_text = is_reply ? std::string(trim(draft.text)) : std::string();
    if (is_drafted) {
        const std::string& program = setup_.options.agent;
        decision.why = i18n::text(owner, is_reply ? "stages.why_drafted" : "stages.why_silent",
                                  {{"model", preview(draft.model.empty() ? program : draft.model)},
                                   {"why", preview(draft.why)}});
    }
    take_effects(std::move(decision));
    close(is_reply ? "passed" : "silent");
}

void Flow::ask() {
    if (step_.now.kind == CaseKind::Holding) {
        close("dropped");
        return;
    }
    const i18n::Language owner = setup_.owner_language;
    decide::Decision decision = read_decision(step_.now.decision_json).value_or({});
    const auto reasons = read_texts(step_.now.reasons_json);
    const std::string reason = reasons.empty() ? std::string() : reasons.back();
    decision.kind = decide::Kind::Ask;
    // It would need a review of its own, and the reviewer has had its turn.
    if (!setup_.options.review.empty()) decision.holding_text.clear();
    if (step_.now.kind == CaseKind::Reply) {
        decision.question = i18n::text(owner, "stages.question_refused",
                                       {{"peer", input_.message.sender_id}, {"reason", reason}});
    } else if (decision.question.empty()) {
        decision.question =
            i18n::text(owner, "daemon.question_unclear", {{"peer", input_.message.sender_id}});
    }
    const model::Draft draft = results();
    if (draft.wish == model::Wish::Ask && !trim(draft.text).empty()) {
        decision.question +=
            " " + i18n::text(owner, "stages.model_asks", {{"text", preview(draft.text)}});
    }
    if (!reason.empty()) {
        decision.why =
            i18n::text(owner, "stages.why_asked", {{"why", decision.why}, {"reason", reason}});
    }
    take_effects(std::move(decision));
    close("asked");
}

void Flow::close(std::string_view outcome) {
    step_.now.stage = CaseStage::Closed;
    step_.now.deadline_ms = 0;
    step_.now.outcome = outcome;
}

/// Adds the decision's effects to what the step has written so far.
void Flow::take_effects(decide::Decision decision) {
    auto made = setup_.deciding.effects_of(job_, input_.message, input_, std::move(decision));
    outcome::Effects& effects = step_.effects;
    effects.job = std::move(made.job);
    // The facts on which the rule decided, not those known now.
    if (!job_.basis_json.empty()) effects.job->basis_json = job_.basis_json;
    effects.approval = std::move(made.approval);
    effects.later = std::move(made.later);
    effects.news = std::move(made.news);
    effects.step = std::move(made.step);
    for (OutboxMessage& message : made.outbox)
        effects.outbox.push_back(std::move(message));
    for (Event& event : made.events)
        effects.events.push_back(std::move(event));
}

void Flow::add_reason(const std::string& reason) {
    auto reasons = read_texts(step_.now.reasons_json);
    reasons.push_back(preview(reason));
    step_.now.reasons_json = to_json(reasons);
}

wire::TaskEnvelope Flow::envelope() const {
    return {.message_id = wire::new_uuid(),
            .sent_at_ms = input_.now_ms,
            .trace_id = step_.now.trace_id};
}

std::string Flow::task_payload(int slice, const std::string& previous) const {
    const InboxMessage& message = input_.message;
    json payload = json::object();
    payload["agent_id"] = message.agent_id;
    payload["peer_id"] = message.sender_id;
    payload["message_id"] = message.message_id;
    payload["provenance"] = to_string(message.provenance);
    payload["language"] =
        i18n::language_tag(read_decision(step_.now.decision_json).value_or({}).basis.language);
    payload["slice"] = slice;
    payload["text"] = std::string(truncate(input_.payload.text, kPeerTextMax));
    if (!input_.payload.order_id.empty()) payload["order_id"] = preview(input_.payload.order_id);
    if (!input_.payload.works_id.empty()) payload["works_id"] = preview(input_.payload.works_id);
    if (!previous.empty()) payload["previous"] = std::string(truncate(previous, kPreviousTextMax));
    return wire::canonical_json(payload);
}

void Flow::record(TaskMessageType type, std::string_view author, std::string_view target,
                  const std::string& message_json) {
    step_.now.bytes += static_cast<std::int64_t>(message_json.size());
    step_.messages.push_back(StageMessage{.id = 0,
                                          .job_id = step_.now.job_id,
                                          .type = std::string(to_string(type)),
                                          .author = std::string(author),
                                          .target = std::string(target),
                                          .message_json = message_json,
                                          .created_at_ms = input_.now_ms});
}

void Flow::send(TaskMessageType type, const std::string& target, std::string message_json) {
    const StageCase& now = step_.now;
    auto message =
        effects::new_outbox_message(now.agent_id, target, std::move(message_json), now.trace_id,
                                    "case:" + now.task_uuid, input_.now_ms);
    message.message_type = std::string(kStageMessagePrefix).append(to_string(type));
    message.effect_key = "case:" + std::to_string(now.job_id) + ":" + std::to_string(now.slice) +
                         ":" + std::to_string(now.retry_count) + ":" + std::string(to_string(type));
    if (type == TaskMessageType::PromptBlocksResponse) {
        message.effect_key += ":" + std::to_string(now.context_reads);
    }
    step_.effects.outbox.push_back(std::move(message));
}

void Flow::wait_for(CaseStage stage) {
    step_.now.stage = stage;
    step_.now.deadline_ms = input_.now_ms + setup_.options.timeout.count();
}

model::Draft Flow::results() const {
    return read_results(step_.now.results_json).value_or({});
}

Result<model::Prompt> prompt_of(const StageCase& stage_case) {
    A2H_ASSIGN_OR_RETURN(
        auto blocks, wire::read_task_message<wire::PromptBlocksResponse>(stage_case.blocks_json));
    return model::Prompt{.system = std::move(blocks.system),
                         .task = std::move(blocks.task),
                         .allowed_tools = std::move(blocks.allowed_tools),
                         .context_data = std::move(blocks.context_data),
                         .instruction = std::move(blocks.instruction),
                         .language = language_in(payload_of(stage_case))};
}

}  // namespace a2h::stages
