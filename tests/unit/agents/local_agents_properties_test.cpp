// Properties 2 to 8 of how agents work together, in a real home; docs/protocol.md, "Messages
// between agents".

#include "tests/support/property.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/wire/task_brief.h"
#include "tests/unit/agents/home_scene.h"

using namespace a2h;
using a2h::test::check_property;
using a2h::test::HomeScene;
using a2h::test::hostile_text;
using nlohmann::json;

namespace {

std::string some_text() {
    return "x" + *hostile_text();
}

TaskBrief some_brief(const std::vector<std::string>& known) {
    TaskBrief brief;
    brief.objective = some_text();
    brief.constraints = {some_text()};
    brief.inputs = some_text();
    brief.outputs = some_text();
    brief.completion_criteria = some_text();
    if (*rc::gen::arbitrary<bool>()) brief.references = {some_text(), some_text()};
    if (*rc::gen::arbitrary<bool>()) brief.priority = "high";
    for (const auto& id : *rc::gen::unique<std::vector<std::string>>(rc::gen::elementOf(known)))
        brief.collaborators.push_back({id, "helper", some_text(), std::nullopt});
    return brief;
}

bool has_source(HomeScene& home, const std::string& whose, const std::string& who,
                ContactSource source) {
    const auto contact = home.contact(whose, who);
    return contact && contact->source == source;
}

}  // namespace

TEST_CASE("properties 2, 3, 4, 6: who is made has brief, parent and collaborators, and is known") {
    test::TempDir dir;
    HomeScene home(dir.path());
    const std::vector<std::string> parents = {"ag_root", "ag_root2", home.spawn("ag_root")};
    const std::vector<std::string> known = {"ag_root", "ag_root2", parents[2], "ag_elsewhere"};
    check_property([&] {
        const std::string parent = *rc::gen::elementOf(parents);
        const TaskBrief brief = some_brief(known);
        const auto spawned = home.try_spawn(parent, brief);
        RC_ASSERT(spawned.has_value());
        const std::string& child = spawned->agent.agent_id;
        const auto mail = home.mail(child, parent);
        RC_ASSERT(mail.size() == 1U);
        const json payload = json::parse(mail[0].payload_json);
        RC_ASSERT(wire::read_task_brief(payload["task_brief"]).value() == brief);
        RC_ASSERT(has_source(home, child, parent, ContactSource::Parent));
        RC_ASSERT(has_source(home, parent, child, ContactSource::Parent));
        for (const Collaborator& each : brief.collaborators) {
            if (each.agent_id == parent) continue;
            RC_ASSERT(has_source(home, child, each.agent_id, ContactSource::Preset));
        }
    });
}

TEST_CASE("properties 5 to 8: a message reaches an existing agent and names its real sender") {
    test::TempDir dir;
    HomeScene home(dir.path());
    std::vector<std::string> all = {"ag_root", "ag_root2"};
    for (int i = 0; i < 12; ++i)
        all.push_back(home.spawn(all[static_cast<std::size_t>(i) / 3]));
    check_property([&] {
        const std::string from = *rc::gen::elementOf(all);
        const std::string to = *rc::gen::elementOf(all);
        RC_PRE(from != to);
        const bool was_known = home.contact(to, from).has_value();
        const json payload{{"text", some_text()}, {"from", *rc::gen::elementOf(all)}};
        const auto sent = home.send(from, to, "general", payload);
        RC_ASSERT(sent.has_value());
        const auto mail = home.mail(to, from);
        const auto arrived = std::count_if(mail.begin(), mail.end(), [&](const auto& entry) {
            return entry.message_id == *sent && entry.incoming && entry.sender_id == from;
        });
        RC_ASSERT(arrived == 1);
        RC_ASSERT(home.contact(to, from).has_value());
        RC_ASSERT(was_known || has_source(home, to, from, ContactSource::FirstMessage));
    });
}
