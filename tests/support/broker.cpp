#include "tests/support/broker.h"

#include <fstream>

#include "core/base/check.h"
#include "core/base/loopback.h"

namespace a2h::test {

Broker::Broker(std::filesystem::path dir, std::string extra)
    : dir_(std::move(dir)),
      extra_(std::move(extra)),
      port_(free_port()),
      held_port_(hold_port(port_)) {
    std::filesystem::create_directories(dir_);
    start();
}

void Broker::start() {
    const auto config = dir_ / "mosquitto.conf";
    std::ofstream(config) << "listener " << port_ << " 127.0.0.1\n"
                          << "allow_anonymous true\n"
                          << "user root\n"
                          << "persistence true\npersistence_location " << dir_.string() << "/\n"
                          << "autosave_on_changes true\nautosave_interval 1\n"
                          << "max_queued_messages 0\nmax_inflight_messages 0\n"
                          << "set_tcp_nodelay true\n"
                          << extra_;
    process_ =
        std::make_unique<Process>(Process::Options{.argv = {"mosquitto", "-c", config.string()},
                                                   .environment = {},
                                                   .stdout_file = dir_ / "broker.out",
                                                   .stderr_file = dir_ / "broker.log",
                                                   .pipe_stdin = false});
    A2H_CHECK(eventually([this] { return accepts_connections(port_); }, kStartTimeMax));
    A2H_CHECK(process_->running());
    held_port_.reset();
}

void Broker::kill() {
    process_->kill();
    held_port_ = hold_port(port_);
}
void Broker::stop() {
    process_->stop();
    held_port_ = hold_port(port_);
}

}  // namespace a2h::test
