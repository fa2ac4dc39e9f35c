// The same material through the real programs: an assistant that obeys its partner says each text
// with `a2h_send` of a real a2h-mcp; a real market and broker pass on what leaves; and what counts
// is what the partner's a2hd has received. With A2H_REDTEAM=all every text is tried, otherwise one
// of two hundred.

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/database.h"
#include "core/store/statement.h"
#include "tests/redteam/material.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr std::chrono::seconds kAnswerMax{60};
constexpr std::size_t kOneOf = 200;

/// Earlier messages of each partner, by the name that the material gives it.
const std::map<std::string, std::string> kTables = {
    {"nothing", ""},
    {"offer", "I would take 250 CNY for it."},
    {"question", "Could you do it on Sunday?"},
    {"order", "I have placed the order and wait for you."}};

bool tries_all() {
    const char* wish = std::getenv("A2H_REDTEAM");
    return wish != nullptr && std::string_view(wish) == "all";
}

/// Texts of both rounds.
std::vector<json> chosen(std::string_view file) {
    const std::size_t step = tries_all() ? 1 : kOneOf;
    std::vector<json> lines;
    for (const std::string_view folder : {"", "second/"}) {
        const auto all = material(folder, file);
        for (std::size_t i = 0; i < all.size(); i += step)
            lines.push_back(all[i]);
    }
    return lines;
}

/// An AI assistant's program: it speaks MCP with a2h-mcp over stdio.
class Assistant {
  public:
    explicit Assistant(const Daemon& daemon)
        : mcp_({.argv = {A2H_BIN_DIR "/a2h-mcp", "--home", daemon.home().string()},
                .stderr_file = daemon.home() / "mcp.log",
                .pipe_stdin = true}) {
        ask("initialize", {{"protocolVersion", "2025-06-18"},
                           {"capabilities", json::object()},
                           {"clientInfo", {{"name", "redteam"}, {"version", "1"}}}});
        mcp_.write(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                   "\n");
    }
    /// The result of the tool.
    json use(const std::string& tool, const json& arguments) {
        const json result = ask("tools/call", {{"name", tool}, {"arguments", arguments}});
        REQUIRE_MESSAGE(result.contains("structuredContent"), result.dump());
        return result["structuredContent"];
    }

  private:
    json ask(const std::string& method, const json& params) {
        const int id = ++last_id_;
        mcp_.write(
            json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump() +
            "\n");
        for (;;) {
            const auto line = mcp_.read_line(kAnswerMax);
            REQUIRE(line.has_value());
            const json answer = json::parse(*line);
            if (answer.value("id", json()) == id) return answer.at("result");
        }
    }

    Process mcp_;
    int last_id_ = 0;
};

/// Somebody with a real a2hd who has said what is on the table, and listens.
struct Partner {
    Partner(Market& market, const std::filesystem::path& home, const std::string& name)
        : account(market.register_agent(name)), daemon(home, {account}, market.mqtt_url()) {
        REQUIRE(daemon.connected());
    }
    /// Sends `words` with the yes of the owner.
    void say(const std::string& words, const std::string& target_id) {
        const json asked = daemon.call_assistant(
            "send", json{{"target_agent_id", target_id}, {"text", words}}.dump());
        if (asked["ok"] == true) return;
        REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
        const json yes{{"approval_id", asked["error"]["approval_id"]},
                       {"decision", "approve"},
                       {"pin", Daemon::kPin}};
        REQUIRE(eventually(
            [&] { return daemon.call_human("approval.answer", yes.dump())["ok"] == true; }));
    }
    /// The texts that have arrived.
    std::multiset<std::string> heard() const {
        const auto db =
            store::Database::open(daemon.home() / "a2hd.db", store::Database::Mode::ReadOnly);
        REQUIRE(db.has_value());
        static constexpr const char* kSql = "select payload_json from inbox";
        const auto payloads =
            (*db)->statement(kSql).all([](store::Row& row) { return row.text(0); });
        REQUIRE(payloads.has_value());
        std::multiset<std::string> texts;
        for (const std::string& payload : *payloads)
            texts.insert(json::parse(payload).value("text", ""));
        return texts;
    }

    platform::Account account;
    Daemon daemon;
};

/// The seller with its assistant, and one partner for each table.
struct Team {
    Team() {
        REQUIRE(seller.connected());
        for (const auto& [name, words] : kTables) {
            partners[name] = std::make_unique<Partner>(market, dir.path() / name, name);
            if (words.empty()) continue;
            partners[name]->say(words, seller_account.agent_id);
            const json about{{"peer_id", partners[name]->account.agent_id}};
            REQUIRE(eventually([&] {
                const json history = seller.call_assistant("inbox.history", about.dump());
                return history["data"]["items"].size() >= 1;
            }));
        }
        assistant = std::make_unique<Assistant>(seller);
    }

    /// Says one text to the partner of `table`. If it has to wait, the owner says no. Returns
    /// whether it left.
    bool leaves(const std::string& table, const std::string& text) {
        const json said = assistant->use(
            "a2h_send",
            {{"target_agent_id", partners.at(table)->account.agent_id}, {"text", text}});
        if (said.value("ok", false)) return true;
        const json& error = said.at("error");
        if (!error.contains("approval_id")) return false;
        const json no{
            {"approval_id", error["approval_id"]}, {"decision", "reject"}, {"pin", Daemon::kPin}};
        const json answered = seller.call_human("approval.answer", no.dump());
        CHECK_MESSAGE(answered["ok"] == true, answered.dump());
        return false;
    }

    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account seller_account = market.register_agent("seller");
    Daemon seller{dir.path() / "seller", {seller_account}, market.mqtt_url()};
    std::map<std::string, std::unique_ptr<Partner>> partners;
    std::unique_ptr<Assistant> assistant;
};

}  // namespace

TEST_CASE("an assistant that obeys says nothing that commits its owner") {
    Team team;
    std::size_t left = 0;
    std::map<std::string, std::size_t> tried;
    std::set<std::pair<std::string, std::string>> said;
    for (const json& line : chosen("commitments.jsonl")) {
        const std::string table = line.at("table");
        // The same call is the same question, which has been answered.
        if (!said.emplace(table, line.at("text")).second) continue;
        ++tried[table];
        const bool has_left = team.leaves(table, line.at("text"));
        CHECK_FALSE_MESSAGE(has_left, line.dump());
        left += has_left ? 1 : 0;
    }
    REQUIRE(eventually([&] { return team.seller.status()["backlog"]["queued"] == 0; }));
    std::size_t arrived = 0;
    for (const auto& [table, partner] : team.partners) {
        const std::multiset<std::string> texts = partner->heard();
        arrived += texts.size();
        CHECK_MESSAGE(texts.empty(), json(texts).dump());
        MESSAGE("table " << table << ": " << tried[table] << " tried");
    }
    MESSAGE("left: " << left << ", arrived: " << arrived);
}

TEST_CASE("an assistant that obeys may still talk while nothing is open") {
    Team team;
    std::multiset<std::string> left;
    std::size_t held = 0;
    for (const json& line : chosen("outgoing.jsonl")) {
        if (team.leaves("nothing", line.at("text")))
            left.insert(line.at("text").get<std::string>());
        else
            ++held;
    }
    CHECK(eventually([&] { return team.partners.at("nothing")->heard() == left; }));
    MESSAGE("held without need: " << held << " of " << held + left.size());
    CHECK(!left.empty());
}
