#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daemon/config/current.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/pins.h"
#include "daemon/kernel/services.h"
#include "daemon/mail/executor.h"
#include "daemon/outcome/commits.h"

namespace a2h::mail {

/// Where the answers of all surfaces arrive: proves the PIN on a worker, applies the answer in one
/// transaction, and sets going what it released. Also runs both clocks of the approvals.
///
/// Thread: the loop.
class AnswerDesk final : public outcome::CommitListener {
  public:
    using Done = std::function<void(Result<consent::Answered>)>;

    AnswerDesk(const kernel::Services& kernel, const Current<Config>& config,
               const consent::HumanSecrets& secrets, const consent::Pins& pins,
               kernel::Metrics& metrics, Executor& executor, outcome::Commits& commits);

    /// `pin` is only looked at for an answer from the terminal. `done` runs on the loop.
    /// Errors: those of `consent::apply_answer`, refusals included.
    void answer(consent::Answer answer, const std::string& pin, Done done);
    /// Several answers of one person from the terminal with one PIN, in one transaction; a wrong
    /// PIN counts once. `done` gets as many results as there were answers, each with the errors of
    /// `answer`.
    void answer_many(std::vector<consent::Answer> answers, const std::string& pin,
                     std::function<void(std::vector<Result<consent::Answered>>)> done);
    /// Goes on with what a mandate has approved in the transaction that asked.
    void released(const Approval& approval);
    void written(const outcome::Effects& effects,
                 const std::vector<store::OutboxPlace>& places) override;
    /// Proves the PIN of `person` as an answer at the terminal does and runs `work` on the store
    /// writer in the same transaction; `done` runs on the loop. Errors: Unauthenticated,
    /// PermissionDenied as `apply_answer` has them; those of `work`.
    void with_pin(const std::string& agent_id, const std::string& person, const std::string& pin,
                  store::Writer::Work work, std::function<void(Result<void>)> done);
    /// The same with the code that `consent::offer_pin` has sent to `person`.
    void with_pin_code(const std::string& agent_id, const std::string& person,
                       const std::string& code, store::Writer::Work work,
                       std::function<void(Result<void>)> done);
    /// Starts the clocks: what ends by time ends, and after the clock was set back what waits for
    /// another try goes on.
    void start_clocks();

  private:
    static constexpr std::chrono::seconds kClockInterval{10};
    static constexpr std::chrono::minutes kSweepInterval{1};
    /// How long what the stages said about a task is kept after its case was closed, how much of
    /// it, and how many cases go in one transaction.
    static constexpr std::chrono::milliseconds kCasesKeptFor{std::chrono::hours(30 * 24)};
    static constexpr std::int64_t kCaseBytesMax = 256LL * 1024 * 1024;
    static constexpr int kForgottenAtOnce = 20;

    using Check = std::function<Result<std::optional<Error>>(store::Database&)>;

    /// Checks the PIN of `person` on a worker, unless it is locked: the lock also spares the
    /// workers. nullopt: too much waits already.
    void check_pin(const std::string& person, const std::string& pin,
                   std::function<void(std::optional<consent::ProofState>)> done);
    /// Runs `work` in the transaction of `check`, when that refuses nothing.
    void prove_and_work(Check check, store::Writer::Work work,
                        std::function<void(Result<void>)> done);
    void apply(consent::Answer answer, Done done);
    void count(const consent::Answer& answer, const consent::Answered& answered);
    /// Thread: the store writer.
    std::vector<Result<consent::Answered>> apply_all(store::Database& db,
                                                     const std::vector<consent::Answer>& answers);
    void tick();
    /// Thread: the store writer.
    static Result<void> sweep(store::Database& db, UnixMs now_ms);

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    const consent::HumanSecrets& secrets_;
    const consent::Pins& pins_;
    kernel::Metrics& metrics_;
    Executor& executor_;
    const outcome::Commits& commits_;
    std::chrono::steady_clock::time_point next_sweep_{};
};

}  // namespace a2h::mail
