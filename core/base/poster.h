#pragma once

#include <functional>

namespace a2h {

/// The one way in which another thread hands work to the thread that owns the state.
///
/// `post` may be called from any thread and never blocks; the task runs on the owner's thread,
/// after the caller's. Tasks posted after the owner has stopped are dropped.
class Poster {
  public:
    virtual ~Poster() = default;
    virtual void post(std::function<void()> task) = 0;
};

}  // namespace a2h
