#include "cli/table_json.h"

#include <nlohmann/json.hpp>

#include "cli/standard.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

std::string_view kind_name(ParameterKind kind) {
    switch (kind) {
        case ParameterKind::Flag:
            return "flag";
        case ParameterKind::Value:
            return "value";
        case ParameterKind::Required:
            return "required";
        case ParameterKind::Optional:
            return "optional";
        case ParameterKind::Words:
            return "words";
    }
    return "flag";
}

json parameter_json(const Parameter& parameter, i18n::Language language) {
    return {{"name", parameter.name},
            {"kind", kind_name(parameter.kind)},
            {"value", parameter.value_name},
            {"letter", parameter.letter},
            {"help", command_text(language, parameter.help)}};
}

}  // namespace

std::string table_json(i18n::Language language) {
    json table = json::object();
    table["about"] = i18n::text(language, "cli.about");
    table["statuses"] = i18n::text(language, "cli.help_statuses");
    table["version"] = A2H_VERSION;
    table["options"] = json::array();
    for (const Parameter& parameter : everywhere())
        table["options"].push_back(parameter_json(parameter, language));
    table["commands"] = json::array();
    for (const Command& command : commands()) {
        json row = json::object();
        row["name"] = command.name;
        row["summary"] = command_text(language, command.summary);
        row["parameters"] = json::array();
        for (const Parameter& parameter : command.parameters)
            row["parameters"].push_back(parameter_json(parameter, language));
        table["commands"].push_back(std::move(row));
    }
    return table.dump(2);
}

}  // namespace a2h::cli
