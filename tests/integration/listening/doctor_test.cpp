#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/packet_proxy.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace fs = std::filesystem;

namespace {

/// A real a2hd with a real market and broker, and `a2h doctor` beside it.
struct Clinic {
    explicit Clinic(const std::string& notify = "channels = []\n",
                    std::map<std::string, std::string> environment = {})
        : proxy(market.broker_port()),
          daemon(
              dir.path() / "home", {market.register_agent("seller")}, proxy.uri(),
              {.config = "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\n" + notify,
               .environment = patient(std::move(environment))}) {
        REQUIRE(daemon.connected());
    }

    static std::map<std::string, std::string> patient(
        std::map<std::string, std::string> environment) {
        environment["A2H_CANARY_PATIENCE_MS"] = std::to_string(kSlowdown * 500);
        return environment;
    }

    struct Seen {
        int status = -1;
        std::map<std::string, std::string> states;  ///< the last of each check
        json data;
    };
    Seen doctor(std::vector<std::string> options = {}) {
        auto [status, envelope] = ask(std::move(options));
        REQUIRE_MESSAGE(envelope["ok"] == true, envelope.dump());
        Seen seen{status, {}, envelope["data"]};
        for (const json& line : seen.data["checks"])
            seen.states[line["check"]] = line["state"];
        return seen;
    }
    std::pair<int, json> ask(std::vector<std::string> options) {
        options.insert(options.begin(),
                       {A2H_BIN_DIR "/a2h", "doctor", "--json", "--home", daemon.home().string()});
        const Ran ran = run(options, {{"LC_ALL", "C.UTF-8"}});
        json envelope = json::parse(ran.out, nullptr, false);
        REQUIRE_MESSAGE(envelope.is_object(), (ran.out + ran.err));
        return {ran.status, std::move(envelope)};
    }
    fs::path config_file() const { return daemon.home() / "config.toml"; }
    void open_config_to_others() const {
        fs::permissions(config_file(), fs::perms::others_write, fs::perm_options::add);
    }
    bool is_open_to_others() const {
        return (fs::status(config_file()).permissions() & fs::perms::others_write) !=
               fs::perms::none;
    }
    Ran words(const std::string& language) {
        return run({A2H_BIN_DIR "/a2h", "doctor", "--home", daemon.home().string()},
                   {{"LC_ALL", language}});
    }

    TempDir dir;
    Market market{dir.path() / "market"};
    PacketProxy proxy;
    Daemon daemon;
};

/// The lines that differ between two reports.
std::map<std::string, std::string> changed(const Clinic::Seen& before, const Clinic::Seen& after) {
    std::map<std::string, std::string> changes;
    for (const auto& [check, state] : after.states) {
        const auto was = before.states.find(check);
        if (was == before.states.end() || was->second != state) changes[check] = state;
    }
    return changes;
}

using Changes = std::map<std::string, std::string>;

constexpr auto kOwnerOnly = fs::perms::owner_read | fs::perms::owner_write;

void open_to_others(const fs::path& path) {
    fs::permissions(path, fs::perms::others_read, fs::perm_options::add);
}

bool others_may(const fs::path& path) {
    return (fs::status(path).permissions() & fs::perms::others_all) != fs::perms::none;
}

}  // namespace

TEST_CASE("a healthy home has one line a check, and only the missing channel to be looked at") {
    Clinic c;
    auto seen = c.doctor();
    CHECK(seen.status == 3);
    for (const auto& [check, state] : seen.states)
        CHECK_MESSAGE(state == (check == "channels" ? "warning" : "ok"), check);
    CHECK(seen.states.size() == 28);
    CHECK(seen.data["counts"]["warning"] == 1);
}

TEST_CASE("a lost self-test message fails only its own line") {
    Clinic c;
    const auto before = c.doctor();
    c.proxy.hold([](const Packet& packet) {
        return !packet.from_client && packet.type == PacketType::Publish;
    });
    const auto after = c.doctor();
    CHECK(after.status == 4);
    CHECK(changed(before, after) ==
          Changes{{"round_trip", "failed"}, {"clock_broker", "not_checked"}});
}

