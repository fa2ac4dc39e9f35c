#include "daemon/notify/notification_queue.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/store/approval_store.h"
#include "core/store/notification_store.h"
#include "core/wire/canonical.h"

namespace a2h::notify {
namespace {

using std::chrono::milliseconds;

constexpr int kRowsALook = 500;
constexpr milliseconds kStoreRetry{5'000};

/// 2, 4, 8 … 120 s, like everything that waits for another side (R6).
milliseconds delay_after(int attempts) {
    const std::int64_t seconds = std::int64_t{1} << std::clamp(attempts, 1, 7);
    return std::chrono::seconds(std::min<std::int64_t>(seconds, 120));
}

Result<void> write(store::Database& db, const Notification& row) {
    A2H_TRY(store::update_notification(db, row));
    if (row.state == "queued" || row.approval_id.empty()) return {};
    const std::string detail = wire::canonical_json({{"channel", row.channel},
                                                     {"kind", row.kind},
                                                     {"state", row.state},
                                                     {"outcome", row.outcome}});
    return store::append_audit(db, row.approval_id, "notified", detail, row.updated_at_ms);
}

}  // namespace

NotificationQueue::NotificationQueue(Environment environment,
                                     std::vector<std::unique_ptr<Channel>> channels)
    : environment_(std::move(environment)), channels_(std::move(channels)) {
    look_every();
}

NotificationQueue::~NotificationQueue() = default;

void NotificationQueue::look_every() {
    environment_.call_after(kLookEvery, [this, alive = std::weak_ptr(alive_)] {
        if (alive.expired()) return;
        wake();
        look_every();
    });
}

void NotificationQueue::look_in(milliseconds delay) {
    environment_.call_after(delay, [this, alive = std::weak_ptr(alive_)] {
        if (!alive.expired()) wake();
    });
}

Channel* NotificationQueue::channel_named(std::string_view name) const {
    const auto found = std::find_if(channels_.begin(), channels_.end(),
                                    [&](const auto& channel) { return channel->name() == name; });
    return found == channels_.end() ? nullptr : found->get();
}

void NotificationQueue::wake() {
    auto rows =
        store::due_notifications(environment_.reader, environment_.clock.now_ms(), kRowsALook);
    if (!rows) {
        log::warning("Cannot read notifications; looking again later",
                     {{"why", rows.error().message}});
        return;
    }
    for (Notification& row : *rows) {
        if (!busy_.contains(row.channel)) start(std::move(row));
    }
}

void NotificationQueue::start(Notification row) {
    busy_.insert(row.channel);
    Channel* channel = channel_named(row.channel);
    const auto say = [&](std::string_view key) {
        return fail(ErrorCode::InvalidArgument, i18n::text(environment_.language, key));
    };
    if (channel == nullptr) return settle(std::move(row), say("notify.no_such_channel"));
    std::optional<Approval> approval;
    if (!row.approval_id.empty()) {
        auto found = store::get_approval(environment_.reader, row.approval_id);
        if (!found) return settle(std::move(row), fail(found.error()));
        approval = std::move(*found);
    }
    const bool asks = row.kind == "approval.asked";
    if (asks && (!approval || approval->status != ApprovalStatus::Pending)) {
        return settle(std::move(row), say("notify.not_needed"));
    }
    const Secrets secrets = asks ? environment_.secrets_of(*approval) : Secrets{};
    Message message = render(row, approval ? &*approval : nullptr, secrets.code, secrets.link,
                             environment_.language);
    auto deliver = [this, channel, row, message = std::move(message), &loop = environment_.loop,
                    alive = std::weak_ptr(alive_)] {
        loop.post([this, alive, row, outcome = channel->deliver(message)] {
            if (!alive.expired()) settle(row, outcome);
        });
    };
    if (!environment_.execute(std::move(deliver))) {
        settle(std::move(row), fail(ErrorCode::Unavailable, "a2hd is too busy"));
    }
}

void NotificationQueue::settle(Notification row, Result<std::string> outcome) {
    const UnixMs now = environment_.clock.now_ms();
    ++row.attempts;
    row.updated_at_ms = now;
    row.outcome = outcome ? *outcome : outcome.error().message;
    const bool over = now - row.created_at_ms > milliseconds(kLifetime).count();
    if (outcome) {
        row.state = "delivered";
    } else if (outcome.error().code == ErrorCode::InvalidArgument || over) {
        row.state = "failed";
    } else {
        row.next_attempt_ms = now + delay_after(row.attempts).count();
    }
    store_outcome(std::move(row));
}

void NotificationQueue::store_outcome(Notification row) {
    auto done = [this, row, &loop = environment_.loop,
                 alive = std::weak_ptr(alive_)](Result<void> stored) {
        loop.post([this, alive, row, ok = stored.has_value()] {
            if (!alive.expired()) after_store(row, ok);
        });
    };
    environment_.writer.submit(
        store::Writer::Priority::Grouped, [row](store::Database& db) { return write(db, row); },
        std::move(done));
}

void NotificationQueue::after_store(const Notification& row, bool stored) {
    if (!stored) {
        // The channel stays busy: delivering again because of a full disk would flood the human.
        environment_.call_after(kStoreRetry, [this, row, alive = std::weak_ptr(alive_)] {
            if (!alive.expired()) store_outcome(row);
        });
        return;
    }
    busy_.erase(row.channel);
    if (row.state == "queued") look_in(delay_after(row.attempts));
    if (environment_.attempted) environment_.attempted(row);
    wake();
}

}  // namespace a2h::notify
