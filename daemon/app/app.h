#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/control/home.h"

namespace a2h {

struct Parts;
class Faces;

/// The daemon: builds its parts in order, runs the loop, and ends them in reverse.
class App {
  public:
    /// Once: the same parts without socket, page, broker, clocks and deliveries; what an operation
    /// leaves to be sent or told waits in the database for the next a2hd that serves.
    enum class Mode { Serve, Once };

    /// Reads configuration and identities, takes the home's lock, opens and migrates the database,
    /// and starts serving. The broker and the market need not be there.
    /// Errors: Conflict when another a2hd serves this home; NotFound when it has no agent yet;
    ///         those of configuration, identity files and database.
    static Result<std::unique_ptr<App>> start(const control::Home& home, Mode mode = Mode::Serve);

    /// Ends everything; what was accepted is stored.
    ~App();

    /// Serves until SIGTERM, SIGINT or `daemon.stop`. Thread: the one that called `start`.
    void run();

    /// Runs one line of the control protocol and returns its answer's line; empty when a signal
    /// ended it before. Thread: the one that called `start`.
    std::string run_once(const std::string& line);

  private:
    App(std::unique_ptr<Parts> parts, std::unique_ptr<Faces> faces);

    std::unique_ptr<Parts> parts_;
    std::unique_ptr<Faces> faces_;
};

}  // namespace a2h
