#include "core/platform/identity.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;
using namespace a2h;

namespace {

platform::AgentIdentity sample(const std::string& agent_id) {
    platform::AgentIdentity identity;
    identity.name = "林记摄影";
    identity.account.agent_id = agent_id;
    identity.account.api_base = "http://127.0.0.1:1";
    identity.account.keys.agent_key = "key";
    identity.account.keys.key_pair = {"id", "public", "secret"};
    identity.mqtt_url = "mqtt://127.0.0.1:2";
    return identity;
}

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777;
}

std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

void write(const fs::path& path, std::string_view text) {
    std::ofstream(path) << text;
    ::chmod(path.c_str(), 0600);
}

}  // namespace

TEST_CASE("identities come back as they were saved, sorted by id, in private files") {
    const test::TempDir dir;
    const fs::path agents = dir.path() / "home" / "agents";
    REQUIRE(platform::make_private_folder(agents.parent_path()));
    REQUIRE(platform::make_private_folder(agents));
    for (const char* id : {"ag_b", "ag_a"}) {
        REQUIRE(platform::save_new_agent(agents, sample(id)));
        CHECK(mode_of(agents / (std::string(id) + ".json")) == 0600);
    }
    CHECK(mode_of(agents) == 0700);
    const auto loaded = platform::load_agents(agents);
    REQUIRE(loaded);
    REQUIRE(loaded->size() == 2);
    CHECK(loaded->front().account.agent_id == "ag_a");
    CHECK(loaded->front().name == "林记摄影");
    CHECK(loaded->front().account.keys.key_pair.secret_key == "secret");
    CHECK(loaded->front().ca_file.empty());
    CHECK(std::distance(fs::directory_iterator(agents), fs::directory_iterator()) == 2);
}

TEST_CASE("an identity is never overwritten") {
    const test::TempDir dir;
    REQUIRE(platform::save_new_agent(dir.path(), sample("ag_a")));
    const std::string before = content(dir.path() / "ag_a.json");
    auto other = sample("ag_a");
    other.name = "other";
    const auto saved = platform::save_new_agent(dir.path(), other);
    REQUIRE(!saved);
    CHECK(saved.error().code == ErrorCode::Conflict);
    CHECK(content(dir.path() / "ag_a.json") == before);
    CHECK(platform::save_new_agent(dir.path(), sample("ag_/../x")).error().code ==
          ErrorCode::InvalidArgument);
    CHECK(platform::save_new_agent(dir.path() / "none", sample("ag_a")).error().code ==
          ErrorCode::Unavailable);
}

TEST_CASE("secrets that others can read are refused, with the command that repairs it") {
    const test::TempDir dir;
    REQUIRE(platform::save_new_agent(dir.path(), sample("ag_a")));
    for (const mode_t mode : {0640, 0604, 0620}) {
        ::chmod((dir.path() / "ag_a.json").c_str(), mode);
        const auto loaded = platform::load_agents(dir.path());
        REQUIRE(!loaded);
        CHECK(loaded.error().code == ErrorCode::PermissionDenied);
        CHECK(loaded.error().message.find("chmod go=") != std::string::npos);
    }
}

TEST_CASE("a folder that others may enter is refused") {
    const test::TempDir dir;
    const fs::path open = dir.path() / "open";
    fs::create_directory(open);
    ::chmod(open.c_str(), 0755);
    CHECK(platform::make_private_folder(open).error().code == ErrorCode::PermissionDenied);
    write(dir.path() / "file", "");
    CHECK(platform::make_private_folder(dir.path() / "file").error().code ==
          ErrorCode::Unavailable);
}

TEST_CASE("broken identity files are named, and say nothing of their content") {
    const test::TempDir dir;
    for (const char* text :
         {"", "[]", "{", R"({"agent_id":"ag_a"})", R"({"agent_id":5,"secret_key":"hidden"})",
          R"({"agent_id":"ag_other","name":"n","agent_key":"k","key_id":"i","public_key":"p",
              "secret_key":"hidden","api_base":"b","mqtt_url":"m"})"}) {
        CAPTURE(text);
        write(dir.path() / "ag_a.json", text);
        const auto loaded = platform::load_agents(dir.path());
        REQUIRE(!loaded);
        CHECK(loaded.error().code == ErrorCode::Corrupt);
        CHECK(loaded.error().message.find("ag_a.json") != std::string::npos);
        CHECK(loaded.error().message.find("hidden") == std::string::npos);
    }
}

TEST_CASE("a missing folder means no agents; a missing human file is NotFound") {
    const test::TempDir dir;
    const auto loaded = platform::load_agents(dir.path() / "none");
    REQUIRE(loaded);
    CHECK(loaded->empty());
    CHECK(platform::load_human(dir.path() / "human.json").error().code == ErrorCode::NotFound);
}

TEST_CASE("the human's file comes back, and a link in its place is not followed") {
    const test::TempDir dir;
    const fs::path file = dir.path() / "human.json";
    REQUIRE(platform::save_new_human(file, {"hash", "link"}));
    const auto loaded = platform::load_human(file);
    REQUIRE(loaded);
    CHECK(loaded->pin_hash == "hash");
    CHECK(loaded->link_key == "link");
    fs::create_symlink(file, dir.path() / "link.json");
    CHECK(!platform::load_human(dir.path() / "link.json"));
}

TEST_CASE("the PINs of others are kept beside the owner's, and one more replaces the file whole") {
    const test::TempDir dir;
    const fs::path file = dir.path() / "human.json";
    REQUIRE(platform::save_new_human(file, {"hash", "link"}));
    REQUIRE(platform::replace_human(file, {"hash", "link", {{"anna", "hash of anna"}}}));
    const auto loaded = platform::load_human(file);
    REQUIRE(loaded);
    CHECK(loaded->pin_hash == "hash");
    CHECK(loaded->people == std::map<std::string, std::string>{{"anna", "hash of anna"}});
    CHECK(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()) == 1);
    CHECK((fs::status(file).permissions() & fs::perms(0077)) == fs::perms::none);
    CHECK(platform::replace_human(dir.path() / "none" / "human.json", {"h", "l"}).error().code ==
          ErrorCode::Unavailable);
    for (const char* people : {"[]", R"({"anna":5})", R"({"anna":""})"}) {
        write(file, std::string(R"({"pin_hash":"h","link_key":"l","people":)") + people + "}");
        CHECK(platform::load_human(file).error().code == ErrorCode::Corrupt);
    }
}
