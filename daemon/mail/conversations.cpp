#include "daemon/mail/conversations.h"

#include <algorithm>
#include <utility>

#include "core/base/log.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"

namespace a2h::mail {
namespace {

std::string key_of(const InboxMessage& message) {
    return message.agent_id + " " + message.sender_id;
}

}  // namespace

Job new_job(const InboxMessage& message) {
    Job job;
    job.id = message.id;
    job.inbox_id = message.id;
    job.agent_id = message.agent_id;
    job.created_at_ms = message.received_at_ms;
    job.updated_at_ms = message.received_at_ms;
    return job;
}

void Conversations::load_pending() {
    behind_ = true;
    if (taken_ >= kTakenMax) return;
    const std::size_t room = kTakenMax - taken_;
    const auto jobs = store::pending_jobs(kernel_.reader, last_taken_id_, static_cast<int>(room));
    if (!jobs) {
        log::warning("Pending jobs could not be read", {{"error", jobs.error().message}});
        return;
    }
    behind_ = jobs->size() == room;
    for (const Job& job : *jobs) {
        const auto message = store::get_inbox(kernel_.reader, job.inbox_id);
        if (!message) {
            behind_ = true;
            return;
        }
        last_taken_id_ = job.id;
        if (*message) take(job, **message);
    }
}

void Conversations::accept(const InboxMessage& message) {
    if (message.id <= last_taken_id_)
        return;  // `load_pending` has already found it in the database
    if (!has_room()) {
        load_pending();
        return;
    }
    last_taken_id_ = message.id;
    take(new_job(message), message);
}

void Conversations::take(Job job, const InboxMessage& message) {
    if (!agents_.contains(job.agent_id)) return;
    auto& queue = waiting_[key_of(message)];
    queue.push_back(job);
    ++taken_;
    if (queue.size() == 1) turns_.begin_turn(std::move(job), message);
}

void Conversations::start(const std::string& conversation) {
    const auto found = waiting_.find(conversation);
    if (found == waiting_.end()) return;
    const Job job = found->second.front();
    auto message = store::get_inbox(kernel_.reader, job.inbox_id);
    if (!message || !*message) {
        kernel_.loop.call_after(kRetryDelay, [this, conversation] { start(conversation); });
        return;
    }
    turns_.begin_turn(job, std::move(**message));
}

bool Conversations::is_idle(const InboxMessage& message) const {
    return !waiting_.contains(key_of(message));
}

void Conversations::hold_turn(const InboxMessage& message) {
    waiting_[key_of(message)].push_back(new_job(message));
    ++taken_;
}

void Conversations::note_stored(const InboxMessage& message) {
    if (!behind_) last_taken_id_ = std::max(last_taken_id_, message.id);
}

void Conversations::finish(const InboxMessage& message) {
    const std::string conversation = key_of(message);
    const auto found = waiting_.find(conversation);
    found->second.pop_front();
    --taken_;
    if (found->second.empty()) {
        waiting_.erase(found);
    } else {
        start(conversation);
    }
    if (behind_ && taken_ < kTakenMax / 2) load_pending();
}

void Conversations::retry_later(const InboxMessage& message) {
    kernel_.loop.call_after(kRetryDelay,
                            [this, conversation = key_of(message)] { start(conversation); });
}

}  // namespace a2h::mail
