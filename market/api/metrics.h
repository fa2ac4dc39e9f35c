#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::market {

/// Counts the answers of each route for GET /metrics.
///
/// Thread:  any, without a lock.
class Metrics {
  public:
    /// `route_names` are "METHOD /path"; one more counter is for requests without a route.
    explicit Metrics(std::vector<std::string> route_names);

    void began() { ++in_flight_; }
    /// `route` is an index into `route_names`, or its size.
    void ended(std::size_t route, int status, std::chrono::nanoseconds took);

    /// All metrics in the text format of Prometheus.
    ///
    /// Source:  prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4.
    std::string text() const;

  private:
    /// Other statuses are counted as the last one, 0.
    static constexpr std::array kStatuses{200, 206, 302, 304, 400, 401, 403, 404, 405,
                                          409, 413, 415, 429, 500, 503, 507, 0};
    static constexpr std::array kBucketsUs{100,    250,    500,     1'000,   2'500,    5'000,
                                           10'000, 25'000, 100'000, 500'000, 2'000'000};
    struct Row {
        std::array<std::atomic<std::uint64_t>, kStatuses.size()> answers{};
        std::array<std::atomic<std::uint64_t>, kBucketsUs.size() + 1> took{};
        std::atomic<std::int64_t> took_us{0};
    };

    void write_answers(std::string& out) const;
    void write_durations(std::string& out) const;

    const std::vector<std::string> names_;
    std::vector<Row> rows_;
    std::atomic<std::int64_t> in_flight_{0};
};

/// `# HELP`, `# TYPE` and one value.
void write_metric(std::string& out, std::string_view name, std::string_view type,
                  std::string_view help, double value);

}  // namespace a2h::market
