// Requests of an operator and monitoring programs: health and metrics.

#include <unistd.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "market/api/answer.h"
#include "market/api/resources.h"
#include "market/api/watch.h"
#include "market/store/event_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr double kMicrosecondsPerSecond = 1e6;

/// The number of events that wait for the broker. This one read also shows whether the database
/// works.
Result<std::int64_t> waiting_events(ApiParts& parts) {
    return parts.database.read_as<std::int64_t>(store::count_events);
}

http::Response show_health(ApiParts& parts, const Call&) {
    const auto events = waiting_events(parts);
    json health{{"status", events ? "ok" : "failed"},
                {"database", events ? "ok" : "failed"},
                {"relay", "none"},
                {"version", A2H_VERSION}};
    if (parts.watch.relay_state) {
        health["relay"] = parts.watch.relay_state().connected ? "connected" : "disconnected";
    }
    return json_response(events ? 200 : 503, health);
}

/// Resident memory of this process; 0 without /proc.
double resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::int64_t total_pages = 0;
    std::int64_t resident_pages = 0;
    statm >> total_pages >> resident_pages;
    return static_cast<double>(resident_pages * ::sysconf(_SC_PAGESIZE));
}

void write_database(std::string& out, const db::Stats& stats) {
    const auto counter = [&out](std::string_view name, std::string_view help, double value) {
        write_metric(out, name, "counter", help, value);
    };
    counter("a2h_market_database_commits_total", "Commits.", static_cast<double>(stats.commits));
    counter("a2h_market_database_transactions_total", "Written transactions.",
            static_cast<double>(stats.transactions));
    counter("a2h_market_database_repeats_total", "Repeated transactions.",
            static_cast<double>(stats.repeats));
    counter("a2h_market_database_commit_seconds_total", "Time spent in commits.",
            static_cast<double>(stats.commit_us) / kMicrosecondsPerSecond);
    write_metric(out, "a2h_market_database_waiting", "gauge",
                 "Threads that wait for their turn at the database.",
                 static_cast<double>(stats.waiting));
}

void write_relay(std::string& out, const RelayState& relay) {
    write_metric(out, "a2h_market_relay_connected", "gauge", "1 while the broker is reached.",
                 relay.connected ? 1 : 0);
    const auto counter = [&out](std::string_view name, std::string_view help, std::uint64_t value) {
        write_metric(out, name, "counter", help, static_cast<double>(value));
    };
    counter("a2h_market_relay_announced_total", "Events that were sent.", relay.announced);
    counter("a2h_market_relay_recorded_total", "Messages that were recorded.", relay.recorded);
    counter("a2h_market_relay_dropped_total", "Messages that are not kept.", relay.dropped);
}

http::Response show_metrics(ApiParts& parts, const Call&) {
    std::string text = parts.watch.metrics.text();
    write_database(text, parts.database.stats());
    if (const auto events = waiting_events(parts)) {
        write_metric(text, "a2h_market_events_waiting", "gauge", "Events not sent yet.",
                     static_cast<double>(*events));
    }
    if (parts.watch.relay_state) write_relay(text, parts.watch.relay_state());
    write_metric(text, "process_resident_memory_bytes", "gauge", "Resident memory.",
                 resident_bytes());
    return {200, {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}}, std::move(text)};
}

constexpr std::array kOperatorRoutes{
    Route{.method = "GET",
          .path = "/healthz",
          .access = Access::Public,
          .form = Form::Raw,
          .summary =
              "Returns the state of database and relay, with status 503 if the database fails.",
          .raw_handler = show_health},
    Route{.method = "GET",
          .path = "/metrics",
          .access = Access::Public,
          .form = Form::Raw,
          .summary = "Returns metrics in the text format of Prometheus.",
          .raw_handler = show_metrics},
};

}  // namespace

Resource operator_resource() {
    return {"operator", kOperatorRoutes};
}

}  // namespace a2h::market
