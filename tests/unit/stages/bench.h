#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/store/approval_store.h"
#include "core/store/case_store.h"
#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/payload.h"
#include "daemon/effects/rows.h"
#include "daemon/stages/exchange.h"
#include "tests/support/hand_loop.h"
#include "tests/support/manual_clock.h"
#include "tests/support/stage_case.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

inline constexpr UnixMs kStart = 1'760'000'000'000;
inline constexpr const char* kGoodReply = "The logo design costs 280 CNY.";
inline constexpr const char* kBadReply = "Agreed, you get it for 99 CNY, I promise.";

/// Keeps what it was asked until the test answers.
class FakeDrafter final : public model::Drafter {
  public:
    void draft(model::Prompt prompt, Done done) override {
        prompts.push_back(std::move(prompt));
        waiting.push_back(std::move(done));
    }
    std::vector<model::Prompt> prompts;
    std::deque<Done> waiting;
};

/// An exchange of ag_me with a real database, turned by hand.
class StageBench final : public stages::Deciding {
  public:
    explicit StageBench(stages::Options chosen = {}, bool drafts = true)
        : options(std::move(chosen)), has_drafter_(drafts) {
        using store::Database;
        const auto file = dir_.path() / "a2hd.db";
        writer = std::make_unique<store::Writer>(
            Database::open(file, Database::Mode::ReadWrite).value());
        reader = Database::open(file, Database::Mode::ReadOnly).value();
        start();
    }

    /// The state after a crash: everything in memory is gone.
    void start() {
        loop.timers.clear();
        drafter.waiting.clear();
        exchange =
            std::make_unique<stages::Exchange>(clock, loop, *writer, *reader, config, options,
                                               *this, has_drafter_ ? &drafter : nullptr, commits);
        exchange->resume();
        run();
    }

