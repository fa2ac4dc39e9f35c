#pragma once

#include <string>
#include <string_view>

#include "core/domain/job.h"
#include "core/domain/stage_case.h"
#include "core/i18n/messages.h"
#include "core/wire/task_messages.h"
#include "daemon/config/stages_options.h"
#include "daemon/decide/decision.h"
#include "daemon/model/drafter.h"
#include "daemon/outcome/outcome.h"
#include "daemon/stages/own_review.h"

namespace a2h::stages {

/// The message type of stage messages in an A2H envelope is this prefix and the name of their type.
constexpr std::string_view kStageMessagePrefix = "a2h.stage.";
/// The author and target of stage messages that stands for this program.
constexpr std::string_view kOurselves = "a2hd";

/// Decisions about messages, as the stages need them.
///
/// Thread:  the loop.
class Deciding {
  public:
    /// Returns what is known about a message now.
    ///
    /// Errors:  NotFound if its agent is not one of ours.
    virtual Result<decide::Input> snapshot(const InboxMessage& message) const = 0;
    /// The effects of `decision` once nothing prevents it any more.
    virtual outcome::Effects effects_of(const Job& job, const InboxMessage& message,
                                        const decide::Input& input,
                                        decide::Decision decision) const = 0;

  protected:
    ~Deciding() = default;
};

/// One change of a case: its new state, and what is written with it in one transaction.
struct Step {
    StageCase now;
    std::vector<StageMessage> messages;  ///< between the stages
    std::optional<Job> carrier;          ///< the job of the stage message that caused the step
    outcome::Effects effects;
    bool must_draft = false;  ///< our drafter starts after the commit
};

/// Advances one case as far as possible: until it waits for another program or our drafter, or is
/// closed. Each message on the way is a row of the step. Messages to other programs are in its
/// outbox, with an effect key of case, slice, attempt and type, so that none is sent twice.
///
/// Lives for one step; does no I/O.
///
/// Thread:  the loop.
class Flow {
  public:
    struct Setup {
        const Options& options;
        const Deciding& deciding;
        i18n::Language owner_language = i18n::Language::English;
        OwnFacts known;  ///< for the review of drafts
    };

    /// `input` is the current snapshot for the case's message. All arguments must outlive this
    /// object.
    Flow(const Setup& setup, const decide::Input& input, const Job& job, Step& step);

    /// Starts a new case, whose kind and decision are set, with its first slice and attempt.
    void begin();
    /// Prompt blocks from `author`, unchanged.
    void blocks_arrived(std::string blocks_json, std::string_view author);
    /// A drafting program requests the blocks of its attempt.
    void read_blocks(std::string request_json, std::string_view author);
    void drafted(const model::Draft& draft);
    /// A report of another program with results that `read_results` accepts.
    void reported(std::string report_json, std::string results_json, std::string_view author);
    void evaluated(std::string response_json, const wire::EvaluationResponse& response,
                   std::string_view author);
    /// Ends the attempt without a verdict: there is another attempt, or the human is asked.
    void fail_try(const std::string& reason);
    /// No attempt can help, so the human is asked.
    void give_up(const std::string& reason);

  private:
    void begin_try(wire::TaskEvent event, wire::TaskMessageType type);
    void begin_slice(int slice, const std::string& previous);
    void ask_for_context();
    void ask_for_draft();
    void report(const model::Draft& draft, std::string_view author);
    void evaluate();
    bool passes_own_review(const model::Draft& draft);
    void judge(bool passed, wire::NextAction next, double score);
    void follow_verdict(const wire::EvaluationResponse& verdict);
    void retry();
    void conclude();
    void ask();
    void close(std::string_view outcome);
    void take_effects(decide::Decision decision);
    void add_reason(const std::string& reason);

    wire::TaskEnvelope envelope() const;
    std::string task_payload(int slice, const std::string& previous) const;
    void record(wire::TaskMessageType type, std::string_view author, std::string_view target,
                const std::string& message_json);
    void send(wire::TaskMessageType type, const std::string& target, std::string message_json);
    void wait_for(CaseStage stage);
    model::Draft results() const;

    const Setup& setup_;
    const decide::Input& input_;
    const Job& job_;
    Step& step_;
};

/// The prompt in stored blocks.
///
/// Errors:  those of `wire::read_task_message`.
Result<model::Prompt> prompt_of(const StageCase& stage_case);

}  // namespace a2h::stages
