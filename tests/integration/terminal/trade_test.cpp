// People who trade at the terminal alone, each beside a real a2hd.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/integration/daemon/scene.h"
#include "tests/support/terminal.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

const std::string kRightPin = std::string(Daemon::kPin) + "\n";

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

struct People : Scene {
    std::string seller_id = seller_account.agent_id;

    /// The command with the owner's PIN; what it prints as JSON.
    static json done(const Daemon& daemon, std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--pin-stdin", "--json"});
        const Ran ran = daemon.a2h(arguments, kRightPin);
        const json envelope = json::parse(ran.out, nullptr, false);
        REQUIRE_MESSAGE(envelope.is_object(), (ran.out + ran.err));
        REQUIRE_MESSAGE(ran.status == 0, envelope.dump());
        CHECK(envelope["ok"] == true);
        return envelope["data"];
    }
    /// The same once a newer message of the peer no longer delays the yes (R45).
    static json done_at_last(const Daemon& daemon, std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--pin-stdin", "--json"});
        json last;
        REQUIRE_MESSAGE(eventually([&] {
                            last =
                                json::parse(daemon.a2h(arguments, kRightPin).out, nullptr, false);
                            return last.is_object() && last["ok"] == true;
                        }),
                        last.dump());
        return last["data"];
    }
    static json read(const Daemon& daemon, std::vector<std::string> arguments) {
        arguments.emplace_back("--json");
        const Ran ran = daemon.a2h(arguments);
        const json envelope = json::parse(ran.out, nullptr, false);
        REQUIRE_MESSAGE(envelope.is_object(), (ran.out + ran.err));
        return envelope;
    }
    /// The only deal, as soon as it is in `phase`.
    static std::string deal_in(const Daemon& daemon, const std::string& phase) {
        std::string id;
        json deals;
        REQUIRE_MESSAGE(eventually([&] {
                            deals = read(daemon, {"deals", "--all"})["data"]["items"];
                            if (deals.size() != 1 || deals[0]["phase"] != phase) return false;
                            id = deals[0]["deal_id"];
                            return true;
                        }),
                        deals.dump());
        return id;
    }
    static std::vector<std::string> album() {
        return {"publish",
                "--title",
                "Wedding album",
                "--content",
                "A wedding album of 40 pages, printed in 10 days.",
                "--price",
                "900"};
    }
    static std::size_t open_questions(const Daemon& daemon) {
        return read(daemon, {"approvals"})["data"]["approvals"].size();
    }
    static bool has_listing(const Daemon& daemon) {
        return !read(daemon, {"works"})["data"]["items"].empty();
    }
    static RanOnTerminal at_terminal(const Daemon& daemon, std::vector<std::string> arguments,
                                     const std::string& typed) {
        arguments.insert(arguments.begin(), A2H_BIN_DIR "/a2h");
        return run_on_terminal(std::move(arguments),
                               {{"A2H_HOME", daemon.home().string()}, {"LC_ALL", "C"}},
                               {{"PIN:", typed}});
    }
};

/// No line is longer than a narrow terminal.
void check_narrow(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        CHECK_MESSAGE(line.size() <= 60, line);
}

}  // namespace

