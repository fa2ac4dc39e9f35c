// Every operation that is a call of the market: checked, put to the human where it needs a yes,
// made otherwise.

#include <memory>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "daemon/mail/market_question.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/seen_offers.h"
#include "daemon/trade/calls.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr std::size_t kKeyBytes = 16;

/// What a worker found: an answer, what the human has to be asked about, or why neither.
struct Step {
    trade::Facts facts;
    std::optional<json> data;
    std::optional<Error> refused;
    bool was_called = false;
};

/// A call's own copy of what it needs: `Call` lives until the handler returns.
struct Job {
    std::string action;
    Face face;
    Agent& agent;
    json arguments;
    bool has_our_rules;
    UnixMs now_ms;
    std::vector<std::filesystem::path> upload_folders;  ///< of the configuration
    Along along;
};

Step run(const Job& job) {
    const std::string key = random_hex(kKeyBytes);
    const trade::Look look{
        *job.agent.platform, job.action, job.arguments, job.has_our_rules, job.now_ms,
        job.upload_folders,  key};
    Step step;
    auto facts = trade::check_call(look);
    if (!facts) {
        step.refused = facts.error();
        return step;
    }
    step.facts = std::move(*facts);
    if (!step.facts.done_json.empty()) {
        step.data = json::parse(step.facts.done_json);
    } else if (!job.along && !step.facts.needs_yes &&
               !trade::needs_yes(job.action, job.arguments)) {
        step.was_called = true;
        auto data = trade::make_call(look, step.facts);
        if (data) step.data = std::move(*data);
        if (!data) step.refused = data.error();
    }
    return step;
}

/// The codes that people know for files.
std::string_view file_code(const Step& step) {
    if (step.was_called) return "UPLOAD_FAILED";
    return step.refused->code == ErrorCode::NotFound ? "FILE_NOT_FOUND" : "";
}

consent::Ask ask_about(const Runtime& runtime, const Job& job, const trade::Facts& facts) {
    consent::Ask ask =
        mail::ask_about_call(job.agent.identity.account.agent_id, job.action, job.arguments, facts,
                             runtime.context.config->approval.language);
    ask.asked_by = person_asking(runtime, Call{job.action, job.face, job.agent, job.arguments});
    return ask;
}

void answer(Runtime& runtime, const Job& job, const Step& step, const Reply& reply) {
    const Call call{job.action, job.face, job.agent, job.arguments, job.along};
    const bool is_upload = job.action == "file.upload" || job.action == "profile.upload_qrcode";
    if (step.data) {
        note_what_waits(
            runtime, job.agent, *step.data,
            [action = job.action, data = *step.data, reply](const Result<void>& noted) {
                reply(noted ? ok_result(action, data) : error_result(action, noted.error()));
            });
    } else if (!step.refused) {
        ask_human(runtime, call, ask_about(runtime, job, step.facts), reply);
    } else if (job.along) {
        reply(error_result(job.action, *step.refused));
    } else if (is_upload && !file_code(step).empty()) {
        json result = error_result(job.action, *step.refused);
        result["error"]["code"] = file_code(step);
        reply(result);
    } else {
        refuse_or_tell_earlier(runtime, call, *step.refused, reply);
    }
}

Job job_of(const Runtime& runtime, const Call& call) {
    return Job{call.action,
               call.face,
               call.agent,
               call.arguments,
               call.agent.market_has_our_rules,
               runtime.context.clock.now_ms(),
               runtime.context.config->upload_folders,
               call.along};
}

/// Runs the call's steps on a worker and `done` on the loop.
void look(Runtime& runtime, const Job& job, std::function<void(Step)> done) {
    runtime.context.run_blocking<Step>(
        [job] { return run(job); }, std::move(done),
        [] {
            Step step;
            step.refused = Error{ErrorCode::ResourceExhausted, "too many requests are waiting"};
            return step;
        });
}

/// The yes of the human who makes the call; its PIN, where it has one, is proved before.
consent::Answer yes_to(const Approval& approval, const HumanProof& proof,
                       const consent::HumanSecrets& secrets) {
    consent::Answer answer;
    answer.approval_id = approval.id;
    answer.kind = AnswerKind::Approve;
    answer.words = "approve";
    answer.surface = proof.surface;
    answer.person = proof.person;
    answer.digest_seen = approval.digest;
    if (proof.surface == AnswerSurface::Page) {
        answer.in_session = true;
        answer.proof = consent::approval_link_token(secrets, approval, proof.person);
    } else {
        answer.pin = consent::ProofState::Valid;
    }
    return answer;
}

/// Asked and answered, unless a mandate was quicker.
void count_answered_at_once(kernel::Metrics& metrics, const Approval& approval,
                            AnswerSurface surface) {
    metrics.count_opened(approval);
    if (approval.surface == AnswerSurface::Mandate) return;
    metrics.answered.add(to_string(AnswerKind::Approve), to_string(surface));
}

/// Asks and answers in one transaction: without the proof, nobody is asked.
void ask_and_answer(Runtime& runtime, const Job& job, const Step& step, const HumanProof& proof,
                    const Reply& reply) {
    const Context& context = runtime.context;
    consent::Ask ask = ask_about(runtime, job, step.facts);
    ask.asked_by = proof.person;
    auto approval = std::make_shared<Approval>(
        consent::new_approval(ask, context.config->approval, context.clock.now_ms()));
    const consent::Answer answer = yes_to(*approval, proof, context.secrets);
    auto work = [&context, approval, answer](store::Database& db) -> Result<void> {
        const auto policy = policy_of(context.config);
        A2H_ASSIGN_OR_RETURN(
            auto opened, consent::open_approval(db, *approval, *policy, approval->created_at_ms));
        *approval = std::move(opened);
        if (approval->status != ApprovalStatus::Pending) return {};  // a mandate was quicker
        A2H_ASSIGN_OR_RETURN(auto outcome, consent::apply_answer(db, answer, context.secrets,
                                                                 *policy, approval->created_at_ms));
        if (outcome.refused) return fail(*outcome.refused);
        *approval = std::move(outcome.answered->approval);
        return {};
    };
    auto done = [&runtime, approval, surface = proof.surface, action = job.action,
                 reply](const Result<void>& written) {
        if (!written) {
            reply(error_result(action, written.error()));
            return;
        }
        count_answered_at_once(runtime.context.metrics, *approval, surface);
        runtime.on_effects();
        if (approval->status == ApprovalStatus::Approved) runtime.answers.released(*approval);
        reply(ok_result(action, to_json(*approval)));
    };
    if (proof.surface == AnswerSurface::Terminal) {
        runtime.answers.with_pin(ask.agent_id, proof.person, proof.pin, std::move(work),
                                 std::move(done));
    } else {
        context.write(store::Writer::Priority::Urgent, std::move(work), std::move(done));
    }
}

}  // namespace

void handle_market(Runtime& runtime, const Call& call, const Reply& reply) {
    const Job job = job_of(runtime, call);
    look(runtime, job,
         [&runtime, job, reply](const Step& step) { answer(runtime, job, step, reply); });
}

void carry_out(Runtime& runtime, const Call& call, const HumanProof& proof, const Reply& reply) {
    const Job job = job_of(runtime, call);
    look(runtime, job, [&runtime, job, proof, reply](const Step& step) {
        if (step.data || step.refused) {
            answer(runtime, job, step, reply);
        } else {
            ask_and_answer(runtime, job, step, proof, reply);
        }
    });
}

}  // namespace a2h::operations
