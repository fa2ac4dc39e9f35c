#include "daemon/app/parts.h"

#include <utility>

namespace a2h {

Parts::Parts(home::Opened&& given, std::shared_ptr<log::Ring> ring, bool is_serving)
    : serves(is_serving), opened(std::move(given)), log_ring(std::move(ring)) {
    health::install_commit_faults(writer, hang);
    for (const auto& identity : opened.identities)
        mailboxes.add(identity);
}

Parts::~Parts() {
    channel_listeners.stop();
    for (auto& [id, agent] : agents)
        agent->connection.reset();
    notify_workers.reset();
    workers.reset();
    // Writes that are still queued use parts that are destroyed before the writer, so wait for
    // them.
    writer.submit_urgent([](store::Database&) { return Result<void>(); }).wait();
}

void Parts::begin_work() {
    changes.start_beating(loop);
    listings.start();
    executor.resume();
    answers.start_clocks();
    dispatcher.start_expiry();
    listening.start();
    reporter.start();
    retention.start();
    stages.resume();
    coordinator.start();
    advisor.check_waiting();
    way.start();
    commits.rows_written();
    channel_listeners.restart();
    mailboxes.open_all();
    mailboxes.notify_manager();
}

}  // namespace a2h
