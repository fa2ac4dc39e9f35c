#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "daemon/collab/waiting_mail.h"

namespace a2h::test {

/// All mail has been read, unless the test says otherwise.
class ReadMail final : public collab::WaitingMail {
  public:
    void read_all(std::chrono::milliseconds,
                  std::function<void(bool is_read)> then) const override {
        ++readings;
        then(is_read);
    }

    std::atomic<bool> is_read = true;
    mutable std::atomic<int> readings = 0;
};

}  // namespace a2h::test
