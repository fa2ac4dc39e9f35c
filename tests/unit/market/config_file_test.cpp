#include "market/config_file.h"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/support/temp_dir.h"

using namespace a2h;

namespace {

using Words = std::vector<std::string>;

Result<Words> read(const std::string& text) {
    const test::TempDir dir;
    const auto file = dir.path() / "market.toml";
    std::ofstream(file) << text;
    return market::read_config_file(file, {"mqtt-url", "agent-rate", "log-requests"});
}

bool says(const Result<Words>& result, std::string_view words) {
    return !result && result.error().message.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a configuration file's keys are options of the command line") {
    const auto words = read("mqtt_url = \"mqtt://x\"\nagent_rate = 5\nlog_requests = true\n");
    REQUIRE(words);
    CHECK(*words == Words{"--agent-rate=5", "--log-requests=true", "--mqtt-url=mqtt://x"});
    CHECK(read("").value().empty());
}

TEST_CASE("an unknown key is an error at its line, with what was probably meant") {
    CHECK(says(read("\nmqtt_ulr = \"x\"\n"), ":2: "));
    CHECK(says(read("mqtt_ulr = \"x\"\n"), "mqtt_url"));
    CHECK(says(read("colour = \"x\"\n"), "colour"));
    CHECK(says(read("[mqtt_url]\na = 1\n"), "mqtt_url"));
    CHECK(says(read("mqtt_url = [1]\n"), "mqtt_url"));
}

TEST_CASE("invalid TOML is an error at its line, and a missing file says so") {
    CHECK(says(read("agent_rate = 1\nagent_rate = 2\n"), ":2: "));
    CHECK(says(read("= \n"), ":1: "));
    CHECK_FALSE(market::read_config_file("/nowhere/at/all.toml", {}));
}
