#include "daemon/web/site.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/store/database.h"
#include "core/store/inbox_store.h"
#include "daemon/approvals/approvals.h"
#include "daemon/mandates/mandates.h"
#include "daemon/web/assets.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;
using std::chrono::hours;
using std::chrono::minutes;
using web::Sessions;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;
const std::string kUrl = "http://127.0.0.1:7842";

using Headers = std::map<std::string, std::string>;

std::string header(const http::Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
        if (key == name) return value;
    }
    return {};
}

Approval question(const std::string& id) {
    approvals::Ask ask;
    ask.agent_id = "ag_seller";
    ask.peer_id = "ag_buyer";
    ask.action = "reply.send";
    ask.reply_text = "300 is fine";
    ask.question = "Accept 300 CNY?";
    ask.amount_minor = 30'000;
    ask.currency = "CNY";
    ask.options = {"approve", "say 400"};
    ask.provenance = "verified";
    ask.requested_by = "rule:counter-offer";
    Approval approval = approvals::new_approval(ask, {}, kNow);
    approval.id = id;
    return approval;
}

/// The site over a database of its own, with everything that answers recorded.
struct Place {
    explicit Place(web::SiteOptions options = {kUrl, {"127.0.0.1:7842"}, false}) {
        database =
            store::Database::open(dir.path() / "db", store::Database::Mode::ReadWrite).value();
        data = web::PageData::open(dir.path() / "db").value();
        site =
            std::make_unique<web::Site>(options, clock, web::Api(backend(), clock),
                                        [](std::string_view) { return i18n::Language::English; });
    }

    web::Api::Backend backend() {
        return {.data = *data,
                .answer =
                    [this](const std::vector<approvals::Answer>& handed_in) {
                        std::vector<Result<approvals::Answered>> results;
                        for (const auto& answer : handed_in) {
                            answers.push_back(answer);
                            if (refusal) {
                                results.emplace_back(fail(*refusal));
                            } else {
                                approvals::Answered answered;
                                answered.approval = question(answer.approval_id);
                                answered.approval.status = ApprovalStatus::Approved;
                                results.emplace_back(answered);
                            }
                        }
                        return results;
                    },
                .link_token =
                    [](const Approval& approval, std::string_view person) {
                        return approval.id + "/" + std::string(person);
                    },
                .can_learn = [](const Approval& approval) { return approval.id == "apr_fact"; },
                .learn = [this](const std::string& person, const Approval& approval,
                                const std::string& text) -> Result<std::string> {
                    learned.push_back(person + " " + approval.id + " " + text);
                    return std::string(R"({"ok":true,"data":{}})");
                },
                .revoke = [this](const std::string& person, const std::string& agent_id,
                                 const std::string& mandate_id) -> Result<int> {
                    revoked.push_back(person + " " + agent_id + " " + mandate_id);
                    return 1;
                },
                .call = [](std::string_view action, const std::string&) -> Result<std::string> {
                    return R"({"ok":true,"data":{"action":")" + std::string(action) +
                           R"(","agents":[{"agent_id":"ag_seller"}]}})";
                }};
    }

    http::Response ask(const std::string& method, const std::string& target,
                       const Headers& headers = {}, const std::string& body = {}) {
        http::Request request;
        request.method = method;
        request.path = target.substr(0, target.find('?'));
        if (target.find('?') != std::string::npos) {
            request.query = *http::parse_form(target.substr(target.find('?') + 1));
        }
        request.headers = {{"host", "127.0.0.1:7842"}};
        for (const auto& [name, value] : headers) {
            std::erase_if(request.headers, [&](const auto& pair) { return pair.first == name; });
            request.headers.emplace_back(name, value);
        }
        request.body = body;
        return site->serve(request);
    }

    /// Opens a session for `person` and keeps its cookie and key.
    void enter(const std::string& person = "human") {
        const std::string link = site->make_link(person);
        const std::string token = link.substr(link.find("?t=") + 3);
        const auto entered = ask("POST", "/enter", {}, "t=" + token);
        REQUIRE(entered.status == 303);
        cookie = header(entered, "Set-Cookie");
        cookie = cookie.substr(0, cookie.find(';'));
        const std::string location = header(entered, "Location");
        key = location.substr(location.find("#key=") + 5);
    }
    Headers own() const { return {{"cookie", cookie}, {"x-a2h-key", key}, {"origin", kUrl}}; }
    json get(const std::string& target) {
        const auto response = ask("GET", target, own());
        CHECK_MESSAGE(response.status == 200, response.body);
        return json::parse(response.body).value("data", json());
    }
    http::Response answer(const json& items) {
        return ask("POST", "/api/answers", own(), json{{"answers", items}}.dump());
    }
    /// `items`: several answers, or the only one.
    json results(const json& items) {
        const auto response = answer(items.is_array() ? items : json::array({items}));
        CHECK_MESSAGE(response.status == 200, response.body);
        return json::parse(response.body)["data"]["results"];
    }

    test::TempDir dir;
    ManualClock clock{kNow};
    std::unique_ptr<store::Database> database;
    std::unique_ptr<web::PageData> data;
    std::unique_ptr<web::Site> site;
    std::vector<approvals::Answer> answers;
    std::vector<std::string> learned;
    std::vector<std::string> revoked;
    std::optional<Error> refusal;
    std::string cookie;
    std::string key;
};

