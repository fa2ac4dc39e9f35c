#include <doctest/doctest.h>

#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tests/integration/daemon/has.h"
#include "tests/integration/hostile/peer.h"
#include "tests/support/broker.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr std::string_view kPending = R"({"status":"pending"})";

/// A seller with one listing, at a broker that lets everybody in.
struct Open {
    TempDir dir;
    Market market{dir.path() / "market"};
    Broker broker{dir.path() / "broker"};
    platform::Account account = market.register_agent("seller");
    Daemon seller{dir.path() / "seller", {account}, broker.uri()};

    Open() {
        REQUIRE(seller.connected());
        const json asked = seller.call_assistant(
            "works.publish", json{{"type", 3},
                                  {"title", "Portrait photo session"},
                                  {"content", "One hour in the studio, ten edited pictures."},
                                  {"expected_price", "280 CNY"},
                                  {"service_method", "offline"},
                                  {"service_location", "Hangzhou"}}
                                 .dump());
        REQUIRE(answer(asked["error"]["approval_id"], "approve")["ok"] == true);
        REQUIRE(eventually(
            [&] { return !seller.call_assistant("works.list")["data"]["items"].empty(); }));
    }

    json answer(const std::string& id, const std::string& decision) {
        return seller.call_human(
            "approval.answer",
            json{{"approval_id", id}, {"decision", decision}, {"pin", Daemon::kPin}}.dump());
    }
    json pending() { return seller.call_human("approval.list", kPending)["data"]["approvals"]; }
    json approval(const std::string& id) {
        return seller.call_human("approval.list",
                                 json{{"approval_id", id}}.dump())["data"]["approvals"][0];
    }
    bool no_work_left() {
        return eventually([&] {
            const json backlog = seller.status()["backlog"];
            return backlog["undecided"] == 0 && backlog["queued"] == 0;
        });
    }
};

/// A program with keys of its own that says to the seller whatever it likes.
struct Stranger {
    explicit Stranger(Open& open) : s(open) {}

    void says(const std::string& text, const std::string& payload = "") {
        const auto before = s.seller.status()["counts"]["received"].get<std::int64_t>();
        peer.publish(s.account.agent_id,
                     signed_message(account, s.account.agent_id,
                                    {.text = text, .message_id = {}, .payload_json = payload}));
        REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == before + 1; }));
        REQUIRE(s.no_work_left());
    }
    int agreed() const {
        int count = 0;
        for (const std::string& text : peer.heard())
            count += text.find("Agreed") != std::string::npos ? 1 : 0;
        return count;
    }

    Open& s;
    platform::Account account = s.market.register_agent("stranger");
    Peer peer{account, s.broker.uri()};
};

struct Withdrawal {
    const char* text;
    const char* payload = "";
};

constexpr Withdrawal kWithdrawals[] = {
    {"Thanks, all sorted"},
    {"found somebody else"},
    {"forget it"},
    {"my boss says it is off"},
    {"we went with another studio"},
    {"That ship has sailed"},
    {"please disregard what I wrote"},
    {"changed my mind"},
    {"Scratch that"},
    {"The budget is gone"},
    {"Got one already, cheers"},
    {"nvm"},
    {"算啦"},
    {"我已经找到别家了"},
    {"预算没有了"},
    {"当我没说"},
    {"不好意思，老板不同意"},
    {"Danke, hat sich erledigt"},
    {"Vergiss es"},
    {"Wir haben schon jemanden"},
    {"Ich ziehe mein Angebot zurück"},
    {"Gracias, ya no hace falta"},
    {"Olvídalo"},
    {"Ya encontré a otra persona"},
    {"🙅"},
    {"❌"},
    {"👋"},
    {"🚫💸"},
    {"", R"({"type":"x.retract","offer":"250"})"},
    {"", R"({"type":"offer.cancelled"})"},
    {"", R"({"type":"text","text":"Thank you!","note":"no longer valid"})"},
    {"", R"({"state":"void"})"},
};

}  // namespace

