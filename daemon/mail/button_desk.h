#pragma once

#include <functional>

#include "daemon/context/context.h"
#include "daemon/mail/answer_desk.h"
#include "daemon/notify/notifier.h"

namespace a2h::mail {

/// Takes what people press in messages of their channels to the `AnswerDesk`, and says truly what
/// came of it: also to who presses twice, presses a card from before a restart, or too late.
class ButtonDesk {
  public:
    /// `on_effects` runs on the loop after each commit.
    ButtonDesk(const Context& context, AnswerDesk& answers, std::function<void()> on_effects);

    /// A button counts only on the channel on which it was shown, for the person to whom. Blocks,
    /// at most 5 s. Thread: any but the loop.
    notify::ClickAnswer press(const notify::Click& click);

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

    const Context& context_;
    AnswerDesk& answers_;
    const std::function<void()> on_effects_;
};

}  // namespace a2h::mail