json approve(const Approval& approval) {
    return {{"approval_id", approval.id}, {"digest", approval.digest}, {"decision", "approve"}};
}

}  // namespace

TEST_CASE("a link opens one session, for its person, within five minutes") {
    ManualClock clock(kNow);
    Sessions sessions(clock);
    const std::string token = sessions.make_link("wang");
    CHECK(sessions.is_open(token));
    const auto opened = sessions.open(token);
    REQUIRE(opened);
    CHECK(opened->person == "wang");
    CHECK(sessions.person_of(opened->id) == "wang");
    CHECK_FALSE(sessions.is_open(token));
    CHECK(sessions.open(token).error().code == ErrorCode::Conflict);
    CHECK(sessions.was_opened_by(opened->id, token));
    CHECK_FALSE(sessions.was_opened_by("other", token));

    const std::string late = sessions.make_link("wang");
    clock.advance(minutes(5));
    CHECK_FALSE(sessions.is_open(late));
    CHECK(sessions.open(late).error().code == ErrorCode::NotFound);
    CHECK(sessions.open("").error().code == ErrorCode::NotFound);
}

TEST_CASE("a session ends after twelve idle hours, after a week, and when it is closed") {
    ManualClock clock(kNow);
    Sessions sessions(clock);
    const auto idle = sessions.open(sessions.make_link("human")).value();
    clock.advance(hours(11));
    CHECK(sessions.person_of(idle.id));
    clock.advance(hours(12));
    CHECK_FALSE(sessions.person_of(idle.id));

    const auto busy = sessions.open(sessions.make_link("human")).value();
    for (int i = 0; i < 16; ++i) {
        CHECK(sessions.person_of(busy.id));
        clock.advance(hours(10));
    }
    clock.advance(hours(9));
    CHECK_FALSE(sessions.person_of(busy.id));

    const auto closed = sessions.open(sessions.make_link("human")).value();
    sessions.close(closed.id);
    CHECK_FALSE(sessions.person_of(closed.id));
}

TEST_CASE("the cookie alone reads; changes need the session's own key") {
    ManualClock clock(kNow);
    Sessions sessions(clock);
    const auto one = sessions.open(sessions.make_link("human")).value();
    const auto other = sessions.open(sessions.make_link("human")).value();
    CHECK(sessions.may_change(one.id, one.key));
    CHECK_FALSE(sessions.may_change(one.id, other.key));
    CHECK_FALSE(sessions.may_change(one.id, ""));
    CHECK_FALSE(sessions.may_change(one.id, one.id));
    CHECK_FALSE(sessions.may_change("", ""));
}

