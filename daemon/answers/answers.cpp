#include "daemon/answers/answers.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/store/retry_times.h"
#include "daemon/consent/continuing.h"
#include "daemon/consent/proof.h"

namespace a2h::answers {
namespace {

/// Counts only questions without an answer; the others had a yes that was not used in time.
std::size_t count_unanswered(const std::vector<Approval>& expired) {
    return static_cast<std::size_t>(std::count_if(
        expired.begin(), expired.end(),
        [](const Approval& approval) { return approval.status == ApprovalStatus::Expired; }));
}

}  // namespace

Answers::Answers(const kernel::Kernel& kernel, const Current<Config>& config,
                 const consent::HumanSecrets& secrets, const consent::Pins& pins,
                 kernel::Metrics& metrics, Executor& executor, const UnreadMail& unread_mail,
                 outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      secrets_(secrets),
      pins_(pins),
      metrics_(metrics),
      executor_(executor),
      unread_mail_(unread_mail),
      commits_(commits) {
    commits.add(*this);
}

void Answers::answer(consent::Answer answer, const std::string& pin, Done done) {
    if (answer.surface != AnswerSurface::Terminal) {
        apply(std::move(answer), std::move(done));
        return;
    }
    check_pin(answer.person, pin,
              [this, answer, done](std::optional<consent::ProofState> state) mutable {
                  if (!state) {
                      done(fail(ErrorCode::Unavailable, "a2hd is too busy; try again later"));
                      return;
                  }
                  answer.pin = *state;
                  apply(std::move(answer), std::move(done));
              });
}

void Answers::check_pin(const std::string& person, const std::string& pin,
                        std::function<void(std::optional<consent::ProofState>)> done) {
    if (!pins_.has(person)) return done(consent::ProofState::NotSet);
    const auto locked = consent::pin_locked_until(kernel_.reader, person, kernel_.clock.now_ms());
    if (locked && *locked) {
        done(consent::ProofState::Wrong);
        return;
    }
    kernel_.run_blocking<std::optional<consent::ProofState>>(
        [&pins = pins_, person, pin] { return pins.check(person, pin); }, std::move(done),
        [] { return std::nullopt; });
}

void Answers::written(const outcome::Effects& effects, const std::vector<store::OutboxPlace>&) {
    if (effects.approval && effects.approval->status == ApprovalStatus::Approved)
        released(*effects.approval);
}

void Answers::released(const Approval& approval) {
    commits_.rows_written();
    if (approval.outcome == ApprovalOutcome::None) executor_.execute(approval);
}

void Answers::with_pin(const std::string& agent_id, const std::string& person,
                       const std::string& pin, store::Writer::Work work,
                       std::function<void(Result<void>)> done) {
    check_pin(person, pin,
              [this, use = consent::PinUse{agent_id, {}, person}, work = std::move(work),
               done = std::move(done)](std::optional<consent::ProofState> state) {
                  if (!state) {
                      done(fail(ErrorCode::Unavailable, "a2hd is too busy; try again later"));
                      return;
                  }
                  prove_and_work(
                      [this, use, pin = *state](store::Database& db) {
                          return consent::check_pin_proof(db, pin, use, config_->approval,
                                                          kernel_.clock.now_ms());
                      },
                      work, done);
              });
}

void Answers::with_pin_code(const std::string& agent_id, const std::string& person,
                            const std::string& code, store::Writer::Work work,
                            std::function<void(Result<void>)> done) {
    prove_and_work(
        [this, use = consent::PinUse{agent_id, {}, person}, code](store::Database& db) {
            return consent::check_pin_code(db, use, code, secrets_, config_->approval,
                                           kernel_.clock.now_ms());
        },
        std::move(work), std::move(done));
}

void Answers::prove_and_work(Check check, store::Writer::Work work,
                             std::function<void(Result<void>)> done) {
    auto refused = std::make_shared<std::optional<Error>>();
    kernel_.write(
        store::Writer::Priority::Urgent,
        [check = std::move(check), work = std::move(work),
         refused](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto verdict, check(db));
            *refused = std::move(verdict);
            return *refused ? Result<void>()
                            : work(db);  // a refusal is committed, because it counts failures
        },
        [this, refused, done = std::move(done)](const Result<void>& written) {
            commits_.rows_written();
            done(written && *refused ? fail(**refused) : written);
        });
}

void Answers::answer_many(std::vector<consent::Answer> answers, const std::string& pin,
                          ManyDone done) {
    const std::string person = answers.front().person;
    check_pin(
        person, pin,
        [this, answers = std::move(answers),
         done = std::move(done)](std::optional<consent::ProofState> state) mutable {
            if (!state) {
                const Error busy{ErrorCode::Unavailable, "a2hd is too busy; try again later"};
                return done(std::vector<Result<consent::Answered>>(answers.size(), fail(busy)));
            }
            for (consent::Answer& answer : answers)
                answer.pin = *state;
            unread_mail_.read_first(kReadingMax, [this, answers = std::move(answers),
                                                  done = std::move(done)](bool is_read) mutable {
                for (consent::Answer& answer : answers)
                    answer.mail_is_read = is_read;
                write_many(std::move(answers), std::move(done));
            });
        });
}

void Answers::write_many(std::vector<consent::Answer> answers, ManyDone done) {
    auto results = std::make_shared<std::vector<Result<consent::Answered>>>();
    kernel_.write(
        store::Writer::Priority::Urgent,
        [this, results, answers](store::Database& db) -> Result<void> {
            *results = apply_all(db, answers);
            return {};
        },
        [this, results, answers, done = std::move(done)](const Result<void>& written) {
            commits_.rows_written();
            if (!written) {
                results->assign(answers.size(), fail(written.error()));
                return done(std::move(*results));
            }
            for (std::size_t i = 0; i < answers.size(); ++i) {
                const auto& result = (*results)[i];
                if (!result) continue;
                count(answers[i], *result);
                if (result->needs_execution) executor_.execute(result->approval);
            }
            done(std::move(*results));
        });
}

std::vector<Result<consent::Answered>> Answers::apply_all(
    store::Database& db, const std::vector<consent::Answer>& answers) {
    std::vector<Result<consent::Answered>> results;
    for (const consent::Answer& answer : answers) {
        consent::AnswerOutcome outcome;
        const auto applied = db.savepoint([&]() -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto one,
                                 consent::apply_answer(db, answer, secrets_, config_->approval,
                                                       kernel_.clock.now_ms()));
            outcome = std::move(one);
            return {};
        });
        if (!applied) {
            results.push_back(fail(applied.error()));
        } else if (outcome.refused) {
            results.push_back(fail(*outcome.refused));
        } else {
            results.push_back(std::move(*outcome.answered));
        }
        // A wrong PIN counts as one guess, however many questions it was given for.
        if (answer.pin == consent::ProofState::Wrong) {
            const Error refused = results.front().error();
            return {answers.size(), fail(refused)};
        }
    }
    return results;
}