TEST_CASE("two people trade at their terminals from the search to the completed order") {
    People t;
    const std::string listing = t.done(t.seller, t.album())["result"]["worksId"];
    const std::string own = t.seller.a2h({"works"}).out;
    CHECK_MESSAGE(has(own, listing), own);

    std::string found;
    REQUIRE_MESSAGE(eventually([&] {
                        found = t.buyer.a2h({"search", "wedding", "album"}).out;
                        return has(found, listing);
                    }),
                    found);
    for (const std::string& part :
         {std::string("Wedding album"), std::string("900.00 CNY"), t.seller_id})
        CHECK_MESSAGE(has(found, part), found);
    CHECK(has(t.buyer.a2h({"works", listing}).out, "printed in 10 days"));
    CHECK(has(t.buyer.a2h({"search", "helicopter"}).out, "Nothing was found"));

    t.done(t.buyer, {"offer", t.seller_id, "850.50", "CNY", "--works-id", listing});
    const std::string deal = t.deal_in(t.seller, "offered");
    std::string seen = t.seller.a2h({"deal", deal}).out;
    CHECK_MESSAGE(has(seen, "They offer: 850.50 CNY"), seen);
    CHECK_MESSAGE(has(seen, "a2h accept " + deal), seen);
    t.done_at_last(t.seller, {"accept", deal});
    t.deal_in(t.buyer, "agreed");
    seen = t.seller.a2h({"deal", deal}).out;
    CHECK_MESSAGE(has(seen, "a2h order " + deal + " create"), seen);
    CHECK_FALSE(has(seen, "a2h accept"));

    const std::string order =
        t.done_at_last(t.seller, {"order", deal, "create"})["result"]["orderId"];
    std::string shown = t.buyer.a2h({"orders"}).out;
    CHECK_MESSAGE(has(shown, order), shown);
    CHECK_MESSAGE(has(shown, "you buy, 850.50 CNY, waits for the buyer's confirmation"), shown);
    check_narrow(shown);
    shown = t.buyer.a2h({"order", order}).out;
    for (const std::string step : {"confirm", "reject"})
        CHECK_MESSAGE(has(shown, "a2h order " + order + " " + step), shown);
    CHECK_MESSAGE(has(shown, "printed in 10 days"), shown);
    check_narrow(shown);

    t.done_at_last(t.buyer, {"order", order, "confirm"});
    t.done_at_last(t.seller, {"order", order, "received"});
    t.done_at_last(t.buyer, {"order", order, "completed"});
    CHECK(t.read(t.seller, {"order", order})["data"]["status"] == "COMPLETED");
    CHECK(t.read(t.buyer, {"orders"})["data"]["items"][0]["status"] == "COMPLETED");
    t.deal_in(t.seller, "done");
}

TEST_CASE("a wrong PIN, no PIN and no terminal each leave one question open and do nothing") {
    People t;
    auto with_pin = t.album();
    with_pin.emplace_back("--pin-stdin");

    const Ran wrong = t.seller.a2h(with_pin, "000000\n");
    CHECK(wrong.status == 1);
    CHECK_MESSAGE(has(wrong.err, "Wedding album"), wrong.err);
    CHECK_MESSAGE(has(wrong.err, "Check the PIN"), wrong.err);
    CHECK_MESSAGE(has(wrong.err, "stays open: a2h approve apr_"), wrong.err);

    const Ran none = t.seller.a2h(with_pin, "\n");
    CHECK(none.status == 1);
    CHECK_MESSAGE(has(none.err, "no PIN was entered"), none.err);
    CHECK_MESSAGE(has(none.err, "stays open: a2h approve apr_"), none.err);

    auto as_json = with_pin;
    as_json.emplace_back("--json");
    const json refused = json::parse(t.seller.a2h(as_json, "000000\n").out);
    CHECK(refused["ok"] == false);
    CHECK(refused["action"] == "works.publish");
    CHECK(refused["error"]["code"] == "PLATFORM_90005");
    CHECK(refused["error"]["approval_id"].get<std::string>().starts_with("apr_"));

    const Ran unasked = t.seller.a2h(t.album());
    CHECK(unasked.status == 1);
    CHECK_MESSAGE(has(unasked.err, "It waits for your approval: a2h approve apr_"), unasked.err);
    auto later = with_pin;
    later.emplace_back("--no-wait");
    CHECK(t.seller.a2h(later, kRightPin).status == 1);

    CHECK(t.open_questions(t.seller) == 1);
    CHECK_FALSE(t.has_listing(t.seller));
    const Ran right = t.seller.a2h(with_pin, kRightPin);
    CHECK_MESSAGE(right.status == 0, right.err);
    CHECK_MESSAGE(has(right.out, "approved, carried out"), right.out);
    CHECK_MESSAGE(has(right.out, "Listing: "), right.out);
    CHECK(t.has_listing(t.seller));
    CHECK(t.open_questions(t.seller) == 0);
}

TEST_CASE(
    "a terminal asks for the PIN below the card, and Ctrl-C or an empty PIN answers nothing") {
    People t;
    const auto stopped = t.at_terminal(t.seller, t.album(), "\x03");
    CHECK(stopped.status != 0);
    CHECK_MESSAGE(has(stopped.shown, "the question stays open"), stopped.shown);
    const auto empty = t.at_terminal(t.seller, t.album(), "\n");
    CHECK(empty.status == 1);
    CHECK_MESSAGE(has(empty.shown, "stays open: a2h approve apr_"), empty.shown);
    CHECK(t.open_questions(t.seller) == 1);
    CHECK_FALSE(t.has_listing(t.seller));

    const auto done = t.at_terminal(t.seller, t.album(), kRightPin);
    CHECK_MESSAGE(done.status == 0, done.shown);
    CHECK(done.shown.find("Wedding album") < done.shown.find("PIN:"));
    CHECK_MESSAGE(has(done.shown, "approved, carried out"), done.shown);
    CHECK_FALSE(has(done.shown, std::string(Daemon::kPin)));
    CHECK(t.has_listing(t.seller));
}

