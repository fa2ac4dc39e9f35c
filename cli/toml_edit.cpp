#include "cli/toml_edit.h"

#include <toml++/toml.h>

#include <algorithm>
#include <functional>
#include <map>

#include "core/base/join.h"
#include "core/base/text.h"

namespace a2h::cli {
namespace {

Unexpected not_a_table(const std::vector<std::string>& path) {
    return fail(ErrorCode::InvalidArgument,
                joined_with(".", path) + " is not written as [" + joined_with(".", path) + "]");
}

std::string table_lines(const std::vector<TomlAssignment>& assignments,
                        const std::string& line_end) {
    std::string lines;
    for (const auto& [key, value] : assignments)
        lines += key + " = " + value + line_end;
    return lines;
}

/// The table at `path`, created if it is missing; nullptr if something else is there.
toml::table* table_at(toml::table& root, const std::vector<std::string>& path) {
    toml::table* table = &root;
    for (const std::string& name : path) {
        if (!table->contains(name)) table->insert(name, toml::table());
        table = (*table)[name].as_table();
        if (table == nullptr) break;
    }
    return table;
}

/// Lines with their ends.
std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        lines.emplace_back(text.substr(0, end + 1));
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// Whether `line` contains only the header of the table at `path`.
bool is_header(const std::string& line, const std::vector<std::string>& path) try {
    toml::table parsed = toml::parse(line);
    toml::table* table = &parsed;
    for (const std::string& name : path) {
        if (table->size() != 1 || !table->contains(name)) return false;
        table = (*table)[name].as_table();
        if (table == nullptr || table->is_inline()) return false;
    }
    return table->empty() && line.find('=') == std::string::npos;
} catch (const toml::parse_error&) {
    return false;
}

/// The byte of `position`, whose columns count code points.
std::size_t offset_of(std::string_view text, toml::source_position position) {
    std::size_t at = 0;
    for (auto line = position.line; line > 1; --line)
        at = text.find('\n', at) + 1;
    for (auto column = position.column; column > 1; --column) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
            ++at;
    }
    return at;
}

/// Replaces the values of existing keys in place.
std::string replace_values(std::string_view text, const toml::table& table,
                           const std::vector<TomlAssignment>& assignments) {
    std::map<std::size_t, std::pair<std::size_t, std::string>, std::greater<>> from_behind;
    for (const auto& [key, value] : assignments) {
        const toml::node* old = table.get(key);
        if (old == nullptr) continue;
        from_behind[offset_of(text, old->source().begin)] = {offset_of(text, old->source().end),
                                                             value};
    }
    std::string out(text);
    for (const auto& [begin, replacement] : from_behind)
        out.replace(begin, replacement.first - begin, replacement.second);
    return out;
}

/// Whether `line` is `key = …`, commented out.
bool is_commented(std::string_view line, std::string_view key) {
    line = trim(line);
    if (!line.starts_with('#')) return false;
    line = trim(line.substr(1));
    return line.starts_with(key) && trim(line.substr(key.size())).starts_with('=');
}

/// Inserts new keys of an existing table after their commented default, otherwise at its beginning.
Result<std::string> insert_keys(std::string_view text, const std::vector<std::string>& path,
                                const std::vector<TomlAssignment>& assignments,
                                const std::string& line_end) {
    std::vector<std::string> lines = split_lines(text);
    auto begin = lines.begin();
    if (!path.empty()) {
        begin = std::find_if(begin, lines.end(),
                             [&](const std::string& line) { return is_header(line, path); });
        if (begin == lines.end()) return not_a_table(path);
        if (!begin->ends_with('\n')) *begin += line_end;
        ++begin;
    }
    const auto first = begin - lines.begin();
    for (auto one = assignments.rbegin(); one != assignments.rend(); ++one) {
        const auto end = std::find_if(lines.begin() + first, lines.end(),
                                      [](const auto& line) { return trim(line).starts_with('['); });
        const auto comment = std::find_if(lines.begin() + first, end, [&](const std::string& line) {
            return is_commented(line, one->first);
        });
        if (comment != end && !comment->ends_with('\n')) *comment += line_end;
        lines.insert(comment == end ? lines.begin() + first : comment + 1,
                     table_lines({*one}, line_end));
    }
    std::string out;
    for (const std::string& line : lines)
        out += line;
    return out;
}

std::string append_table(std::string_view text, const std::vector<std::string>& path,
                         const std::vector<TomlAssignment>& assignments,
                         const std::string& line_end) {
    std::string out(text);
    if (!out.empty() && !out.ends_with('\n')) out += line_end;
    if (!out.empty()) out += line_end;
    return out + "[" + joined_with(".", path) + "]" + line_end + table_lines(assignments, line_end);
}

}  // namespace

Result<std::string> set_toml_entry(std::string_view text, const std::vector<std::string>& path,
                                   const std::vector<TomlAssignment>& assignments) try {
    const std::string line_end = text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
    toml::table expected = toml::parse(text);
    // Parsed again, because copies of nodes lose their positions.
    const toml::table before = toml::parse(text);
    toml::table* table = table_at(expected, path);
    if (table == nullptr) return not_a_table(path);
    const toml::table wanted = toml::parse(table_lines(assignments, "\n"));
    for (const auto& [key, value] : wanted)
        table->insert_or_assign(key, value);
    if (expected == before) return std::string(text);
    const toml::table* old =
        path.empty() ? &before : before.at_path(joined_with(".", path)).as_table();
    std::vector<TomlAssignment> missing;
    for (const TomlAssignment& one : assignments)
        if (old == nullptr || !old->contains(one.first)) missing.push_back(one);
    Result<std::string> out = old == nullptr ? append_table(text, path, missing, line_end)
                                             : replace_values(text, *old, assignments);
    if (old != nullptr && !missing.empty()) out = insert_keys(*out, path, missing, line_end);
    // A result that differs from the intended one is never written.
    if (out && toml::parse(*out) != expected) {
        return fail(ErrorCode::InvalidArgument, joined_with(".", path) + " cannot be added there");
    }
    return out;
} catch (const toml::parse_error& error) {
    return fail(ErrorCode::InvalidArgument,
                "line " + std::to_string(error.source().begin.line) + " is not valid TOML");
}

}  // namespace a2h::cli
