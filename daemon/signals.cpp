#include "daemon/signals.h"

#include <pthread.h>

#include <utility>

namespace a2h {

SignalWaiter::SignalWaiter(std::function<void()> on_stop) {
    std::signal(SIGPIPE, SIG_IGN);
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGUSR2);  // ours, from the destructor
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    thread_ = std::thread([this, on_stop = std::move(on_stop)] {
        int number = 0;
        sigwait(&signals_, &number);
        if (number != SIGUSR2) on_stop();
    });
}

SignalWaiter::~SignalWaiter() {
    pthread_kill(thread_.native_handle(), SIGUSR2);
    thread_.join();
}

}  // namespace a2h
