#include "daemon/notify/notification_queue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/guarded.h"
#include "core/store/approval_store.h"
#include "core/store/notification_store.h"
#include "daemon/approvals/approvals.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using notify::NotificationQueue;
using std::chrono::milliseconds;

namespace {

constexpr UnixMs kStart = 1'760'000'000'000;

/// The loop as the test turns it: tasks and timers run when `run_until` is called.
class HandLoop final : public Poster {
  public:
    void post(std::function<void()> task) override {
        tasks_.with([&](auto& tasks) { tasks.push_back(std::move(task)); });
    }
    bool run_until(const std::function<bool()>& condition) {
        return test::eventually([&] {
            while (run_one()) {
            }
            return condition();
        });
    }
    std::vector<std::pair<milliseconds, std::function<void()>>> timers;

  private:
    bool run_one() {
        auto task = tasks_.with([](auto& tasks) -> std::function<void()> {
            if (tasks.empty()) return nullptr;
            auto first = std::move(tasks.front());
            tasks.pop_front();
            return first;
        });
        if (task) task();
        return static_cast<bool>(task);
    }
    Guarded<std::deque<std::function<void()>>> tasks_;
};

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
    std::vector<notify::Message> taken;
    std::vector<std::pair<std::string, notify::Message>> updated;
    std::string receipt;
    bool machine = false;
    bool is_machine() const override { return machine; }
    std::optional<Error> failure;

  private:
    std::string name_;
};

class Bench {
  public:
    Bench() {
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
        NotificationQueue::Environment environment{
            .loop = loop,
            .writer = *writer,
            .reader = *reader,
            .clock = clock,
            .execute = [this](std::function<void()> job) { return execute(std::move(job)); },
            .call_after =
                [this](milliseconds delay, std::function<void()> task) {
                    loop.timers.emplace_back(delay, std::move(task));
                },
            .secrets_of =
                [](const Approval& approval, const std::string& person) {
                    return notify::Secrets{"code of " + approval.id, "link",
                                           [person](AnswerKind) { return "token-of-" + person; }};
                },
            .attempted = [this](const Notification& row) { attempts.push_back(row); },
            .page_url = [] { return std::string("http://page/"); },
            .fetch_of = {},
            .language = i18n::Language::English,
            .people = {Person{}}};
        environment.people[0].per_hour_max = 5;
        queue = std::make_unique<NotificationQueue>(std::move(environment), channels);
    }

    /// These are the steps of the only person.
    void tell(Person::Steps steps) {
        policy.people = {Person{}};
        policy.people[0].low = policy.people[0].normal = policy.people[0].high = std::move(steps);
    }

    bool execute(std::function<void()> job) {
        if (no_room) return false;
        if (hold) {
            held.push_back(std::move(job));
        } else {
            job();
        }
        return true;
    }

    void commit(store::Writer::Work work) {
        REQUIRE(writer->submit_urgent(std::move(work)).get().has_value());
    }

    Approval open(const std::string& words = "300?") {
        approvals::Ask ask;
        ask.agent_id = "ag_seller";
        ask.action = "reply.send";
        ask.question = words;
        ask.reply_text = words + " " + std::to_string(++asked_);
        Approval approval = approvals::new_approval(ask, policy, clock.now_ms());
        commit([&](store::Database& db) -> Result<void> {
            A2H_TRY(approvals::open_approval(db, approval, policy, clock.now_ms()));
            return {};
        });
        return approval;
    }

    void answer(const Approval& approval, AnswerKind kind = AnswerKind::Reject) {
        approvals::HumanSecrets secrets{.pin_hash = {}, .link_key = "key"};
        approvals::Answer answer;
        answer.approval_id = approval.id;
        answer.kind = kind;
        commit([&](store::Database& db) -> Result<void> {
            auto outcome = approvals::apply_answer(db, answer, secrets, policy, clock.now_ms());
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
            return approvals::notify_human(db, row, policy, clock.now_ms());
        });
    }

