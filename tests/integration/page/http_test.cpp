// The application over HTTP against a real a2hd, as programs attack it and as browsers use it.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/store/database.h"
#include "core/store/deal_store.h"
#include "daemon/consent/approvals.h"
#include "tests/support/daemon.h"
#include "tests/support/page_session.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using a2h::test::Daemon;
using a2h::test::eventually;
using nlohmann::json;

namespace {

constexpr const char* kAgent = "ag_seller";

platform::Account account() {
    platform::Account account;
    account.api_base = "http://127.0.0.1:9";  // nobody listens there, and nobody needs to
    account.agent_id = kAgent;
    account.keys.agent_key = "test-agent-key";
    return account;
}

struct Browser : test::PageSession {
    json get(const std::string& path) {
        const auto response = send("GET", path);
        REQUIRE_MESSAGE(response.status == 200, response.body);
        return json::parse(response.body)["data"];
    }
    /// `items`: several answers, or the only one.
    json answer(const json& items) {
        const json answers = items.is_array() ? items : json::array({items});
        const auto response = send("POST", "/api/answers", json{{"answers", answers}}.dump());
        REQUIRE_MESSAGE(response.status == 200, response.body);
        return json::parse(response.body)["data"]["results"];
    }
};

struct Scene {
    explicit Scene(const std::string& config = {})
        : daemon(dir.path() / "home", {account()}, "mqtt://127.0.0.1:9", {config, {}, {"anna"}}),
          database(
              store::Database::open(daemon.home() / "a2hd.db", store::Database::Mode::ReadWrite)
                  .value()) {}

    json page_link(const std::string& pin = std::string(Daemon::kPin)) {
        return daemon.call_human("page.link", json{{"pin", pin}}.dump());
    }
    Browser enter(const std::string& person = "human") {
        const bool owner = person == "human";
        return {test::enter_page(daemon, person,
                                 owner ? std::string(Daemon::kPin) : Daemon::pin_of(person))};
    }
    Approval ask(const std::string& id, std::chrono::milliseconds within = std::chrono::hours(1)) {
        consent::Policy policy;
        policy.answer_within = within;
        auto approval = consent::new_approval(question(), policy, SystemClock().now_ms());
        approval.id = id;
        REQUIRE(consent::open_approval(*database, approval, policy, approval.created_at_ms));
        return approval;
    }
    static consent::Ask question() {
        consent::Ask ask;
        ask.agent_id = kAgent;
        ask.peer_id = "ag_buyer";
        ask.action = "reply.send";
        ask.reply_text = "300 is fine";
        ask.question = "Accept 300 CNY?";
        ask.amount_minor = 30'000;
        ask.currency = "CNY";
        ask.requested_by = "rule:counter-offer";
        return ask;
    }
    Approval stored(const std::string& id) { return *store::get_approval(*database, id).value(); }

