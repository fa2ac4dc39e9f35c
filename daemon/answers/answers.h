#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "daemon/answers/executor.h"
#include "daemon/config/current.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/pins.h"
#include "daemon/context/unread_mail.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"

namespace a2h::answers {

/// Receives the answers of all surfaces: checks the PIN on a worker, reads the mail that is at the
/// broker, so that an answer counts only for what its card shows, applies the answer in one
/// transaction, and starts what it released. It also runs the timers of both approval deadlines.
///
/// Thread:  the loop.
class Answers final : public outcome::CommitListener {
  public:
    using Done = std::function<void(Result<consent::Answered>)>;
    using ManyDone = std::function<void(std::vector<Result<consent::Answered>>)>;

    Answers(const kernel::Kernel& kernel, const Current<Config>& config,
            const consent::HumanSecrets& secrets, const consent::Pins& pins,
            kernel::Metrics& metrics, Executor& executor, const UnreadMail& unread_mail,
            outcome::Commits& commits);

    /// `pin` is used only for an answer from the terminal. `done` runs on the loop.
    ///
    /// Errors:  those of `consent::apply_answer`, including refusals.
    void answer(consent::Answer answer, const std::string& pin, Done done);
    /// Several answers of one person from the terminal with one PIN, in one transaction. A wrong
    /// PIN counts once. `done` gets one result for each answer, with the errors of `answer`.
    void answer_many(std::vector<consent::Answer> answers, const std::string& pin, ManyDone done);
    /// Carries out what a mandate has approved when the question was stored.
    void released(const Approval& approval);
    void written(const outcome::Effects& effects,
                 const std::vector<store::OutboxPlace>& places) override;
    /// Checks the PIN of `person` like an answer at the terminal, and runs `work` on the store
    /// writer in the same transaction; `done` runs on the loop.
    ///
    /// Errors:  Unauthenticated and PermissionDenied as in `apply_answer`; those of `work`.
    void with_pin(const std::string& agent_id, const std::string& person, const std::string& pin,
                  store::Writer::Work work, std::function<void(Result<void>)> done);
    /// The same with the code that `consent::offer_pin` has sent to `person`.
    void with_pin_code(const std::string& agent_id, const std::string& person,
                       const std::string& code, store::Writer::Work work,
                       std::function<void(Result<void>)> done);
    /// Starts the timers: expires what is overdue, and continues retries after the clock was set
    /// back.
    void start_clocks();

  private:
    /// Less than a button's channel waits for an answer.
    static constexpr std::chrono::seconds kReadingMax{3};
    static constexpr std::chrono::seconds kClockInterval{10};

    using Check = std::function<Result<std::optional<Error>>(store::Database&)>;

    /// Checks the PIN of `person` on a worker. A locked PIN is wrong without a check, so that many
    /// attempts do not occupy the workers. `done` gets nullopt if too many jobs are waiting.
    void check_pin(const std::string& person, const std::string& pin,
                   std::function<void(std::optional<consent::ProofState>)> done);
    /// Runs `work` in the transaction of `check`, unless that refuses.
    void prove_and_work(Check check, store::Writer::Work work,
                        std::function<void(Result<void>)> done);
    /// For a yes, reads first.
    void apply(consent::Answer answer, Done done);
    void write(consent::Answer answer, Done done);
    void write_many(std::vector<consent::Answer> answers, ManyDone done);
    void count(const consent::Answer& answer, const consent::Answered& answered);
    /// Thread: the store writer.
    std::vector<Result<consent::Answered>> apply_all(store::Database& db,
                                                     const std::vector<consent::Answer>& answers);
    void tick();

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    const consent::HumanSecrets& secrets_;
    const consent::Pins& pins_;
    kernel::Metrics& metrics_;
    Executor& executor_;
    const UnreadMail& unread_mail_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::answers
