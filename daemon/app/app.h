#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/control/home.h"

namespace a2h {

struct Parts;
class Faces;

/// The daemon. It builds its parts in order, runs the loop, and destroys the parts in reverse
/// order.
class App {
  public:
    /// `Once` builds the same parts without the socket, the page, the broker, timers and
    /// deliveries. Messages and notifications that an operation leaves wait in the database for the
    /// next a2hd that serves the home.
    enum class Mode { Serve, Once };

    /// Reads configuration and identities, takes the home's lock, opens and migrates the database,
    /// and starts serving. The broker and the market need not be reachable.
    ///
    /// Errors:  Conflict if another a2hd serves this home; NotFound if it has no agent yet; those
    ///          of configuration, identity files and database.
    static Result<std::unique_ptr<App>> start(const control::Home& home, Mode mode = Mode::Serve);

    /// Ends everything. What was accepted has been stored.
    ~App();

    /// Serves until SIGTERM, SIGINT or `daemon.stop`. Thread: the one that called `start`.
    void run();

    /// Runs one line of the control protocol and returns the line of its answer, which is empty if
    /// a signal ended the run before.
    ///
    /// Thread:  the one that called `start`.
    std::string run_once(const std::string& line);

  private:
    App(std::unique_ptr<Parts> parts, std::unique_ptr<Faces> faces);

    std::unique_ptr<Parts> parts_;
    std::unique_ptr<Faces> faces_;
};

}  // namespace a2h