TEST_CASE("links and sessions are bounded; the oldest goes") {
    ManualClock clock(kNow);
    Sessions sessions(clock);
    const std::string first_link = sessions.make_link("human");
    const auto first = sessions.open(sessions.make_link("human")).value();
    for (std::size_t i = 0; i < Sessions::kSessionsMax; ++i) {
        clock.advance(std::chrono::milliseconds(1));
        REQUIRE(sessions.open(sessions.make_link("human")));
    }
    CHECK_FALSE(sessions.is_open(first_link));
    CHECK_FALSE(sessions.person_of(first.id));
}

TEST_CASE("fetching the link, as a preview does, opens nothing and uses nothing") {
    Place place;
    const std::string link = place.site->make_link("human");
    const std::string target = link.substr(kUrl.size());
    for (int i = 0; i < 3; ++i) {
        const auto shown = place.ask("GET", target);
        CHECK(shown.status == 200);
        CHECK(shown.body.find("method=\"post\"") != std::string::npos);
        CHECK(header(shown, "Set-Cookie").empty());
    }
    const std::string token = target.substr(target.find("?t=") + 3);
    CHECK(place.ask("POST", "/enter", {}, "t=" + token).status == 303);
    CHECK(place.ask("GET", target).status == 410);
    CHECK(place.ask("GET", "/enter?t=wrong").status == 410);
}

TEST_CASE("entering sets a cookie that no script and no other site gets") {
    Place place;
    place.enter();
    const std::string link = place.site->make_link("human");
    const auto entered = place.ask("POST", "/enter", {{"sec-fetch-site", "same-origin"}},
                                   "t=" + link.substr(link.find("?t=") + 3));
    const std::string cookie = header(entered, "Set-Cookie");
    for (const char* part : {"; Path=/", "; HttpOnly", "; SameSite=Strict", "; Max-Age="}) {
        CAPTURE(part);
        CHECK(cookie.find(part) != std::string::npos);
    }
    CHECK(cookie.find("Secure") == std::string::npos);

    Place safe({"https://a2h.example", {}, true});
    const std::string safe_link = safe.site->make_link("human");
    CHECK(safe_link.starts_with("https://a2h.example/enter?t="));
    const std::string safe_cookie =
        header(safe.ask("POST", "/enter", {}, "t=" + safe_link.substr(safe_link.find("?t=") + 3)),
               "Set-Cookie");
    CHECK(safe_cookie.starts_with("__Host-"));
    CHECK(safe_cookie.find("; Secure") != std::string::npos);
}

TEST_CASE("a second click on the button finds the session that the first one opened") {
    Place place;
    const std::string link = place.site->make_link("human");
    const std::string form = "t=" + link.substr(link.find("?t=") + 3);
    const auto first = place.ask("POST", "/enter", {}, form);
    const std::string cookie = header(first, "Set-Cookie");
    const auto second =
        place.ask("POST", "/enter", {{"cookie", cookie.substr(0, cookie.find(';'))}}, form);
    CHECK(second.status == 303);
    CHECK(header(second, "Set-Cookie").empty());
    CHECK(place.ask("POST", "/enter", {}, form).status == 410);
    CHECK(place.ask("POST", "/enter", {{"sec-fetch-site", "cross-site"}}, form).status == 403);
}

TEST_CASE("without a session there is a hint at / and nothing at all under /api") {
    Place place;
    CHECK(place.ask("GET", "/").status == 401);
    for (const char* target : {"/api/session", "/api/approvals", "/api/status", "/api/none"}) {
        CAPTURE(target);
        CHECK(place.ask("GET", target).status == 401);
    }
    place.enter();
    CHECK(place.ask("GET", "/", {{"cookie", place.cookie}}).status == 200);
    CHECK(place.ask("GET", "/api/approvals", {{"cookie", place.cookie}}).status == 200);
    CHECK(place.ask("GET", "/api/none", {{"cookie", place.cookie}}).status == 404);
    place.clock.advance(hours(12));
    CHECK(place.ask("GET", "/api/approvals", {{"cookie", place.cookie}}).status == 401);
}

