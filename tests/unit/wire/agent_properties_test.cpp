// Properties 1, 6 and 10 of how agents work together; docs/protocol.md, "Messages between agents".

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/wire/agent_messages.h"
#include "core/wire/contact_file.h"
#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"
#include "tests/support/property.h"

using namespace a2h;
using namespace a2h::wire;
using a2h::test::check_property;
using a2h::test::hostile_text;
using nlohmann::json;
using enum a2h::AgentMessageType;

namespace {

using Fields = std::vector<std::string>;

const Fields kBriefFields = {"objective", "constraints", "inputs", "outputs",
                             "completion_criteria"};

rc::Gen<std::string> full_text() {
    return rc::gen::map(hostile_text(), [](const std::string& text) { return text + "x"; });
}

rc::Gen<Fields> texts() {
    return rc::gen::scale(0.2, rc::gen::container<Fields>(full_text()));
}

rc::Gen<InterfaceSpec> any_spec() {
    return rc::gen::construct<InterfaceSpec>(hostile_text(), hostile_text(), hostile_text(),
                                             texts());
}

rc::Gen<std::optional<InterfaceSpec>> maybe_spec() {
    return rc::gen::oneOf(
        rc::gen::just(std::optional<InterfaceSpec>()),
        rc::gen::map(any_spec(), [](const InterfaceSpec& spec) { return std::optional(spec); }));
}

rc::Gen<std::string> any_id() {
    return rc::gen::map(rc::gen::inRange(0, 100'000),
                        [](int number) { return "ag_" + std::to_string(number); });
}

rc::Gen<Collaborator> any_collaborator() {
    return rc::gen::construct<Collaborator>(any_id(), hostile_text(), hostile_text(), maybe_spec());
}

rc::Gen<TaskBrief> any_brief() {
    return rc::gen::construct<TaskBrief>(
        full_text(), texts(), full_text(), full_text(), full_text(),
        rc::gen::scale(0.2, rc::gen::container<std::vector<Collaborator>>(any_collaborator())),
        texts(), hostile_text());
}

/// Takes a member away in one of the ways that count as missing, or leaves it (false).
bool maybe_lose(json& object, const std::string& name) {
    switch (*rc::gen::inRange(0, 6)) {
        case 0:
            object.erase(name);
            return true;
        case 1:
            object[name] = nullptr;
            return true;
        case 2:
            object[name] = "";
            return true;
        default:
            return false;
    }
}

/// The member, perhaps in its other spelling.
void maybe_respell(json& object, const std::string& name) {
    const std::string camel = camel_case(name);
    if (camel == name || !object.contains(name) || *rc::gen::arbitrary<bool>()) return;
    json value = object[name];
    object.erase(name);
    object[camel] = value;
}

struct Form {
    AgentMessageType type;
    json whole;
    Fields required;
};

std::vector<Form> forms(const json& brief, const std::string& text) {
    return {
        {StatusReport,
         {{"task_id", text}, {"status", "blocked"}, {"summary", text}},
         {"task_id", "status", "summary"}},
        {IntroductionRequest,
         {{"reason", text}, {"required_capability", text}},
         {"reason", "required_capability"}},
        {CollaborationRequest,
         {{"request_id", text}, {"request", text}},
         {"request_id", "request"}},
        {CollaborationResponse,
         {{"request_id", text}, {"accepted", true}, {"response", text}},
         {"request_id", "response"}},
        {TaskAssignment, {{"task_id", text}, {"task_brief", brief}}, {"task_id"}},
        {IntroductionResponse, {{"introduced", false}, {"reason", text}}, {"reason"}},
    };
}

}  // namespace

TEST_CASE("property 1: a brief is valid unless a required field is missing, and all are named") {
    check_property([] {
        json brief = write_task_brief(*any_brief());
        Fields lost;
        for (const std::string& name : kBriefFields) {
            if (maybe_lose(brief, name)) lost.push_back(name);
            maybe_respell(brief, name);
        }
        const json before = brief;
        RC_ASSERT(missing_fields(brief) == lost);
        const auto read = read_task_brief(brief);
        RC_ASSERT(read.has_value() == lost.empty());
        for (const std::string& name : lost)
            RC_ASSERT(read.error().message.find(name) != std::string::npos);
        RC_ASSERT(brief == before);
    });
}

TEST_CASE("property 1: constraints are a list, and nothing else is taken for one") {
    check_property([] {
        json brief = write_task_brief(*any_brief());
        const json others[] = {5, true, "one", json::object(), {"one", 2}, 0.5};
        brief["constraints"] = others[*rc::gen::inRange(0, 6)];
        const auto read = read_task_brief(brief);
        RC_ASSERT(!read.has_value());
        RC_ASSERT(read.error().message.find("constraints") != std::string::npos);
    });
}

TEST_CASE("property 6: a brief keeps every collaborator with all that is said of it") {
    check_property([] {
        const auto brief = *any_brief();
        const auto read = read_task_brief(json::parse(write_task_brief(brief).dump()));
        RC_ASSERT(read.has_value());
        RC_ASSERT(*read == brief);
    });
}

TEST_CASE("property 6: contacts come out of a file as they went in") {
    check_property([] {
        const auto collaborators = *rc::gen::uniqueBy<std::vector<Collaborator>>(
            any_collaborator(), [](const Collaborator& one) { return one.agent_id; });
        ContactRegistries registries;
        auto& contacts = registries["root"];
        for (const Collaborator& one : collaborators) {
            contacts.push_back({.agent_id = "root",
                                .peer_id = one.agent_id,
                                .source = ContactSource::Preset,
                                .introduced_by = {},
                                .role = "r" + one.agent_id,
                                .interface_spec = one.interface_spec,
                                .key_id = {},
                                .public_key = {}});
        }
        const auto read = read_contact_file(json::parse(write_contact_file(registries).dump()));
        RC_ASSERT(read.has_value());
        RC_ASSERT(read->at("root").size() == contacts.size());
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            RC_ASSERT(read->at("root")[i].peer_id == contacts[i].peer_id);
            RC_ASSERT(read->at("root")[i].role == contacts[i].role);
            RC_ASSERT(read->at("root")[i].interface_spec == contacts[i].interface_spec);
        }
    });
}

