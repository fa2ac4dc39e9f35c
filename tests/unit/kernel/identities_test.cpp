#include "daemon/kernel/identities.h"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/support/environment.h"
#include "tests/support/temp_dir.h"

using a2h::platform::AgentIdentity;
using a2h::platform::HumanIdentity;
using a2h::test::TempDir;
using a2h::test::Variable;

namespace {

namespace fs = std::filesystem;
namespace platform = a2h::platform;
namespace kernel = a2h::kernel;

AgentIdentity identity(const std::string& id, const std::string& key) {
    AgentIdentity agent;
    agent.name = id;
    agent.account.agent_id = id;
    agent.account.api_base = "http://127.0.0.1:1";
    agent.account.keys.agent_key = key;
    agent.mqtt_url = "mqtt://127.0.0.1:1";
    return agent;
}

/// A home and a folder of credentials, as LoadCredential= makes it of a folder and of files.
struct Places {
    TempDir dir;
    a2h::control::Home home{dir.path() / "home"};
    fs::path credentials = dir.path() / "credentials";

    Places() {
        REQUIRE(platform::make_private_folder(home.root));
        REQUIRE(platform::make_private_folder(home.agents_dir()));
        fs::create_directory(credentials);
    }
    void bring(const AgentIdentity& agent, const std::string& name) const {
        REQUIRE(platform::save_new_agent(credentials, agent));
        fs::rename(credentials / (agent.account.agent_id + ".json"), credentials / name);
        fs::permissions(credentials / name, fs::perms(0444));
    }
};

}  // namespace

TEST_CASE("identities of the credentials join those of the home and win over them") {
    const Places places;
    REQUIRE(platform::save_new_agent(places.home.agents_dir(), identity("ag_b", "old")));
    REQUIRE(platform::save_new_agent(places.home.agents_dir(), identity("ag_d", "home")));
    places.bring(identity("ag_c", "one"), "agent.json");
    places.bring(identity("ag_a", "folder"), "agents_ag_a.json");
    places.bring(identity("ag_b", "new"), "agents_ag_b.json");
    std::ofstream(places.credentials / "model.key") << "secret";
    std::ofstream(places.credentials / "other.json") << "no identity";
    const Variable brought("CREDENTIALS_DIRECTORY", places.credentials);

    const auto agents = kernel::load_agents(places.home);
    REQUIRE(agents);
    std::string seen;
    for (const auto& agent : *agents)
        seen += agent.account.agent_id + "=" + agent.account.keys.agent_key + " ";
    CHECK(seen == "ag_a=folder ag_b=new ag_c=one ag_d=home ");
}

TEST_CASE("a credential that is not an identity is named") {
    const Places places;
    std::ofstream(places.credentials / "agents_x.json") << "{}";
    const Variable brought("CREDENTIALS_DIRECTORY", places.credentials);
    const auto agents = kernel::load_agents(places.home);
    REQUIRE(!agents);
    CHECK(agents.error().code == a2h::ErrorCode::Corrupt);
    CHECK(agents.error().message.find("agents_x.json") != std::string::npos);
}

TEST_CASE("the home's PINs are newer than the credential's") {
    const Places places;
    {
        std::ofstream(places.credentials / "human.json")
            << R"({"pin_hash":"first","link_key":"key"})";
    }
    CHECK(kernel::load_human(places.home).error().code == a2h::ErrorCode::NotFound);
    const Variable brought("CREDENTIALS_DIRECTORY", places.credentials);
    CHECK(kernel::load_human(places.home)->pin_hash == "first");
    REQUIRE(platform::save_new_human(places.home.human_file(), HumanIdentity{"changed", "key"}));
    CHECK(kernel::load_human(places.home)->pin_hash == "changed");
}
