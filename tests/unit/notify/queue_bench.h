#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/guarded.h"
#include "core/store/approval_store.h"
#include "core/store/notification_store.h"
#include "daemon/consent/approvals.h"
#include "daemon/notify/notification_queue.h"
#include "tests/support/hand_loop.h"
#include "tests/support/manual_clock.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

using notify::NotificationQueue;
using std::chrono::milliseconds;

inline constexpr UnixMs kStart = 1'760'000'000'000;

class FakeChannel final : public notify::Channel {
  public:
    explicit FakeChannel(std::string name) : name_(std::move(name)) {}
    std::string_view name() const override { return name_; }
    std::string_view kind() const override { return "fake"; }
    Result<notify::Delivered> deliver(const notify::Message& message) override {
        taken.push_back(message);
        if (failure) return fail(*failure);
        return notify::Delivered{"reached", receipt};
    }
    Result<void> update(const std::string& shown, const notify::Message& message) override {
        updated.emplace_back(shown, message);
        if (failure) return fail(*failure);
        return {};
    }
    std::chrono::milliseconds take_wait() override { return std::exchange(wait, milliseconds(0)); }
    milliseconds wait{0};
    std::vector<notify::Message> taken;
    std::vector<std::pair<std::string, notify::Message>> updated;
    std::string receipt;
    bool machine = false;
    bool is_machine() const override { return machine; }
    bool follows = false;
    bool follows_up() const override { return follows; }
    std::optional<Error> failure;

  private:
    std::string name_;
};

/// A queue with two channels, a store and a clock, turned by hand.
class QueueBench final : public Runner, public notify::Proofs, public notify::PictureSource {
  public:
    QueueBench() {
        const auto path = dir_.path() / "a2h.db";
        auto writing = store::Database::open(path, store::Database::Mode::ReadWrite);
        REQUIRE(writing.has_value());
        writer = std::make_unique<store::Writer>(std::move(*writing));
        auto reading = store::Database::open(path, store::Database::Mode::ReadOnly);
        REQUIRE(reading.has_value());
        reader = std::move(*reading);
        tell({{"terminal", "webhook"}});
        auto first = std::make_unique<FakeChannel>("terminal");
        auto second = std::make_unique<FakeChannel>("webhook");
        terminal = first.get();
        webhook = second.get();
        channels.push_back(std::move(first));
        channels.push_back(std::move(second));
        Person person;
        person.per_hour_max = 5;
        tell_of({person});
    }

    /// Is told, too; the queue begins anew.
    void add_person(const Person& person) {
        policy.people.push_back(person);
        tell_of(policy.people);
    }

    /// These are the steps of the only person.
    void tell(Person::Steps steps) {
        policy.people = {Person{}};
        policy.people[0].low = policy.people[0].normal = policy.people[0].high = std::move(steps);
    }

    bool submit(std::function<void()> job) override {
        if (no_room) return false;
        if (hold) {
            held.push_back(std::move(job));
        } else {
            job();
        }
        return true;
    }

    notify::Secrets secrets_of(const Approval& approval, const std::string& person) const override {
        return {"code of " + approval.id, "link",
                [person](AnswerKind) { return "token-of-" + person; },
                consent::check_voter(approval, person).has_value()};
    }
    std::string pin_code_of(const std::string& nonce, const std::string& person) const override {
        return nonce + " of " + person;
    }
    Fetch fetch_of(const std::string&, const std::string& url) override {
        const auto found = files.find(url);
        if (found == files.end()) return {};
        return [bytes = found->second] { return Result<std::string>(bytes); };
    }

    /// The queue begins anew, for these people.
    void tell_of(const std::vector<Person>& people) {
        audience.replace({channels, i18n::Language::English, people});
        queue = std::make_unique<NotificationQueue>(
            loop, *writer, *reader, clock, *this, *this, *this, "http://page/", audience,
            acting_agents, [this](const Notification& row) { attempts.push_back(row); });
    }

    void commit(store::Writer::Work work) {
        REQUIRE(writer->submit_urgent(std::move(work)).get().has_value());
    }

    Approval open(const std::string& words = "300?", const std::string& peer = "") {
        consent::Ask ask;
        ask.peer_id = peer;
        ask.agent_id = "ag_seller";
        ask.action = "reply.send";
        ask.question = words;
        ask.reply_text = words + " " + std::to_string(++asked_);
        auto approval = consent::new_approval(ask, policy, clock.now_ms());
        commit([&](store::Database& db) -> Result<void> {
            A2H_TRY(consent::open_approval(db, approval, policy, clock.now_ms()));
            return {};
        });
        return approval;
    }

    void answer(const Approval& approval, AnswerKind kind = AnswerKind::Reject) {
        consent::HumanSecrets secrets{.link_key = "key"};
        consent::Answer answer;
        answer.approval_id = approval.id;
        answer.kind = kind;
        answer.surface = AnswerSurface::Terminal;
        answer.pin = consent::ProofState::Valid;
        commit([&](store::Database& db) -> Result<void> {
            auto outcome = consent::apply_answer(db, answer, secrets, policy, clock.now_ms());
            return outcome ? Result<void>() : fail(outcome.error());
        });
    }

    /// One piece of news.
    void news(const std::string& text, Priority priority = Priority::Normal) {
        Notification row;
        row.agent_id = "ag_seller";
        row.kind = "some.news";
        row.priority = priority;
        row.body_json = "{\"text\":\"" + text + "\"}";
        commit([&](store::Database& db) {
            return consent::notify_human(db, row, policy, clock.now_ms());
        });
    }

    /// Until nothing happens by itself any more: more rounds than a group of 1000 has pieces.
    void settle() {
        queue->wake();
        for (int round = 0; round < 15; ++round) {
            loop.run_until([] { return true; });
            // Shared: whoever sets it may still be inside when the waiter goes on.
            const auto written = std::make_shared<std::promise<void>>();
            writer->submit(
                store::Writer::Priority::Background,
                [](store::Database&) { return Result<void>(); },
                [written](const Result<void>&) { written->set_value(); });
            written->get_future().wait();
        }
        loop.run_until([] { return true; });
    }

    std::map<std::string, Notification> rows(const Approval& approval) {
        std::map<std::string, Notification> rows;
        auto all = store::notifications_of_approval(*reader, approval.id);
        REQUIRE(all.has_value());
        for (const auto& row : *all)
            rows[row.channel] = row;
        return rows;
    }

    bool run_until_attempts(std::size_t count) {
        return loop.run_until([&] { return attempts.size() >= count; });
    }

    TempDir dir_;
    Current<notify::Audience> audience;
    card::ActingAgents acting_agents;
    int asked_ = 0;
    HandLoop loop;
    ManualClock clock{kStart};
    consent::Policy policy;
    std::unique_ptr<store::Writer> writer;
    std::unique_ptr<store::Database> reader;
    notify::Channels channels;
    FakeChannel* terminal = nullptr;
    FakeChannel* webhook = nullptr;
    bool hold = false;
    bool no_room = false;
    std::vector<std::function<void()>> held;
    std::vector<Notification> attempts;
    std::map<std::string, std::string> files;  ///< what may be fetched, by URL
    std::unique_ptr<NotificationQueue> queue;
};

}  // namespace a2h::test
