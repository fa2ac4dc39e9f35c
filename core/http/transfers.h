#pragma once

#include <memory>

namespace a2h::http {

/// The calls of clients and of `send_mail` that are under way, so that a program that ends waits
/// for no answer. Must outlive all that were given it.
///
/// Whoever made a call learns what it would of a connection that broke: Timeout when the request
/// may have been sent, else Unavailable. Thread: any.
class Transfers {
  public:
    Transfers();
    ~Transfers();
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    /// Ends at once what is under way, and whatever begins later. For good.
    void end();
    bool have_ended() const;

  private:
    friend class UnderWay;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::http
