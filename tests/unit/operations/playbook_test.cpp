#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "daemon/context/current_rules.h"
#include "daemon/operations/registration.h"
#include "tests/support/identity.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;

namespace {

/// The operations about rules, of a home with one agent.
struct Rules {
    test::TempDir folder;
    control::Home home{folder.path()};
    CurrentRules current{home, {"all", "-music"}};
    Agents agents;
    struct NoProof final : operations::OwnerProof {
        void check_pin(const std::string&, const std::string&, const std::string&,
                       std::function<void(Result<std::string>)> done) const override {
            done(fail(ErrorCode::Unauthenticated, "no PIN here"));
        }
    } no_proof;
    operations::Table table{agents, no_proof};

    Rules() {
        auto agent = std::make_unique<Agent>(test::identity_of("ag_owner"), 0U);
        agents["ag_owner"] = std::move(agent);
        operations::AllParts parts{};
        parts.rules = current;
        operations::add_playbook(table, parts);
    }

    /// `data` of what the human's call of `action` brings.
    json data_of(const std::string& action) {
        const json call = {
            {"jsonrpc", "2.0"}, {"id", 1}, {"method", action}, {"params", {{"face", "human"}}}};
        json answer;
        table.run_line(call.dump(), [&](const std::string& line) { answer = json::parse(line); });
        return answer["result"]["data"];
    }
};

}  // namespace

TEST_CASE("the trades are listed with those that are loaded") {
    Rules rules;
    const json trades = rules.data_of("playbook.trades")["trades"];
    REQUIRE(trades.size() > 10);
    for (const json& trade : trades) {
        CHECK(trade["is_read"] == (trade["name"] != "music"));
        CHECK(trade["is_owners"] == false);
    }
}

TEST_CASE("reloading the rules reloads the owner's trades, too") {
    Rules rules;
    std::filesystem::create_directory(rules.home.trades_dir());
    std::ofstream(rules.home.trades_dir() / "tailoring.toml") << "version = 1\n";
    const std::string before = rules.current.rules().version();
    CHECK(rules.data_of("playbook.reload")["version"] != before);
    const json trades = rules.data_of("playbook.trades")["trades"];
    CHECK(trades.back()["name"] == "tailoring");
    CHECK(trades.back()["is_owners"] == true);
}
