#include "daemon/kernel/signals.h"

#include <pthread.h>

#include <utility>

namespace a2h {

SignalMask::SignalMask() {
    std::signal(SIGPIPE, SIG_IGN);
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGHUP);
    sigaddset(&signals_, SIGUSR2);  // sent by the destructor of the waiter
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
}

SignalWaiter::SignalWaiter(const SignalMask& mask, std::function<void()> on_stop,
                           std::function<void()> on_hangup) {
    thread_ = std::thread([&signals = mask.signals(), on_stop = std::move(on_stop),
                           on_hangup = std::move(on_hangup)] {
        int number = SIGHUP;
        while (number == SIGHUP) {
            sigwait(&signals, &number);
            if (number == SIGHUP) on_hangup();
        }
        if (number != SIGUSR2) on_stop();
    });
}

SignalWaiter::~SignalWaiter() {
    pthread_kill(thread_.native_handle(), SIGUSR2);
    thread_.join();
}

}  // namespace a2h