TEST_CASE("channels are tried when that is asked for, and only then") {
    Clinic c(
        "channels = [\"webhook\"]\nwebhook_url = \"http://127.0.0.1:9/hook\"\n"
        "webhook_secret = \"0123456789abcdef\"\n");
    CHECK(c.doctor().states["channels"] == "not_checked");
    auto tried = c.doctor({"--notify"});
    CHECK(tried.states["channels"] == "failed");
    CHECK(tried.status == 4);
}

TEST_CASE("an unreachable market fails the lines about the market and no other") {
    Clinic c;
    const auto before = c.doctor();
    c.market.stop_market();
    const auto after = c.doctor();
    CHECK(after.status == 4);
    CHECK(changed(before, after) == Changes{{"market", "failed"},
                                            {"registration", "not_checked"},
                                            {"token", "failed"},
                                            {"clock_market", "not_checked"},
                                            {"versions", "not_checked"}});
}

TEST_CASE("without a2hd the doctor checks what it can and names what needs a2hd") {
    Clinic c;
    const auto before = c.doctor();
    c.daemon.stop();
    const auto after = c.doctor();
    CHECK(after.status == 4);
    CHECK(changed(before, after) == Changes{{"daemon", "failed"},
                                            {"connection", "not_checked"},
                                            {"other_instance", "not_checked"},
                                            {"history", "not_checked"},
                                            {"round_trip", "not_checked"},
                                            {"clock_broker", "not_checked"},
                                            {"page", "not_checked"}});
    c.daemon.start();
}

TEST_CASE("before the first start the doctor fails, and creates nothing") {
    const TempDir dir;
    const fs::path home = dir.path() / "home";
    const auto look = [&](std::vector<std::string> options) {
        options.insert(options.begin(),
                       {A2H_BIN_DIR "/a2h", "doctor", "--json", "--home", home.string()});
        const Ran ran = run(options, {{"LC_ALL", "C.UTF-8"}});
        CHECK(ran.status == 4);
        const json checks = json::parse(ran.out).at("data").at("checks");
        CHECK(checks.back()["check"] == "daemon");
        CHECK(checks.back()["text"].get<std::string>().find("no database") != std::string::npos);
        for (const json& line : checks)
            CHECK(line["check"] != "integrity");
    };
    look({});
    look({"--fix"});
    CHECK_FALSE(fs::exists(home));

    fs::create_directory(home);
    fs::permissions(home, fs::perms::owner_all);
    std::ofstream(home / "config.toml") << "language = \"en\"\n";
    fs::create_directory(home / "run");
    look({});
    CHECK(std::distance(fs::recursive_directory_iterator(home),
                        fs::recursive_directory_iterator()) == 2);
}

TEST_CASE("the doctor calls an empty database damaged, and leaves it as it is") {
    Clinic c;
    c.daemon.stop();
    const fs::path database = c.daemon.home() / "a2hd.db";
    for (const char* end : {"", "-wal", "-shm"})
        fs::remove(database.string() + end);
    std::ofstream(database).close();
    for (const bool fix : {false, true}) {
        const Ran ran = c.daemon.a2h(fix ? std::vector<std::string>{"doctor", "--fix"}
                                         : std::vector<std::string>{"doctor"});
        CHECK(ran.status == 4);
        CHECK_MESSAGE(ran.out.find("a2hd.db is empty") != std::string::npos, ran.out);
        CHECK(ran.out.find("no damage") == std::string::npos);
        CHECK(fs::file_size(database) == 0);
    }
}

TEST_CASE("before the first start the doctor names the line of a broken configuration") {
    const TempDir dir;
    const fs::path home = dir.path() / "home";
    fs::create_directory(home);
    fs::permissions(home, fs::perms::owner_all);
    std::ofstream(home / "config.toml") << "language = \"en\"\n\nlanguge = \"zh\"\n";
    const Ran ran = run({A2H_BIN_DIR "/a2h", "doctor", "--json", "--home", home.string()},
                        {{"LC_ALL", "C.UTF-8"}});
    CHECK(ran.status == 4);
    const json line = json::parse(ran.out).at("data").at("checks").back();
    CHECK(line["check"] == "daemon");
    CHECK(line["state"] == "failed");
    CHECK_MESSAGE(line["text"].get<std::string>().find("config.toml:3") != std::string::npos,
                  line.dump());
}