TEST_CASE("a change without the key, or from another page, changes nothing") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    const std::string body = json{{"answers", {approve(approval)}}}.dump();
    const auto status_with = [&](Headers changes) {
        Headers headers = place.own();
        for (const auto& [name, value] : changes)
            headers[name] = value;
        return place.ask("POST", "/api/answers", headers, body).status;
    };
    CHECK(status_with({{"x-a2h-key", ""}}) == 403);
    CHECK(status_with({{"x-a2h-key", std::string(43, 'A')}}) == 403);
    CHECK(status_with({{"origin", "http://evil.example"}}) == 403);
    CHECK(status_with({{"origin", "null"}}) == 403);
    CHECK(status_with({{"origin", ""}}) == 403);
    CHECK(status_with({{"origin", "http://127.0.0.1:7843"}}) == 403);
    CHECK(status_with({{"sec-fetch-site", "same-site"}}) == 403);
    CHECK(status_with({{"sec-fetch-site", "cross-site"}}) == 403);
    CHECK(status_with({{"host", "evil.example"}, {"origin", "http://evil.example"}}) == 421);
    CHECK(status_with({{"cookie", ""}}) == 401);
    CHECK(place.ask("GET", "/api/answers", place.own()).status == 404);
    CHECK(place.answers.empty());
    CHECK(status_with({{"sec-fetch-site", "same-origin"}}) == 200);
    CHECK(place.answers.size() == 1);
}

TEST_CASE("leaving ends the session, but only with its key") {
    Place place;
    place.enter();
    CHECK(place.ask("POST", "/leave", {{"cookie", place.cookie}, {"origin", kUrl}}).status == 403);
    CHECK(place.ask("GET", "/leave", place.own()).status == 404);
    CHECK(place.ask("GET", "/", place.own()).status == 200);
    const auto left = place.ask("POST", "/leave", place.own());
    CHECK(left.status == 204);
    CHECK(header(left, "Set-Cookie").find("Max-Age=0") != std::string::npos);
    CHECK(place.ask("GET", "/", place.own()).status == 401);
}

TEST_CASE("an answer is the session's person's, for what was shown") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter("wang");
    const json done = place.results({approve(approval)});
    CHECK(done[0]["ok"] == true);
    REQUIRE(place.answers.size() == 1);
    const approvals::Answer& answer = place.answers[0];
    CHECK(answer.surface == AnswerSurface::Page);
    CHECK(answer.kind == AnswerKind::Approve);
    CHECK(answer.person == "wang");
    CHECK(answer.proof == "apr_1/wang");
    CHECK(answer.digest_seen == approval.digest);
    CHECK(answer.edited_reply_text.empty());
}

TEST_CASE("another text is an edit, the same text is none, and no text sends nothing") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    json item = approve(approval);
    item["text"] = "300 is fine";
    place.results({item});
    CHECK(place.answers.at(0).edited_reply_text.empty());
    item["text"] = "310 is fine";
    place.results({item});
    CHECK(place.answers.at(1).edited_reply_text == "310 is fine");
    item["text"] = " \n";
    const json emptied = place.results({item});
    CHECK(emptied[0]["code"] == "invalid_argument");
    CHECK(place.answers.size() == 2);
}

TEST_CASE("the fingerprint of an edit is the digest that its yes will have") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    const auto fingerprint = [&](const std::string& text) {
        const auto response = place.ask("POST", "/api/fingerprint", place.own(),
                                        json{{"approval_id", "apr_1"}, {"text", text}}.dump());
        return json::parse(response.body)["data"]["digest"].get<std::string>();
    };
    CHECK(fingerprint("310").size() == 64);
    CHECK(fingerprint("310") != fingerprint("311"));
    CHECK(fingerprint("310") != approval.digest);
}