    InboxMessage arrive(const std::string& sender, const std::string& type,
                        const std::string& payload, const std::string& trace,
                        Provenance provenance = Provenance::Verified) {
        InboxMessage message;
        message.agent_id = "ag_me";
        message.sender_id = sender;
        message.message_id = "msg_" + std::to_string(++counter_);
        message.message_type = type;
        message.trace_id = trace;
        message.payload_json = payload;
        message.payload_hash = message.message_id;
        message.envelope_json = "{}";
        message.provenance = provenance;
        message.received_at_ms = clock.now_ms();
        commit([&](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto stored, store::insert_inbox(db, message));
            message.id = stored.inbox_id;
            return {};
        });
        return message;
    }

    static decide::Decision decision(decide::Kind kind, const std::string& reply = {}) {
        decide::Decision made;
        made.kind = kind;
        made.rule_id = "test.rule";
        made.why = "A rule.";
        made.reply_text = reply;
        made.question = kind == decide::Kind::Answer ? "" : "What should I say?";
        return made;
    }

    /// A peer's message and what a rule made of it; answers the job.
    std::int64_t open(const decide::Decision& made, const std::string& peer = "ag_peer",
                      const std::string& payload = wire::text_payload("How much is the logo?")) {
        const auto message = arrive(peer, "chat.request", payload, "trace_peer", of_peers);
        REQUIRE(exchange->handles(made));
        std::optional<Result<void>> result;
        exchange->open(job(message.id), *snapshot(message), made,
                       [&](const Result<void>& done) { result = done; });
        run();
        REQUIRE(result.has_value());
        REQUIRE_MESSAGE(result->has_value(), (*result ? "" : result->error().message));
        return message.id;
    }
    std::int64_t open_draft() { return open(decision(decide::Kind::NeedsDraft)); }
    std::int64_t open_reply() { return open(decision(decide::Kind::Answer, kGoodReply)); }

    void draft(Result<model::Draft> made) {
        REQUIRE_FALSE(drafter.waiting.empty());
        auto done = std::move(drafter.waiting.front());
        drafter.waiting.pop_front();
        done(std::move(made));
        run();
    }
    void draft(const std::string& text, model::Wish wish = model::Wish::Reply) {
        model::Draft made;
        made.wish = wish;
        made.text = text;
        made.why = "Because.";
        made.model = "fake-1";
        draft(Result<model::Draft>(made));
    }

    /// A stage message comes in; answers its own job.
    Job receive(const std::string& sender, const std::string& type, const nlohmann::json& body,
                const std::string& trace, Provenance provenance = Provenance::Verified) {
        const auto message = arrive(sender, "a2h.stage." + type, body.dump(), trace, provenance);
        exchange->receive(job(message.id), message, [](const Result<void>&) {});
        run();
        return job(message.id);
    }

    /// The message of `type` that went last to another program.
    OutboxMessage last_sent(const std::string& type) {
        for (const OutboxMessage& message : outbox()) {
            if (message.message_type == "a2h.stage." + type) return message;
        }
        return {};
    }
    static nlohmann::json body_of(const OutboxMessage& message) {
        return nlohmann::json::parse(message.payload_json, nullptr, false);
    }
    nlohmann::json verdict(const OutboxMessage& request, const std::string& status,
                           const std::string& next, double score = 50) {
        return {{"message_id", wire::new_uuid()},
                {"sent_at", "2025-10-09T08:53:20Z"},
                {"schema_version", "v0.1"},
                {"task_id", body_of(request)["task_id"]},
                {"status", status},
                {"score", score},
                {"next_action", next}};
    }
    /// The reviewer answers the last request.
    Job judge(const std::string& status, const std::string& next) {
        const auto request = last_sent("evaluation_request");
        return receive("ag_judge", "evaluation_response", verdict(request, status, next),
                       request.trace_id);
    }

    /// Does everything that can happen without time passing.
    void run() {
        for (int round = 0; round < 12; ++round) {
            commit([](store::Database&) { return Result<void>(); });
            loop.run_until([] { return true; });
        }
    }
    /// Time passes, and what it brings.
    void pass_time(std::chrono::milliseconds time) {
        clock.advance(time);
        auto due = std::exchange(loop.timers, {});
        for (auto& [delay, task] : due) {
            if (delay <= time) {
                task();
            } else {
                loop.timers.emplace_back(delay - time, std::move(task));
            }
        }
        run();
    }

    void commit(store::Writer::Work work) {
        REQUIRE(writer->submit_urgent(std::move(work)).get().has_value());
    }
    Job job(std::int64_t id) { return store::get_job(*reader, id).value().value(); }
    StageCase stage_case(std::int64_t id) { return get_case(*reader, id).value().value(); }
    std::vector<OutboxMessage> outbox() {
        return store::list_outbox(*reader, "ag_me", std::nullopt, 500).value();
    }
    /// The messages to the peer, newest first.
    std::vector<std::string> replies(const std::string& peer = "ag_peer") {
        std::vector<std::string> texts;
        for (const OutboxMessage& message : outbox()) {
            if (message.target_id == peer)
                texts.push_back(wire::view_payload(message.payload_json).text);
        }
        return texts;
    }
    std::vector<Approval> approvals() {
        return store::list_approvals(*reader, "ag_me", std::nullopt, 100).value();
    }
    /// The types of its messages in their order, a space behind each.
    std::string types(std::int64_t id) {
        std::string names;
        const auto rows = store::stage_messages(*reader, id).value();
        for (const StageMessage& message : rows)
            names += message.type + " ";
        return names;
    }
    int count(std::int64_t id, const std::string& type) {
        const auto rows = store::stage_messages(*reader, id).value();
        return static_cast<int>(std::count_if(rows.begin(), rows.end(),
                                              [&](const auto& row) { return row.type == type; }));
    }
    void turn_drafter(bool on) { has_drafter_ = on; }

    stages::Options options;
    Current<Config> config;
    kernel::Metrics metrics;
    const outcome::Commits commits{metrics, true};
    ManualClock clock{kStart};
    HandLoop loop;
    FakeDrafter drafter;
    std::vector<Listing> listings{listing()};
    Provenance of_peers = Provenance::Verified;  ///< of what peers write from now on
    std::unique_ptr<store::Database> reader;
    std::unique_ptr<store::Writer> writer;
    std::unique_ptr<stages::Exchange> exchange;

  private:
    static Listing listing() {
        Listing made;
        made.works_id = "works_1";
        made.agent_id = "ag_me";
        made.title = "Logo design";
        made.content = "A logo in three days.";
        made.expected_price = "280 CNY";
        made.service_method = "online";
        made.status = "published";
        return made;
    }

    Result<decide::Input> snapshot(const InboxMessage& message) const override {
        decide::Input input;
        input.message = message;
        input.payload = wire::view_payload(message.payload_json);
        input.listings = listings;
        input.now_ms = clock.now_ms();
        return input;
    }

    /// A short form of the decider's jobs.
    outcome::Effects effects_of(const Job& job, const InboxMessage& message,
                                const decide::Input& input, decide::Decision made) const override {
        outcome::Effects effects;
        effects.job = job;
        effects.job->rule_id = made.rule_id;
        effects.job->decision = decide::to_string(made.kind);
        effects.job->why = made.why;
        effects.job->state =
            made.kind == decide::Kind::Ask ? JobState::WaitingForHuman : JobState::Done;
        if (made.kind == decide::Kind::Answer) {
            auto reply = effects::new_outbox_message(
                "ag_me", message.sender_id, wire::text_payload(made.reply_text), message.trace_id,
                "rule:" + made.rule_id, input.now_ms);
            reply.effect_key = "task:" + std::to_string(job.id);
            effects.outbox.push_back(std::move(reply));
        }
        if (made.kind == decide::Kind::Ask) {
            consent::Ask ask;
            ask.agent_id = "ag_me";
            ask.peer_id = message.sender_id;
            ask.job_id = job.id;
            ask.action = made.action;
            ask.question = made.question;
            ask.reply_text = made.reply_text;
            effects.approval = consent::new_approval(ask, config->approval, input.now_ms);
        }
        return effects;
    }

    TempDir dir_;
    bool has_drafter_;
    int counter_ = 0;
};

inline stages::Options with_review() {
    stages::Options options;
    options.review = "ag_judge";
    return options;
}

}  // namespace a2h::test
