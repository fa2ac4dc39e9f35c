#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/support/temp_dir.h"
#include "tests/unit/cli/run_command.h"

using namespace a2h;
using namespace a2h::cli;
using nlohmann::json;

namespace {

/// A home whose config.toml is edited from the command line.
class Desk {
  public:
    void write(std::string_view text) const { std::ofstream(file()) << text; }
    std::string text() const {
        std::ifstream in(file());
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::filesystem::path file() const { return dir_.path() / "config.toml"; }

    Invocation asked(std::map<std::string, std::string> values = {}) const {
        Invocation invocation;
        invocation.home.root = dir_.path();
        invocation.values = std::move(values);
        return invocation;
    }
    Outcome set(const std::string& key, const std::string& value) const {
        return test::run_command("config set", asked({{"KEY", key}, {"VALUE", value}}));
    }

  private:
    test::TempDir dir_;
};

std::string text_of(const Outcome& outcome) {
    const auto* done = std::get_if<Report>(&outcome);
    REQUIRE_MESSAGE(done != nullptr, std::get_if<Failure>(&outcome)->message);
    CHECK(done->status == kDone);
    CHECK(json::parse(done->envelope)["ok"] == true);
    return done->text;
}

Failure failure_of(const Outcome& outcome) {
    const auto* failed = std::get_if<Failure>(&outcome);
    REQUIRE(failed != nullptr);
    return *failed;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a setting is written in its place, and the comments stay") {
    const Desk desk;
    desk.write("# mine\n[limits] # here\nrounds_per_peer_per_day = 7   # not more\n");
    const std::string said = text_of(desk.set("limits.rounds_per_peer_per_day", "9"));
    CHECK(has(said, "limits.rounds_per_peer_per_day = 9"));
    CHECK(desk.text() == "# mine\n[limits] # here\nrounds_per_peer_per_day = 9   # not more\n");
    text_of(desk.set("notify.channels", "desktop,terminal"));
    text_of(desk.set("language", "zh"));
    CHECK(desk.text() ==
          "language = \"zh\"\n# mine\n[limits] # here\nrounds_per_peer_per_day = 9   # not more\n"
          "\n[notify]\nchannels = [\"desktop\", \"terminal\"]\n");
}

TEST_CASE("each setting of the default file is set behind its comment") {
    const Desk desk;
    desk.write(text_of(test::run_command("config default", desk.asked())));
    text_of(desk.set("keep.events_days", "90"));
    CHECK(has(desk.text(), "#events_days = 0\nevents_days = 90\n"));
    CHECK(has(text_of(test::run_command("config check", desk.asked())), "variables: 1"));
}

TEST_CASE("the first setting makes the file, which is its owner's alone") {
    const Desk desk;
    text_of(desk.set("approval.trust_elicitation", "true"));
    CHECK(desk.text() == "[approval]\ntrust_elicitation = true\n");
    using std::filesystem::perms;
    CHECK((std::filesystem::status(desk.file()).permissions() & perms::all) == perms(0600));
}

TEST_CASE("an invalid setting is not written") {
    const Desk desk;
    const std::string before = "[mqtt]\nversion = 5\n";
    desk.write(before);
    const Failure range = failure_of(desk.set("keep.events_days", "29"));
    CHECK(range.code == "invalid_argument");
    CHECK(has(range.message, "keep.events_days must be 0 or an integer from 30 to 36500"));
    CHECK(has(failure_of(desk.set("web.tls_key", "/k")).message, "belong together"));
    const Failure near = failure_of(desk.set("mqtt.verson", "4"));
    CHECK(near.code == "not_found");
    CHECK(has(near.next, "mqtt.version"));
    CHECK(has(failure_of(desk.set("person.name", "anna")).message, "[[person]]"));
    CHECK(desk.text() == before);
    desk.write("[mqtt]\nversion = 3\n");
    CHECK(has(failure_of(desk.set("language", "zh")).message, "config.toml:2: mqtt.version"));
    CHECK(desk.text() == "[mqtt]\nversion = 3\n");
    text_of(desk.set("mqtt.version", "4"));
}

TEST_CASE("check names file, line and what is allowed") {
    const Desk desk;
    CHECK(has(text_of(test::run_command("config check", desk.asked())),
              "every setting has its default"));
    desk.write("\n[mqtt]\nversion = 3\n");
    const Failure wrong = failure_of(test::run_command("config check", desk.asked()));
    CHECK(has(wrong.message,
              desk.file().string() + ":3: mqtt.version must be an integer from 4 to 5"));
    const std::string other = (desk.file().parent_path() / "other.toml").string();
    CHECK(failure_of(test::run_command("config check", desk.asked({{"FILE", other}}))).code ==
          "not_found");
    std::ofstream(other) << "language = \"zh\"\n";
    text_of(test::run_command("config check", desk.asked({{"FILE", other}})));
}

TEST_CASE("check names a channel that lacks a required option") {
    const Desk desk;
    desk.write("[[channel]]\nname = \"phone\"\nkind = \"telegram\"\nchat_id = \"9\"\n");
    const Failure wrong = failure_of(test::run_command("config check", desk.asked()));
    CHECK(has(wrong.message, desk.file().string()));
    CHECK(has(wrong.message, "channel \"phone\": token is missing from its secret_file"));
    desk.write("[[channel]]\nname = \"phone\"\nkind = \"ntfy\"\ntopic = \"t\"\n");
    text_of(test::run_command("config check", desk.asked()));
}

TEST_CASE("show prints each value and its source") {
    const Desk desk;
    desk.write("[mqtt]\nversion = 5\n[notify]\nwebhook_secret = \"hush\"\n");
    ::setenv("A2H_KEEP_EVENTS_DAYS", "90", 1);
    const Outcome outcome = test::run_command("config show", desk.asked());
    const std::string overridden = text_of(desk.set("keep.events_days", "60"));
    ::unsetenv("A2H_KEEP_EVENTS_DAYS");
    const std::string shown = text_of(outcome);
    const auto line = [&](std::string_view name) {
        const auto at = shown.find(std::string(name) + " = ");
        return shown.substr(at, shown.find('\n', at) - at);
    };
    CHECK(line("mqtt.version").starts_with("mqtt.version = 5 "));
    CHECK(line("mqtt.version").ends_with("  line 2"));
    CHECK(line("keep.events_days").starts_with("keep.events_days = 90 "));
    CHECK(line("keep.events_days").ends_with("  A2H_KEEP_EVENTS_DAYS"));
    CHECK(line("keep.messages_days").ends_with("  default"));
    CHECK(line("notify.webhook_secret").starts_with("notify.webhook_secret = (secret, set)"));
    CHECK(!has(std::get_if<Report>(&outcome)->envelope, "hush"));
    CHECK(has(overridden, "A2H_KEEP_EVENTS_DAYS"));
}