TEST_CASE("options and instructions are understood as everywhere else") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    const auto item = [&](const char* decision, const char* words) {
        return json{{"approval_id", "apr_1"},
                    {"digest", approval.digest},
                    {"decision", decision},
                    {"words", words}};
    };
    place.results({item("option", "say 400"), item("instruct", "offer 420")});
    CHECK(place.answers.at(0).kind == AnswerKind::Option);
    CHECK(place.answers.at(1).kind == AnswerKind::Instruct);
    CHECK(place.answers.at(1).words == "offer 420");
    // What is on no button is nothing the page sends.
    CHECK(place.results({item("option", "say 500")})[0]["code"] == "invalid_argument");
    CHECK(place.results({item("", "yes")})[0]["code"] == "invalid_argument");
    CHECK(place.results({item("APPROVE", "")})[0]["code"] == "invalid_argument");
    CHECK(place.answers.size() == 2);
}

TEST_CASE("several answers are each told their own result") {
    Place place;
    const Approval one = question("apr_1");
    const Approval two = question("apr_2");
    REQUIRE(store::insert_approval(*place.database, one));
    REQUIRE(store::insert_approval(*place.database, two));
    place.enter();
    json without_digest = approve(two);
    without_digest.erase("digest");
    const json results =
        place.results({approve(one), approve(question("apr_none")), without_digest});
    REQUIRE(results.size() == 3);
    CHECK(results[0]["ok"] == true);
    CHECK(results[1]["code"] == "not_found");
    CHECK(results[2]["code"] == "invalid_argument");

    place.refusal = Error{ErrorCode::Conflict, "somebody was first"};
    const json late = place.results({approve(one)});
    CHECK(late[0]["code"] == "conflict");
    CHECK(late[0]["approval"]["status"] == "pending");  // as it stands in the database
}

TEST_CASE("malformed answers are refused whole") {
    Place place;
    place.enter();
    CHECK(place.answer(json::array()).status == 400);
    CHECK(place.answer(json(51, json::object())).status == 400);
    CHECK(place.answer("all").status == 400);
    for (const char* body :
         {"", "{", "[]", "null", "{\"answers\":{}}", "{\"answers\":[[[[[[]]]]]]}", "\xff"}) {
        CAPTURE(body);
        CHECK(place.ask("POST", "/api/answers", place.own(), body).status >= 400);
    }
    CHECK(place.results({nullptr, 7, "x"}).size() == 3);
    CHECK(place.answers.empty());
}

TEST_CASE("the list shows what waits, page by page, and refuses a cursor it never gave") {
    Place place;
    for (int i = 0; i < 5; ++i) {
        Approval approval = question("apr_" + std::to_string(i));
        approval.answer_by_ms += i;
        REQUIRE(store::insert_approval(*place.database, approval));
    }
    place.enter();
    json page = place.get("/api/approvals?limit=3");
    CHECK(page["open"] == 5);
    CHECK(page["more"] == true);
    CHECK(page["approvals"][0]["id"] == "apr_0");
    CHECK(page["approvals"][0]["amount"] == "300.00 CNY");
    CHECK(page["approvals"][0]["options"] == json{"say 400"});
    page = place.get("/api/approvals?limit=3&cursor=" + page["cursor"].get<std::string>());
    CHECK(page["approvals"].size() == 2);
    CHECK(page["more"] == false);
    for (const char* cursor : {"x", "1", "1.x", "-1.2", "1.2.3", "99999999999999999999.1"}) {
        CAPTURE(cursor);
        CHECK(
            place.ask("GET", "/api/approvals?cursor=" + std::string(cursor), place.own()).status ==
            400);
    }
    CHECK(place.get("/api/approvals?limit=100000")["approvals"].size() == 5);
    CHECK(place.get("/api/approvals?limit=-1")["approvals"].size() == 5);
}

