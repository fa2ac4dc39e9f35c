#include "daemon/reading/toml_file.h"

#include <toml++/toml.h>

#include <algorithm>

#include "core/base/text.h"

namespace a2h::reading {
namespace {

TomlNode converted(const toml::node& node) {
    TomlNode out;
    out.line = node.source().begin.line;
    if (const auto* text = node.as_string()) {
        out.kind = TomlNode::Kind::Text;
        out.text = text->get();
    } else if (const auto* integer = node.as_integer()) {
        out.kind = TomlNode::Kind::Integer;
        out.integer = integer->get();
    } else if (const auto* flag = node.as_boolean()) {
        out.kind = TomlNode::Kind::Flag;
        out.flag = flag->get();
    } else if (const toml::array* list = node.as_array()) {
        out.kind = TomlNode::Kind::List;
        for (const toml::node& item : *list)
            out.items.push_back(converted(item));
    } else if (const toml::table* table = node.as_table()) {
        out.kind = TomlNode::Kind::Table;
        for (const auto& [key, value] : *table)
            out.members.push_back({std::string(key.str()), converted(value)});
    }
    return out;
}

}  // namespace

const TomlNode* TomlNode::find(std::string_view key) const {
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const TomlMember& member) { return member.key == key; });
    return found == members.end() ? nullptr : &found->value;
}

const TomlNode* TomlNode::table(std::string_view key) const {
    const TomlNode* node = find(key);
    return node != nullptr && node->kind == Kind::Table ? node : nullptr;
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> known) {
    std::string_view best;
    std::size_t best_distance = 4;
    for (const std::string_view candidate : known) {
        const std::size_t distance = edit_distance(name, candidate);
        if (distance >= best_distance) continue;
        best_distance = distance;
        best = candidate;
    }
    return best.empty() ? std::string() : "; did you mean " + std::string(best) + "?";
}

Result<TomlNode> TomlFile::parse(std::string_view toml) const {
    try {
        return converted(toml::parse(toml, name_));
    } catch (const toml::parse_error& error) {
        return fail(ErrorCode::InvalidArgument, std::string(name_) + ":" +
                                                    std::to_string(error.source().begin.line) +
                                                    ": " + std::string(error.description()));
    }
}

Unexpected TomlFile::error(const TomlNode& node, const std::string& message) const {
    return fail(ErrorCode::InvalidArgument,
                std::string(name_) + ":" + std::to_string(node.line) + ": " + message);
}

Result<void> TomlFile::check_keys(const TomlNode& table, std::span<const std::string_view> known,
                                  const std::string& what) const {
    for (const auto& [key, node] : table.members) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        return error(node, "unknown " + what + " " + key + did_you_mean(key, known));
    }
    return {};
}

Result<std::string> TomlFile::text(const TomlNode& table, std::string_view key) const {
    const TomlNode* node = table.find(key);
    if (node == nullptr) return error(table, std::string(key) + " is missing");
    if (node->kind != TomlNode::Kind::Text || node->text.empty()) {
        return error(*node, std::string(key) + " must be text");
    }
    return node->text;
}

Result<std::vector<std::string>> TomlFile::texts(const TomlNode& node, std::string_view key) const {
    if (node.kind == TomlNode::Kind::Text) return std::vector{node.text};
    if (node.kind != TomlNode::Kind::List) {
        return error(node, std::string(key) + " must be a list of texts");
    }
    std::vector<std::string> values;
    for (const TomlNode& item : node.items) {
        if (item.kind != TomlNode::Kind::Text || trim(item.text).empty()) {
            return error(item, std::string(key) + " must hold texts that are not empty");
        }
        values.push_back(item.text);
    }
    return values;
}

Result<void> TomlFile::read_flag(const TomlNode& table, std::string_view key, bool& flag) const {
    const TomlNode* node = table.find(key);
    if (node == nullptr) return {};
    if (node->kind != TomlNode::Kind::Flag) {
        return error(*node, std::string(key) + " must be true or false");
    }
    flag = node->flag;
    return {};
}

}  // namespace a2h::reading
