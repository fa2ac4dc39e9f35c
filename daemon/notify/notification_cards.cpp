// The part of NotificationQueue that updates messages on channels to their final state.
#include <algorithm>

#include "core/store/approval_store.h"
#include "daemon/notify/notification_queue.h"

namespace a2h::notify {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kCardRetry{30'000};
constexpr int kCardsPerPass = 50;

/// The approval will not change by itself any more.
bool is_settled(const Approval& approval) {
    if (approval.status == ApprovalStatus::Pending) return false;
    return approval.status != ApprovalStatus::Approved ||
           (approval.outcome != ApprovalOutcome::None &&
            approval.outcome != ApprovalOutcome::Executing);
}

/// The notification "approval.expired" reports it in the same thread.
bool needs_no_card(const Approval& approval) {
    return approval.status == ApprovalStatus::Expired ||
           approval.outcome == ApprovalOutcome::Expired;
}

}  // namespace

void NotificationQueue::update_cards() {
    const auto cards = store::stale_cards(reader_, kCardsPerPass);
    const auto now = clock_.steady_now();
    for (const Notification& row : cards.value_or({})) {
        const auto retry = card_retry_.find(row.id);
        if (busy_.contains(row.channel) || pause_of(row.channel) != nullptr ||
            (retry != card_retry_.end() && retry->second > now)) {
            continue;
        }
        update_card(row);
    }
}

void NotificationQueue::update_card(const Notification& row) {
    busy_.insert(row.channel);
    const auto channel = channel_named(row.channel);
    const auto together = store::shown_together(reader_, row.channel, row.receipt, kGroupShown);
    const auto approval = store::get_approval(reader_, row.approval_id);
    if (channel == nullptr || !together || !approval || !*approval) {
        return card_updated(row, {}, fail(ErrorCode::InvalidArgument, "no channel or no approval"));
    }
    const card::Reader reader = reader_of(row.person);
    Group group;
    if (together->count > 1) {
        group = group_of(together->rows, together->count, reader);
        group.message.priority = Priority::Low;  // a change wakes nobody
    } else {
        group = {render_final(row, **approval, reader.language), {{row.id, **approval}}};
    }
    if (!channel->follows_up()) return show_card(row, channel, std::move(group));
    const auto& questions = group.questions;
    const bool settled =
        std::all_of(questions.begin(), questions.end(),
                    [](const Question& question) { return is_settled(question.approval); });
    const bool needs_none =
        std::all_of(questions.begin(), questions.end(),
                    [](const Question& question) { return needs_no_card(question.approval); });
    if (!settled || needs_none) return card_updated(row, questions, {});
    show_card(row, channel, std::move(group));
}

void NotificationQueue::show_card(const Notification& row, const std::shared_ptr<Channel>& channel,
                                  Group group) {
    auto update = [this, channel, row, group, &loop = loop_, alive = std::weak_ptr(alive_)] {
        const Result<void> updated = channel->update(row.receipt, group.message);
        const milliseconds wait = channel->take_wait();
        loop.post([this, alive, row, shown = group.questions, updated, wait] {
            if (alive.expired()) return;
            if (!updated) pause(row.channel, wait, updated.error().message);
            card_updated(row, shown, updated);
        });
    };
    if (!workers_.submit(std::move(update))) {
        card_updated(row, {}, fail(ErrorCode::Unavailable, "a2hd is too busy"));
    }
}

void NotificationQueue::card_updated(const Notification& row, const std::vector<Question>& shown,
                                     const Result<void>& updated) {
    const UnixMs now_ms = clock_.now_ms();
    const bool over = now_ms - row.created_at_ms > 2 * milliseconds(kLifetime).count();
    if (!updated && updated.error().code != ErrorCode::InvalidArgument && !over) {
        card_retry_[row.id] = clock_.steady_now() + kCardRetry;
        busy_.erase(row.channel);
        const Pause* pause = pause_of(row.channel);
        return check_in(pause == nullptr ? kCardRetry : std::max(kCardRetry, left_of(*pause)));
    }
    card_retry_.erase(row.id);
    submit(
        [id = row.id, shown, done = updated.has_value()](store::Database& db) -> Result<void> {
            if (!done) return store::set_card(db, id, "");
            for (const Question& question : shown) {
                const Approval& approval = question.approval;
                if (approval.status == ApprovalStatus::Pending) continue;
                A2H_TRY(store::finish_card(db, question.row, to_string(approval.status),
                                           to_string(approval.outcome)));
            }
            return {};
        },
        [this, row](bool) {
            busy_.erase(row.channel);
            wake();
        });
}

}  // namespace a2h::notify
