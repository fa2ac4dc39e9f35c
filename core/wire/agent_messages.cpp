#include "core/wire/agent_messages.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"

namespace a2h::wire {
namespace {

using nlohmann::json;
using enum AgentMessageType;

constexpr std::array<std::pair<AgentMessageType, std::string_view>, 7> kAgentMessageNames = {{
    {TaskAssignment, "task_assignment"},
    {StatusReport, "status_report"},
    {IntroductionRequest, "introduction_request"},
    {IntroductionResponse, "introduction_response"},
    {CollaborationRequest, "collaboration_request"},
    {CollaborationResponse, "collaboration_response"},
    {General, "general"},
}};
constexpr std::array<std::string_view, 5> kReportStatuses = {"in_progress", "blocked", "completed",
                                                             "failed", "cancelled"};
/// Documented members with more than one word; those with one are spelt the same in both ways.
constexpr std::array<std::string_view, 7> kLongNames = {
    "message_type", "task_id",    "task_brief",    "required_capability",
    "request_id",   "mandate_id", "parent_task_id"};

/// Collects what a payload lacks.
class Inspection {
  public:
    explicit Inspection(AgentMessageType type) { fault_.type = type; }

    std::string text(const json& object, std::string_view name, std::string_view path = {}) {
        const json& value = either_member(object, name);
        if (value.is_string() && !value.get_ref<const std::string&>().empty()) {
            return value.get<std::string>();
        }
        if (value.is_null() || value.is_string()) {
            miss(path, name);
        } else {
            refuse(std::string(path).append(name) + " must be a text");
        }
        return {};
    }
    /// nullopt when it says neither.
    std::optional<bool> flag(const json& object, std::string_view name) {
        const json& value = either_member(object, name);
        if (value.is_boolean()) return value.get<bool>();
        if (value.is_null()) {
            miss({}, name);
        } else {
            refuse(std::string(name) + " must be true or false");
        }
        return std::nullopt;
    }
    /// The member, whose own fields are to be looked at: what is not there lacks all of them.
    const json& object(const json& payload, std::string_view name) {
        const json& value = either_member(payload, name);
        if (value.is_null()) miss({}, name);
        if (!value.is_null() && !value.is_object())
            refuse(std::string(name) + " must be an object");
        return value;
    }
    void brief(const json& payload) {
        const json& value = object(payload, "task_brief");
        for (const std::string& name : missing_fields(value))
            miss("task_brief.", name);
        for (const std::string& what : wrong_members(value))
            refuse("task_brief." + what);
    }
    void contact(const json& payload) {
        const json& value = object(payload, "contact");
        text(value, "id", "contact.");
        text(value, "role", "contact.");
        const json& spec = either_member(value, "interface_spec");
        if (spec.is_null()) return;
        const auto read = read_interface_spec(spec);
        if (!read) refuse("contact.interface_spec: " + read.error().message);
    }
    void refuse(const std::string& what) {
        fault_.detail.append(fault_.detail.empty() ? "" : "; ").append(what);
    }

    std::optional<MessageFault> take() {
        if (fault_.missing_fields.empty() && fault_.detail.empty()) return std::nullopt;
        return std::move(fault_);
    }

  private:
    void miss(std::string_view path, std::string_view name) {
        fault_.missing_fields.push_back(std::string(path).append(name));
    }

    MessageFault fault_;
};

void inspect_report(Inspection& inspection, const json& payload) {
    inspection.text(payload, "task_id");
    const std::string status = inspection.text(payload, "status");
    if (!status.empty() && std::find(kReportStatuses.begin(), kReportStatuses.end(), status) ==
                               kReportStatuses.end()) {
        inspection.refuse("status must be in_progress, blocked, completed, failed or cancelled");
    }
    inspection.text(payload, "summary");
}

void inspect_introduction(Inspection& inspection, const json& payload) {
    const auto introduced = inspection.flag(payload, "introduced");
    if (!introduced) return;
    if (*introduced) return inspection.contact(payload);
    inspection.text(payload, "reason");
}

void inspect(Inspection& inspection, AgentMessageType type, const json& payload) {
    switch (type) {
        case TaskAssignment:
            inspection.text(payload, "task_id");
            return inspection.brief(payload);
        case StatusReport:
            return inspect_report(inspection, payload);
        case IntroductionRequest:
            inspection.text(payload, "reason");
            inspection.text(payload, "required_capability");
            return;
        case IntroductionResponse:
            return inspect_introduction(inspection, payload);
        case CollaborationRequest:
            inspection.text(payload, "request_id");
            inspection.text(payload, "request");
            return;
        case CollaborationResponse:
            inspection.text(payload, "request_id");
            inspection.flag(payload, "accepted");
            inspection.text(payload, "response");
            return;
        case General:
            return;
    }
}

}  // namespace

std::string_view to_string(AgentMessageType type) {
    return kAgentMessageNames[static_cast<std::size_t>(type)].second;
}

std::optional<AgentMessageType> parse_agent_message_type(std::string_view text) {
    for (const auto& [type, name] : kAgentMessageNames) {
        if (text == name) return type;
    }
    return std::nullopt;
}

json to_json(const MessageFault& fault) {
    json object = json::object();
    object["error"] = "invalid_message_format";
    object["message_type"] = to_string(fault.type);
    object["missing_fields"] = fault.missing_fields;
    if (!fault.detail.empty()) object["detail"] = fault.detail;
    return object;
}

std::optional<MessageFault> fault_of(AgentMessageType type, const json& payload) {
    if (type == General) return std::nullopt;
    Inspection inspection(type);
    if (!payload.is_object()) inspection.refuse("the payload must be an object");
    inspect(inspection, type, payload);
    return inspection.take();
}

json normalized(AgentMessageType type, json payload) {
    if (type == General || !payload.is_object()) return payload;
    for (const std::string_view name : kLongNames)
        use_snake_case(payload, name);
    if (type == TaskAssignment && member(payload, "task_brief").is_object()) {
        payload["task_brief"] = task_brief_with_snake_case(std::move(payload["task_brief"]));
    }
    if (type == IntroductionResponse && member(payload, "contact").is_object()) {
        json& contact = payload["contact"];
        use_snake_case(contact, "interface_spec");
        if (member(contact, "interface_spec").is_object()) {
            contact["interface_spec"] =
                interface_spec_with_snake_case(std::move(contact["interface_spec"]));
        }
    }
    return payload;
}

}  // namespace a2h::wire
