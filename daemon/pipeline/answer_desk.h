#pragma once

#include <functional>
#include <optional>
#include <string>

#include "daemon/approvals/approvals.h"
#include "daemon/context.h"
#include "daemon/pipeline/executor.h"

namespace a2h::pipeline {

/// Where the answers of all surfaces arrive: proves the PIN on a worker, applies the answer in one
/// transaction, and sets going what it released. Also runs both clocks of the approvals.
///
/// Thread: the loop.
class AnswerDesk {
  public:
    using Done = std::function<void(Result<approvals::Answered>)>;

    /// `on_effects` runs on the loop after each commit.
    AnswerDesk(const Context& context, Executor& executor, std::function<void()> on_effects);

    /// `pin` is only looked at for an answer from the terminal. `done` runs on the loop.
    /// Errors: those of `approvals::apply_answer`, refusals included.
    void answer(approvals::Answer answer, const std::string& pin, Done done);
    /// Proves the PIN as an answer at the terminal does and runs `work` on the store writer in the
    /// same transaction; `done` runs on the loop. Errors: Unauthenticated, PermissionDenied as
    /// `apply_answer` has them; those of `work`.
    void with_pin(const std::string& agent_id, const std::string& pin, store::Writer::Work work,
                  std::function<void(Result<void>)> done);
    /// Starts the clocks.
    void start_clocks();

  private:
    static constexpr std::chrono::seconds kClockInterval{10};

    /// Checks the PIN on a worker, unless it is locked: the lock also spares the workers. nullopt:
    /// too much waits already.
    void check_pin(const std::string& pin,
                   std::function<void(std::optional<approvals::ProofState>)> done);
    void apply(approvals::Answer answer, Done done);
    void tick();

    const Context& context_;
    Executor& executor_;
    const std::function<void()> on_effects_;
};

}  // namespace a2h::pipeline
