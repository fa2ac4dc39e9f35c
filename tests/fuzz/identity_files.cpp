#include <filesystem>
#include <fstream>

#include "core/base/check.h"
#include "core/base/ids.h"
#include "core/platform/identity.h"
#include "tests/fuzz/targets.h"
#include "tests/support/temp_dir.h"

namespace a2h::fuzz {
namespace {

namespace fs = std::filesystem;
using platform::AgentIdentity;
using platform::HumanIdentity;

bool is_same(const AgentIdentity& left, const AgentIdentity& right) {
    const wire::KeyPair& one = left.account.keys.key_pair;
    const wire::KeyPair& other = right.account.keys.key_pair;
    return left.name == right.name && left.mqtt_url == right.mqtt_url &&
           left.ca_file == right.ca_file && left.account.agent_id == right.account.agent_id &&
           left.account.api_base == right.account.api_base &&
           left.account.keys.agent_key == right.account.keys.agent_key &&
           one.key_id == other.key_id && one.public_key == other.public_key &&
           one.secret_key == other.secret_key;
}

/// A readable file names an agent, has a whole key pair or none, and is read back as it was saved.
void check_agent(const fs::path& credentials, const fs::path& saved) {
    const auto agents = platform::load_agent_credentials(credentials);
    if (!agents) {
        A2H_CHECK(agents.error().code == ErrorCode::Corrupt);
        return;
    }
    A2H_CHECK(agents->size() == 1);
    const AgentIdentity& agent = agents->front();
    const wire::KeyPair& keys = agent.account.keys.key_pair;
    A2H_CHECK(is_agent_id(agent.account.agent_id) && !agent.name.empty());
    A2H_CHECK(keys.secret_key.empty() == keys.public_key.empty());
    A2H_CHECK(platform::save_new_agent(saved, agent).has_value());
    const auto again = platform::load_agents(saved);
    A2H_CHECK(again && again->size() == 1 && is_same(again->front(), agent));
    fs::remove(saved / (agent.account.agent_id + ".json"));
}

void check_human(const fs::path& credentials, const fs::path& saved) {
    const auto human = platform::load_human_credential(credentials);
    if (!human) {
        A2H_CHECK(human.error().code == ErrorCode::Corrupt);
        return;
    }
    A2H_CHECK(!human->pin_hash.empty() && !human->link_key.empty());
    A2H_CHECK(platform::replace_human(saved / "human.json", *human).has_value());
    const auto again = platform::load_human(saved / "human.json");
    A2H_CHECK(again && again->pin_hash == human->pin_hash && again->link_key == human->link_key &&
              again->people == human->people);
    fs::remove(saved / "human.json");
}

}  // namespace

/// The files that hold who an agent and its people are.
void identity_files(std::string_view input) {
    static const test::TempDir dir;
    static const fs::path credentials = dir.path() / "credentials";
    static const fs::path saved = dir.path() / "saved";
    A2H_CHECK(platform::make_private_folder(credentials) && platform::make_private_folder(saved));
    for (const char* name : {"agent.json", "human.json"})
        std::ofstream(credentials / name, std::ios::binary) << input;
    check_agent(credentials, saved);
    check_human(credentials, saved);
}

}  // namespace a2h::fuzz