TEST_CASE("a message that commits its owner is sent by the command that asks for the PIN") {
    People t;
    const std::string text = "I take it for 900 CNY.";
    const Ran unasked = t.buyer.a2h({"send", t.seller_id, text});
    CHECK(unasked.status == 1);
    CHECK_MESSAGE(has(unasked.err, "It waits for your approval: a2h approve apr_"), unasked.err);
    const json sent = t.done(t.buyer, {"send", t.seller_id, text});
    CHECK(sent["outcome"] == "executed");
    CHECK(t.open_questions(t.buyer) == 0);
    CHECK(eventually([&] {
        const json seen = t.read(t.seller, {"inbox", t.buyer_account.agent_id})["data"]["items"];
        return seen.size() == 1 && seen[0]["text"] == text;
    }));
    const Ran greeting = t.buyer.a2h({"send", t.seller_id, "Hello!"});
    CHECK_MESSAGE(greeting.status == 0, greeting.err);
}

TEST_CASE("an offer is answered only while it stands, and a declined one is over on both sides") {
    People t;
    const std::string listing = t.done(t.seller, t.album())["result"]["worksId"];
    t.done(t.buyer, {"offer", t.seller_id, "500", "CNY", "--works-id", listing});
    const std::string deal = t.deal_in(t.seller, "offered");
    const Ran early = t.seller.a2h({"order", deal, "create", "--pin-stdin"}, kRightPin);
    CHECK(early.status == 1);
    CHECK_MESSAGE(has(early.err, "nothing is agreed"), early.err);

    const std::string buyers = t.deal_in(t.buyer, "offered");
    const Ran own = t.buyer.a2h({"accept", buyers, "--pin-stdin"}, kRightPin);
    CHECK(own.status == 1);
    CHECK_MESSAGE(has(own.err, "stands to no offer"), own.err);
    CHECK_MESSAGE(has(own.err, "a2h deal " + buyers), own.err);

    t.done_at_last(t.seller, {"decline", deal});
    REQUIRE(eventually([&] {
        return t.read(t.buyer, {"deals", "--all"})["data"]["items"][0]["phase"] == "declined";
    }));
    CHECK(t.seller.a2h({"accept", deal, "--pin-stdin"}, kRightPin).status == 1);
}

TEST_CASE("a step that the other side has made pointless while the PIN was typed is not taken") {
    People t;
    const std::string listing = t.done(t.seller, t.album())["result"]["worksId"];
    t.done(t.buyer, {"offer", t.seller_id, "500", "CNY", "--works-id", listing});
    const std::string deal = t.deal_in(t.seller, "offered");
    t.done_at_last(t.seller, {"accept", deal});
    const std::string order =
        t.done_at_last(t.seller, {"order", deal, "create"})["result"]["orderId"];

    Process asking({.argv = {A2H_BIN_DIR "/a2h", "order", order, "confirm", "--pin-stdin"},
                    .environment = {{"A2H_HOME", t.buyer.home().string()}, {"LC_ALL", "C"}},
                    .stdout_file = {},
                    .stderr_file = t.dir.path() / "asked",
                    .pipe_stdin = true});
    // Not the question about the seller's acceptance, which the order's news close.
    REQUIRE(
        eventually([&] { return has(t.read(t.buyer, {"approvals"}).dump(), "\"order.action\""); }));
    t.done_at_last(t.seller, {"order", order, "cancel"});
    REQUIRE(eventually([&] { return t.open_questions(t.buyer) == 0; }));
    asking.write(kRightPin);
    CHECK(asking.wait(std::chrono::seconds(20)) == 1);
    std::ostringstream asked;
    asked << std::ifstream(t.dir.path() / "asked").rdbuf();
    CHECK_MESSAGE(has(asked.str(), "Wedding album"), asked.str());
    CHECK_FALSE_MESSAGE(has(asked.str(), "stays open"), asked.str());
    CHECK(t.read(t.buyer, {"order", order})["data"]["status"] == "CANCELLED");
}
