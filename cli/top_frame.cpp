#include "cli/top_frame.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/answer_parts.h"
#include "cli/status.h"
#include "core/base/time_text.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kLabelColumns = 14;
/// A screen with at least this many rows also shows which rules decide.
constexpr std::size_t kRowsForRules = 30;
constexpr std::size_t kRulesMax = 6;

std::string count_text(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.0f", value);
    return text.data();
}

std::string decimal_text(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

/// "42 s", "3 min", "2 h 5 min", "3 d 4 h".
std::string duration_text(const Invocation& invocation, double seconds) {
    const auto whole = static_cast<long long>(std::max(seconds, 0.0));
    const long long minutes = whole / 60;
    const long long hours = minutes / 60;
    if (minutes == 0) return invocation.text("watch.seconds", {{"count", std::to_string(whole)}});
    if (hours == 0) return invocation.text("watch.minutes", {{"count", std::to_string(minutes)}});
    if (hours < 24) {
        return invocation.text("watch.hours", {{"hours", std::to_string(hours)},
                                               {"minutes", std::to_string(minutes % 60)}});
    }
    return invocation.text("watch.days", {{"days", std::to_string(hours / 24)},
                                          {"hours", std::to_string(hours % 24)}});
}

/// Collects lines until the screen is full.
class Frame {
  public:
    Frame(const Invocation& invocation, ScreenSize size, const Colours& colours)
        : invocation_(invocation), size_(size), colours_(colours) {}

    void add(const std::string& text, const std::string& colour = {}) {
        if (rows_left() == 0) return;
        std::string cut = fit(text, size_.columns);
        std::replace(cut.begin(), cut.end(), '\n', ' ');
        out_ += colour.empty() ? cut + "\n" : colour + cut + colours_.reset + "\n";
        ++rows_;
    }
    /// Adds a label with its value. An empty value adds nothing.
    void add_row(std::string_view key, const std::string& value, const std::string& colour = {}) {
        if (value.empty()) return;
        std::string label = invocation_.text(key);
        const std::size_t width = display_width(label);
        label.append(width < kLabelColumns ? kLabelColumns - width : 1, ' ');
        add(label + value, colour);
    }
    void add_shown(const LogLine& line) {
        if (rows_left() == 0) return;
        out_ += shown(line, colours_, size_.columns) + "\n";
        ++rows_;
    }
    std::size_t rows_left() const { return size_.rows - std::min(size_.rows, rows_); }
    const Colours& colours() const { return colours_; }
    ScreenSize size() const { return size_; }
    std::string take() { return std::move(out_); }

  private:
    const Invocation& invocation_;
    const ScreenSize size_;
    const Colours& colours_;
    std::string out_;
    std::size_t rows_ = 0;
};

void add_title(Frame& frame, const Invocation& invocation, const TopReading& now) {
    const double up_seconds =
        static_cast<double>(now.at_ms) / 1000 - now.sum("a2hd_process_start_time_seconds");
    const std::string title =
        invocation.text("watch.top_title", {{"version", now.version},
                                            {"agent", now.agent},
                                            {"time", duration_text(invocation, up_seconds)}});
    const std::string clock = to_local_second(now.at_ms).substr(11);
    const std::size_t used = display_width(title) + display_width(clock);
    const std::size_t columns = frame.size().columns;
    frame.add(used < columns ? title + std::string(columns - used, ' ') + clock : title,
              frame.colours().bold);
}

std::string messages_text(const Invocation& invocation, const TopReading& now) {
    return invocation.text("watch.top_messages_value",
                           {{"received", count_text(now.sum("a2hd_messages_received_total"))},
                            {"refused", count_text(now.sum("a2hd_messages_refused_total"))},
                            {"decided", count_text(now.sum("a2hd_messages_decided_total"))},
                            {"sent", count_text(now.sum("a2hd_messages_sent_total"))}});
}

/// The growth of a metric in a minute; absent if a2hd was restarted in between.
std::optional<double> per_minute(const TopReading& now, const TopReading& before,
                                 std::string_view name) {
    const double seconds = static_cast<double>(now.at_ms - before.at_ms) / 1000;
    const double grown = now.sum(name) - before.sum(name);
    if (seconds <= 0 || grown < 0) return std::nullopt;
    return grown / seconds * 60;
}

std::string rates_text(const Invocation& invocation, const TopReading& now,
                       const TopReading* before) {
    if (before == nullptr) return {};
    const auto received = per_minute(now, *before, "a2hd_messages_received_total");
    const auto decided = per_minute(now, *before, "a2hd_messages_decided_total");
    const auto sent = per_minute(now, *before, "a2hd_messages_sent_total");
    if (!received || !decided || !sent) return {};
    return invocation.text("watch.top_rates_value", {{"received", decimal_text(*received)},
                                                     {"decided", decimal_text(*decided)},
                                                     {"sent", decimal_text(*sent)}});
}

std::string queue_text(const Invocation& invocation, const TopReading& now,
                       const std::string& queue) {
    const double length = now.sum("a2hd_queue_length", "queue", queue);
    const double age = now.sum("a2hd_queue_oldest_age_seconds", "queue", queue);
    const std::string text =
        invocation.text("watch.queue." + queue, {{"count", count_text(length)}});
    return length == 0
               ? text
               : invocation.text("watch.queue_age",
                                 {{"queue", text}, {"age", duration_text(invocation, age)}});
}

std::string waiting_text(const Invocation& invocation, const TopReading& now) {
    std::string text;
    for (const char* queue : {"inbox", "outbox", "approvals"})
        text += (text.empty() ? "" : "   ") + queue_text(invocation, now, queue);
    return text;
}

/// Empty if nothing needs attention.
std::string given_up_text(const Invocation& invocation, const TopReading& now) {
    const double dead = now.sum("a2hd_queue_length", "queue", "dead_letters");
    const double held = now.sum("a2hd_queue_length", "queue", "held");
    if (dead + held == 0) return {};
    return invocation.text("watch.top_given_up_value",
                           {{"dead", count_text(dead)}, {"held", count_text(held)}});
}

std::string questions_text(const Invocation& invocation, const TopReading& now) {
    return invocation.text("watch.top_questions_value",
                           {{"asked", count_text(now.sum("a2hd_approvals_asked_total"))},
                            {"answered", count_text(now.sum("a2hd_approvals_answered_total"))},
                            {"mandated", count_text(now.sum("a2hd_approvals_mandated_total"))},
                            {"expired", count_text(now.sum("a2hd_approvals_expired_total"))}});
}

std::string commits_text(const Invocation& invocation, const TopReading& now) {
    constexpr double kMsPerSecond = 1000;
    const double commits = now.sum("a2hd_commit_duration_seconds_count");
    const double mean =
        commits == 0 ? 0 : now.sum("a2hd_commit_duration_seconds_sum") / commits * kMsPerSecond;
    return invocation.text("watch.top_database_value",
                           {{"commits", count_text(commits)},
                            {"mean", decimal_text(mean)},
                            {"failed", count_text(now.sum("a2hd_commit_failures_total"))}});
}

std::string process_text(const Invocation& invocation, const TopReading& now) {
    constexpr double kMiB = 1024 * 1024;
    return invocation.text(
        "watch.top_process_value",
        {{"memory", decimal_text(now.sum("a2hd_process_resident_memory_bytes") / kMiB)},
         {"files", count_text(now.sum("a2hd_process_open_fds"))},
         {"reconnects", count_text(now.sum("a2hd_broker_reconnects_total"))}});
}

void add_rules(Frame& frame, const Invocation& invocation, const TopReading& now) {
    std::vector<TopReading::Series> rules;
    for (const auto& series : now.series)
        if (series.name == "a2hd_messages_decided_total") rules.push_back(series);
    if (rules.empty() || frame.size().rows < kRowsForRules) return;
    std::stable_sort(rules.begin(), rules.end(),
                     [](const auto& a, const auto& b) { return a.value > b.value; });
    frame.add("");
    frame.add(invocation.text("watch.top_rules"), frame.colours().bold);
    for (std::size_t i = 0; i < std::min(rules.size(), kRulesMax); ++i) {
        const auto label = [&](const char* name) {
            const auto found = rules[i].labels.find(name);
            return found == rules[i].labels.end() ? std::string() : found->second;
        };
        std::string count = count_text(rules[i].value);
        count.insert(0, kLabelColumns - 2 - std::min(count.size(), kLabelColumns - 2), ' ');
        frame.add(count + "  " + label("decision") + "  " + label("rule"));
    }
}

void add_log(Frame& frame, const Invocation& invocation, const TopReading& now) {
    constexpr std::size_t kHeadings = 2;
    if (now.log.empty() || frame.rows_left() <= kHeadings) return;
    frame.add("");
    frame.add(invocation.text("watch.top_log"), frame.colours().bold);
    const std::size_t count = std::min(now.log.size(), frame.rows_left());
    for (std::size_t i = now.log.size() - count; i < now.log.size(); ++i)
        frame.add_shown(now.log[i]);
}

}  // namespace

