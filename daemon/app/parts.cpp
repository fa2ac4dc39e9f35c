#include "daemon/app/parts.h"

#include <utility>

#include "core/base/check.h"
#include "daemon/consent/changed_listing.h"
#include "daemon/model/spent_setting.h"

namespace a2h {

consent::Pins::Hashes pin_hashes(const home::Opened& opened) {
    consent::Pins::Hashes hashes = opened.human.people;
    hashes[owner_of(opened.loaded.config.approval.people)] = opened.human.pin_hash;
    return hashes;
}

std::unique_ptr<model::LanguageModel> make_model(const home::Opened& opened, Loop& loop,
                                                 const Clock& clock, store::Writer& writer) {
    auto made =
        model::make_drafter(opened.loaded.config.model, {.poster = loop,
                                                         .clock = clock,
                                                         .transfers = opened.transfers.get(),
                                                         .key = opened.model_key,
                                                         .spent = opened.model_spent,
                                                         .save = model::save_spent(writer)});
    A2H_CHECK(made.has_value());  // the configuration was checked when it was read
    return std::move(*made);
}

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

void Parts::end_drafts_about(const std::string& agent_id,
                             const std::vector<std::string>& works_ids) {
    kernel.write(
        store::Writer::Priority::Grouped,
        [agent_id, works_ids, policy = policy_of(config),
         now_ms = clock.now_ms()](store::Database& db) {
            return consent::end_drafts_about(db, agent_id, works_ids, *policy, now_ms);
        },
        [this](const Result<void>&) { commits.rows_written(); });
}

}  // namespace a2h