TEST_CASE("when a2hd does not start, the home keeps the reason") {
    Clinic c;
    c.daemon.stop();
    const auto human = c.daemon.home() / "human.json";
    std::filesystem::permissions(human, std::filesystem::perms::others_read,
                                 std::filesystem::perm_options::add);
    auto seen = c.doctor();
    CHECK(seen.status == 4);
    CHECK(seen.states["permissions"] == "failed");
    CHECK(seen.states["daemon"] == "failed");
    CHECK(seen.states["identity"] == "ok");
    std::filesystem::permissions(human, std::filesystem::perms::others_all,
                                 std::filesystem::perm_options::remove);
    c.daemon.start();
}

TEST_CASE("doctor repairs what keeps a2hd from starting without a2hd, after a backup") {
    const TempDir secrets;
    const fs::path hook = secrets.path() / "hook.secret";
    std::ofstream(hook) << "secret = \"0123456789abcdef\"\n";
    fs::permissions(hook, kOwnerOnly);
    Clinic c(
        "channels = []\n[[channel]]\nname = \"hook\"\nkind = \"webhook\"\n"
        "url = \"http://127.0.0.1:9/hook\"\nsecret_file = \"" +
        hook.string() + "\"\n");
    c.daemon.stop();
    const fs::path home = c.daemon.home();
    const std::vector<fs::path> opened{home, home / "agents", home / "human.json", hook};
    for (const fs::path& path : opened)
        open_to_others(path);
    auto seen = c.doctor();
    CHECK(seen.status == 4);
    CHECK(seen.states["daemon"] == "failed");
    CHECK(seen.data["fixed"].empty());
    for (const fs::path& path : opened)
        CHECK_MESSAGE(others_may(path), path);

    auto fixed = c.doctor({"--fix"});
    CHECK_MESSAGE(fixed.status == 4, fixed.data.dump(1));  // nobody has started it
    CHECK(fixed.states["permissions"] == "ok");
    CHECK(fixed.states["integrity"] == "ok");  // a2hd looked
    CHECK(fixed.states["daemon"] == "failed");
    CHECK(fixed.data["fixed"].size() == opened.size());
    CHECK(fs::is_regular_file(fs::path(fixed.data["backup"].get<std::string>()) / "a2hd.db"));
    for (const fs::path& path : opened)
        CHECK_MESSAGE(!others_may(path), path);
    c.daemon.start();
}

TEST_CASE("when a2hd still does not start, the doctor reports what it repaired and the cause") {
    Clinic c;
    c.daemon.stop();
    std::ofstream(c.config_file()) << "no = \"such table\"\n";
    open_to_others(c.daemon.home() / "human.json");
    auto fixed = c.doctor({"--fix"});
    CHECK(fixed.status == 4);
    CHECK(fixed.states["permissions"] == "ok");
    CHECK(fixed.states["daemon"] == "failed");
    CHECK(fixed.data["checks"].back()["text"].get<std::string>().find("config.toml") !=
          std::string::npos);
    CHECK(fixed.data["fixed"].size() == 1);
    CHECK(!others_may(c.daemon.home() / "human.json"));
}

TEST_CASE("a database that no backup can be made of leaves everything as it was") {
    Clinic c;
    c.daemon.stop();
    const fs::path human = c.daemon.home() / "human.json";
    open_to_others(human);
    std::ofstream(c.daemon.home() / "a2hd.db") << "this was a database once\n";
    auto seen = c.doctor({"--fix"});
    CHECK(seen.status == 4);
    CHECK(seen.states["permissions"] == "failed");
    CHECK(seen.states["daemon"] == "failed");
    CHECK(seen.data["backup"] == "");
    REQUIRE(seen.data["fixed"].size() == 1);
    const auto why = seen.data["fixed"][0].get<std::string>();
    CHECK_MESSAGE(why.find("Nothing was repaired") == 0, why);
    CHECK(others_may(human));
}