    test::TempDir dir;
    Daemon daemon;
    std::unique_ptr<store::Database> database;
};

StandingOffer offer_of(std::int64_t minor, std::vector<std::string> conditions) {
    StandingOffer offer;
    offer.terms = {Money{minor, "CNY"}, std::move(conditions)};
    offer.message_id = "msg_1";
    return offer;
}

/// A deal in which each side stands to its own price.
Deal deal_of(const std::string& id, UnixMs updated_at_ms) {
    Deal deal;
    deal.id = id;
    deal.agent_id = kAgent;
    deal.peer_id = "ag_buyer";
    deal.subject = {std::string(kListingSubject), "w_" + id};
    deal.phase = DealPhase::Offered;
    deal.theirs = offer_of(25'000, {"<b>if you drive</b>"});
    deal.ours = offer_of(28'000, {});
    deal.created_at_ms = deal.updated_at_ms = updated_at_ms;
    return deal;
}

json approve(const Approval& approval) {
    return {{"approval_id", approval.id}, {"digest", approval.digest}, {"decision", "approve"}};
}

}  // namespace

TEST_CASE("a link takes the PIN, and five wrong PINs lock it for answers, too") {
    Scene s;
    const Approval approval = s.ask("apr_1");
    CHECK(s.page_link("000000")["error"]["code"] == "PLATFORM_90005");
    CHECK(s.daemon.call_assistant("page.link", json{{"pin", Daemon::kPin}}.dump())["ok"] == false);
    CHECK(s.page_link()["ok"] == true);
    for (int i = 0; i < 5; ++i)
        CHECK(s.page_link("000000")["ok"] == false);
    CHECK(s.page_link()["error"]["code"] == "PLATFORM_401");
    CHECK(s.daemon.call_human(
              "approval.answer",
              json{{"approval_id", approval.id}, {"decision", "approve"}, {"pin", Daemon::kPin}}
                  .dump())["ok"] == false);
    CHECK(s.stored("apr_1").status == ApprovalStatus::Pending);
}

TEST_CASE("no link, cookie or key is in the log or the database") {
    Scene s;
    const json made = s.page_link();
    const std::string link = made["data"]["url"];
    const Browser browser = s.enter();
    const std::string log = s.daemon.log();
    const auto dumped =
        test::run({"sh", "-c", "cat \"$1\"*", "sh", (s.daemon.home() / "a2hd.db").string()});
    for (const std::string& secret : {link.substr(link.find("t=") + 2), browser.key,
                                      browser.cookie.substr(browser.cookie.find('=') + 1)}) {
        REQUIRE(secret.size() > 40);
        CHECK(log.find(secret) == std::string::npos);
        CHECK(dumped.out.find(secret) == std::string::npos);
    }
}

TEST_CASE("a session does not outlive the daemon") {
    Scene s;
    Browser browser = s.enter();
    CHECK(browser.send("GET", "/").status == 200);
    s.daemon.stop();
    s.daemon.start();
    browser.url = s.daemon.status()["web"]["url"];  // the port is a new one
    CHECK(browser.send("GET", "/").status == 401);
    CHECK(browser.send("GET", "/api/approvals").status == 401);
}

TEST_CASE("a yes on the page releases the text, edits included, and says who gave it") {
    Scene s;
    const Approval approval = s.ask("apr_1");
    Browser browser = s.enter();
    json item = approve(approval);
    item["text"] = "310 is fine";
    const json result = browser.answer({item})[0];
    REQUIRE_MESSAGE(result["ok"] == true, result.dump());
    CHECK(result["approval"]["status"] == "approved");
    CHECK(result["approval"]["text"] == "310 is fine");
    CHECK(result["approval"]["digest"] != approval.digest);
    CHECK(result["approval"]["answered_by"] == "human");
    CHECK(result["approval"]["surface"] == "page");

    const json shown = browser.get("/api/approvals/apr_1");
    const auto edited = std::find_if(shown["audit"].begin(), shown["audit"].end(),
                                     [](const json& row) { return row["what"] == "edited"; });
    REQUIRE(edited != shown["audit"].end());
    CHECK((*edited)["detail"]["text_before"] == "300 is fine");
    const json history = browser.get("/api/messages?agent=ag_seller&peer=ag_buyer");
    CHECK(history["messages"][0]["text"] == "310 is fine");
    CHECK(browser.get("/api/history")["approvals"][0]["id"] == "apr_1");
    CHECK(browser.get("/api/approvals")["open"] == 0);
}

TEST_CASE("a second answer learns who gave the first, when and what") {
    Scene s;
    const Approval approval = s.ask("apr_1");
    Browser browser = s.enter();
    REQUIRE(s.daemon.call_human(
                "approval.answer",
                json{{"approval_id", "apr_1"}, {"decision", "reject"}, {"pin", Daemon::kPin}}
                    .dump())["ok"] == true);
    const json late = browser.answer({approve(approval)})[0];
    CHECK(late["ok"] == false);
    CHECK(late["code"] == "conflict");
    CHECK(late["approval"]["status"] == "rejected");
    CHECK(late["approval"]["surface"] == "terminal");
    CHECK(late["approval"]["answered_by"] == "human");
    CHECK(late["approval"]["answered_at_ms"] > 0);
}

TEST_CASE("a question that has changed since it was shown, or has expired, is not approved") {
    Scene s;
    Approval approval = s.ask("apr_1");
    Browser browser = s.enter();
    json item = approve(approval);
    item["digest"] = std::string(64, '0');
    CHECK(browser.answer({item})[0]["code"] == "conflict");
    CHECK(s.stored("apr_1").status == ApprovalStatus::Pending);

    const Approval late = s.ask("apr_2", std::chrono::milliseconds(1));
    CHECK(browser.answer({approve(late)})[0]["code"] == "conflict");
    CHECK(s.stored("apr_2").outcome == ApprovalOutcome::None);
}

TEST_CASE("exactly one of a hundred parallel answers counts") {
    Scene s;
    const Approval approval = s.ask("apr_1");
    Browser browser = s.enter();
    std::vector<std::future<int>> clicks;
    for (int i = 0; i < 20; ++i) {
        clicks.push_back(std::async(std::launch::async, [&browser, &approval] {
            Browser mine{{browser.url, browser.cookie, browser.key}};
            json reject = approve(approval);
            reject["decision"] = "reject";
            int counted = 0;
            const json both{approve(approval), reject, approve(approval), reject,
                            approve(approval)};
            for (const json& result : mine.answer(both))
                counted += result["ok"] == true ? 1 : 0;
            return counted;
        }));
    }
    int counted = 0;
    for (auto& click : clicks)
        counted += click.get();
    CHECK(counted == 1);
    CHECK(browser.get("/api/messages?agent=ag_seller&peer=ag_buyer")["messages"].size() <= 1);
}

TEST_CASE("five questions are answered together, each by its own row") {
    Scene s;
    json items = json::array();
    for (int i = 0; i < 5; ++i)
        items.push_back(approve(s.ask("apr_" + std::to_string(i))));
    Browser browser = s.enter();
    for (const json& result : browser.answer(items))
        CHECK(result["ok"] == true);
    for (int i = 0; i < 5; ++i)
        CHECK(s.stored("apr_" + std::to_string(i)).outcome == ApprovalOutcome::Executed);
}

TEST_CASE("a program that guesses gets no access") {
    Scene s;
    const Approval approval = s.ask("apr_1");
    Browser browser = s.enter();
    const std::string body = json{{"answers", {approve(approval)}}}.dump();
    Browser guest{{browser.url, {}, {}}};
    CHECK(guest.send("POST", "/api/answers", body).status == 401);
    CHECK(guest.send("GET", "/api/approvals").status == 401);
    guest.cookie = browser.cookie.substr(0, browser.cookie.find('=')) + "=" + std::string(43, 'A');
    CHECK(guest.send("GET", "/api/approvals").status == 401);
    // The cookie alone, as another program on another port of this machine gets it, reads.
    guest.cookie = browser.cookie;
    CHECK(guest.send("GET", "/api/approvals").status == 200);
    CHECK(guest.send("POST", "/api/answers", body).status == 403);
    CHECK(guest.send("GET", "/api/session").body.find(browser.key) == std::string::npos);
    CHECK(guest.send("POST", "/enter", "t=" + std::string(43, 'A')).status == 410);
    CHECK(s.stored("apr_1").status == ApprovalStatus::Pending);
}

TEST_CASE("a link is for a person of the configuration, whose language the session has") {
    Scene s(
        "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n"
        "[[person]]\nname = \"human\"\n[[person]]\nname = \"anna\"\nlanguage = \"zh\"\n");
    const json made =
        s.daemon.call_human("page.link", json{{"pin", Daemon::kPin}, {"person", "nobody"}}.dump());
    CHECK(made["ok"] == false);
    CHECK(made["error"]["message"].get<std::string>().find("nobody") != std::string::npos);
    CHECK(s.enter("anna").get("/api/session")["language"] == "zh");
    CHECK(s.enter().get("/api/session")["language"] == "en");
    CHECK(s.enter("anna").get("/api/session")["person"] == "anna");
}

TEST_CASE("one yes of two is a vote, whose giver alone may take it back") {
    Scene s(
        "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n"
        "[[person]]\nname = \"human\"\n[[person]]\nname = \"anna\"\n");
    consent::Policy policy;
    policy.rules = {{"", 0, "", 2, {"human", "anna"}}};
    auto approval = consent::new_approval(Scene::question(), policy, SystemClock().now_ms());
    REQUIRE(consent::open_approval(*s.database, approval, policy, approval.created_at_ms));
    Browser human = s.enter();
    Browser anna = s.enter("anna");
    json withdraw = approve(approval);
    withdraw["decision"] = "withdraw";
    CHECK(human.answer({approve(approval)})[0]["votes"] == json{"human"});
    CHECK(human.answer({approve(approval)})[0]["code"] == "conflict");
    CHECK(anna.answer({withdraw})[0]["code"] == "not_found");
    CHECK(human.answer({withdraw})[0]["ok"] == true);
    CHECK(anna.answer({approve(approval)})[0]["votes"] == json{"anna"});
    CHECK(s.stored(approval.id).status == ApprovalStatus::Pending);
    CHECK(human.answer({approve(approval)})[0]["approval"]["status"] == "approved");
    CHECK(anna.answer({withdraw})[0]["code"] == "conflict");
    CHECK(s.stored(approval.id).answered_by == "anna, human");
}

TEST_CASE("sessions are not offered over an unencrypted network") {
    Scene s("language = \"en\"\n[web]\nlisten = \"0.0.0.0:0\"\n[notify]\nchannels = []\n");
    const json made = s.page_link();
    CHECK(made["ok"] == false);
    CHECK(made["error"]["message"].get<std::string>().find("public_url") != std::string::npos);
    Scene behind(
        "language = \"zh\"\n[web]\nlisten = \"0.0.0.0:0\"\n"
        "public_url = \"https://a2h.example/\"\n[notify]\nchannels = []\n");
    const std::string link = behind.page_link()["data"]["url"];
    CHECK(link.starts_with("https://a2h.example/enter?t="));
}

TEST_CASE("ten thousand open approvals are listed page by page, each once") {
    Scene s;
    constexpr int kOpen = 10'000;
    REQUIRE(s.database->begin());
    for (int i = 0; i < kOpen; ++i) {
        auto approval = consent::new_approval(Scene::question(), {}, SystemClock().now_ms() + i);
        REQUIRE(store::insert_approval(*s.database, approval));
    }
    REQUIRE(s.database->commit());
    Browser browser = s.enter();
    CHECK(browser.get("/api/approvals")["approvals"].size() == 50);
    CHECK(browser.get("/api/approvals?peer=ag_nobody")["approvals"].empty());
    std::set<std::string> seen;
    std::string cursor;
    for (bool more = true; more;) {
        const json page = browser.get("/api/approvals?limit=100&cursor=" + cursor);
        for (const json& approval : page["approvals"])
            CHECK(seen.insert(approval["id"]).second);
        cursor = page["cursor"];
        more = page["more"];
    }
    CHECK(seen.size() == kOpen);
}

TEST_CASE("the page reads deals newest first, with what is asked about their peers") {
    Scene s;
    const UnixMs now = SystemClock().now_ms();
    Deal ended = deal_of("deal_ended", now - 1000);
    ended.phase = ended.ended = DealPhase::Declined;
    ended.theirs = ended.ours = std::nullopt;
    for (const Deal& deal : {deal_of("deal_old", now - 3000), deal_of("deal_new", now), ended})
        REQUIRE(store::insert_deal(*s.database, deal));
    s.ask("apr_1");
    Browser browser = s.enter();
    const std::string address = std::string("/api/deals?agent=") + kAgent;
    const json live = browser.get(address);
    REQUIRE(live["items"].size() == 2);
    CHECK(live["items"][0]["deal_id"] == "deal_new");
    CHECK(live["items"][0]["agent_id"] == kAgent);
    CHECK(live["items"][0]["their_offer"]["price"] == "250.00 CNY");
    CHECK(live["items"][0]["our_offer"]["price"] == "280.00 CNY");
    CHECK(live["items"][0]["approval_ids"] == json::array({"apr_1"}));
    CHECK(browser.get(address + "&all=1")["items"].size() == 3);
    const json second = browser.get(address + "&limit=1&page=2");
    CHECK(second["items"][0]["deal_id"] == "deal_old");
    CHECK(second["more"] == false);
    const json one = browser.get("/api/deals/deal_old");
    CHECK(one["deal"]["their_offer"]["conditions"][0] == "<b>if you drive</b>");
    CHECK(one["deal"]["approval_ids"] == json::array({"apr_1"}));
    CHECK(one["messages"] == json::array());
    CHECK(browser.send("GET", "/api/deals/deal_none").status == 404);
}

TEST_CASE("deals are for a session only") {
    Scene s;
    REQUIRE(store::insert_deal(*s.database, deal_of("deal_1", SystemClock().now_ms())));
    Browser browser = s.enter();
    browser.cookie = "";
    CHECK(browser.send("GET", std::string("/api/deals?agent=") + kAgent).status == 401);
    CHECK(browser.send("GET", "/api/deals/deal_1").status == 401);
}