TEST_CASE("what peers and drafts hide is taken out and told") {
    Place place;
    Approval approval = question("apr_1");
    approval.reply_text =
        "Pay \xe2\x80\xae"
        "03\x07 now";
    approval.question = "\x1b[31mRed\xe2\x80\xae";
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    const json shown = place.get("/api/approvals/apr_1");
    CHECK(shown["text"] == "Pay 03 now");
    CHECK(shown["text_hides_something"] == true);
    CHECK(shown["question"] == "[31mRed");
    // What was seen is what is sent.
    json item = approve(approval);
    item["text"] = shown["text"];
    place.results({item});
    CHECK(place.answers.at(0).edited_reply_text == "Pay 03 now");
}

TEST_CASE("one approval comes with its trail, its messages and its request") {
    Place place;
    Approval approval = question("apr_1");
    approval.action_json = R"({"request":{"title":"Portrait","price":280}})";
    REQUIRE(store::insert_approval(*place.database, approval));
    REQUIRE(store::append_audit(*place.database, "apr_1", "asked", "{}", kNow));
    InboxMessage message;
    message.agent_id = "ag_seller";
    message.sender_id = "ag_buyer";
    message.message_type = "chat.request";
    for (const auto& [id, provenance] :
         {std::pair("msg_1", Provenance::Verified), std::pair("msg_2", Provenance::Forged)}) {
        message.message_id = id;
        message.provenance = provenance;
        message.payload_json = R"({"text":"300 ok?"})";
        message.payload_hash = id;
        message.received_at_ms = kNow;
        REQUIRE(store::insert_inbox(*place.database, message));
    }
    place.enter();
    const json shown = place.get("/api/approvals/apr_1");
    CHECK(shown["audit"][0]["what"] == "asked");
    REQUIRE(shown["messages"].size() == 1);
    CHECK(shown["messages"][0]["text"] == "300 ok?");
    CHECK(shown["request"].size() == 2);
    CHECK(shown["request"][0]["value"] == "280");
    CHECK(place.ask("GET", "/api/approvals/apr_2", place.own()).status == 404);
    CHECK(place.ask("GET", "/api/approvals/", place.own()).status == 404);
    CHECK(place.get("/api/messages?agent=ag_seller&peer=ag_buyer")["messages"].size() == 1);
    CHECK(place.get("/api/conversations?agent=ag_seller")["conversations"].size() == 1);
    CHECK(place.get("/api/contacts?agent=ag_seller")["contacts"].empty());
}

TEST_CASE("an answer that the listing lacks is offered for it, and goes there in one call") {
    Place place;
    for (const char* id : {"apr_fact", "apr_known"})
        REQUIRE(store::insert_approval(*place.database, question(id)));
    place.enter("wang");
    const json results =
        place.results({approve(question("apr_fact")), approve(question("apr_known"))});
    CHECK(results[0]["can_learn"] == true);
    CHECK(results[1]["can_learn"] == false);
    CHECK(place.get("/api/approvals/apr_fact")["can_learn"] == true);
    const std::string body = json{{"approval_id", "apr_fact"}}.dump();
    CHECK(place.ask("POST", "/api/learn", {{"cookie", place.cookie}}, body).status == 403);
    CHECK(place.ask("POST", "/api/learn", place.own(), R"({"approval_id":"apr_0"})").status == 404);
    CHECK(place.learned.empty());
    CHECK(place.ask("POST", "/api/learn", place.own(), body).status == 200);
    CHECK(place.learned == std::vector<std::string>{"wang apr_fact "});
}

