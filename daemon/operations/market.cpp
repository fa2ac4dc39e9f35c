// All operations that are calls of the market: each is checked, put to the human if it needs a yes,
// and otherwise carried out.

#include <memory>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/catalogue/operations.h"
#include "daemon/consent/actions.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/may_leave.h"
#include "daemon/operations/reading_first.h"
#include "daemon/operations/registration.h"
#include "daemon/operations/seen_offers.h"
#include "daemon/operations/sender.h"
#include "daemon/trade/calls.h"
#include "daemon/trade/market_question.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr std::size_t kKeyBytes = 16;

/// The result of a worker: an answer, a question to the human, or an error.
struct Step {
    trade::Facts facts;
    std::optional<json> data;
    std::optional<Error> refused;
    bool was_called = false;
    std::vector<store::SeenOffer> read;  ///< words of others in everything that the market answered
};

/// A copy of what the call needs, because `Call` lives only until the handler returns.
struct MarketCall {
    std::string action;
    Caller caller;
    Agent& agent;
    json arguments;
    bool has_our_rules;
    UnixMs now_ms;
    std::vector<std::filesystem::path> upload_folders;  ///< from the configuration
    Along along;
    Hold hold = Hold::None;  ///< why it waits for a yes although its action does not need one
    trade::OurNames ours;
    bool is_only_checked = false;  ///< the call is not made, because `hold` is not known yet
};

bool may_be_called(const MarketCall& market_call, const trade::Facts& facts) {
    return !market_call.is_only_checked && !market_call.along && !facts.needs_yes &&
           market_call.hold == Hold::None &&
           !trade::needs_yes(market_call.action, market_call.arguments);
}

Step take_step(const MarketCall& market_call, std::vector<json>& answers) {
    const std::string key = random_hex(kKeyBytes);
    const trade::CallContext context{*market_call.agent.platform,
                                     market_call.action,
                                     market_call.arguments,
                                     market_call.has_our_rules,
                                     market_call.now_ms,
                                     market_call.upload_folders,
                                     key,
                                     nullptr,
                                     &answers};
    Step step;
    auto facts = trade::check_call(context);
    if (!facts) {
        step.refused = facts.error();
        return step;
    }
    step.facts = std::move(*facts);
    if (!step.facts.done_json.empty()) {
        step.data = json::parse(step.facts.done_json);
    } else if (may_be_called(market_call, step.facts)) {
        step.was_called = true;
        auto data = trade::make_call(context);
        if (data) step.data = std::move(*data);
        if (!data) step.refused = data.error();
    }
    return step;
}

Step run(const MarketCall& market_call) {
    std::vector<json> answers;
    Step step = take_step(market_call, answers);
    if (step.data) answers.push_back(*step.data);
    step.read = trade::offers_in(answers, market_call.ours);
    return step;
}

/// The error codes for files that callers know.
std::string_view file_code(const Step& step) {
    if (step.was_called) return "UPLOAD_FAILED";
    return step.refused->code == ErrorCode::NotFound ? "FILE_NOT_FOUND" : "";
}

consent::Ask ask_about(const Asker& asker, const MarketCall& market_call,
                       const trade::Facts& facts) {
    consent::Ask ask =
        trade::ask_about_call(market_call.agent.identity.account.agent_id, market_call.action,
                              market_call.arguments, facts, asker.config->approval.language);
    ask.asked_by = market_call.caller.proved_by;
    ask.question += reason_of(market_call.hold, asker.config->approval.language);
    return ask;
}

void answer(const Asker& asker, const MarketCall& market_call, const Step& step,
            const Reply& reply) {
    const Call call{market_call.action, market_call.caller, market_call.agent,
                    market_call.arguments, market_call.along};
    const bool is_upload = consent::row_of(market_call.action).uploads;
    if (step.data) {
        reply(ok_result(market_call.action, *step.data));
    } else if (!step.refused) {
        ask_human(asker, call, ask_about(asker, market_call, step.facts), reply);
    } else if (market_call.along) {
        reply(error_result(market_call.action, *step.refused));
    } else if (is_upload && !file_code(step).empty()) {
        json result = error_result(market_call.action, *step.refused);
        result["error"]["code"] = file_code(step);
        reply(result);
    } else {
        refuse_or_return_earlier(asker, call, *step.refused, reply);
    }
}

trade::OurNames names_asked_of(const Asker& asker, const Call& call) {
    trade::OurNames ours = our_names(asker.agents, call.agent);
    ours.asked_type = call.number("type", 0);
    return ours;
}

MarketCall market_call_of(const Asker& asker, const Call& call) {
    return MarketCall{call.action,
                      call.caller,
                      call.agent,
                      call.arguments,
                      call.agent.market_has_our_rules,
                      asker.kernel.clock.now_ms(),
                      asker.config->upload_folders,
                      call.along,
                      Hold::None,
                      names_asked_of(asker, call)};
}

/// Runs the call's steps on a worker, and `done` on the loop once what was read is recorded.
/// Answers the call if it cannot be recorded.
void check_at_market(const Asker& asker, const MarketCall& market_call, const Reply& reply,
                     std::function<void(const Step&)> done) {
    asker.kernel.run_blocking<Step>(
        [market_call] { return run(market_call); },
        [&asker, action = market_call.action, agent_id = market_call.ours.agent_id, reply,
         done = std::move(done)](Step step) {
            auto read = std::exchange(step.read, {});
            note_what_waits(asker.kernel, agent_id, std::move(read),
                            [action, reply, done, step](const Result<void>& noted) {
                                noted ? done(step) : reply(error_result(action, noted.error()));
                            });
        },
        [] {
            Step step;
            step.refused = Error{ErrorCode::ResourceExhausted, "too many requests are waiting"};
            return step;
        });
}

