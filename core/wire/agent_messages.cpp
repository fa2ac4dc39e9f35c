#include "core/wire/agent_messages.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"

namespace a2h::wire {
namespace {

using nlohmann::json;
using MemberForm = MessageMember::Form;
using MemberNeeded = MessageMember::Needed;

/// Collects the missing members of a payload.
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
    void word(const json& payload, const MessageMember& member) {
        const std::string said = text(payload, member.name);
        const auto& words = member.words;
        if (said.empty() || words.empty()) return;
        if (std::find(words.begin(), words.end(), said) != words.end()) return;
        std::string choices(words.front());
        for (std::size_t at = 1; at < words.size(); ++at)
            choices.append(at + 1 < words.size() ? ", " : " or ").append(words[at]);
        refuse(std::string(member.name).append(" must be ").append(choices));
    }
    /// nullopt if it is neither true nor false.
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
    /// The member whose own fields are checked; if it is absent, all of them are missing.
    const json& object(const json& payload, std::string_view name) {
        const json& value = either_member(payload, name);
        if (value.is_null()) miss({}, name);
        if (!value.is_null() && !value.is_object())
            refuse(std::string(name) + " must be an object");
        return value;
    }
    void brief(const json& payload, std::string_view named) {
        const json& value = object(payload, named);
        const std::string path = std::string(named) + ".";
        for (const std::string& name : missing_fields(value))
            miss(path, name);
        for (const std::string& what : wrong_members(value))
            refuse(path + what);
    }
    void contact(const json& payload, std::string_view named) {
        const json& value = object(payload, named);
        const std::string path = std::string(named) + ".";
        text(value, "id", path);
        text(value, "role", path);
        const json& spec = either_member(value, "interface_spec");
        if (spec.is_null()) return;
        const auto read = read_interface_spec(spec);
        if (!read) refuse(path + "interface_spec: " + read.error().message);
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

bool is_needed(const MessageMember& member, std::optional<bool> flag) {
    switch (member.needed) {
        case MemberNeeded::Always:
            return true;
        case MemberNeeded::WhenTrue:
            return flag == true;
        case MemberNeeded::WhenFalse:
            return flag == false;
        case MemberNeeded::Never:
            break;
    }
    return false;
}

void inspect(Inspection& inspection, const AgentMessageRow& row, const json& payload) {
    std::optional<bool> flag;
    for (const MessageMember& member : row.members) {
        if (member.name.empty() || !is_needed(member, flag)) continue;
        switch (member.form) {
            case MemberForm::Text:
                inspection.word(payload, member);
                break;
            case MemberForm::Flag:
                flag = inspection.flag(payload, member.name);
                break;
            case MemberForm::Brief:
                inspection.brief(payload, member.name);
                break;
            case MemberForm::Contact:
                inspection.contact(payload, member.name);
                break;
        }
    }
}

/// Replaces the names of the members inside this member by our snake_case names.
void normalize_within(json& payload, const MessageMember& member) {
    const auto found = payload.find(member.name);
    if (found == payload.end() || !found->is_object()) return;
    if (member.form == MemberForm::Brief) *found = task_brief_with_snake_case(std::move(*found));
    if (member.form != MemberForm::Contact) return;
    use_snake_case(*found, "interface_spec");
    const auto spec = found->find("interface_spec");
    if (spec != found->end() && spec->is_object())
        *spec = interface_spec_with_snake_case(std::move(*spec));
}

}  // namespace

json to_json(const MessageFault& fault) {
    json object = json::object();
    object["error"] = "invalid_message_format";
    object["message_type"] = to_string(fault.type);
    object["missing_fields"] = fault.missing_fields;
    if (!fault.detail.empty()) object["detail"] = fault.detail;
    return object;
}

std::optional<MessageFault> fault_of(AgentMessageType type, const json& payload) {
    if (type == AgentMessageType::General) return std::nullopt;
    Inspection inspection(type);
    if (!payload.is_object()) inspection.refuse("the payload must be an object");
    inspect(inspection, row_of(type), payload);
    return inspection.take();
}

bool needs_yes(AgentMessageType type, const json& payload) {
    const AgentMessageRow& row = row_of(type);
    const auto& members = row.members;
    return row.needs_yes ||
           std::any_of(members.begin(), members.end(), [&](const MessageMember& member) {
               return !member.unasked.empty() &&
                      either_member(payload, member.name) != json(member.unasked);
           });
}

json normalized(AgentMessageType type, json payload) {
    if (type == AgentMessageType::General || !payload.is_object()) return payload;
    use_snake_case(payload, "message_type");
    for (const AgentMessageRow& row : kAgentMessages) {
        for (const MessageMember& member : row.members)
            if (!member.name.empty()) use_snake_case(payload, member.name);
    }
    for (const MessageMember& member : row_of(type).members)
        normalize_within(payload, member);
    return payload;
}

}  // namespace a2h::wire
