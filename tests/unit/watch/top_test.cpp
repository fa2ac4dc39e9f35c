// Frames of `a2h top` as a terminal shows them: tests/golden/watch/*.txt, which A2H_ACCEPT=1
// writes.
#include <doctest/doctest.h>

#include <time.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli/top_frame.h"
#include "tests/support/environment.h"

using namespace a2h;
using namespace a2h::cli;
using nlohmann::json;

namespace {

constexpr UnixMs kNoon = 1'795'348'800'000;

json series(const char* name, double value, json labels = json::object()) {
    return {{"name", name}, {"labels", std::move(labels)}, {"value", value}};
}

json quiet_metrics() {
    return {{"series",
             {series("a2hd_process_start_time_seconds", 1'795'348'800 - 42),
              series("a2hd_messages_received_total", 0), series("a2hd_messages_sent_total", 0),
              series("a2hd_commit_duration_seconds_count", 0)}}};
}

json busy_metrics(double received = 1'250) {
    return {{"series",
             {series("a2hd_process_start_time_seconds", 1'795'348'800 - 187'500),
              series("a2hd_process_resident_memory_bytes", 48.5 * 1024 * 1024),
              series("a2hd_process_open_fds", 37),
              series("a2hd_broker_reconnects_total", 3),
              series("a2hd_messages_received_total", received),
              series("a2hd_messages_refused_total", 4, {{"reason", "bad_signature"}}),
              series("a2hd_messages_refused_total", 1, {{"reason", "not_json"}}),
              series("a2hd_messages_decided_total", 900,
                     {{"rule", "question.listing_states"}, {"decision", "answer"}}),
              series("a2hd_messages_decided_total", 40,
                     {{"rule", "bargain.price"}, {"decision", "ask"}}),
              series("a2hd_messages_decided_total", 310,
                     {{"rule", "mine.\n一二三"}, {"decision", "silent"}}),
              series("a2hd_messages_sent_total", 940, {{"way", "broker"}}),
              series("a2hd_messages_sent_total", 12, {{"way", "house"}}),
              series("a2hd_approvals_asked_total", 44),
              series("a2hd_approvals_answered_total", 30, {{"answer", "approve"}}),
              series("a2hd_approvals_answered_total", 9, {{"answer", "reject"}}),
              series("a2hd_approvals_mandated_total", 6),
              series("a2hd_approvals_expired_total", 2),
              series("a2hd_queue_length", 2, {{"queue", "inbox"}}),
              series("a2hd_queue_length", 0, {{"queue", "outbox"}}),
              series("a2hd_queue_length", 3, {{"queue", "approvals"}}),
              series("a2hd_queue_length", 1, {{"queue", "dead_letters"}}),
              series("a2hd_queue_oldest_age_seconds", 0.4, {{"queue", "inbox"}}),
              series("a2hd_queue_oldest_age_seconds", 7'500, {{"queue", "approvals"}}),
              series("a2hd_commit_duration_seconds_count", 2'000),
              series("a2hd_commit_duration_seconds_sum", 6.5),
              series("a2hd_commit_failures_total", 0)}}};
}

json status(bool connected) {
    return {{"version", "0.1.0"},
            {"name", "Lin 的摄影工作室"},
            {"agent_id", "ag_seller"},
            {"connection",
             {{"connected", connected},
              {"since", "2026-11-22T10:00:00Z"},
              {"last_error", "the broker \x1b[31mrefuses\x1b[0m us"}}},
            {"model",
             {{"name", "claude-x"},
              {"state", "resting"},
              {"tokens", 20'000},
              {"tokens_max", 2'000'000},
              {"spent_minor", 110},
              {"budget_minor", 500},
              {"currency", "USD"},
              {"last_error", ""}}},
            {"problems",
             {{{"code", "outbox.dead"},
               {"message", "1 messages could not be delivered"},
               {"next", "See `a2h outbox list`."}}}}};
}

json logs() {
    json lines = json::array();
    for (int i = 0; i < 30; ++i) {
        lines.push_back(
            {{"number", i},
             {"at", "2026-11-22T11:59:" + std::to_string(10 + i) + "Z"},
             {"level", i % 7 == 0 ? "warning" : "info"},
             {"text", "连接消息代理 connected to the broker agent=ag_seller error=\"\x1b[2J" +
                          std::to_string(i) + " 一二三四五六七八九十一二三四五六\""}});
    }
    return {{"lines", lines}, {"last", 30}};
}

Invocation reader(i18n::Language language) {
    Invocation invocation;
    invocation.language = language;
    return invocation;
}

std::vector<std::string> lines_of(const std::string& frame) {
    std::vector<std::string> lines;
    std::istringstream in(frame);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

void check_fits(const std::string& frame, ScreenSize size) {
    const auto lines = lines_of(frame);
    CHECK(lines.size() <= size.rows);
    CHECK(frame.ends_with('\n'));
    for (const std::string& line : lines) {
        CAPTURE(line);
        CHECK(display_width(line) <= size.columns);
        for (const char c : line)
            CHECK(static_cast<unsigned char>(c) >= 0x20);
    }
}

void check_golden(const std::string& name, const std::string& frame) {
    const std::filesystem::path path =
        std::filesystem::path(A2H_SOURCE_DIR "/tests/golden/watch") / (name + ".txt");
    CAPTURE(path);
    if (std::getenv("A2H_ACCEPT") != nullptr) {
        std::ofstream(path) << frame;
        return;
    }
    std::ostringstream golden;
    golden << std::ifstream(path).rdbuf();
    CHECK(frame == golden.str());
}

/// A clock on the wall of Greenwich.
struct Utc {
    test::Variable zone{"TZ", "UTC"};
    Utc() { ::tzset(); }
};

}  // namespace

TEST_CASE("a frame shows the same on small and large screens, in both languages") {
    const Utc utc;
    for (const auto language : {i18n::Language::English, i18n::Language::Chinese}) {
        const Invocation invocation = reader(language);
        const TopReading before =
            read_top(invocation, kNoon - 4'000, busy_metrics(1'240), status(true), logs());
        const TopReading now = read_top(invocation, kNoon, busy_metrics(), status(false), logs());
        for (const ScreenSize size : {ScreenSize{80, 24}, ScreenSize{120, 40}}) {
            const std::string frame = top_frame(invocation, now, &before, size, {});
            check_fits(frame, size);
            check_golden("top_" + std::to_string(size.columns) + "x" + std::to_string(size.rows) +
                             "." + std::string(i18n::language_tag(language)),
                         frame);
        }
    }
}

TEST_CASE("an a2hd that has just started has no rates, no model and no warning") {
    const Utc utc;
    const Invocation invocation = reader(i18n::Language::English);
    json calm = status(true);
    calm["model"] = nullptr;
    calm["problems"] = json::array();
    const TopReading now = read_top(invocation, kNoon, quiet_metrics(), calm, json::object());
    const std::string frame = top_frame(invocation, now, nullptr, {80, 24}, {});
    check_golden("top_quiet.en", frame);
    CHECK(frame.find("Per minute") == std::string::npos);
    CHECK(frame.find("Stuck") == std::string::npos);
}

TEST_CASE("counters that began anew have no rate") {
    const Invocation invocation = reader(i18n::Language::English);
    const TopReading before =
        read_top(invocation, kNoon - 4'000, busy_metrics(), status(true), logs());
    const TopReading now = read_top(invocation, kNoon, quiet_metrics(), status(true), logs());
    CHECK(top_frame(invocation, now, &before, {80, 24}, {}).find("Per minute") ==
          std::string::npos);
}

TEST_CASE("any screen is enough for a frame, if not for all of it") {
    const Invocation invocation = reader(i18n::Language::Chinese);
    const TopReading now = read_top(invocation, kNoon, busy_metrics(), status(false), logs());
    for (const ScreenSize size : {ScreenSize{1, 1}, ScreenSize{10, 3}, ScreenSize{40, 12},
                                  ScreenSize{200, 60}, ScreenSize{80, 0}}) {
        CAPTURE(size.columns);
        const std::string frame = top_frame(invocation, now, nullptr, size, {});
        if (size.rows > 0) check_fits(frame, size);
        CHECK((frame.empty() == (size.rows == 0)));
    }
}

TEST_CASE("answers of an older or newer a2hd cause no failure") {
    const Invocation invocation = reader(i18n::Language::English);
    const json odd = {{"series", {{{"name", 3}, {"labels", "x"}, {"value", "y"}}, "z"}}};
    const TopReading now =
        read_top(invocation, kNoon, odd, json::object(), {{"lines", {1, "x", json::object()}}});
    check_fits(top_frame(invocation, now, nullptr, {80, 24}, {}), {80, 24});
}

TEST_CASE("colours are put around what was cut to size") {
    const Invocation invocation = reader(i18n::Language::English);
    const TopReading now = read_top(invocation, kNoon, busy_metrics(), status(false), logs());
    Colours marks;
    marks.red = "<r>";
    marks.reset = "</>";
    for (const std::string& line : lines_of(top_frame(invocation, now, nullptr, {60, 24}, marks))) {
        if (line.starts_with("<r>")) CHECK(line.ends_with("</>"));
    }
}
