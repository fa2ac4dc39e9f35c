#include "daemon/answers/button_answers.h"

#include <future>
#include <memory>
#include <utility>

#include "core/store/approval_store.h"
#include "core/store/notification_store.h"
#include "daemon/consent/votes.h"
#include "daemon/notify/render.h"

namespace a2h::answers {
namespace {

constexpr std::chrono::seconds kLoopWaitMax{5};

notify::ClickAnswer refused(i18n::Language language, std::string_view key) {
    return {.accepted = false, .words = i18n::text(language, key), .card = {}};
}

std::string_view key_of(const Error& error) {
    switch (error.code) {
        case ErrorCode::Unauthenticated:
        case ErrorCode::NotFound:
            return "notify.click_wrong";
        case ErrorCode::PermissionDenied:
            return "notify.click_not_counted";
        case ErrorCode::Corrupt:
            return "notify.click_changed";
        default:
            return "notify.click_unavailable";
    }
}

/// Whether the message of `row` has shown the words that a no would send now. A message of an
/// earlier version could have a button for a no without them: in a group, or if it was cut.
Result<bool> has_shown_no(store::Database& reader, const Notification& row) {
    A2H_ASSIGN_OR_RETURN(const auto approval, store::get_approval(reader, row.approval_id));
    const bool sends_words =
        approval && approval->status == ApprovalStatus::Pending && !approval->reject_text.empty();
    if (!sends_words) return true;
    A2H_ASSIGN_OR_RETURN(const auto together,
                         store::shown_together(reader, row.channel, row.receipt, 1));
    if (together.count > 1) return false;
    // A message that was cut has lost its code. Those whose yes does not count never get one.
    return row.shows_code || !consent::check_voter(*approval, row.person);
}

/// True if the same button was pressed again, or the service delivered the same press again.
bool is_same_answer(const Approval& approval, const Notification& row, AnswerKind choice) {
    const bool yes = approval.status == ApprovalStatus::Approved;
    const bool no = approval.status == ApprovalStatus::Rejected;
    return approval.surface == AnswerSurface::Button && approval.answered_by == row.person &&
           ((yes && choice == AnswerKind::Approve) || (no && choice == AnswerKind::Reject));
}

}  // namespace

ButtonAnswers::ButtonAnswers(const kernel::Kernel& kernel, const Current<Config>& config,
                             Answers& answers, const outcome::Commits& commits)
    : kernel_(kernel), config_(config), answers_(answers), commits_(commits) {}

notify::ClickAnswer ButtonAnswers::press(const notify::Click& click) {
    const auto promise = std::make_shared<std::promise<notify::ClickAnswer>>();
    std::future<notify::ClickAnswer> future = promise->get_future();
    kernel_.loop.post([this, click, promise] {
        take(click, [promise](notify::ClickAnswer click_answer) {
            promise->set_value(std::move(click_answer));
        });
    });
    const auto later = [this] { return refused(config_->language, "notify.click_unavailable"); };
    if (future.wait_for(kLoopWaitMax) != std::future_status::ready) return later();
    try {
        return future.get();
    } catch (const std::future_error&) {
        // The loop ended and discarded the task together with the promise.
        return later();
    }
}

i18n::Language ButtonAnswers::language_of(const Notification& row) const {
    const auto config = config_.get();
    const Person* person = find_person(config->approval.people, row.person);
    if (person == nullptr || person->language.empty()) return config->language;
    return i18n::language_of(person->language);
}

void ButtonAnswers::take(const notify::Click& click, const Done& done) {
    const auto wrong = [&] { done(refused(config_->language, "notify.click_wrong")); };
    const auto pressed = notify::parse_button(click.button_id);
    if (!pressed) return wrong();
    const auto row = store::get_notification(kernel_.reader, pressed->row);
    if (!row) return done(refused(config_->language, "notify.click_unavailable"));
    if (!*row || (*row)->channel != click.channel || (*row)->kind != kAskedKind) {
        return wrong();
    }
    if (!click.is_allowed) return done(refused(language_of(**row), "notify.click_not_yours"));
    if (pressed->choice == AnswerKind::Reject) {
        const auto shown = has_shown_no(kernel_.reader, **row);
        if (!shown) return done(refused(language_of(**row), "notify.click_unavailable"));
        if (!*shown) return done(refused(language_of(**row), "notify.click_unseen_no"));
    }
    consent::Answer answer;
    answer.approval_id = (*row)->approval_id;
    answer.kind = pressed->choice;
    answer.words = to_string(pressed->choice);
    answer.surface = AnswerSurface::Button;
    answer.proof = pressed->token;
    answer.person = (*row)->person;
    answers_.answer(
        std::move(answer), "",
        [this, row = **row, choice = pressed->choice,
         done](const Result<consent::Answered>& result) { report(row, choice, result, done); });
}

void ButtonAnswers::report(const Notification& row, AnswerKind choice,
                           const Result<consent::Answered>& result, const Done& done) {
    const i18n::Language language = language_of(row);
    if (result) {
        notify::ClickAnswer click_answer{true, notify::answered_words(result->approval, language)};
        if (result->approval.status != ApprovalStatus::Pending && !row.held)
            click_answer.card = notify::render_final(row, result->approval, language);
        return done(std::move(click_answer));
    }
    if (result.error().code != ErrorCode::Conflict) {
        return done(refused(language, key_of(result.error())));
    }
    // The button was valid, but another answer or the deadline came first.
    const auto now = store::get_approval(kernel_.reader, row.approval_id);
    if (!now || !*now) return done(refused(language, "notify.click_unavailable"));
    if ((*now)->status != ApprovalStatus::Pending) return report_settled(row, choice, **now, done);
    if (kernel_.clock.now_ms() < (*now)->answer_by_ms)
        return done({true, i18n::text(language, "notify.click_counted"), {}});
    expire(row, choice, done);
}

/// Expires a question whose deadline has passed, before the timer does so.
void ButtonAnswers::expire(const Notification& row, AnswerKind choice, const Done& done) {
    kernel_.write(
        store::Writer::Priority::Urgent,
        [this](store::Database& db) -> Result<void> {
            const auto expired =
                consent::expire_overdue(db, config_->approval, kernel_.clock.now_ms());
            return expired ? Result<void>() : fail(expired.error());
        },
        [this, row, choice, done](const Result<void>&) {
            commits_.rows_written();
            const auto now = store::get_approval(kernel_.reader, row.approval_id);
            if (!now || !*now || (*now)->status == ApprovalStatus::Pending)
                return done(refused(language_of(row), "notify.click_unavailable"));
            report_settled(row, choice, **now, done);
        });
}

void ButtonAnswers::report_settled(const Notification& row, AnswerKind choice,
                                   const Approval& approval, const Done& done) {
    const i18n::Language language = language_of(row);
    const std::string state = notify::answered_words(approval, language);
    if (is_same_answer(approval, row, choice)) return done({true, state, {}});
    // Channels that cannot reply to the person who pressed the button show the result on the card
    // instead.
    kernel_.write(
        store::Writer::Priority::Grouped,
        [id = row.id](store::Database& db) { return store::set_card(db, id, "stale"); },
        [this](const Result<void>&) { commits_.rows_written(); });
    done({false, i18n::text(language, "notify.click_already", {{"state", state}}), {}});
}

}  // namespace a2h::answers
