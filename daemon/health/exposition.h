#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace a2h::health {

enum class MetricType { Counter, Gauge, Histogram };
std::string_view to_string(MetricType type);

/// One line: a value with its labels.
struct Sample {
    std::string_view suffix{};  ///< suffix of the name: "_bucket", "_sum", "_count" of a histogram
    std::vector<std::pair<std::string, std::string>> labels{};
    double value = 0;
};

/// All lines with the same name.
struct Family {
    std::string_view name;
    MetricType type = MetricType::Gauge;
    std::string help;
    std::vector<Sample> samples{};
};

/// The content type of the answer.
///
/// Source:  Prometheus, "Exposition formats", 0.0.4.
inline constexpr std::string_view kExpositionType = "text/plain; version=0.0.4; charset=utf-8";
std::string exposition_text(const std::vector<Family>& families);
/// The shortest text that parses to exactly this number.
std::string number_text(double value);

}  // namespace a2h::health
