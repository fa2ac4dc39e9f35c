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

/// `text`, whose lines become comments.
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

}  // namespace a2h::config