    /// Until nothing happens by itself any more: more rounds than a group of 1000 has pieces.
    void settle() {
        queue->wake();
        for (int round = 0; round < 15; ++round) {
            loop.run_until([] { return true; });
            std::promise<void> written;
            writer->submit(
                store::Writer::Priority::Background,
                [](store::Database&) { return Result<void>(); },
                [&written](const Result<void>&) { written.set_value(); });
            written.get_future().wait();
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

    test::TempDir dir_;
    int asked_ = 0;
    HandLoop loop;
    ManualClock clock{kStart};
    approvals::Policy policy;
    std::unique_ptr<store::Writer> writer;
    std::unique_ptr<store::Database> reader;
    std::vector<std::unique_ptr<notify::Channel>> channels;
    FakeChannel* terminal = nullptr;
    FakeChannel* webhook = nullptr;
    bool hold = false;
    bool no_room = false;
    std::vector<std::function<void()>> held;
    std::vector<Notification> attempts;
    std::unique_ptr<NotificationQueue> queue;
};

}  // namespace

TEST_CASE("a question goes to every channel with code and link, and its outcome is kept") {
    Bench bench;
    const Approval approval = bench.open();
    bench.queue->wake();
    REQUIRE(bench.run_until_attempts(2));
    REQUIRE(bench.terminal->taken.size() == 1);
    CHECK(bench.terminal->taken[0].code == "code of " + approval.id);
    CHECK(bench.terminal->taken[0].link == "link");
    CHECK(bench.webhook->taken.size() == 1);
    auto rows = bench.rows(approval);
    CHECK(rows["terminal"].state == "delivered");
    CHECK(rows["terminal"].outcome == "reached");
    CHECK(rows["webhook"].state == "delivered");
    auto audit = store::audit_rows(*bench.reader, approval.id);
    REQUIRE(audit.has_value());
    CHECK(audit->size() == 3);
    CHECK(audit->back().what == "notified");
    CHECK(audit->back().detail_json.find("code of") == std::string::npos);
}

TEST_CASE("who cannot be reached now is tried again after 2, 4, 8 … 120 seconds") {
    Bench bench;
    bench.tell({{"webhook"}});
    bench.webhook->failure = Error{ErrorCode::Unavailable, "down"};
    const Approval approval = bench.open();
    std::vector<std::int64_t> delays;
    for (std::size_t i = 1; i <= 8; ++i) {
        bench.queue->wake();
        REQUIRE(bench.run_until_attempts(i));
        const Notification row = bench.rows(approval)["webhook"];
        CHECK(row.state == "queued");
        CHECK(row.outcome == "down");
        CHECK(row.attempts == static_cast<int>(i));
        delays.push_back((row.next_attempt_ms - bench.clock.now_ms()) / 1000);
        CHECK(bench.loop.timers.back().first.count() == delays.back() * 1000);
        bench.clock.advance(std::chrono::seconds(delays.back()));
    }
    CHECK(delays == std::vector<std::int64_t>{2, 4, 8, 16, 32, 64, 120, 120});
    bench.webhook->failure.reset();
    bench.loop.timers.back().second();
    REQUIRE(bench.run_until_attempts(9));
    CHECK(bench.rows(approval)["webhook"].state == "delivered");
}

TEST_CASE("what can never be delivered, and what is a day old, is given up") {
    Bench bench;
    bench.webhook->failure = Error{ErrorCode::InvalidArgument, "HTTP 404"};
    bench.terminal->failure = Error{ErrorCode::Unavailable, "no terminal"};
    const Approval approval = bench.open();
    bench.queue->wake();
    REQUIRE(bench.run_until_attempts(2));
    CHECK(bench.rows(approval)["webhook"].state == "failed");
    CHECK(bench.rows(approval)["terminal"].state == "queued");
    bench.clock.advance(std::chrono::hours(24) + std::chrono::seconds(1));
    bench.queue->wake();
    REQUIRE(bench.run_until_attempts(3));
    CHECK(bench.rows(approval)["terminal"].state == "failed");
    CHECK(bench.rows(approval)["terminal"].outcome == "no terminal");
}

TEST_CASE("a question that was answered meanwhile disturbs nobody") {
    Bench bench;
    const Approval approval = bench.open();
    bench.answer(approval);
    bench.queue->wake();
    REQUIRE(bench.run_until_attempts(2));
    CHECK(bench.terminal->taken.empty());
    CHECK(bench.rows(approval)["terminal"].state == "failed");
}

TEST_CASE("a channel whose delivery hangs holds one worker and delays no other channel") {
    Bench bench;
    bench.hold = true;
    bench.tell({{"webhook"}});
    bench.open();
    bench.open();
    bench.queue->wake();
    bench.queue->wake();
    REQUIRE(bench.loop.run_until([&] { return bench.held.size() == 1; }));
    bench.queue->wake();
    bench.loop.run_until([] { return true; });
    CHECK(bench.held.size() == 1);
    bench.hold = false;
    bench.tell({{"terminal"}});
    const Approval other = bench.open();
    bench.queue->wake();
    REQUIRE(bench.run_until_attempts(1));
    CHECK(bench.rows(other)["terminal"].state == "delivered");
    bench.held[0]();
    REQUIRE(bench.run_until_attempts(3));
    CHECK(bench.webhook->taken.size() == 2);
}

TEST_CASE("full workers are a reason to try again, an unknown channel is none") {
    Bench bench;
    bench.no_room = true;
    bench.tell({{"terminal", "pigeon"}});
    const Approval approval = bench.open();
    bench.queue->wake();
    REQUIRE(bench.run_until_attempts(2));
    CHECK(bench.rows(approval)["terminal"].state == "queued");
    CHECK(bench.rows(approval)["pigeon"].state == "failed");
}

TEST_CASE("an outcome that cannot be stored is stored later, not delivered again") {
    Bench bench;
    bench.tell({{"terminal"}});
    const Approval approval = bench.open();
    bench.writer->set_commit_gate([] { return fail(ErrorCode::ResourceExhausted, "disk full"); });
    bench.queue->wake();
    REQUIRE(bench.loop.run_until([&] { return bench.loop.timers.size() == 2; }));
    bench.queue->wake();
    bench.loop.run_until([] { return true; });
    CHECK(bench.terminal->taken.size() == 1);
    bench.writer->set_commit_gate(nullptr);
    bench.loop.timers.back().second();
    REQUIRE(bench.run_until_attempts(1));
    CHECK(bench.terminal->taken.size() == 1);
    CHECK(bench.rows(approval)["terminal"].state == "delivered");
}

TEST_CASE("results and timers that come after the queue has gone are ignored") {
    Bench bench;
    bench.hold = true;
    bench.open();
    bench.queue->wake();
    REQUIRE(bench.loop.run_until([&] { return bench.held.size() == 2; }));
    auto timers = bench.loop.timers;
    // Workers have ended before the queue goes, so the jobs' results are what comes late.
    for (auto& job : bench.held)
        job();
    bench.queue.reset();
    for (auto& timer : timers)
        timer.second();
    CHECK(bench.loop.run_until([] { return true; }));
    CHECK(bench.attempts.empty());
}

TEST_CASE("the next step is told when two attempts of the first reached nobody") {
    Bench bench;
    bench.tell({{"terminal"}, {"webhook"}});
    bench.terminal->failure = Error{ErrorCode::Unavailable, "down"};
    const Approval approval = bench.open();
    bench.settle();
    CHECK(bench.webhook->taken.empty());
    CHECK(bench.rows(approval)["webhook"].state == "waiting");
    bench.clock.advance(std::chrono::seconds(2));
    bench.settle();
    CHECK(bench.terminal->taken.size() == 2);
    REQUIRE(bench.webhook->taken.size() == 1);
    CHECK(bench.rows(approval)["webhook"].state == "delivered");
    CHECK(bench.rows(approval)["terminal"].state == "skipped");
}

TEST_CASE("what was reached at once leaves the later steps alone") {
    Bench bench;
    bench.tell({{"terminal"}, {"webhook"}});
    const Approval approval = bench.open();
    bench.settle();
    bench.clock.advance(std::chrono::minutes(5));
    bench.settle();
    CHECK(bench.webhook->taken.empty());
    CHECK(bench.rows(approval)["webhook"].state == "skipped");
}

TEST_CASE("a first step that hangs for half a minute brings the next one in") {
    Bench bench;
    bench.tell({{"terminal"}, {"webhook"}});
    bench.hold = true;
    const Approval approval = bench.open();
    bench.queue->wake();
    REQUIRE(bench.loop.run_until([&] { return bench.held.size() == 1; }));
    bench.hold = false;
    bench.clock.advance(std::chrono::seconds(31));
    bench.queue->wake();
    REQUIRE(bench.run_until_attempts(1));
    CHECK(bench.webhook->taken.size() == 1);
    CHECK(bench.rows(approval)["webhook"].state == "delivered");
    bench.held[0]();
    REQUIRE(bench.run_until_attempts(2));
}

TEST_CASE("a card that was delivered is brought to its final state, once, with who answered") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->receipt = "message-9";
    const Approval approval = bench.open();
    bench.settle();
    CHECK(bench.rows(approval)["terminal"].card == "open");
    REQUIRE(bench.terminal->taken[0].buttons.size() == 2);
    CHECK(bench.terminal->taken[0].buttons[0].id.find(".y.token-of-human") != std::string::npos);
    bench.answer(approval);
    bench.settle();
    REQUIRE(bench.loop.run_until([&] { return bench.rows(approval)["terminal"].card == "final"; }));
    REQUIRE(bench.terminal->updated.size() == 1);
    CHECK(bench.terminal->updated[0].first == "message-9");
    CHECK(bench.terminal->updated[0].second.buttons.empty());
    CHECK(bench.terminal->updated[0].second.code.empty());
    CHECK(bench.terminal->updated[0].second.text.find("refused") != std::string::npos);
}

