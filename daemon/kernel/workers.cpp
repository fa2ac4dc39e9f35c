#include "daemon/kernel/workers.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace a2h {

struct Workers::Impl {
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<std::function<void()>> jobs;
    bool stopping = false;
    std::vector<std::thread> threads;

    void run() {
        while (true) {
            std::function<void()> job;
            {
                std::unique_lock lock(mutex);
                wake.wait(lock, [this] { return stopping || !jobs.empty(); });
                if (stopping) return;
                job = std::move(jobs.front());
                jobs.pop_front();
            }
            job();
        }
    }
};

Workers::Workers(int thread_count) : impl_(std::make_unique<Impl>()) {
    for (int i = 0; i < thread_count; ++i) {
        impl_->threads.emplace_back([impl = impl_.get()] { impl->run(); });
    }
}

Workers::~Workers() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->stopping = true;
    }
    impl_->wake.notify_all();
    for (auto& thread : impl_->threads)
        thread.join();
}

bool Workers::submit(std::function<void()> job) {
    {
        const std::lock_guard lock(impl_->mutex);
        if (impl_->stopping || impl_->jobs.size() >= kQueueMax) return false;
        impl_->jobs.push_back(std::move(job));
    }
    impl_->wake.notify_one();
    return true;
}

}  // namespace a2h
