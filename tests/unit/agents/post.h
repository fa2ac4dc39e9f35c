#pragma once

#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/store/contact_store.h"
#include "core/store/outbox_store.h"
#include "tests/unit/agents/home_scene.h"

namespace a2h::test {

inline Config config_with(agents::Introductions introductions) {
    Config config;
    config.agents.introductions = introductions;
    return config;
}

/// A home whose agents exchange mail.
struct Post {
    explicit Post(agents::Introductions policy = agents::Introductions::Ask)
        : s(dir.path(), config_with(policy)) {}

    TempDir dir;
    HomeScene s;

    /// A tester whom `agent_id` may name to others.
    void know_tester(const std::string& agent_id) {
        REQUIRE(s.write([&](store::Database& db) {
            Contact tester;
            tester.agent_id = agent_id;
            tester.peer_id = "ag_tester";
            tester.source = ContactSource::Manual;
            tester.role = "Tester";
            tester.interface_spec = InterfaceSpec{"tests programs", "files", "report", {}};
            return store::put_contact(db, tester);
        }));
    }
    std::vector<OutboxMessage> outbox(const std::string& agent_id) {
        return store::list_outbox(*s.reader, agent_id, std::nullopt, 100).value();
    }
};

/// An `introduction_request` for a tester.
inline nlohmann::json introduction_json() {
    return {{"reason", "my program needs tests"}, {"required_capability", "test"}};
}

}  // namespace a2h::test
