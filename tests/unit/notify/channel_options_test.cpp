#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "daemon/notify/channel_options.h"
#include "daemon/notify/channels.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/notify/channel_desk.h"

using namespace a2h;
using namespace a2h::test;

TEST_CASE("a secret file is read only when nobody else can read it") {
    const test::TempDir dir;
    const auto file = dir.path() / "secrets";
    std::ofstream(file) << "token = \"SECRET\"\n";
    std::filesystem::permissions(file, std::filesystem::perms(0644));
    const auto open = notify::read_secret_file(file.string());
    REQUIRE(!open.has_value());
    CHECK(open.error().message.find("chmod 600") != std::string::npos);
    std::filesystem::permissions(file, std::filesystem::perms(0600));
    CHECK(notify::read_secret_file(file.string())->at(0).second == "SECRET");
    std::ofstream(file) << "token = SECRET\n";
    const auto broken = notify::read_secret_file(file.string());
    REQUIRE(!broken.has_value());
    CHECK(broken.error().message.find("SECRET") == std::string::npos);
    CHECK(!notify::read_secret_file((dir.path() / "none").string()));
}

TEST_CASE("options that a kind does not have, lacks, or must keep secret are refused") {
    const test::TempDir dir;
    const auto file = dir.path() / "secrets";
    std::ofstream(file) << "token = \"T\"\n";
    std::filesystem::permissions(file, std::filesystem::perms(0600));
    const auto message = [](notify::ChannelSettings one) {
        notify::Options options{.channels = {}, .webhook_url = {}, .webhook_secret = {}};
        options.configured = {std::move(one)};
        const auto made = notify::make_channels(options);
        return made ? std::string("fine") : made.error().message;
    };
    const std::pair<std::string, std::string> secret{"secret_file", file.string()};
    CHECK(message(settings("telegram", {{"chat_id", "9"}, secret})) == "fine");
    for (const auto& [one, part] : std::vector<std::pair<notify::ChannelSettings, std::string>>{
             {settings("pigeon", {}), "none of"},
             {settings("telegram", {secret}), "chat_id is missing"},
             {settings("telegram", {{"chat_id", "9"}}), "token is missing"},
             {settings("telegram", {{"chat_id", "9"}, {"token", "T"}}), "is a secret"},
             {settings("telegram", {{"chat", "9"}, secret}), "unknown option chat"},
             {settings("email", {{"server", "s"}, {"from", "f"}, {"to", "t"}, secret}),
              "unknown secret token"},
             {settings("telegram", {{"chat_id", "9"}, {"api_base", "http://x.org"}, secret}),
              "https://"},
             {settings("ntfy", {{"topic", "a/b"}}), "letters, digits"}}) {
        CAPTURE(part);
        CHECK(message(one).find(part) != std::string::npos);
    }
    notify::ChannelSettings twice = settings("ntfy", {{"topic", "t"}});
    twice.name = "desktop";
    CHECK(message(twice).find("two channels") != std::string::npos);
}

TEST_CASE("the people who may press can be configured") {
    CHECK(notify::is_allowed("", "U1"));
    CHECK(notify::is_allowed("U1, U2", "U2"));
    CHECK(!notify::is_allowed("U1,U2", "U3"));
    CHECK(!notify::is_allowed("U1", ""));
    CHECK(!notify::is_allowed("U12", "U1"));
}