TEST_CASE("property 10: a typed payload lacks exactly the required fields that were taken away") {
    check_property([] {
        const auto all = forms(write_task_brief(*any_brief()), *full_text());
        const Form& form = all[static_cast<std::size_t>(*rc::gen::inRange(0, 6))];
        json payload = form.whole;
        Fields lost;
        for (const std::string& name : form.required) {
            if (maybe_lose(payload, name)) lost.push_back(name);
        }
        if (form.type == TaskAssignment) {
            for (const std::string& name : kBriefFields) {
                if (maybe_lose(payload["task_brief"], name)) lost.push_back("task_brief." + name);
                maybe_respell(payload["task_brief"], name);
            }
            maybe_respell(payload, "task_brief");
        }
        for (const std::string& name : form.required)
            maybe_respell(payload, name);
        const auto fault = fault_of(form.type, payload);
        RC_ASSERT(fault.has_value() == !lost.empty());
        if (fault) {
            RC_ASSERT(fault->missing_fields == lost);
            RC_ASSERT(to_json(*fault)["message_type"] == to_string(form.type));
        } else {
            RC_ASSERT(!fault_of(form.type, normalized(form.type, payload)));
        }
    });
}

TEST_CASE("property 10: an introduction needs the whole of who is introduced") {
    check_property([] {
        json contact = {{"id", *any_id()}, {"role", *full_text()}};
        if (const auto spec = *maybe_spec())
            contact["interface_spec"] = write_interface_spec(*spec);
        Fields lost;
        for (const std::string name : {"id", "role"}) {
            if (maybe_lose(contact, name)) lost.push_back("contact." + name);
        }
        maybe_respell(contact, "interface_spec");
        const json payload = {{"introduced", true}, {"contact", contact}};
        const auto fault = fault_of(IntroductionResponse, payload);
        RC_ASSERT(fault.has_value() == !lost.empty());
        if (fault) RC_ASSERT(fault->missing_fields == lost);
    });
}

TEST_CASE("property 10: our names change nothing of what a payload is found to be") {
    check_property([] {
        json payload = json::object();
        for (const std::string name :
             {"task_id", "taskId", "task_brief", "taskBrief", "request_id", "requestId", "contact",
              "status", "introduced", "reason", "requiredCapability", "other"}) {
            const json values[] = {nullptr, "", "text", 5, true, json::object(), json::array({""})};
            const int chosen = *rc::gen::inRange(0, 10);
            if (chosen < 7) payload[name] = values[chosen];
        }
        for (const AgentMessageRow& row : kAgentMessages) {
            const AgentMessageType type = row.type;
            const json ours = normalized(type, payload);
            const auto before = fault_of(type, payload);
            const auto after = fault_of(type, ours);
            RC_ASSERT(before.has_value() == after.has_value());
            if (before) RC_ASSERT(to_json(*before) == to_json(*after));
            RC_ASSERT(normalized(type, ours) == ours);
        }
    });
}