TEST_CASE(
    "R45: an answer to a peer's older offer sends nothing, whatever the peer writes after it") {
    constexpr int kRoundsOfOne = 8;  // so that no limit of a peer is reached
    Open s;
    std::optional<Stranger> stranger;
    int round = 0;
    int named = 0;
    for (const Withdrawal& words : kWithdrawals) {
        const std::string shown = *words.text != '\0' ? words.text : words.payload;
        CAPTURE(shown);
        if (round++ % kRoundsOfOne == 0) stranger.emplace(s);
        stranger->says("Would you take " + std::to_string(200 + round) + " CNY?");
        json open = s.pending();
        REQUIRE_MESSAGE(open.size() == 1, open.dump(1));
        const std::string old_id = open[0]["approval_id"];
        REQUIRE(has(open[0]["reply_text"], "Agreed"));
        stranger->says(words.text, words.payload);

        const json late = s.answer(old_id, "approve");
        CAPTURE(late.dump());
        CHECK(late["ok"] == false);
        CHECK(has(late, "changed meanwhile"));
        open = s.pending();
        for (const json& question : open) {
            const std::string id = question["approval_id"];
            CHECK(id != old_id);
            CHECK(has(late, id));
            // Either what was written is asked about, or it stands beside what was asked.
            const bool can_agree = has(question["reply_text"], "Agreed");
            const bool is_beside = has(question["covers"], "Said by them and still open");
            CHECK((is_beside || !can_agree));
            named += can_agree ? 1 : 0;
            s.answer(id, "reject");
        }
        REQUIRE(s.no_work_left());
        CHECK(stranger->agreed() == 0);
    }
    CHECK(std::size(kWithdrawals) >= 30);
    CHECK(named > 0);
}

TEST_CASE("R45: the renewed question shows what was written, and its yes sends once") {
    Open s;
    Stranger stranger(s);
    stranger.says("Would you take 250 CNY?");
    const json first = s.pending().at(0);
    const std::string old_id = first["approval_id"];
    stranger.says("Thanks, all sorted");
    stranger.says("", R"({"state":"sold to somebody else"})");
    const json open = s.pending();
    REQUIRE_MESSAGE(open.size() == 1, open.dump(1));
    const std::string id = open[0]["approval_id"];
    CHECK(has(open[0]["reply_text"], "Agreed: 250.00 CNY"));
    CHECK(s.approval(old_id)["closed_by"] == "renewed");
    const json between = s.approval(s.approval(old_id)["next_approval_id"]);
    CHECK(between["closed_by"] == "renewed");
    CHECK(between["next_approval_id"] == id);
    for (const char* said : {"Thanks, all sorted", "sold to somebody else"}) {
        CHECK(has(open[0]["covers"], said));
        CHECK(has(open[0]["written_since"], said));
    }
    const json many = s.seller.call_human(
        "approval.answer_many",
        json{{"answers", json::array({{{"approval_id", old_id}, {"digest", first["digest"]}}})},
             {"decision", "approve"},
             {"pin", Daemon::kPin}}
            .dump());
    CHECK(many["ok"] == false);
    CHECK(has(many, id));
    CHECK(stranger.agreed() == 0);
    const std::string wait = json{{"approval_id", old_id}}.dump();
    const json told = s.seller.call_assistant("approval.wait", wait)["data"];
    CHECK(told["approval"]["next_approval_id"] == between["approval_id"]);
    REQUIRE(s.answer(id, "approve")["ok"] == true);
    CHECK(eventually([&] { return stranger.agreed() == 1; }));
    CHECK(s.answer(id, "approve")["ok"] == false);
    CHECK(s.answer(old_id, "approve")["ok"] == false);
    REQUIRE(s.no_work_left());
    CHECK(stranger.agreed() == 1);
    const json stats = s.seller.call_human("approval.stats")["data"];
    CHECK(stats["expired"] == 0);
    CHECK(stats["closed"] == 2);
}
