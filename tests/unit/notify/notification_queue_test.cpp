#include "daemon/kernel/metrics.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/outcome.h"
#include "daemon/upkeep/notification_waker.h"
#include "tests/unit/notify/queue_bench.h"

using namespace a2h;
using Bench = test::QueueBench;

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

TEST_CASE("a question, its renewal and news are notified as soon as they are committed") {
    Bench bench;
    kernel::Metrics metrics;
    outcome::Commits commits(metrics, true);
    const upkeep::NotificationWaker waker(*bench.queue, commits);
    const Approval approval = bench.open();
    outcome::Effects effects;
    commits.written(effects, {});
    bench.loop.run_until([] { return true; });
    CHECK(bench.attempts.empty());
    SUBCASE("a question") {
        effects.approval.emplace(approval);
    }
    SUBCASE("a renewed question") {
        effects.has_renewed = true;
    }
    SUBCASE("news") {
        effects.news = Notification{};
    }
    commits.written(effects, {});
    CHECK(bench.run_until_attempts(2));
}

TEST_CASE("a failed delivery is tried again after 2, 4, 8 … 120 seconds") {
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

TEST_CASE("an undeliverable notification and one that is a day old are dropped") {
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

TEST_CASE("a question that was answered meanwhile is not sent") {
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

TEST_CASE("full workers lead to another try, an unknown channel does not") {
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

TEST_CASE("the next step is used when two attempts of the first reached nobody") {
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

TEST_CASE("a first step that is delivered prevents the later ones") {
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

TEST_CASE("images of a report go along when their bytes are pictures, everything else does not") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.files = {{"http://m/a.png", "\x89PNG\r\n\x1a\n..."},
                   {"http://m/b.png", "<html>not a picture</html>"},
                   {"http://m/c.pdf", "\x89PNG\r\n\x1a\n..."}};
    Notification row;
    row.agent_id = "ag_seller";
    row.kind = "report";
    row.body_json = R"({"received":1,"replied":0,"lines":["x"],"attachments":[)"
                    R"({"agent_id":"a","name":"a.png","url":"http://m/a.png"},)"
                    R"({"agent_id":"a","name":"b.png","url":"http://m/b.png"},)"
                    R"({"agent_id":"a","name":"c.pdf","url":"http://m/c.pdf"},)"
                    R"({"agent_id":"a","name":"d.png","url":"http://elsewhere/d.png"}]})";
    bench.commit([&](store::Database& db) {
        return consent::notify_human(db, row, bench.policy, bench.clock.now_ms());
    });
    bench.settle();
    REQUIRE(bench.terminal->taken.size() == 1);
    const auto& pictures = bench.terminal->taken[0].pictures;
    REQUIRE(pictures.size() == 1);
    CHECK(pictures[0].name == "a.png");
    CHECK(pictures[0].media_type == "image/png");
}

TEST_CASE(
    "a service that asks to wait is not called earlier, and the next step is used meanwhile") {
    Bench bench;
    bench.tell({{"terminal"}, {"webhook"}});
    bench.terminal->failure = Error{ErrorCode::Unavailable, "HTTP 429"};
    bench.terminal->wait = std::chrono::seconds(90);
    bench.webhook->failure = Error{ErrorCode::Unavailable, "down"};
    const Approval approval = bench.open();
    bench.settle();
    Notification row = bench.rows(approval)["terminal"];
    CHECK(row.state == "queued");
    CHECK(row.next_attempt_ms == bench.clock.now_ms() + 90'000);
    CHECK(row.outcome.find("HTTP 429; asked to wait until ") == 0);
    CHECK(bench.webhook->taken.size() == 1);
    // Nor for another question, which goes to the next step at once, too.
    const Approval other = bench.open("and this?");
    bench.settle();
    CHECK(bench.terminal->taken.size() == 1);
    CHECK(bench.rows(other)["webhook"].attempts == 1);
    bench.clock.advance(std::chrono::milliseconds(89'999));
    bench.settle();
    CHECK(bench.terminal->taken.size() == 1);
    bench.terminal->failure.reset();
    bench.clock.advance(std::chrono::milliseconds(1));
    bench.settle();
    CHECK(bench.terminal->taken.size() == 3);
    CHECK(bench.rows(approval)["terminal"].state == "delivered");
    CHECK(bench.rows(other)["terminal"].state == "delivered");
}

TEST_CASE("a service that asked to wait is called again in time when the clock is set back") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->failure = Error{ErrorCode::Unavailable, "HTTP 429"};
    bench.terminal->wait = std::chrono::seconds(90);
    bench.open();
    bench.settle();
    bench.clock.set_wall(bench.clock.now_ms() - 5 * 3'600'000);
    bench.terminal->failure.reset();
    bench.clock.advance(std::chrono::seconds(90));
    const Approval other = bench.open("and this?");
    bench.settle();
    CHECK(bench.rows(other)["terminal"].state == "delivered");
}

TEST_CASE("a requested wait is an hour at most and no shorter than after any failure") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->failure = Error{ErrorCode::Unavailable, "HTTP 503"};
    bench.terminal->wait = std::chrono::hours(24);
    const Approval approval = bench.open();
    bench.settle();
    CHECK(bench.rows(approval)["terminal"].next_attempt_ms == bench.clock.now_ms() + 3'600'000);
    bench.clock.advance(std::chrono::hours(1));
    bench.terminal->wait = std::chrono::milliseconds(1);
    bench.settle();
    CHECK(bench.terminal->taken.size() == 2);
    CHECK(bench.rows(approval)["terminal"].next_attempt_ms == bench.clock.now_ms() + 4'000);
    CHECK(bench.rows(approval)["terminal"].outcome == "HTTP 503");
}

TEST_CASE("a wait that was requested with a success is ignored") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->wait = std::chrono::seconds(90);
    bench.open();
    bench.settle();
    bench.open("and this?");
    bench.settle();
    CHECK(bench.terminal->taken.size() == 2);
}

TEST_CASE("nobody is sent a proof where somebody whose yes does not count would see it") {
    Bench bench;
    Person anna;
    anna.name = "anna";
    anna.normal = anna.high = {{"terminal"}};
    bench.add_person(anna);
    bench.policy.rules = {{"reply.send", 0, "", 1, {"anna"}}};
    bench.open();
    bench.settle();
    REQUIRE(!bench.terminal->taken.empty());
    for (const notify::Message& message : bench.terminal->taken) {
        CHECK(message.code.empty());
        CHECK(std::ranges::none_of(message.buttons, [](const notify::Button& button) {
            return button.choice == AnswerKind::Approve;
        }));
    }
}

TEST_CASE("where several must agree, nobody is sent a proof where another of them would see it") {
    Bench bench;
    Person anna;
    anna.name = "anna";
    anna.normal = anna.high = {{"terminal"}, {"webhook"}};
    bench.add_person(anna);
    bench.policy.rules = {{"reply.send", 0, "", 2, {"human", "anna"}}};
    const Approval shared = bench.open();
    bench.settle();
    CHECK(!store::was_code_delivered(*bench.reader, shared.id).value());
    REQUIRE(!bench.terminal->taken.empty());
    for (const notify::Message& message : bench.terminal->taken) {
        CHECK(message.code.empty());
        CHECK(message.link.empty());
        CHECK(message.buttons.empty());
    }
    // One yes decides, and everybody who sees the card may give it.
    bench.policy.rules.clear();
    bench.terminal->taken.clear();
    const Approval own = bench.open("and this?");
    bench.settle();
    REQUIRE(!bench.terminal->taken.empty());
    CHECK(!bench.terminal->taken[0].code.empty());
    CHECK(store::was_code_delivered(*bench.reader, own.id).value());
}

TEST_CASE("the code for a PIN is made when it is sent") {
    Bench bench;
    bench.tell({{"terminal"}});
    Notification row;
    row.agent_id = "ag_seller";
    row.kind = "pin.code";
    row.person = "human";
    row.priority = Priority::High;
    row.body_json = R"({"nonce":"n1"})";
    bench.commit([&](store::Database& db) {
        return consent::notify_person(db, row, bench.policy, bench.clock.now_ms());
    });
    bench.settle();
    REQUIRE(bench.terminal->taken.size() == 1);
    CHECK(bench.terminal->taken[0].code == "n1 of human");
    CHECK(notify::code_line(bench.terminal->taken[0]) == "Code for setting your PIN: n1 of human");
}
