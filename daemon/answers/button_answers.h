#pragma once

#include <functional>

#include "daemon/answers/answers.h"
#include "daemon/config/current.h"
#include "daemon/kernel/kernel.h"
#include "daemon/notify/notifier.h"
#include "daemon/outcome/commits.h"

namespace a2h::answers {

/// Passes buttons that people press in messages to the `Answers` and reports the actual result,
/// also for a button that was pressed twice, too late, or on a card from before a restart.
class ButtonAnswers final : public notify::Buttons {
  public:
    ButtonAnswers(const kernel::Kernel& kernel, const Current<Config>& config, Answers& answers,
                  const outcome::Commits& commits);

    /// A button counts only on the channel on which it was shown and for the person to whom it was
    /// shown. Blocks for at most 5 s.
    ///
    /// Thread:  any but the loop.
    notify::ClickAnswer press(const notify::Click& click) override;

  private:
    using Done = std::function<void(notify::ClickAnswer)>;

    void take(const notify::Click& click, const Done& done);
    void report(const Notification& row, AnswerKind choice, const Result<consent::Answered>& result,
                const Done& done);
    void expire(const Notification& row, AnswerKind choice, const Done& done);
    /// Reports a question that was already answered or has expired.
    void report_settled(const Notification& row, AnswerKind choice, const Approval& approval,
                        const Done& done);
    i18n::Language language_of(const Notification& row) const;

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    Answers& answers_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::answers
