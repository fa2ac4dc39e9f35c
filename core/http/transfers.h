#pragma once

#include <memory>

namespace a2h::http {

/// The running calls of clients and of `send_mail`, so that a program that ends waits for no
/// answer. Must outlive everything that uses it.
///
/// An ended call gets the same error as for a broken connection: Timeout if the request may have
/// been sent, otherwise Unavailable.
///
/// Thread:  any.
class Transfers {
  public:
    Transfers();
    ~Transfers();
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    /// Ends all running calls at once, and all later ones. Permanent.
    void end();
    bool have_ended() const;

  private:
    friend class UnderWay;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::http
