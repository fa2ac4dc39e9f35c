#include "tests/unit/notify/queue_bench.h"

using namespace a2h;
using Bench = test::QueueBench;

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
    CHECK(bench.terminal->updated[0].second.text.find("rejected") != std::string::npos);
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

TEST_CASE("a card whose service asks to wait is left alone until then") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->receipt = "message-9";
    const Approval approval = bench.open();
    bench.settle();
    bench.terminal->failure = Error{ErrorCode::Unavailable, "HTTP 429"};
    bench.terminal->wait = std::chrono::minutes(2);
    bench.answer(approval);
    bench.settle();
    CHECK(bench.terminal->updated.size() == 1);
    bench.terminal->failure.reset();
    bench.clock.advance(std::chrono::milliseconds(119'999));
    bench.settle();
    CHECK(bench.terminal->updated.size() == 1);
    bench.clock.advance(std::chrono::milliseconds(1));
    bench.settle();
    CHECK(bench.terminal->updated.size() == 2);
    CHECK(bench.rows(approval)["terminal"].card == "final");
}

TEST_CASE("a card of several questions shows what became of each, and keeps the other buttons") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->receipt = "message-9";
    std::vector<Approval> asked;
    for (int i = 0; i < 5; ++i)
        asked.push_back(bench.open("question " + std::to_string(i)));
    bench.settle();
    REQUIRE(bench.terminal->taken.size() == 1);
    CHECK(bench.terminal->taken[0].buttons.size() == 10);
    bench.answer(asked[2]);
    bench.settle();
    REQUIRE(bench.terminal->updated.size() == 1);
    const auto& [receipt, shown] = bench.terminal->updated[0];
    CHECK(receipt == "message-9");
    CHECK(shown.buttons.size() == 8);
    CHECK(shown.text.find("3. question 2 — ") != std::string::npos);
    CHECK(shown.text.find(" rejected ") != std::string::npos);
    CHECK(shown.text.find("question 3 ") != std::string::npos);
    CHECK(shown.title.find("5") != std::string::npos);
    CHECK(bench.rows(asked[2])["terminal"].card == "final");
    CHECK(bench.rows(asked[3])["terminal"].card == "open");
    for (int i : {0, 1, 3, 4})
        bench.answer(asked[static_cast<std::size_t>(i)]);
    bench.settle();
    CHECK(bench.terminal->updated.back().second.buttons.empty());
    CHECK(bench.rows(asked[4])["terminal"].card == "final");
}

TEST_CASE("a button of a group answers its own question") {
    Bench bench;
    bench.tell({{"terminal"}});
    std::vector<Approval> asked;
    for (int i = 0; i < 4; ++i)
        asked.push_back(bench.open("question " + std::to_string(i)));
    bench.settle();
    REQUIRE(bench.terminal->taken.size() == 1);
    for (const auto& button : bench.terminal->taken[0].buttons) {
        const auto pressed = notify::parse_button(button.id);
        REQUIRE(pressed.has_value());
        const auto row = store::get_notification(*bench.reader, pressed->row);
        const Approval& meant = asked[static_cast<std::size_t>(button.number - 1)];
        CHECK((**row).approval_id == meant.id);
    }
}

TEST_CASE("if a card cannot be changed, the final result is sent once") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->receipt = "mail-1";
    bench.terminal->follows = true;
    std::vector<Approval> asked;
    for (int i = 0; i < 4; ++i)
        asked.push_back(bench.open("question " + std::to_string(i)));
    bench.settle();
    for (int i = 0; i < 3; ++i)
        bench.answer(asked[static_cast<std::size_t>(i)]);
    bench.settle();
    CHECK(bench.terminal->updated.empty());
    bench.answer(asked[3]);
    bench.settle();
    REQUIRE(bench.terminal->updated.size() == 1);
    CHECK(bench.terminal->updated[0].first == "mail-1");
    CHECK(bench.terminal->updated[0].second.text.find("question 0 — ") != std::string::npos);
    bench.settle();
    CHECK(bench.terminal->updated.size() == 1);
}

TEST_CASE("the expiry of a question is sent in its thread, once") {
    Bench bench;
    bench.tell({{"terminal"}});
    bench.terminal->receipt = "mail-1";
    bench.terminal->follows = true;
    bench.open();
    bench.settle();
    bench.terminal->receipt = "mail-2";
    bench.clock.advance(std::chrono::hours(25));
    bench.commit([&](store::Database& db) -> Result<void> {
        auto expired = consent::expire_overdue(db, bench.policy, bench.clock.now_ms());
        return expired ? Result<void>() : fail(expired.error());
    });
    bench.settle();
    REQUIRE(bench.terminal->taken.size() == 2);
    CHECK(bench.terminal->taken[1].kind == "approval.expired");
    CHECK(bench.terminal->taken[1].thread == "mail-1");
    CHECK(bench.terminal->updated.empty());
}
