#pragma once

#include <functional>

#include "daemon/config/current.h"
#include "daemon/kernel/services.h"
#include "daemon/mail/answer_desk.h"
#include "daemon/notify/notifier.h"
#include "daemon/outcome/commits.h"

namespace a2h::mail {

/// Takes what people press in messages of their channels to the `AnswerDesk`, and says truly what
/// came of it: also to who presses twice, presses a card from before a restart, or too late.
class ButtonDesk final : public notify::Buttons {
  public:
    ButtonDesk(const kernel::Services& kernel, const Current<Config>& config, AnswerDesk& answers,
               const outcome::Commits& commits);

    /// A button counts only on the channel on which it was shown, for the person to whom. Blocks,
    /// at most 5 s. Thread: any but the loop.
    notify::ClickAnswer press(const notify::Click& click) override;

  private:
    using Done = std::function<void(notify::ClickAnswer)>;

    void take(const notify::Click& click, const Done& done);
    void tell(const Notification& row, AnswerKind choice, const Result<consent::Answered>& result,
              const Done& done);
    void expire(const Notification& row, AnswerKind choice, const Done& done);
    /// Of a question that had its answer, or none in time.
    void tell_settled(const Notification& row, AnswerKind choice, const Approval& approval,
                      const Done& done);
    i18n::Language language_of(const Notification& row) const;

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    AnswerDesk& answers_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::mail
