#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <utility>

#include <nlohmann/json.hpp>

#include "daemon/collab/profile_sync.h"
#include "daemon/context/unread_mail.h"

namespace a2h::test {

/// All mail has been read, unless the test says otherwise.
class ReadMail final : public UnreadMail {
  public:
    void read_first(std::chrono::milliseconds patience,
                    std::function<void(bool is_read)> then) const override {
        read_all(patience, std::move(then));
    }
    void read_all(std::chrono::milliseconds,
                  std::function<void(bool is_read)> then) const override {
        ++readings;
        then(is_read);
    }

    std::atomic<bool> is_read = true;
    mutable std::atomic<int> readings = 0;
};

/// Nothing that profiles say is to this home.
struct NoWords final : collab::ProfileWords {
    Finder finder(const Agent&) const override {
        return [](const nlohmann::json&) { return std::vector<store::SeenOffer>(); };
    }
};

}  // namespace a2h::test
