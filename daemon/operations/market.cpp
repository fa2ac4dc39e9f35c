// Every operation that is a call of the market: checked, put to the human where it needs a yes,
// made otherwise.

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "daemon/operations/ask.h"
#include "daemon/trade/calls.h"
#include "daemon/trade/questions.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

/// What a worker found: an answer, or what the human has to be asked about.
struct Step {
    trade::Facts facts;
    std::optional<json> data;
};

/// A call's own copy of what it needs: `Call` lives until the handler returns.
struct Job {
    std::string action;
    Face face;
    Agent& agent;
    json arguments;
    bool has_our_rules;
    UnixMs now_ms;
};

Result<Step> run(const Job& job) {
    const trade::Look look{*job.agent.platform, job.action, job.arguments, job.has_our_rules,
                           job.now_ms};
    auto facts = trade::check_call(look);
    if (!facts) return fail(facts.error());
    Step step{std::move(*facts), std::nullopt};
    if (!step.facts.done_json.empty()) {
        step.data = json::parse(step.facts.done_json);
    } else if (!trade::needs_yes(job.action, job.arguments)) {
        auto data = trade::make_call(look, step.facts);
        if (!data) return fail(data.error());
        step.data = std::move(*data);
    }
    return step;
}

approvals::Ask ask_about(const Job& job, const trade::Facts& facts, i18n::Language language) {
    approvals::Ask ask;
    ask.agent_id = job.agent.identity.account.agent_id;
    ask.peer_id = facts.peer_id;
    ask.action = job.action;
    ask.request_json = wire::canonical_json(job.arguments);
    ask.order_id = facts.order_id;
    ask.works_id = facts.works_id;
    if (facts.amount) {
        ask.amount_minor = facts.amount->minor;
        ask.currency = facts.amount->currency;
    }
    ask.question = trade::question(job.action, job.arguments, facts, language);
    ask.context = facts.context;
    ask.requested_by = "tool:" + job.action;
    return ask;
}

void answer(Runtime& runtime, const Job& job, const Result<Step>& step, const Reply& reply) {
    const Call call{job.action, job.face, job.agent, job.arguments};
    if (!step) {
        refuse_or_tell_earlier(runtime, call, step.error(), reply);
    } else if (step->data) {
        reply(ok_result(job.action, *step->data));
    } else {
        ask_human(runtime, call, ask_about(job, step->facts, runtime.context.config.language),
                  reply);
    }
}

}  // namespace

void handle_market(Runtime& runtime, const Call& call, const Reply& reply) {
    const Job job{call.action,
                  call.face,
                  call.agent,
                  call.arguments,
                  call.agent.market_has_our_rules,
                  runtime.context.clock.now_ms()};
    runtime.context.run_blocking<Result<Step>>(
        [job] { return run(job); },
        [&runtime, job, reply](const Result<Step>& step) { answer(runtime, job, step, reply); },
        [] { return fail(ErrorCode::ResourceExhausted, "too many requests are waiting"); });
}

}  // namespace a2h::operations
