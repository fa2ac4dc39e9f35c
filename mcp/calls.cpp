#include "mcp/calls.h"

#include <iterator>
#include <utility>

namespace a2h::mcp {

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

bool Calls::submit(std::string key, Job job) {
    {
        const std::lock_guard lock(mutex_);
        if (waiting_.size() >= kWaitingMax) return false;
        waiting_.push_back({.key = std::move(key), .job = std::move(job), .stop = {}});
        if (idle_threads_ < waiting_.size() && threads_.size() < kThreadsMax) {
            threads_.emplace_back([this] { run(); });
        }
    }
    changed_.notify_one();
    return true;
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
    while (true) {
        ++idle_threads_;
        changed_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
        --idle_threads_;
        if (stopping_) return;
        running_.splice(running_.end(), waiting_, waiting_.begin());
        const auto call = std::prev(running_.end());
        const Job job = std::move(call->job);
        const std::stop_token cancelled = call->stop.get_token();
        lock.unlock();
        job(cancelled);
        lock.lock();
        running_.erase(call);
    }
}

}  // namespace a2h::mcp
