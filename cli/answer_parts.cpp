#include "cli/answer_parts.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/terminal.h"
#include "core/base/text.h"
#include "core/base/time_text.h"

namespace a2h::cli {

using nlohmann::json;

const json& at(const json& object, const char* name) {
    static const json kNothing = nullptr;
    if (!object.is_object()) return kNothing;
    const auto found = object.find(name);
    return found == object.end() ? kNothing : *found;
}

std::string text_of(const json& object, const char* name) {
    const json& value = at(object, name);
    if (value.is_string()) return printable(value.get<std::string>());
    if (value.is_number() || value.is_boolean()) return value.dump();
    return {};
}

std::string time_of(const json& object, const char* name) {
    const std::string text = text_of(object, name);
    const auto time_ms = parse_time(text);
    return time_ms ? to_local_time(*time_ms).substr(0, 16) : text;
}

std::vector<json> items_of(const json& object, const char* name) {
    const json& list = at(object, name);
    return list.is_array() ? list.get<std::vector<json>>() : std::vector<json>{};
}

std::string word(const Invocation& invocation, const std::string& value) {
    const std::string key = "cli.word_" + value;
    return i18n::has_key(invocation.language, key) ? invocation.text(key) : value;
}

std::string table_of(const Invocation& invocation, const std::vector<std::string_view>& headings,
                     const std::vector<std::vector<std::string>>& rows, std::string_view none) {
    if (rows.empty()) return invocation.text(none) + "\n";
    std::vector<std::string> words;
    for (const std::string_view key : headings)
        words.push_back(invocation.text(key));
    return table(words, rows, terminal_columns());
}

std::variant<json, Failure> json_file(const Invocation& invocation, std::string_view name,
                                      bool may_be_list) {
    const std::string path = invocation.value(name);
    std::ifstream file(path == "-" ? "/dev/stdin" : path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    json read = json::parse(text, nullptr, false);
    if (file && (read.is_object() || (may_be_list && read.is_array()))) return read;
    return Failure{
        std::string(kUsageCode), invocation.text("cli.not_a_json_file", {{"file", path}}), {}, {}};
}

}  // namespace a2h::cli
