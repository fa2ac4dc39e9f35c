#include "market/api/metrics.h"

#include <algorithm>
#include <charconv>

namespace a2h::market {
namespace {

constexpr double kMicrosecondsPerSecond = 1e6;

std::string number(double value) {
    std::array<char, 64> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    return error == std::errc() ? std::string(text.data(), end) : "0";
}

void write_head(std::string& out, std::string_view name, std::string_view type,
                std::string_view help) {
    out.append("# HELP ").append(name).append(" ").append(help);
    out.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

/// `method="GET",route="/path"` for "GET /path"; our own texts need no escapes.
std::string labels(const std::string& name) {
    const auto space = name.find(' ');
    return "method=\"" + name.substr(0, space) + "\",route=\"" + name.substr(space + 1) + "\"";
}

}  // namespace

void write_metric(std::string& out, std::string_view name, std::string_view type,
                  std::string_view help, double value) {
    write_head(out, name, type, help);
    out.append(name).append(" ").append(number(value)).append("\n");
}

Metrics::Metrics(std::vector<std::string> route_names)
    : names_(std::move(route_names)), rows_(names_.size() + 1) {}

void Metrics::ended(std::size_t route, int status, std::chrono::nanoseconds took) {
    --in_flight_;
    Row& row = rows_.at(route);
    const auto known = std::find(kStatuses.begin(), kStatuses.end() - 1, status);
    ++row.answers[static_cast<std::size_t>(known - kStatuses.begin())];
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
    const auto bucket = std::lower_bound(kBucketsUs.begin(), kBucketsUs.end(), us);
    ++row.took[static_cast<std::size_t>(bucket - kBucketsUs.begin())];
    row.took_us += us;
}

void Metrics::write_answers(std::string& out) const {
    constexpr std::string_view kName = "a2h_market_requests_total";
    write_head(out, kName, "counter", "Answers by route and status; status 0: any other.");
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        for (std::size_t status = 0; status < kStatuses.size(); ++status) {
            const std::uint64_t count = rows_[i].answers[status];
            if (count == 0) continue;
            out.append(kName).append("{").append(labels(i < names_.size() ? names_[i] : "* none"));
            out.append(",status=\"").append(std::to_string(kStatuses[status]));
            out.append("\"} ").append(std::to_string(count)).append("\n");
        }
    }
}

void Metrics::write_durations(std::string& out) const {
    constexpr std::string_view kName = "a2h_market_request_seconds";
    write_head(out, kName, "histogram", "Time to make an answer, without the network.");
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::string route = labels(i < names_.size() ? names_[i] : "* none");
        std::uint64_t count = 0;
        std::string lines;
        for (std::size_t bucket = 0; bucket <= kBucketsUs.size(); ++bucket) {
            count += rows_[i].took[bucket];
            const std::string limit = bucket == kBucketsUs.size()
                                          ? "+Inf"
                                          : number(kBucketsUs[bucket] / kMicrosecondsPerSecond);
            lines.append(kName).append("_bucket{").append(route).append(",le=\"").append(limit);
            lines.append("\"} ").append(std::to_string(count)).append("\n");
        }
        if (count == 0) continue;
        const auto sum = static_cast<double>(rows_[i].took_us.load()) / kMicrosecondsPerSecond;
        out.append(lines).append(kName).append("_sum{").append(route).append("} ");
        out.append(number(sum)).append("\n").append(kName).append("_count{").append(route);
        out.append("} ").append(std::to_string(count)).append("\n");
    }
}

std::string Metrics::text() const {
    std::string out;
    write_answers(out);
    write_durations(out);
    write_metric(out, "a2h_market_requests_in_flight", "gauge", "Requests being answered.",
                 static_cast<double>(in_flight_.load()));
    return out;
}

}  // namespace a2h::market
