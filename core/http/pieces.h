#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "core/base/guarded.h"
#include "core/http/server.h"

namespace a2h::http {

/// A streamed answer, shared by the handler that writes it and the connection that sends it.
///
/// Thread:  any.
class Pieces : public Stream {
  public:
    /// `wake` is called after each change, on the thread that made it.
    explicit Pieces(std::function<void()> wake) : wake_(std::move(wake)) {}

    bool send(std::string piece) override;
    void close() override;
    bool was_too_slow() const override;

    /// The next piece; nullopt if there is none at the moment.
    std::optional<std::string> take();
    bool ended() const;
    /// The reader has gone.
    void cut();

  private:
    struct Queue {
        std::deque<std::string> pieces;
        std::size_t bytes = 0;
        bool ended = false;
        bool too_slow = false;
    };

    const std::function<void()> wake_;
    Guarded<Queue> queue_;
};

}  // namespace a2h::http
