// A real a2hd that reloads its configuration while mail comes in.

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/crash/world.h"
#include "tests/support/notify_socket.h"

using namespace a2h;
using namespace a2h::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

/// A seller that answers, a buyer that asks, and a stand-in of systemd that is notified.
struct Scene {
    World world;
    const platform::Account seller = world.new_seller("seller");
    Buyer buyer{world.market(), "buyer"};
    NotifySocket manager{(world.dir() / "notify").string()};
    Daemon daemon{world.home(), {seller}, world.market().mqtt_url(), options()};

    Scene() {
        REQUIRE(wait_until_ready(daemon, {seller}));
        manager.until("READY=1", 20s);
    }
    Daemon::Options options() const {
        auto chosen = world.options();
        chosen.environment["NOTIFY_SOCKET"] = manager.name();
        return chosen;
    }
    /// At once: a reload may be reading.
    void write_file(const std::string& text) const {
        std::ofstream(world.dir() / "next.toml") << text;
        std::filesystem::rename(world.dir() / "next.toml", world.home() / "config.toml");
    }
    /// The configuration that the daemon was started with, and `more`.
    void write(const std::string& more) const { write_file(world.options().config + more); }
    json reload(const std::string& more) {
        write(more);
        return daemon.call_human("config.reload");
    }
    json value_of(const std::string& name) {
        const json shown = daemon.call_human("config.show");
        for (const json& row : shown["data"]["options"])
            if (row["name"] == name) return row["value"];
        return nullptr;
    }
    /// Waits for the answers to all questions.
    bool is_answered() {
        return eventually(
            [&] {
                buyer.pump(20ms);
                return buyer.has_all_replies();
            },
            30s);
    }
    bool has_event(const std::string& kind) {
        return eventually([&] {
            const json seen = daemon.call_human("events.list", R"({"after_id":0})");
            return seen.dump().find("\"" + kind + "\"") != std::string::npos;
        });
    }
    Ran a2h(std::vector<std::string> words) const {
        words.insert(words.begin(), A2H_BIN_DIR "/a2h");
        words.insert(words.end(), {"--home", world.home().string()});
        return run(std::move(words), {{"LC_ALL", "C.UTF-8"}});
    }
};

std::string days(int count) {
    return "[keep]\nevents_days = " + std::to_string(count) + "\n";
}

}  // namespace

TEST_CASE("each message is answered once while the configuration is read fifty times") {
    constexpr int kReloads = 50;
    Scene scene;
    for (int i = 0; i < kReloads; ++i) {
        scene.buyer.ask(scene.seller.agent_id);
        scene.write(days(30 + i));
        if (i % 2 == 0) scene.daemon.process().signal(SIGHUP);
        if (i % 2 == 1) CHECK(scene.daemon.call_human("config.reload")["ok"] == true);
        scene.buyer.pump(5ms);
    }
    CHECK(scene.is_answered());
    CHECK(scene.buyer.taken().size() == kReloads);
    CHECK(inbox_ids(*scene.world.database(), scene.seller.agent_id, scene.buyer.agent_id()) ==
          scene.buyer.taken());
    for (const auto& [question, replies] : scene.buyer.replies())
        CHECK_MESSAGE(replies.size() == 1, question);
    CHECK(scene.daemon.call_human("config.reload")["ok"] == true);
    CHECK(scene.value_of("keep.events_days") == 30 + kReloads - 1);
    CHECK(scene.buyer.alive());
}

TEST_CASE("a reloaded setting applies to the next message, notification and question") {
    Scene scene;
    scene.buyer.ask(scene.seller.agent_id);
    REQUIRE(scene.is_answered());
    const auto try_phone = [&] {
        return scene.daemon.call_human("notify.test", R"({"channel":"phone"})");
    };
    CHECK(try_phone().dump().find("there is no channel") != std::string::npos);
    scene.write_file(
        "language = \"zh\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n"
        "[limits]\nrounds_per_peer_per_day = 1\nmessages_per_peer_per_minute = 1000000\n"
        "[[channel]]\nname = \"phone\"\nkind = \"ntfy\"\ntopic = \"t\"\n"
        "server = \"http://127.0.0.1:9\"\n[[person]]\nnormal = [\"phone\"]\n");
    const json reloaded = scene.daemon.call_human("config.reload");
    CHECK(reloaded["data"]["taken"] ==
          json{"language", "limits.rounds_per_peer_per_day", "person", "channel"});
    CHECK(reloaded["data"]["need_restart"] == json::array());
    CHECK(try_phone().dump().find("there is no channel") == std::string::npos);
    const std::string id = scene.buyer.ask(scene.seller.agent_id);
    CHECK(eventually([&] {
        scene.buyer.pump(20ms);
        const json told =
            scene.daemon.call_human("message.explain", json{{"message_id", id}}.dump());
        return told["data"].dump().find("guard.rounds") != std::string::npos &&
               told["data"].dump().find("自动回复次数已用完") != std::string::npos;
    }));
    CHECK(scene.has_event("config.reloaded"));
}