TEST_CASE("a card that went out while somebody answered is out of date at once") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->receipt = "message-9";
    bench.hold = true;
    const Approval approval = bench.open();
    bench.queue->wake();
    REQUIRE(bench.loop.run_until([&] { return bench.held.size() == 1; }));
    bench.answer(approval);
    bench.hold = false;
    bench.held[0]();
    REQUIRE(bench.loop.run_until([&] { return bench.rows(approval)["terminal"].card == "final"; }));
    CHECK(bench.terminal->updated.size() == 1);
}

TEST_CASE("a card whose service is away is tried again, one that is gone is left") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->receipt = "message-9";
    const Approval approval = bench.open();
    bench.settle();
    bench.terminal->failure = Error{ErrorCode::Unavailable, "away"};
    bench.answer(approval);
    bench.queue->wake();
    REQUIRE(bench.loop.run_until([&] { return bench.terminal->updated.size() == 1; }));
    CHECK(bench.rows(approval)["terminal"].card == "stale");
    bench.clock.advance(std::chrono::seconds(31));
    bench.terminal->failure = Error{ErrorCode::InvalidArgument, "message not found"};
    bench.queue->wake();
    REQUIRE(bench.loop.run_until([&] { return bench.rows(approval)["terminal"].card.empty(); }));
    CHECK(bench.terminal->updated.size() == 2);
}

