#include "cli/toml_edit.h"

#include <toml++/toml.h>
#include <algorithm>

namespace a2h::cli {
namespace {

std::string joined_path(const std::vector<std::string>& path) {
    std::string all;
    for (const std::string& name : path)
        all += (all.empty() ? "" : ".") + name;
    return all;
}

std::string table_lines(const std::vector<TomlAssignment>& assignments,
                        const std::string& line_end) {
    std::string lines;
    for (const auto& [key, value] : assignments)
        lines += key + " = " + value + line_end;
    return lines;
}

/// The table at `path`, made where it is missing; nullptr when something else stands there.
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

/// Whether `line` is the header of the table at `path` and nothing else.
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

/// Drops the lines of the keys that are set anew; the header is line `header`, from 0.
void drop_old(std::vector<std::string>& lines, const toml::table& table,
              const std::vector<TomlAssignment>& assignments) {
    std::vector<toml::source_region> regions;
    for (const auto& assignment : assignments) {
        const toml::node* old = table.get(assignment.first);
        if (old != nullptr) regions.push_back(old->source());
    }
    std::sort(regions.begin(), regions.end(),
              [](const auto& a, const auto& b) { return a.begin.line > b.begin.line; });
    for (const toml::source_region& region : regions) {
        lines.erase(lines.begin() + region.begin.line - 1, lines.begin() + region.end.line);
    }
}

Result<std::string> replace_in_table(std::string_view text, const toml::table& table,
                                     const std::vector<std::string>& path,
                                     const std::vector<TomlAssignment>& assignments,
                                     const std::string& line_end) {
    std::vector<std::string> lines = split_lines(text);
    const auto header = std::find_if(
        lines.begin(), lines.end(), [&](const std::string& line) { return is_header(line, path); });
    if (header == lines.end()) {
        return fail(ErrorCode::InvalidArgument,
                    joined_path(path) + " is not written as [" + joined_path(path) + "]");
    }
    const auto at = header - lines.begin();
    drop_old(lines, table, assignments);
    if (!lines[static_cast<std::size_t>(at)].ends_with('\n')) {
        lines[static_cast<std::size_t>(at)] += line_end;
    }
    lines.insert(lines.begin() + at + 1, table_lines(assignments, line_end));
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
    return out + "[" + joined_path(path) + "]" + line_end + table_lines(assignments, line_end);
}

}  // namespace

Result<std::string> set_toml_entry(std::string_view text, const std::vector<std::string>& path,
                                   const std::vector<TomlAssignment>& assignments) try {
    const std::string line_end = text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
    toml::table expected = toml::parse(text);
    // Parsed anew: copies of nodes forget where they stood.
    const toml::table before = toml::parse(text);
    const auto old = before.at_path(joined_path(path));
    toml::table* table = table_at(expected, path);
    if (table == nullptr || table->is_inline()) {
        return fail(ErrorCode::InvalidArgument,
                    joined_path(path) + " is not written as [" + joined_path(path) + "]");
    }
    const toml::table wanted = toml::parse(table_lines(assignments, "\n"));
    for (const auto& [key, value] : wanted)
        table->insert_or_assign(key, value);
    if (expected == before) return std::string(text);
    auto out = !old ? Result<std::string>(append_table(text, path, assignments, line_end))
                    : replace_in_table(text, *old.as_table(), path, assignments, line_end);
    // What is not what was meant is never written.
    if (out && toml::parse(*out) != expected) {
        return fail(ErrorCode::InvalidArgument, joined_path(path) + " cannot be added there");
    }
    return out;
} catch (const toml::parse_error& error) {
    return fail(ErrorCode::InvalidArgument,
                "line " + std::to_string(error.source().begin.line) + " is not valid TOML");
}

}  // namespace a2h::cli
