// A reviewer that is a program of its own, on the real broker, with a real market and a real a2hd.

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/store/case_store.h"
#include "core/store/outbox_store.h"
#include "tests/integration/crash/world.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;
using std::chrono::milliseconds;

namespace {

constexpr const char* kPending = R"({"status":"pending"})";

/// A seller whose replies are judged by another program, that program, and a buyer.
struct Court {
    explicit Court(const std::string& mode, const std::string& settings = {})
        : program({.argv = {A2H_STAGE_PROGRAM},
                   .environment = {},
                   .stdout_file = {},
                   .stderr_file = {},
                   .pipe_stdin = true}),
          daemon(world.home(), {seller}, world.market().mqtt_url(), options(settings)),
          buyer(world.market(), "buyer") {
        program.write(setup(mode).dump() + "\n");
        REQUIRE(program.read_line(std::chrono::seconds(10)) == "ready");
        REQUIRE(wait_until_ready(daemon, {seller}));
    }

    Daemon::Options options(const std::string& settings) {
        auto chosen = world.options();
        chosen.config += "[stages]\nreview = \"" + judge.agent_id + "\"\n" + settings;
        return chosen;
    }

    json setup(const std::string& mode) {
        const std::string client_id = "GID_agent@@@" + judge.agent_id;
        const auto token = world.market().client(judge).fetch_broker_token(client_id);
        REQUIRE(token.has_value());
        return {{"port", world.market().broker_port()},
                {"client_id", client_id},
                {"username", token->username},
                {"password", token->password},
                {"agent_id", judge.agent_id},
                {"agent_key", judge.keys.agent_key},
                {"key_id", judge.keys.key_pair.key_id},
                {"public_key", judge.keys.key_pair.public_key},
                {"secret_key", judge.keys.key_pair.secret_key},
                {"mode", mode},
                {"when", release_file().string()}};
    }

    std::filesystem::path release_file() const { return world.dir() / "release"; }
    void release() const { std::ofstream(release_file()) << ""; }

    /// Until the reviewer has been asked.
    void wait_for_request() {
        const auto line = program.read_line(std::chrono::seconds(20));
        REQUIRE(line.has_value());
        CHECK(line->find("a2h.stage.evaluation_request ") == 0);
        CHECK(line->find("280 CNY") != std::string::npos);
    }
    std::size_t open_questions() {
        return daemon.call_human("approval.list", kPending)["data"]["approvals"].size();
    }
    bool is_asked() {
        return eventually([&] { return open_questions() == 1; }, std::chrono::seconds(20));
    }
    bool is_answered() {
        return eventually(
            [&] {
                buyer.pump(milliseconds(5));
                return buyer.has_all_replies();
            },
            std::chrono::seconds(20));
    }
    /// The buyer has received nothing, and nothing waits to be sent.
    bool is_silent() {
        buyer.pump(milliseconds(300));
        const auto db = world.database();
        return buyer.replies().empty() && store::outbox_counts(*db, seller.agent_id)->queued == 0;
    }

    World world;
    platform::Account seller = world.new_seller("seller");
    platform::Account judge = world.market().register_agent("judge");
    Process program;
    Daemon daemon;
    Buyer buyer;
};

}  // namespace

TEST_CASE("a reply that a reviewing program refuses does not leave, and the human is asked") {
    Court court("fail");
    court.buyer.ask(court.seller.agent_id);
    court.wait_for_request();
    CHECK(court.is_asked());
    CHECK(court.is_silent());
    const auto open = store::open_cases(*court.world.database(), 10).value();
    CHECK(open.empty());
}

TEST_CASE("a reply that it accepts leaves once although the verdict comes twice") {
    Court court("pass");
    const std::string question = court.buyer.ask(court.seller.agent_id);
    court.wait_for_request();
    REQUIRE(court.is_answered());
    court.buyer.pump(milliseconds(300));
    CHECK(court.buyer.replies().at(question).size() == 1);
    CHECK(court.open_questions() == 0);
}

TEST_CASE("when it never answers the human is asked after the last try") {
    Court court("mute", "timeout_seconds = 1\nmax_attempts = 2\n");
    court.buyer.ask(court.seller.agent_id);
    court.wait_for_request();
    court.wait_for_request();
    CHECK(court.is_asked());
    CHECK(court.is_silent());
}

TEST_CASE("SIGKILL of a2hd while it thinks loses neither the case nor the verdict") {
    Court court("late", "timeout_seconds = 60\n");
    const std::string question = court.buyer.ask(court.seller.agent_id);
    court.wait_for_request();
    CHECK(court.is_silent());
    court.daemon.kill();
    court.daemon.start();
    REQUIRE(wait_until_ready(court.daemon, {court.seller}));
    CHECK(court.is_silent());
    court.daemon.kill();
    court.release();  // the verdict is given while nobody listens
    court.daemon.start();
    REQUIRE(court.is_answered());
    court.daemon.kill();
    court.daemon.start();
    REQUIRE(wait_until_ready(court.daemon, {court.seller}));
    court.buyer.pump(milliseconds(300));
    CHECK(court.buyer.replies().at(question).size() == 1);
}