void Answers::count(const consent::Answer& answer, const consent::Answered& answered) {
    metrics_.answered.add(to_string(answer.kind), to_string(answer.surface));
    if (answered.next) metrics_.count_opened(*answered.next);
}

void Answers::apply(consent::Answer answer, Done done) {
    if (answer.kind != AnswerKind::Approve) return write(std::move(answer), std::move(done));
    unread_mail_.read_first(kReadingMax, [this, answer = std::move(answer),
                                          done = std::move(done)](bool is_read) mutable {
        answer.mail_is_read = is_read;
        write(std::move(answer), std::move(done));
    });
}

void Answers::write(consent::Answer answer, Done done) {
    auto outcome = std::make_shared<consent::AnswerOutcome>();
    kernel_.write(
        store::Writer::Priority::Urgent,
        [this, outcome, answer](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(auto applied,
                                 consent::apply_answer(db, answer, secrets_, config_->approval,
                                                       kernel_.clock.now_ms()));
            *outcome = std::move(applied);
            return {};
        },
        [this, outcome, answer, done = std::move(done)](const Result<void>& written) {
            if (!written) {
                done(fail(written.error()));
                return;
            }
            commits_.rows_written();
            if (outcome->refused) {
                done(fail(*outcome->refused));
                return;
            }
            count(answer, *outcome->answered);
            if (outcome->answered->needs_execution) executor_.execute(outcome->answered->approval);
            done(std::move(*outcome->answered));
        });
}

void Answers::start_clocks() {
    kernel_.loop.call_after(kClockInterval, [this] { tick(); });
}

void Answers::tick() {
    const UnixMs now_ms = kernel_.clock.now_ms();
    auto expiries = std::make_shared<std::size_t>(0);
    kernel_.write(
        store::Writer::Priority::Grouped,
        [this, expiries, now_ms](store::Database& db) -> Result<void> {
            A2H_TRY(store::resume_retries(db, now_ms));
            A2H_ASSIGN_OR_RETURN(const auto expired,
                                 consent::expire_overdue(db, config_->approval, now_ms));
            *expiries = count_unanswered(expired);
            A2H_TRY(consent::close_silent(db, config_->approval, now_ms));
            const auto escalated = consent::escalate(db, config_->approval, now_ms);
            return escalated ? Result<void>() : fail(escalated.error());
        },
        [this, expiries](const Result<void>& written) {
            if (written) metrics_.expired.add(*expiries);
            commits_.rows_written();
            start_clocks();
        });
}

}  // namespace a2h::answers