TEST_CASE("where the database is damaged the doctor names the newest backup") {
    Clinic c;
    std::string newest;
    for (int i = 0; i < 2; ++i)
        newest = c.daemon.call_human("backup.create")["data"]["path"];
    c.daemon.stop();
    const auto damage = [&] {
        std::ofstream(c.daemon.home() / "a2hd.db") << "this was a database once\n";
        const json line = c.doctor({"--fix"}).data["checks"].back();
        CHECK(line["check"] == "daemon");
        return line["next"].get<std::string>();
    };
    const std::string next = damage();
    CHECK_MESSAGE(next.find("a2h restore '" + newest + "'") != std::string::npos, next);
    const Ran restored =
        run({A2H_BIN_DIR "/a2h", "restore", newest, "--home", c.daemon.home().string()});
    CHECK_MESSAGE(restored.status == 0, restored.err);
    c.daemon.start();
    c.daemon.stop();
    fs::remove_all(c.daemon.home() / "backups");
    const std::string alone = damage();
    CHECK_MESSAGE(alone.find("a2h restore BACKUP") != std::string::npos, alone);
}

TEST_CASE("doctor makes a backup first and repairs what can be repaired") {
    Clinic c;
    const auto healthy = c.doctor({"--fix"});
    CHECK(healthy.data["backup"] == "");
    CHECK(!fs::exists(c.daemon.home() / "backups"));
    c.open_config_to_others();
    CHECK(c.doctor().states["permissions"] == "failed");
    CHECK(c.is_open_to_others());
    auto fixed = c.doctor({"--fix"});
    CHECK(fixed.states["permissions"] == "ok");
    CHECK(fixed.status == 3);
    CHECK(!c.is_open_to_others());
    CHECK(fixed.data["fixed"].size() == 1);
    const fs::path backup = fixed.data["backup"].get<std::string>();
    CHECK(backup.parent_path() == c.daemon.home() / "backups");
    for (const char* file : {"a2hd.db", "manifest.json", "config.toml"})
        CHECK_MESSAGE(fs::is_regular_file(backup / file), file);
    CHECK(c.doctor({"--fix"}).data["backup"] == "");
}

TEST_CASE("without a2hd the same is repaired, and backed up before") {
    Clinic c;
    c.daemon.stop();
    c.open_config_to_others();
    auto fixed = c.doctor({"--fix"});
    CHECK(fixed.states["permissions"] == "ok");
    CHECK(!c.is_open_to_others());
    CHECK(fs::is_regular_file(fs::path(fixed.data["backup"].get<std::string>()) / "a2hd.db"));
    c.daemon.start();
}

TEST_CASE("nothing is repaired when the disk has no room for the backup") {
    const TempDir disk;
    const fs::path fault = disk.path() / "disk";
    Clinic c("channels = []\n", {{"A2H_TEST_DISK", fault.string()},
                                 {"LD_PRELOAD", A2H_BAD_DISK_LIBRARY},
                                 {"ASAN_OPTIONS", "verify_asan_link_order=0"}});
    c.open_config_to_others();
    std::ofstream(fault) << "full";
    const auto [status, refused] = c.ask({"--fix"});
    CHECK(status == 1);
    CHECK(refused["ok"] == false);
    const auto message = refused["error"]["message"].get<std::string>();
    CHECK_MESSAGE(message.find("nothing was repaired") != std::string::npos, message);
    CHECK(c.is_open_to_others());
    fs::remove(fault);
    CHECK(c.doctor({"--fix"}).states["permissions"] == "ok");
    CHECK(!c.is_open_to_others());
}

TEST_CASE("the doctor speaks English and Chinese") {
    Clinic c;
    const Ran english = c.words("en_US.UTF-8");
    CHECK(english.status == 3);
    CHECK(english.out.find("Certificates (TLS)") != std::string::npos);
    CHECK(english.out.find("warnings") != std::string::npos);
    const Ran chinese = c.words("zh_CN.UTF-8");
    CHECK(chinese.status == 3);
    CHECK(chinese.out.find("证书（TLS）") != std::string::npos);
    CHECK(chinese.out.find("正常") != std::string::npos);
    CHECK(chinese.out.find(" ok") == std::string::npos);
}