TEST_CASE("a file with an error changes nothing, and the error is reported") {
    Scene scene;
    REQUIRE(scene.reload(days(40))["ok"] == true);
    for (const auto& [more, why] : std::vector<std::pair<std::string, std::string>>{
             {days(7), "config.toml:10: keep.events_days must be 0 or an integer from 30"},
             {"[kep]\n", "unknown setting kep"},
             {"[[channel]]\nname = \"p\"\nkind = \"pigeon\"\n", "pigeon"},
             {"[[person]]\nname = \"anna\"\n", "the owner would be anna"},
             {"[stages]\nreview = \"" + scene.seller.agent_id + "\"\n", "a2hd serves itself"}}) {
        const json refused = scene.reload(more);
        REQUIRE(refused["ok"] == false);
        const auto message = refused["error"]["message"].get<std::string>();
        CHECK_MESSAGE(message.find(why) != std::string::npos, message);
        CHECK(scene.value_of("keep.events_days") == 40);
    }
    CHECK(scene.has_event("config.refused"));
    const Ran told = scene.a2h({"reload"});
    CHECK(told.status == 1);
    CHECK(told.err.find("a2hd serves itself") != std::string::npos);
    scene.buyer.ask(scene.seller.agent_id);
    CHECK(scene.is_answered());
}

TEST_CASE("a setting that needs a restart is named and applies after the restart") {
    Scene scene;
    const json reloaded = scene.reload("[mqtt]\nversion = 5\n" + days(33));
    CHECK(reloaded["data"]["taken"] == json{"keep.events_days"});
    CHECK(reloaded["data"]["need_restart"] == json{"mqtt.version"});
    CHECK(scene.value_of("mqtt.version") == 4);
    const Ran told = scene.a2h({"reload"});
    CHECK(told.status == 0);
    CHECK(told.out.find("mqtt.version") != std::string::npos);
    CHECK(told.out.find("keep.events_days") == std::string::npos);  // it counts already
    scene.daemon.stop();
    scene.daemon.start();
    CHECK(scene.value_of("mqtt.version") == 5);
    CHECK(scene.daemon.connected());
}

TEST_CASE("SIGHUP reads the file, and the manager is notified when that begins and ends") {
    Scene scene;
    scene.write(days(50));
    scene.daemon.process().signal(SIGHUP);
    CHECK(scene.manager.until("RELOADING=1\nMONOTONIC_USEC=", 20s).back().size() > 27);
    scene.manager.until("READY=1", 20s);
    CHECK(scene.value_of("keep.events_days") == 50);
    scene.write("nonsense");
    scene.daemon.process().signal(SIGHUP);
    scene.manager.until("RELOADING=1", 20s);
    scene.manager.until("READY=1", 20s);
    CHECK(scene.value_of("keep.events_days") == 50);
    CHECK(scene.has_event("config.refused"));
    CHECK(scene.daemon.process().running());
}

TEST_CASE("a2h config asks the a2hd that runs, and the file when none does") {
    Scene scene;
    CHECK(scene.a2h({"config", "set", "keep.events_days", "60"}).status == 0);
    const auto shown = [&] {
        const json envelope = json::parse(scene.a2h({"config", "show", "--json"}).out);
        json found{{"running", envelope["data"]["is_running"]}};
        for (const json& row : envelope["data"]["options"])
            if (row["name"] == "keep.events_days") found["days"] = row["value"];
        return found;
    };
    CHECK(shown() == json{{"running", true}, {"days", 0}});
    CHECK(scene.a2h({"config", "set", "mqtt.version", "5"}).status == 0);
    const std::string waiting = scene.a2h({"config", "show"}).out;
    CHECK(waiting.find("; 60 after a reload") != std::string::npos);
    CHECK(waiting.find("; 5 after a restart") != std::string::npos);
    CHECK(waiting.find(": keep.events_days\n") != std::string::npos);
    const Ran reloaded = scene.a2h({"reload"});
    CHECK(reloaded.status == 0);
    CHECK(reloaded.out.find("keep.events_days") != std::string::npos);
    CHECK(shown() == json{{"running", true}, {"days", 60}});
    const std::string taken = scene.a2h({"config", "show"}).out;
    CHECK(taken.find("after a reload") == std::string::npos);
    CHECK(taken.find("; 5 after a restart") != std::string::npos);
    scene.daemon.stop();
    CHECK(shown() == json{{"running", false}, {"days", 60}});
    CHECK(scene.a2h({"reload"}).status == 1);
    scene.daemon.start();
}
