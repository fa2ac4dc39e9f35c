#include <doctest/doctest.h>

#include <sys/stat.h>

#include <fstream>
#include <string>
#include <vector>

#include "daemon/model/breaker.h"
#include "daemon/model/ledger.h"
#include "daemon/model/settings.h"
#include "daemon/model/sse.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::model;

namespace {

constexpr UnixMs kNoonMs = 1'790'000'000'000;
constexpr UnixMs kDayMs = 24 * 3600 * 1000;

Settings paid_settings() {
    Settings settings;
    settings.api = Api::Messages;
    settings.model = "m";
    settings.input_price_minor = 300;
    settings.output_price_minor = 1500;
    settings.budget_minor_per_day = 10;
    return settings;
}

std::filesystem::path written(const test::TempDir& dir, const std::string& text, mode_t mode) {
    const auto path = dir.path() / "key";
    std::ofstream(path) << text;
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    return path;
}

std::vector<StreamEvent> events_of(std::string_view text, std::size_t piece) {
    EventStream stream(1000);
    std::vector<StreamEvent> events;
    for (std::size_t i = 0; i < text.size(); i += piece) {
        const auto pushed = stream.push(text.substr(i, piece), [&](StreamEvent event) {
            events.push_back(std::move(event));
            return true;
        });
        REQUIRE(pushed.has_value());
    }
    return events;
}

}  // namespace

TEST_CASE("events are the same wherever their bytes are cut") {
    const std::string text =
        "\xEF\xBB\xBF: a comment\r\nevent: one\r\ndata: {\"a\":\r\ndata:1}\r\nid: 7\r\n\r\n"
        "retry: 10\n\ndata\n\nevent: two\rdata: 二\r\rdata: cut off\n";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        const auto events = events_of(text, piece);
        REQUIRE_MESSAGE(events.size() == 3, piece);
        CHECK(events[0].name == "one");
        CHECK(events[0].data == "{\"a\":\n1}");
        CHECK(events[1].data == "");
        CHECK(events[2].name == "two");
        CHECK(events[2].data == "二");
    }
}

TEST_CASE("an endless event and a reader that stops end the stream") {
    EventStream endless(100);
    const auto ignore = [](const StreamEvent&) { return true; };
    CHECK(endless.push("data: " + std::string(200, 'x'), ignore).error().code ==
          ErrorCode::ResourceExhausted);
    EventStream many_lines(100);
    Result<void> pushed;
    for (int line = 0; line < 200 && pushed; ++line)
        pushed = many_lines.push("data: x\n", ignore);
    REQUIRE_FALSE(pushed);
    EventStream stopped(100);
    CHECK(stopped.push("data: 1\n\n", [](const StreamEvent&) { return false; }).error().code ==
          ErrorCode::Conflict);
}

