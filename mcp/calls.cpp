#include "mcp/calls.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace a2h::mcp {
namespace {

/// One reads while all lanes are full.
constexpr std::size_t kThreadsMax =
    Calls::kRunningMax + Calls::kLongRunningMax + Calls::kTimedRunningMax + 1;

}  // namespace

Calls::~Calls() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (Call& call : running_)
            call.stop.request_stop();
        waiting_.clear();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

bool Calls::submit(std::string key, Job job, Lane lane) {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= kWaitingMax) return false;
    if (lane == Lane::Timed &&
        count_in(running_, lane) + count_in(waiting_, lane) >= kTimedRunningMax) {
        return false;
    }
    waiting_.push_back({.key = std::move(key), .job = std::move(job), .stop = {}, .lane = lane});
    // The thread that reads makes the call next, and wakes the others then.
    if (!reading_ || reader_ != std::this_thread::get_id()) wake_or_start_thread();
    return true;
}

void Calls::wake_or_start_thread() {
    if (idle_threads_ > 0) {
        changed_.notify_one();
    } else if (threads_.size() < kThreadsMax && (wants_reader() || next_call() != waiting_.end())) {
        threads_.emplace_back([this] { run(); });
    }
}

void Calls::read_to_end(Read read) {
    std::unique_lock lock(mutex_);
    read_ = std::move(read);
    wake_or_start_thread();
    input_end_.wait(lock, [&] { return input_ended_; });
}

bool Calls::wait_for_all(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    return all_done_.wait_until(lock, deadline,
                                [&] { return running_.empty() && waiting_.empty(); });
}

void Calls::cancel(const std::string& key) {
    const std::lock_guard lock(mutex_);
    for (std::list<Call>* calls : {&running_, &waiting_}) {
        for (Call& call : *calls) {
            if (call.key == key) call.stop.request_stop();
        }
    }
}

void Calls::run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        if (const auto next = next_call(); next != waiting_.end()) {
            make_call(lock, next);
        } else if (wants_reader()) {
            read_once(lock);
        } else {
            ++idle_threads_;
            changed_.wait(lock);
            --idle_threads_;
        }
    }
}

std::size_t Calls::count_in(const Queue& calls, Lane lane) {
    return static_cast<std::size_t>(std::count_if(
        calls.begin(), calls.end(), [lane](const Call& call) { return call.lane == lane; }));
}

Calls::Queue::iterator Calls::next_call() {
    const bool short_has_room = count_in(running_, Lane::Short) < kRunningMax;
    const bool long_has_room = count_in(running_, Lane::Long) < kLongRunningMax;
    return std::find_if(waiting_.begin(), waiting_.end(), [&](const Call& call) {
        // A timed call was accepted because there is room for it.
        if (call.lane == Lane::Timed) return true;
        return call.lane == Lane::Short ? short_has_room : long_has_room;
    });
}

void Calls::make_call(std::unique_lock<std::mutex>& lock, Queue::iterator next) {
    running_.splice(running_.end(), waiting_, next);
    const auto call = std::prev(running_.end());
    const Job job = std::move(call->job);
    const std::stop_token cancelled = call->stop.get_token();
    if (wants_reader() || !waiting_.empty()) wake_or_start_thread();
    lock.unlock();
    job(cancelled);
    lock.lock();
    running_.erase(call);
    if (running_.empty() && waiting_.empty()) all_done_.notify_all();
}

void Calls::read_once(std::unique_lock<std::mutex>& lock) {
    reading_ = true;
    reader_ = std::this_thread::get_id();
    lock.unlock();
    const bool more = read_();
    lock.lock();
    reading_ = false;
    if (more) return;
    input_ended_ = true;
    input_end_.notify_all();
}

}  // namespace a2h::mcp