TEST_CASE("mandates are shown to people with their amounts, and one call ends one or all") {
    Place place;
    MandateTerms terms;
    terms.agent_id = "ag_seller";
    terms.action = "reply.send";
    terms.currency = "CNY";
    terms.amount_from_minor = 28'000;
    terms.count_per_day = 3;
    terms.starts_ms = kNow;
    terms.ends_ms = kNow + 86'400'000;
    REQUIRE(mandates::give(*place.database, terms, {"human", AnswerSurface::Terminal}, kNow));
    place.enter("wang");
    const json shown = place.get("/api/mandates?agent=ag_seller")["mandates"];
    REQUIRE(shown.size() == 1);
    CHECK(shown[0]["amount_from"] == "280.00 CNY");
    CHECK(shown[0]["count_per_day"] == 3);

    const auto revoke = [&](const json& body) {
        return place.ask("POST", "/api/mandates/revoke", place.own(), body.dump()).status;
    };
    CHECK(revoke({{"agent_id", "ag_seller"}, {"mandate_id", "mdt_1"}}) == 200);
    CHECK(revoke({{"agent_id", "ag_seller"}, {"all", true}}) == 200);
    CHECK(revoke({{"agent_id", "ag_seller"}}) == 400);
    CHECK(revoke({{"all", true}}) == 400);
    CHECK(revoke("all") == 400);
    CHECK(place.revoked == std::vector<std::string>{"wang ag_seller mdt_1", "wang ag_seller "});
    CHECK(place.ask("POST", "/api/mandates/revoke", {{"cookie", place.cookie}}, "{}").status ==
          403);
}

TEST_CASE("the session is told its person, language and agents") {
    Place place;
    place.enter("wang");
    const json session = place.get("/api/session?lang=zh");
    CHECK(session["person"] == "wang");
    CHECK(session["language"] == "zh");
    CHECK(session["may_change"] == true);
    CHECK(session["agents"][0]["agent_id"] == "ag_seller");
    const auto reading = place.ask("GET", "/api/session", {{"cookie", place.cookie}});
    CHECK(json::parse(reading.body)["data"]["may_change"] == false);
}

TEST_CASE("files are served with a strict policy, from the program alone") {
    Place place;
    const auto script = place.ask("GET", "/app/app.js");
    CHECK(script.status == 200);
    CHECK(header(script, "Content-Type").starts_with("text/javascript"));
    const std::string policy = header(script, "Content-Security-Policy");
    for (const char* part : {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                             "require-trusted-types-for 'script'"}) {
        CAPTURE(part);
        CHECK(policy.find(part) != std::string::npos);
    }
    CHECK(policy.find("unsafe") == std::string::npos);
    const auto again = place.ask("GET", "/app/app.js", {{"if-none-match", header(script, "ETag")}});
    CHECK(again.status == 304);
    CHECK(again.body.empty());
    CHECK(place.ask("GET", "/app/texts.zh.json").body.find("同意") != std::string::npos);
    for (const char* target : {"/app/", "/app/none.js", "/app/../human.json", "/app/index.html",
                               "/app//app.js", "/app/texts.fr.json"}) {
        CAPTURE(target);
        CHECK(place.ask("GET", target).status == 404);
    }
    CHECK(place.ask("POST", "/app/app.js").status == 405);
}

TEST_CASE("nothing that is embedded asks for anything from elsewhere or sets markup from text") {
    Place place;
    place.enter();
    std::string all = place.ask("GET", "/", place.own()).body;
    for (const char* name : {"app.js", "api.js", "dom.js", "parts.js", "detail.js", "open.js",
                             "views.js", "live.js", "diff.js", "texts.js", "app.css"}) {
        const auto file = place.ask("GET", "/app/" + std::string(name));
        CAPTURE(name);
        REQUIRE(file.status == 200);
        all += file.body;
    }
    for (const char* forbidden : {"innerHTML", "outerHTML", "insertAdjacentHTML", "eval(",
                                  "document.write", "@import", "https://", "style=\""}) {
        CAPTURE(forbidden);
        CHECK(all.find(forbidden) == std::string::npos);
    }
}