/// The yes of the human who makes the call. Its PIN, if it has one, was proved before.
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

/// Asked and answered at once, unless a mandate answered first.
void count_answered_at_once(kernel::Metrics& metrics, const Approval& approval,
                            AnswerSurface surface) {
    metrics.count_opened(approval);
    if (approval.surface == AnswerSurface::Mandate) return;
    metrics.answered.add(to_string(AnswerKind::Approve), to_string(surface));
}

/// Asks and answers in one transaction, so that without the proof nobody is asked.
void ask_and_answer(const Asker& asker, const MarketCall& market_call, const Step& step,
                    const HumanProof& proof, const Reply& reply) {
    consent::Ask ask = ask_about(asker, market_call, step.facts);
    ask.asked_by = proof.person;
    auto approval = std::make_shared<consent::Question>(
        consent::new_approval(ask, asker.config->approval, asker.kernel.clock.now_ms()));
    const consent::Answer answer = yes_to(*approval, proof, asker.secrets);
    auto work = [&asker, approval, answer](store::Database& db) -> Result<void> {
        const auto policy = policy_of(asker.config);
        A2H_ASSIGN_OR_RETURN(
            auto opened, consent::open_approval(db, *approval, *policy, approval->created_at_ms));
        *approval = consent::Question(std::move(opened));
        if (approval->status != ApprovalStatus::Pending) return {};  // a mandate answered first
        A2H_ASSIGN_OR_RETURN(auto outcome, consent::apply_answer(db, answer, asker.secrets, *policy,
                                                                 approval->created_at_ms));
        if (outcome.refused) return fail(*outcome.refused);
        *approval = consent::Question(std::move(outcome.answered->approval));
        return {};
    };
    auto done = [&asker, approval, surface = proof.surface, action = market_call.action,
                 reply](const Result<void>& written) {
        if (!written) {
            reply(error_result(action, written.error()));
            return;
        }
        count_answered_at_once(asker.metrics, *approval, surface);
        asker.commits.rows_written();
        if (approval->status == ApprovalStatus::Approved) asker.answers.released(*approval);
        reply(ok_result(action, to_json(*approval)));
    };
    if (proof.surface == AnswerSurface::Terminal) {
        asker.answers.with_pin(ask.agent_id, proof.person, proof.pin, std::move(work),
                               std::move(done));
    } else {
        asker.kernel.write(store::Writer::Priority::Urgent, std::move(work), std::move(done));
    }
}

}  // namespace

void carry_out(const Asker& asker, const Call& call, const HumanProof& proof, const Reply& reply) {
    const MarketCall market_call = market_call_of(asker, call);
    check_at_market(asker, market_call, reply,
                    [&asker, market_call, proof, reply](const Step& step) {
                        if (step.data || step.refused) {
                            answer(asker, market_call, step, reply);
                        } else {
                            ask_and_answer(asker, market_call, step, proof, reply);
                        }
                    });
}

namespace {

using Tells = consent::ActionRow::Tells;

/// Calls without a yes that notify another agent at once. No other call without a yes reaches
/// somebody whom it names.
bool notifies_peer(const Call& call) {
    return !call.caller.is_proved() && consent::row_of(call.action).tells_peer != Tells::Nothing &&
           !trade::needs_yes(call.action, call.arguments);
}

/// Makes the call or asks, once it is known what is open with `peer_id`.
void judge_and_call(const Sender& sender, MarketCall market_call, const std::string& peer_id,
                    const Reply& reply) {
    const std::vector<store::Between> peers = {
        {.agent_id = market_call.agent.identity.account.agent_id, .peer_id = peer_id}};
    const bool is_refusal = consent::row_of(market_call.action).tells_peer == Tells::Refusal;
    const auto hold = is_refusal ? hold_of_refusal(sender, peers) : hold_of_act(sender, peers);
    if (!hold) return reply(error_result(market_call.action, hold.error()));
    market_call.hold = *hold;
    market_call.is_only_checked = false;
    check_at_market(sender, market_call, reply, [&sender, market_call, reply](const Step& step) {
        answer(sender, market_call, step, reply);
    });
}

/// The market is asked first who the peer is.
void handle_notifying(const Sender& sender, const Call& call, const Reply& reply) {
    MarketCall market_call = market_call_of(sender, call);
    market_call.is_only_checked = true;
    check_at_market(sender, market_call, reply, [&sender, market_call, reply](const Step& step) {
        if (step.data || step.refused) return answer(sender, market_call, step, reply);
        read_first(sender, [&sender, market_call, peer_id = step.facts.peer_id, reply] {
            judge_and_call(sender, market_call, peer_id, reply);
        });
    });
}

void handle_market(const Sender& sender, const Call& call, const Reply& reply) {
    if (notifies_peer(call)) return handle_notifying(sender, call, reply);
    const MarketCall market_call = market_call_of(sender, call);
    check_at_market(sender, market_call, reply, [&sender, market_call, reply](const Step& step) {
        answer(sender, market_call, step, reply);
    });
}

}  // namespace

void add_market(Table& table, const AllParts& all) {
    const Sender& sender = all.sender;
    for (const catalogue::Operation& operation : catalogue::operations()) {
        if (consent::row_of(operation.action).uploads || platform::is_market_call(operation.action))
            table.add_of_market(operation.action, with(sender, handle_market));
    }
}

}  // namespace a2h::operations
