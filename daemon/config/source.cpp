#include "daemon/config/source.h"

#include <toml++/toml.h>

#include <algorithm>

namespace a2h::config {
namespace {

int line_of(const toml::node& node) {
    return static_cast<int>(node.source().begin.line);
}

std::optional<Value> list_of(const toml::array& array) {
    std::vector<std::string> texts;
    for (const toml::node& node : array) {
        const auto text = node.value_exact<std::string>();
        if (!text) return std::nullopt;
        texts.push_back(*text);
    }
    return Value(std::move(texts));
}

std::optional<Value> value_of_node(const toml::node& node) {
    if (const auto flag = node.value_exact<bool>()) return Value(*flag);
    if (const auto number = node.value_exact<std::int64_t>()) return Value(*number);
    if (const auto text = node.value_exact<std::string>()) return Value(*text);
    return node.is_array() ? list_of(*node.as_array()) : std::nullopt;
}

std::vector<Entry> entries_of(const toml::table& table, const std::string& prefix) {
    std::vector<Entry> entries;
    for (const auto& [key, node] : table)
        entries.push_back({prefix + std::string(key.str()), value_of_node(node), line_of(node)});
    return entries;
}

void add_node(Source& source, const std::string& name, const toml::node& node) {
    if (const toml::table* table = node.as_table()) {
        source.tables.emplace(name, line_of(node));
        for (Entry& entry : entries_of(*table, name + "."))
            source.entries.push_back(std::move(entry));
    } else if (node.is_array_of_tables()) {
        for (const toml::node& one : *node.as_array())
            source.lists[name].push_back({entries_of(*one.as_table(), name + "."), line_of(one)});
    } else {
        source.entries.push_back({name, value_of_node(node), line_of(node)});
    }
}

}  // namespace

bool ListedTable::has(std::string_view name) const {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Entry& entry) { return entry.name == name; });
}

Unexpected Source::error_at(int line, const std::string& message) const {
    return fail(
        ErrorCode::InvalidArgument,
        file_name + (line > 0 ? ":" + std::to_string(line) : std::string()) + ": " + message);
}

Result<Source> read_source(std::string_view toml, std::string_view file_name) {
    Source source{.file_name = std::string(file_name), .entries = {}, .tables = {}, .lists = {}};
    try {
        for (const auto& [key, node] : toml::parse(toml, file_name))
            add_node(source, std::string(key.str()), node);
    } catch (const toml::parse_error& error) {
        return source.error_at(static_cast<int>(error.source().begin.line),
                               std::string(error.description()));
    }
    return source;
}

}  // namespace a2h::config
