#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/control/home.h"

namespace a2h {

/// The daemon: builds its parts in order, runs the loop, and ends them in reverse.
class App {
  public:
    /// Reads configuration and identities, takes the home's lock, opens and migrates the database,
    /// and starts serving. The broker and the market need not be there.
    /// Errors: Conflict when another a2hd serves this home; NotFound when it has no agent yet;
    ///         those of configuration, identity files and database.
    static Result<std::unique_ptr<App>> start(const control::Home& home);

    /// Ends everything; what was accepted is stored.
    ~App();

    /// Serves until SIGTERM, SIGINT or `daemon.stop`. Thread: the one that called `start`.
    void run();

  private:
    struct Impl;
    explicit App(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h
