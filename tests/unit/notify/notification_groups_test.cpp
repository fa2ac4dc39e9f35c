#include "tests/unit/notify/queue_bench.h"

using namespace a2h;
using Bench = test::QueueBench;

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

TEST_CASE("a group has no button where somebody sees it whose yes does not count") {
    Bench bench;
    bench.tell({{"terminal"}});
    Person anna;
    anna.name = "anna";
    anna.low = anna.normal = anna.high = {{"terminal"}};
    bench.add_person(anna);
    bench.policy.rules = {{"reply.send", 0, "", 1, {"anna"}}};
    for (int i = 0; i < 8; ++i)
        bench.open("question " + std::to_string(i));
    bench.settle();
    REQUIRE(!bench.terminal->taken.empty());
    for (const notify::Message& message : bench.terminal->taken) {
        CHECK(message.kind == "group");
        CHECK(message.buttons.empty());
        CHECK(message.linked_text.empty());
    }
}

TEST_CASE("in a group the questions of one peer stand together") {
    Bench bench;
    bench.tell({{"terminal"}});
    for (int i = 0; i < 6; ++i)
        bench.open("question " + std::to_string(i), i % 2 == 0 ? "ag_even" : "ag_odd");
    bench.settle();
    REQUIRE(bench.terminal->taken.size() == 1);
    const std::string& text = bench.terminal->taken[0].text;
    int number = 0;
    for (const char* question :
         {"question 0", "question 2", "question 4", "question 1", "question 3", "question 5"}) {
        CAPTURE(question);
        CHECK(text.find(std::to_string(++number) + ". " + question) != std::string::npos);
    }
}
