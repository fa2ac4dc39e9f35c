#pragma once

// Inside market/db only: connections that threads share, one thread at a time.

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace a2h::market::db {

/// Up to `connections_max` connections, opened when needed and kept.
///
/// Thread:  any.
template <typename Connection>
class Pool {
  public:
    using Open = std::function<Result<std::unique_ptr<Connection>>()>;

    /// A connection that is returned at the end of its scope, unless it was dropped as broken.
    class Lease {
      public:
        Lease(Pool& pool, std::unique_ptr<Connection> connection)
            : pool_(&pool), connection_(std::move(connection)) {}
        Lease(Lease&& other) noexcept
            : pool_(std::exchange(other.pool_, nullptr)),
              connection_(std::move(other.connection_)) {}
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (pool_ != nullptr) pool_->give_back(std::move(connection_));
        }

        Connection& operator*() const { return *connection_; }
        Connection* operator->() const { return connection_.get(); }
        void drop() { connection_.reset(); }

      private:
        Pool* pool_;
        std::unique_ptr<Connection> connection_;
    };

    Pool(std::size_t connections_max, Open open)
        : open_(std::move(open)), places_(connections_max) {}

    /// Waits for a free connection.
    ///
    /// Errors:  those of `open`.
    Result<Lease> take() {
        std::unique_lock lock(mutex_);
        ++waiting_;
        free_.wait(lock, [this] { return places_ > 0; });
        --waiting_;
        --places_;
        if (!idle_.empty()) {
            auto connection = std::move(idle_.back());
            idle_.pop_back();
            return Lease(*this, std::move(connection));
        }
        lock.unlock();
        auto opened = open_();
        if (opened) return Lease(*this, std::move(*opened));
        give_back(nullptr);
        return fail(opened.error());
    }

    /// After the server has gone: the idle connections are broken as well.
    void drop_idle() {
        const std::lock_guard lock(mutex_);
        idle_.clear();
    }

    template <typename Function>
    void for_each_idle(const Function& function) {
        const std::lock_guard lock(mutex_);
        for (const auto& connection : idle_)
            function(*connection);
    }

    std::size_t waiting() const {
        const std::lock_guard lock(mutex_);
        return waiting_;
    }

  private:
    void give_back(std::unique_ptr<Connection> connection) {
        {
            const std::lock_guard lock(mutex_);
            if (connection) idle_.push_back(std::move(connection));
            ++places_;
        }
        free_.notify_one();
    }

    const Open open_;
    mutable std::mutex mutex_;
    std::condition_variable free_;
    std::vector<std::unique_ptr<Connection>> idle_;
    std::size_t places_;
    std::size_t waiting_ = 0;
};

}  // namespace a2h::market::db
