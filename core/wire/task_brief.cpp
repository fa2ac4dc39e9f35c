#include "core/wire/task_brief.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/base/join.h"
#include "core/wire/json_member.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> kRequired = {"objective", "constraints", "inputs",
                                                       "outputs", "completion_criteria"};
constexpr std::array<std::string_view, 3> kSpecTexts = {"services", "input_format",
                                                        "output_format"};
constexpr std::array<std::string_view, 3> kCollaboratorTexts = {"agent_id", "role", "description"};

bool is_empty_text(const json& value) {
    return value.is_string() && value.get_ref<const std::string&>().empty();
}

bool is_missing(const json& value) {
    if (value.is_null() || is_empty_text(value)) return true;
    return value.is_array() && value.begin() != value.end() &&
           std::all_of(value.begin(), value.end(), is_empty_text);
}

/// Collects what is wrong with members, with their paths.
class Faults {
  public:
    void text(const json& object, std::string_view name, const std::string& path = {}) {
        const json& value = either_member(object, name);
        if (!value.is_null() && !value.is_string()) add(path, name, " must be a text");
    }
    void required_text(const json& object, std::string_view name, const std::string& path = {}) {
        if (!either_member(object, name).is_string()) add(path, name, " must be a text");
    }
    void texts(const json& object, std::string_view name, const std::string& path = {}) {
        const json& list = either_member(object, name);
        if (list.is_null()) return;
        if (!list.is_array()) return add(path, name, " must be a list of texts");
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!list[i].is_string()) add(path, name, "[" + std::to_string(i) + "] must be a text");
        }
    }
    void interface_spec(const json& spec, const std::string& path = {}) {
        if (!spec.is_object()) return add(path, "interface_spec", " must be an object");
        for (const std::string_view name : kSpecTexts)
            required_text(spec, name, path);
        texts(spec, "examples", path);
    }
    void collaborators(const json& brief) {
        const json& list = either_member(brief, "collaborators");
        if (list.is_null()) return;
        if (!list.is_array()) return add({}, "collaborators", " must be a list of objects");
        for (std::size_t i = 0; i < list.size(); ++i)
            collaborator(list[i], "collaborators[" + std::to_string(i) + "]");
    }

    std::vector<std::string> take() { return std::move(faults_); }

  private:
    void collaborator(const json& item, const std::string& path) {
        if (!item.is_object()) return add({}, path, " must be an object");
        for (const std::string_view name : kCollaboratorTexts)
            text(item, name, path + ".");
        const json& id = either_member(item, "agent_id");
        if (id.is_null() || is_empty_text(id)) add(path + ".", "agent_id", " is missing");
        const json& spec = either_member(item, "interface_spec");
        if (!spec.is_null()) interface_spec(spec, path + ".interface_spec.");
    }
    void add(const std::string& path, std::string_view name, const std::string& what) {
        faults_.push_back(path + std::string(name) + what);
    }

    std::vector<std::string> faults_;
};

std::string either_text(const json& object, std::string_view name) {
    const json& value = either_member(object, name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::vector<std::string> texts_of(const json& object, std::string_view name) {
    const json& list = either_member(object, name);
    return list.is_array() ? list.get<std::vector<std::string>>() : std::vector<std::string>();
}

InterfaceSpec spec_of(const json& spec) {
    return {.services = either_text(spec, "services"),
            .input_format = either_text(spec, "input_format"),
            .output_format = either_text(spec, "output_format"),
            .examples = texts_of(spec, "examples")};
}

Collaborator collaborator_of(const json& item) {
    Collaborator collaborator{.agent_id = either_text(item, "agent_id"),
                              .role = either_text(item, "role"),
                              .description = either_text(item, "description"),
                              .interface_spec = std::nullopt};
    const json& spec = either_member(item, "interface_spec");
    if (spec.is_object()) collaborator.interface_spec = spec_of(spec);
    return collaborator;
}

json written(const Collaborator& collaborator) {
    json item = json::object();
    item["agent_id"] = collaborator.agent_id;
    item["role"] = collaborator.role;
    item["description"] = collaborator.description;
    if (collaborator.interface_spec) {
        item["interface_spec"] = write_interface_spec(*collaborator.interface_spec);
    }
    return item;
}

}  // namespace

std::vector<std::string> missing_fields(const json& brief) {
    std::vector<std::string> missing;
    for (const std::string_view name : kRequired) {
        if (is_missing(either_member(brief, name))) missing.emplace_back(name);
    }
    return missing;
}

std::vector<std::string> wrong_members(const json& brief) {
    Faults faults;
    for (const std::string_view name : kRequired) {
        if (name != "constraints") {
            faults.text(brief, name);
        } else if (!is_missing(either_member(brief, name))) {
            faults.texts(brief, name);
        }
    }
    faults.collaborators(brief);
    faults.texts(brief, "references");
    faults.text(brief, "priority");
    return faults.take();
}

json interface_spec_with_snake_case(json spec) {
    for (const std::string_view name : kSpecTexts)
        use_snake_case(spec, name);
    return spec;
}

json task_brief_with_snake_case(json brief) {
    for (const std::string_view name : kRequired)
        use_snake_case(brief, name);
    if (!member(brief, "collaborators").is_array()) return brief;
    for (json& item : brief["collaborators"]) {
        use_snake_case(item, "agent_id");
        use_snake_case(item, "interface_spec");
        if (!member(item, "interface_spec").is_object()) continue;
        item["interface_spec"] = interface_spec_with_snake_case(std::move(item["interface_spec"]));
    }
    return brief;
}

Result<TaskBrief> read_task_brief(const json& brief) {
    std::vector<std::string> faults;
    if (const auto missing = missing_fields(brief); !missing.empty()) {
        faults.push_back("missing " + joined_with(", ", missing));
    }
    for (std::string& fault : wrong_members(brief))
        faults.push_back(std::move(fault));
    if (!faults.empty()) return invalid("invalid_task_brief: " + joined_with("; ", faults));
    TaskBrief read{.objective = either_text(brief, "objective"),
                   .constraints = texts_of(brief, "constraints"),
                   .inputs = either_text(brief, "inputs"),
                   .outputs = either_text(brief, "outputs"),
                   .completion_criteria = either_text(brief, "completion_criteria"),
                   .collaborators = {},
                   .references = texts_of(brief, "references"),
                   .priority = either_text(brief, "priority")};
    for (const json& item : either_member(brief, "collaborators"))
        read.collaborators.push_back(collaborator_of(item));
    return read;
}

json write_task_brief(const TaskBrief& brief) {
    json object = json::object();
    object["objective"] = brief.objective;
    object["constraints"] = brief.constraints;
    object["inputs"] = brief.inputs;
    object["outputs"] = brief.outputs;
    object["completion_criteria"] = brief.completion_criteria;
    for (const Collaborator& collaborator : brief.collaborators)
        object["collaborators"].push_back(written(collaborator));
    if (!brief.references.empty()) object["references"] = brief.references;
    if (!brief.priority.empty()) object["priority"] = brief.priority;
    return object;
}

json write_interface_spec(const InterfaceSpec& spec) {
    json object = json::object();
    object["services"] = spec.services;
    object["input_format"] = spec.input_format;
    object["output_format"] = spec.output_format;
    if (!spec.examples.empty()) object["examples"] = spec.examples;
    return object;
}

Result<InterfaceSpec> read_interface_spec(const json& spec) {
    Faults faults;
    faults.interface_spec(spec);
    if (const auto found = faults.take(); !found.empty()) return invalid(joined_with("; ", found));
    return spec_of(spec);
}

}  // namespace a2h::wire