TEST_CASE("three failures in a row open the breaker for 30 seconds, then one call decides") {
    ManualClock clock(kNoonMs);
    Breaker breaker;
    const auto may_call = [&] { return breaker.may_call(clock.steady_now()); };
    const auto fail_once = [&] {
        REQUIRE(may_call());
        breaker.failed(clock.steady_now());
    };
    fail_once();
    fail_once();
    REQUIRE(may_call());
    breaker.succeeded();
    fail_once();
    fail_once();
    CHECK(breaker.state(clock.steady_now()) == Breaker::State::Closed);
    fail_once();
    CHECK(breaker.state(clock.steady_now()) == Breaker::State::Open);
    clock.advance(std::chrono::milliseconds(29'999));
    CHECK_FALSE(may_call());
    clock.advance(std::chrono::milliseconds(1));
    CHECK(may_call());
    CHECK_FALSE(may_call());
    CHECK(breaker.state(clock.steady_now()) == Breaker::State::Trial);

    SUBCASE("a trial that fails opens it again") {
        breaker.failed(clock.steady_now());
        CHECK_FALSE(may_call());
        clock.advance(std::chrono::seconds(30));
        CHECK(may_call());
    }
    SUBCASE("a trial that succeeds closes it") {
        breaker.succeeded();
        CHECK(may_call());
        CHECK(may_call());
    }
    SUBCASE("a trial that never left leaves the next call to try") {
        breaker.not_made();
        CHECK(may_call());
    }
}

TEST_CASE("the daily budget counts reserved tokens and gets unused ones back") {
    Ledger ledger(paid_settings(), "");
    // 10 cents: 20,000 tokens of input cost 6, 2,000 of output 3.
    const auto first = ledger.enter({20'000, 2'000}, kNoonMs);
    REQUIRE(first.has_value());
    CHECK(ledger.spent_minor_today(kNoonMs) == 9);
    CHECK(ledger.enter({20'000, 0}, kNoonMs).error().code == ErrorCode::ResourceExhausted);
    ledger.settle(*first, {1'000, 100}, kNoonMs);
    CHECK(ledger.spent_minor_today(kNoonMs) == 1);
    CHECK(ledger.enter({20'000, 0}, kNoonMs).has_value());
}

TEST_CASE("spending survives a restart, and an interrupted call counts in full") {
    Ledger before(paid_settings(), "");
    REQUIRE(before.enter({20'000, 2'000}, kNoonMs).has_value());
    Ledger after(paid_settings(), before.to_json());
    CHECK(after.spent_minor_today(kNoonMs) == 9);
    CHECK(after.tokens_today(kNoonMs).input == 20'000);
    CHECK_FALSE(after.enter({20'000, 0}, kNoonMs).has_value());
}

TEST_CASE("a new day begins with nothing spent, and a clock set back reopens no old day") {
    Ledger ledger(paid_settings(), "");
    REQUIRE(ledger.enter({30'000, 0}, kNoonMs).has_value());
    CHECK(ledger.spent_minor_today(kNoonMs + kDayMs) == 0);
    const auto entry = ledger.enter({20'000, 0}, kNoonMs + kDayMs);
    REQUIRE(entry.has_value());
    CHECK(ledger.spent_minor_today(kNoonMs - kDayMs) == 6);
    CHECK_FALSE(ledger.enter({20'000, 0}, kNoonMs - kDayMs).has_value());
    // Begun on one day, answered on the next.
    ledger.settle(*entry, {1'000, 0}, kNoonMs + 2 * kDayMs);
    CHECK(ledger.tokens_today(kNoonMs + 2 * kDayMs).input == 1'000);
}

TEST_CASE("tokens are limited where no price is configured") {
    Settings settings;
    settings.tokens_per_day = 1'000;
    Ledger ledger(settings, "");
    REQUIRE(ledger.enter({600, 300}, kNoonMs).has_value());
    CHECK(ledger.enter({100, 1}, kNoonMs).error().message.find("tokens") != std::string::npos);
}

TEST_CASE("impossible token counts neither overflow nor give anything back") {
    Ledger ledger(paid_settings(), "");
    const auto entry = ledger.enter({100, 100}, kNoonMs);
    REQUIRE(entry.has_value());
    ledger.settle(*entry, {INT64_MAX, INT64_MAX}, kNoonMs);
    CHECK(ledger.spent_minor_today(kNoonMs) > 10);
    CHECK_FALSE(ledger.enter({1, 1}, kNoonMs).has_value());
    Ledger other(paid_settings(), "");
    const auto second = other.enter({100, 100}, kNoonMs);
    other.settle(*second, {-5'000'000, -5'000'000}, kNoonMs);
    CHECK(other.tokens_today(kNoonMs).input == 0);
    CHECK(Ledger(paid_settings(), "{\"input_tokens\":-7,\"day_ms\":\"x\"}")
              .spent_minor_today(kNoonMs) == 0);
    CHECK(Ledger(paid_settings(), "nonsense").spent_minor_today(kNoonMs) == 0);
}

TEST_CASE("a key comes from a file that nobody else can read") {
    const test::TempDir dir;
    Settings settings;
    settings.key_file = written(dir, "  sk-test-123\n", 0600);
    CHECK(read_key(settings, "").value() == "sk-test-123");
    settings.key_file = written(dir, "sk-test-123", 0640);
    const auto readable = read_key(settings, "");
    REQUIRE_FALSE(readable);
    CHECK(readable.error().message.find("chmod 600") != std::string::npos);
    for (const auto* text :
         {"", "sk-test-123 and more", "sk-test\r\nX-Evil: 1", "sk-\xE5\xAF\x86"}) {
        settings.key_file = written(dir, text, 0600);
        const auto wrong = read_key(settings, "");
        REQUIRE_FALSE(wrong);
        CHECK(wrong.error().message.find("sk-") == std::string::npos);
    }
    settings.key_file = dir.path();
    CHECK_FALSE(read_key(settings, "").has_value());
    settings.key_file = dir.path() / "none";
    CHECK_FALSE(read_key(settings, "").has_value());
    settings.key_file.clear();
    CHECK(read_key(settings, "").value().empty());
}

TEST_CASE("a key comes from a credential that systemd has passed") {
    const test::TempDir dir;
    written(dir, "sk-test-456\n", 0440);
    Settings settings;
    settings.credential = "key";
    CHECK(read_key(settings, dir.path().string()).value() == "sk-test-456");
    CHECK(read_key(settings, "").error().message.find("LoadCredential") != std::string::npos);
    for (const auto* name : {"../key", "/etc/passwd", ".", "none"}) {
        settings.credential = name;
        CHECK_FALSE(read_key(settings, dir.path().string()).has_value());
    }
}

TEST_CASE("an endpoint is reached over https, or on this machine") {
    for (const auto* url :
         {"https://api.example.com/v1/messages", "http://127.0.0.1:11434/v1/chat/completions",
          "http://localhost/v1", "http://[::1]:8080/v1"}) {
        CHECK_MESSAGE(is_safe_endpoint(url), url);
    }
    for (const auto* url :
         {"", "ftp://127.0.0.1/", "http://api.example.com/", "http://127.0.0.1.example.com/",
          "http://127.example.com/", "http://127.0.0.1@example.com/",
          "http://localhost.example.com/", "https://user:word@example.com/",
          "http://127.0.0.1\\@example.com/", "https:///x", "http://10.0.0.1/", "http://[::2]/",
          "https://exa mple.com/"}) {
        CHECK_MESSAGE(!is_safe_endpoint(url), url);
    }
}

TEST_CASE("settings that do not fit each other are refused by name") {
    const auto message = [](const Settings& settings) {
        const auto checked = check(settings);
        return checked ? std::string() : checked.error().message;
    };
    CHECK(message(Settings()).empty());
    Settings settings = paid_settings();
    CHECK(message(settings).empty());
    settings.budget_minor_per_day = 0;
    CHECK(message(settings).find("budget_minor_per_day") != std::string::npos);
    settings = paid_settings();
    settings.input_price_minor = settings.output_price_minor = 0;
    CHECK(message(settings).find("budget_minor_per_day") != std::string::npos);
    settings = paid_settings();
    settings.model.clear();
    CHECK(message(settings).find("model.model") != std::string::npos);
    settings = paid_settings();
    settings.url = "http://example.com/";
    CHECK(message(settings).find("model.url") != std::string::npos);
    settings = paid_settings();
    settings.key_file = "/a";
    settings.credential = "b";
    CHECK(message(settings).find("model.key_file") != std::string::npos);
}