TEST_CASE("a thousand notifications in a minute are a few messages, never more than the limit") {
    Bench bench;
    bench.tell({{"terminal"}});
    for (int i = 0; i < 1000; ++i) {
        bench.news("number " + std::to_string(i));
        if (i % 100 == 0) bench.settle();
        bench.clock.advance(std::chrono::milliseconds(60));
    }
    for (int minute = 0; minute < 58; ++minute) {
        bench.clock.advance(std::chrono::minutes(1));
        bench.settle();
    }
    // Limit of the fixture: 5 an hour.
    CHECK(bench.terminal->taken.size() <= 5);
    CHECK(bench.terminal->taken.back().kind == "group");
    bench.clock.advance(std::chrono::hours(1));
    bench.settle();
    const auto left = store::due_notifications(*bench.reader, bench.clock.now_ms());
    CHECK(left.value().empty());
    std::size_t longest = 0;
    for (const auto& message : bench.terminal->taken)
        longest = std::max(longest, message.text.size());
    CHECK(longest < 2000);
}

TEST_CASE("a machine behind a webhook gets every notification") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->machine = true;
    for (int i = 0; i < 40; ++i)
        bench.news("n");
    bench.queue->wake();
    REQUIRE(bench.run_until_attempts(40));
    CHECK(bench.terminal->taken.size() == 40);
}

TEST_CASE("many questions at once are one message; those answered meanwhile are not in it") {
    Bench bench;
    bench.tell({{"terminal"}});
    std::vector<Approval> asked;
    for (int i = 0; i < 8; ++i)
        asked.push_back(bench.open("question " + std::to_string(i)));
    bench.answer(asked[0]);
    bench.settle();
    REQUIRE(bench.terminal->taken.size() == 1);
    const auto& group = bench.terminal->taken[0];
    CHECK(group.kind == "group");
    CHECK(group.title.find("7") != std::string::npos);
    CHECK(group.text.find(asked[1].id) != std::string::npos);
    CHECK(group.text.find(asked[0].id) == std::string::npos);
    CHECK(group.code.empty());
    CHECK(bench.rows(asked[1])["terminal"].state == "delivered");
    CHECK(bench.rows(asked[7])["terminal"].state == "delivered");
}
