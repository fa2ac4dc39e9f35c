#include "daemon/config/texts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "daemon/config/option.h"

namespace a2h::config {
namespace {

using i18n::Language;
using nlohmann::json;

std::string text_in(Language language, std::string_view kind, std::string_view name) {
    return i18n::text(language, "config." + std::string(kind) + std::string(name));
}

/// `text` with each line as a comment.
std::string comment(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        out += (end == 0 ? "#" : "# ") + std::string(text.substr(0, end)) + "\n";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

std::string option_lines(Language language, const Option& option) {
    const std::string about =
        text_in(language, "", option.name) + "\n" +
        i18n::text(language,
                   option.effect == Effect::Restart ? "config.file_allowed_restart"
                                                    : "config.file_allowed",
                   {{"allowed", allowed_text(language, option.kind)}});
    return comment(about) + "#" + std::string(key_of(option.name)) + " = " +
           toml_text(option.get(default_config())) + "\n";
}

std::string_view origin_name(Origin::Kind kind) {
    switch (kind) {
        case Origin::Kind::Default:
            return "default";
        case Origin::Kind::File:
            return "file";
        case Origin::Kind::Environment:
            return "environment";
    }
    return {};
}

json json_of(const Value& value) {
    return std::visit([](const auto& one) { return json(one); }, value);
}

}  // namespace

std::string default_file(Language language) {
    std::string out = comment(i18n::text(language, "config.file_header"));
    std::string_view table;
    for (const Option& option : options()) {
        out += "\n";
        if (table_of(option.name) != table) {
            table = table_of(option.name);
            out += comment(text_in(language, "table.", table)) + "[" + std::string(table) + "]\n\n";
        }
        out += option_lines(language, option);
    }
    return out + "\n" + comment(i18n::text(language, "config.file_lists"));
}

std::string_view to_string(Effect effect) {
    return effect == Effect::Restart ? "restart" : "reload";
}

json shown(const Config& config, const Origins& origins) {
    const Config defaults = default_config();
    json rows = json::array();
    for (const Option& option : options()) {
        const Origin origin = origin_of(origins, option.name);
        const Value value = option.get(config);
        json row{{"name", option.name},
                 {"default", json_of(option.get(defaults))},
                 {"origin", origin_name(origin.kind)},
                 {"variable", environment_name(option.name)},
                 {"takes", to_string(option.effect)}};
        if (option.is_secret) {
            row["is_set"] = value != option.get(defaults);
        } else {
            row["value"] = json_of(value);
        }
        if (origin.kind == Origin::Kind::File) row["line"] = origin.line;
        rows.push_back(std::move(row));
    }
    return {{"options", std::move(rows)}};
}

void add_waiting(json& shown, const Loaded& running, Result<Loaded> file) {
    const json in_file =
        file ? config::shown(file->config, file->origins).at("options") : json::array();
    const auto changes = file ? take_over(running, *file) : Result<Changes>(fail(file.error()));
    if (!changes) {
        shown["file_error"] = changes.error().message;
        return;
    }
    shown["wait_for_reload"] = changes->taken;
    shown["wait_for_restart"] = changes->need_restart;
    const auto waits = [](const std::vector<std::string>& names, const json& row) {
        return std::find(names.begin(), names.end(), row.at("name")) != names.end();
    };
    json& rows = shown.at("options");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        json& row = rows[i];
        if (!waits(changes->taken, row) && !waits(changes->need_restart, row)) continue;
        row["waits_for"] = row.at("takes");
        if (in_file[i].contains("value")) row["file_value"] = in_file[i].at("value");
    }
}

}  // namespace a2h::config
