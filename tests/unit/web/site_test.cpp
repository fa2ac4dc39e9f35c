// Links, sessions, and the requests that they admit.
#include "tests/support/manual_clock.h"
#include "tests/unit/web/place.h"

using namespace a2h;
using namespace a2h::test;
using std::chrono::hours;
using std::chrono::minutes;
using web::Sessions;

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

TEST_CASE("reading needs the cookie only; changes need the session's own key") {
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
    const std::string link = place.make_link("human");
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
    const std::string link = place.make_link("human");
    const auto entered = place.ask("POST", "/enter", {{"sec-fetch-site", "same-origin"}},
                                   "t=" + link.substr(link.find("?t=") + 3));
    const std::string cookie = header(entered, "Set-Cookie");
    for (const char* part : {"; Path=/", "; HttpOnly", "; SameSite=Strict", "; Max-Age="}) {
        CAPTURE(part);
        CHECK(cookie.find(part) != std::string::npos);
    }
    CHECK(cookie.find("Secure") == std::string::npos);

    Place safe({"https://a2h.example", {}, true});
    const std::string safe_link = safe.make_link("human");
    CHECK(safe_link.starts_with("https://a2h.example/enter?t="));
    const std::string safe_cookie =
        header(safe.ask("POST", "/enter", {}, "t=" + safe_link.substr(safe_link.find("?t=") + 3)),
               "Set-Cookie");
    CHECK(safe_cookie.starts_with("__Host-"));
    CHECK(safe_cookie.find("; Secure") != std::string::npos);
}

TEST_CASE("a second click on the button finds the session that the first one opened") {
    Place place;
    const std::string link = place.make_link("human");
    const std::string form = "t=" + link.substr(link.find("?t=") + 3);
    const auto first = place.ask("POST", "/enter", {}, form);
    const std::string cookie = header(first, "Set-Cookie");
    const auto second =
        place.ask("POST", "/enter", {{"cookie", cookie.substr(0, cookie.find(';'))}}, form);
    CHECK(second.status == 303);
    CHECK(header(second, "Set-Cookie").empty());
    CHECK(place.ask("POST", "/enter", {}, form).status == 410);
    CHECK(place.ask("POST", "/enter", {{"sec-fetch-site", "cross-site"}}, form).status == 403);
    CHECK(place.ask("POST", "/enter", {{"origin", "http://evil.example"}}, form).status == 403);
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

TEST_CASE("the session gets its person, language and agents") {
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

TEST_CASE("files that the page names are kept by the browser until any of them changes") {
    Place place;
    place.enter();
    const std::string page = place.ask("GET", "/", place.own()).body;
    const auto at = page.find("/app/");
    const std::string path = page.substr(at, page.find('"', at) - at);
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    CHECK(folder.size() == std::string("/app/").size() + 17);
    const auto kept = [&](const std::string& target) {
        const auto response = place.ask("GET", target);
        CHECK(response.status == 200);
        return header(response, "Cache-Control").find("immutable") != std::string::npos;
    };
    CHECK(kept(folder + "app.js"));
    CHECK(kept(folder + "texts.zh.json"));
    // This page was opened before an update.
    CHECK_FALSE(kept("/app/0123456789abcdef/app.js"));
    CHECK_FALSE(kept("/app/app.js"));
    CHECK(place.ask("GET", folder).status == 404);
    CHECK(place.ask("GET", folder + "index.html").status == 404);
    CHECK(place.ask("GET", "/app/0123456789abcdeg/app.js").status == 404);
    CHECK(place.ask("GET", "/app/0123456789abcdef/0123456789abcdef/app.js").status == 404);
    CHECK(header(place.ask("GET", "/", place.own()), "Cache-Control") == "no-store");
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
