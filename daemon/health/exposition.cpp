#include "daemon/health/exposition.h"

#include <array>
#include <charconv>

namespace a2h::health {
namespace {

/// Escapes what would end the text: a line end, and in a label also a quotation mark.
std::string escaped(std::string_view text, bool is_label) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') {
            out += "\\\\";
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '"' && is_label) {
            out += "\\\"";
        } else {
            out += c;
        }
    }
    return out;
}

void append_sample(std::string& out, std::string_view name, const Sample& sample) {
    out += name;
    out += sample.suffix;
    std::string_view before = "{";
    for (const auto& [label, value] : sample.labels) {
        out += before;
        out += label + "=\"" + escaped(value, true) + "\"";
        before = ",";
    }
    if (!sample.labels.empty()) out += '}';
    out += ' ' + number_text(sample.value) + '\n';
}

}  // namespace

std::string number_text(double value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::string_view to_string(MetricType type) {
    switch (type) {
        case MetricType::Counter:
            return "counter";
        case MetricType::Gauge:
            return "gauge";
        case MetricType::Histogram:
            return "histogram";
    }
    return "";
}

std::string exposition_text(const std::vector<Family>& families) {
    std::string out;
    for (const Family& family : families) {
        const std::string name(family.name);
        out += "# HELP " + name + " " + escaped(family.help, false) + "\n";
        out += "# TYPE " + name + " " + std::string(to_string(family.type)) + "\n";
        for (const Sample& sample : family.samples)
            append_sample(out, name, sample);
    }
    return out;
}

}  // namespace a2h::health
