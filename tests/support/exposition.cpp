#include "tests/support/exposition.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <regex>
#include <set>
#include <vector>

namespace a2h::test {
namespace {

const std::regex kName(
    "a2hd_[a-z0-9_]*[a-z0-9]|llm_call_(total|success_rate|latency_p95)|circuit_breaker_open|"
    "negotiation_success_rate|sse_active_connections");
const std::regex kLabel("[a-z_][a-z0-9_]*");

[[noreturn]] void refuse(std::string_view why, std::string_view line) {
    throw Scrape::Fault(std::string(why) + ": " + std::string(line));
}

/// Only `\\`, `\n` and, in a label, `\"` are escapes; a bare quote ends a label.
bool is_escaped_well(std::string_view text, bool is_label) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"' && is_label) return false;
        if (text[i] != '\\') continue;
        if (++i == text.size()) return false;
        const bool known = text[i] == '\\' || text[i] == 'n' || (text[i] == '"' && is_label);
        if (!known) return false;
    }
    return true;
}

double number_of(std::string_view text, std::string_view line) {
    if (text == "+Inf") return std::numeric_limits<double>::infinity();
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (copy.empty() || *end != '\0' || std::isspace(static_cast<unsigned char>(copy[0])) != 0)
        refuse("no number", line);
    return value;
}

/// Position of the quote that ends the value beginning at `from`.
std::size_t end_of_value(std::string_view line, std::size_t from) {
    for (std::size_t i = from; i < line.size(); ++i) {
        if (line[i] == '\\') {
            ++i;
        } else if (line[i] == '"') {
            return i;
        }
    }
    refuse("a label that does not end", line);
}

}  // namespace

struct Scrape::Line {
    std::string name;
    std::vector<std::pair<std::string, std::string>> labels;
    double value = 0;
    std::string_view text;

    explicit Line(std::string_view line) : text(line) {
        std::size_t at = line.find_first_of("{ ");
        if (at == std::string_view::npos) refuse("a name alone", line);
        name = line.substr(0, at);
        if (line[at] == '{') at = read_labels(at + 1);
        if (at >= line.size() || line[at] != ' ') refuse("no single space before the value", line);
        value = number_of(line.substr(at + 1), line);
    }

    /// Returns what follows the brace.
    std::size_t read_labels(std::size_t at) {
        std::set<std::string> names;
        while (true) {
            const std::size_t equals = text.find("=\"", at);
            if (equals == std::string_view::npos) refuse("labels that do not end", text);
            const std::string label(text.substr(at, equals - at));
            if (!std::regex_match(label, kLabel)) refuse("a bad label", text);
            if (!names.insert(label).second) refuse("a label twice", text);
            const std::size_t end = end_of_value(text, equals + 2);
            const std::string_view content = text.substr(equals + 2, end - equals - 2);
            if (!is_escaped_well(content, true)) refuse("a bad escape", text);
            labels.emplace_back(label, content);
            if (end + 1 >= text.size()) refuse("labels that do not end", text);
            if (text[end + 1] == '}') return end + 2;
            if (text[end + 1] != ',') refuse("no comma", text);
            at = end + 2;
        }
    }
};

Scrape::Scrape(std::string_view text) {
    if (text.empty() || text.back() != '\n') refuse("the last line does not end", "");
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        read_line(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    end_family();
}

void Scrape::read_line(std::string_view line) {
    if (line.find('\r') != std::string_view::npos) refuse("a carriage return", line);
    if (line.starts_with('#')) {
        read_comment(line);
    } else {
        read_sample(line);
    }
}

void Scrape::read_comment(std::string_view line) {
    const bool is_help = line.starts_with("# HELP ");
    if (!is_help && !line.starts_with("# TYPE ")) refuse("a comment that says nothing", line);
    const std::string_view rest = line.substr(7);
    const std::size_t space = rest.find(' ');
    if (space == std::string_view::npos) refuse("half a comment", line);
    const std::string name(rest.substr(0, space));
    const std::string_view words = rest.substr(space + 1);
    if (!std::regex_match(name, kName)) refuse("a bad name", line);
    if (words.empty()) refuse("no words", line);
    if (is_help) {
        end_family();
        if (types_.contains(name)) refuse("a family twice", line);
        if (!is_escaped_well(words, false)) refuse("a bad escape", line);
        help_of_ = name;
        return;
    }
    if (help_of_ != name || types_.contains(name)) refuse("no HELP just before", line);
    if (words != "counter" && words != "gauge" && words != "histogram") refuse("a bad type", line);
    if ((words == "counter") != name.ends_with("_total")) refuse("only counters end so", line);
    types_[name] = words;
    family_ = name;
}

void Scrape::read_sample(std::string_view line) {
    const Line read(line);
    const std::string type = family_.empty() ? "" : types_.at(family_);
    if (type == "histogram") {
        if (read.name == family_ + "_bucket") {
            check_bucket(read);
        } else if (read.name != family_ + "_sum" && read.name != family_ + "_count") {
            refuse("not of this family", line);
        }
    } else if (type.empty() || read.name != family_) {
        refuse("not of this family", line);
    }
    if (std::isnan(read.value) || (type != "gauge" && read.value < 0)) refuse("no count", line);
    const std::string series(line.substr(0, line.rfind(' ')));
    if (!values_.emplace(series, read.value).second) refuse("a series twice", line);
}

void Scrape::check_bucket(const Line& line) {
    if (line.labels.empty() || line.labels.back().first != "le") refuse("no bound", line.text);
    const double bound = number_of(line.labels.back().second, line.text);
    if (has_bucket_ && (bound <= bound_ || line.value < below_)) refuse("no order", line.text);
    has_bucket_ = true;
    bound_ = bound;
    below_ = line.value;
    is_bounded_ = !std::isinf(bound);
}

void Scrape::end_family() {
    if (!family_.empty() && types_.at(family_) == "histogram") {
        if (!has_bucket_ || is_bounded_) refuse("no last bucket", family_);
        if (!has(family_ + "_sum") || value(family_ + "_count") != below_)
            refuse("sum or count missing or wrong", family_);
    }
    family_.clear();
    has_bucket_ = false;
}

double Scrape::value(const std::string& series) const {
    const auto found = values_.find(series);
    if (found == values_.end()) refuse("there is no series", series);
    return found->second;
}

}  // namespace a2h::test