double TopReading::sum(std::string_view name) const {
    double total = 0;
    for (const Series& one : series)
        if (one.name == name) total += one.value;
    return total;
}

double TopReading::sum(std::string_view name, const std::string& label,
                       std::string_view value) const {
    double total = 0;
    for (const Series& one : series) {
        const auto found = one.labels.find(label);
        if (one.name == name && found != one.labels.end() && found->second == value)
            total += one.value;
    }
    return total;
}

TopReading read_top(const Invocation& invocation, UnixMs at_ms, const json& metrics,
                    const json& status, const json& logs) {
    TopReading reading;
    reading.at_ms = at_ms;
    for (const json& item : items_of(metrics, "series")) {
        TopReading::Series series;
        series.name = text_of(item, "name");
        for (const auto& [label, value] : at(item, "labels").items())
            series.labels[label] = text_of(at(item, "labels"), label.c_str());
        const json& value = at(item, "value");
        series.value = value.is_number() ? value.get<double>() : 0;
        reading.series.push_back(std::move(series));
    }
    reading.version = text_of(status, "version");
    reading.agent = text_of(status, "name") + " (" + text_of(status, "agent_id") + ")";
    reading.is_connected = at(at(status, "connection"), "connected") == true;
    reading.connection = connection_text(invocation, status, {});
    if (at(status, "model").is_object())
        reading.model = model_text(invocation, at(status, "model"));
    for (const json& problem : items_of(status, "problems"))
        reading.problems.push_back(problem_text(invocation, problem));
    for (const json& line : items_of(logs, "lines"))
        reading.log.push_back(read_log_line(invocation, line));
    return reading;
}

std::string top_frame(const Invocation& invocation, const TopReading& now, const TopReading* before,
                      ScreenSize size, const Colours& colours) {
    Frame frame(invocation, size, colours);
    add_title(frame, invocation, now);
    frame.add("");
    frame.add_row("watch.top_connection", now.connection,
                  now.is_connected ? std::string() : colours.red);
    frame.add_row("watch.top_messages", messages_text(invocation, now));
    frame.add_row("watch.top_rates", rates_text(invocation, now, before));
    frame.add_row("watch.top_waiting", waiting_text(invocation, now));
    frame.add_row("watch.top_given_up", given_up_text(invocation, now), colours.yellow);
    frame.add_row("watch.top_questions", questions_text(invocation, now));
    frame.add_row("watch.top_model", now.model);
    frame.add_row("watch.top_database", commits_text(invocation, now));
    frame.add_row("watch.top_process", process_text(invocation, now));
    for (const std::string& problem : now.problems)
        frame.add("! " + problem, colours.yellow);
    add_rules(frame, invocation, now);
    add_log(frame, invocation, now);
    return frame.take();
}

}  // namespace a2h::cli
