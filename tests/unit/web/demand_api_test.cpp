// /api/v1: which requests are admitted, their answers and the codes.
#include "daemon/web/demand_api.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

using namespace a2h;
using nlohmann::json;
using web::DemandApi;

namespace {

constexpr const char* kToken = "0123456789abcdef-token";
const std::string kBearer = std::string("Bearer ") + kToken;

using ApiHeaders = std::map<std::string, std::string>;

std::string answered_header(const http::Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
        if (key == name) return value;
    }
    return {};
}

DemandApi::Options on_loopback() {
    return {.site = {.url = "http://127.0.0.1:7842",
                     .hosts = {"127.0.0.1:7842", "localhost:7842"},
                     .secure = false},
            .tokens = {"another-0123456789", kToken},
            .cors_origins = {"http://localhost:3000"}};
}

DemandApi::Options on_network(std::vector<std::string> tokens) {
    return {.site = {.url = "https://a2h.example", .hosts = {}, .secure = true},
            .tokens = std::move(tokens),
            .cors_origins = {}};
}

/// The API with everything behind it recorded.
struct ApiBench {
    explicit ApiBench(DemandApi::Options options = on_loopback())
        : api(std::move(options), backend()) {}

    DemandApi::Backend backend() {
        return {.call = [this](std::string_view action,
                               const std::string& arguments) -> Result<std::string> {
                    calls.emplace_back(std::string(action), json::parse(arguments));
                    if (lost) return fail(*lost);
                    return result.dump();
                },
                .demand_of = [](std::string_view id) -> Result<std::string> {
                    if (id == "d-1" || id == "collab-1") return std::string("d-1");
                    return fail(ErrorCode::NotFound, "there is no demand");
                },
                .profile_of = [](std::string_view) -> Result<json> {
                    return fail(ErrorCode::NotFound, "no such agent");
                },
                .follow =
                    [this](const std::shared_ptr<http::Stream>&, const std::string& demand_id,
                           const std::string& last, const std::function<bool()>& still_allowed) {
                        followed.push_back(demand_id + " after " + last +
                                           (still_allowed() ? "" : ", over"));
                    },
                .is_full = [this] { return is_full; },
                .has_session =
                    [this](const http::Request&, bool changes) {
                        return changes ? session_changes : session_reads;
                    },
                .session_of = [this](const http::Request&) -> std::function<bool()> {
                    return [this] { return session_reads; };
                }};
    }

    /// Shows the token where `headers` say nothing else.
    http::Response ask(const std::string& method, const std::string& target,
                       const std::string& body = {}, ApiHeaders headers = {}) {
        http::Request request;
        request.method = method;
        request.path = target.substr(0, target.find('?'));
        if (target.find('?') != std::string::npos)
            request.query = *http::parse_form(target.substr(target.find('?') + 1));
        headers.try_emplace("host", "127.0.0.1:7842");
        headers.try_emplace("authorization", kBearer);
        if (method == "POST") headers.try_emplace("content-type", "application/json");
        request.headers.assign(headers.begin(), headers.end());
        request.body = body;
        return api.serve(request);
    }
    http::Response submit(const std::string& body, const ApiHeaders& headers = {}) {
        return ask("POST", "/api/v1/demand/submit", body, headers);
    }
    void check_refused(const http::Response& response, int status, std::string_view code) {
        CHECK(response.status == status);
        const json body = json::parse(response.body);
        CHECK(body["ok"] == false);
        CHECK(body["error"]["code"] == code);
        CHECK_FALSE(body["error"]["message"].get<std::string>().empty());
    }

    std::vector<std::pair<std::string, json>> calls;
    std::vector<std::string> followed;
    json result = {{"ok", true},
                   {"data",
                    {{"demand_id", "d-1"},
                     {"channel_id", "collab-1"},
                     {"status", "processing"},
                     {"understanding", {{"surface_demand", "a party"}}},
                     {"candidates", json::array()}}}};
    std::optional<Error> lost;
    bool is_full = false;
    bool session_reads = false;
    bool session_changes = false;
    DemandApi api;
};

json failed_with(std::string_view code) {
    return {{"ok", false}, {"error", {{"code", code}, {"message", "why"}}}};
}

}  // namespace

TEST_CASE("a demand is submitted and answered with exactly what the specification says") {
    ApiBench bench;
    const auto response =
        bench.submit(R"({"raw_input":"我想办聚会","user_id":"user_alice","unknown":1})");
    CHECK(response.status == 200);
    CHECK(json::parse(response.body) == json({{"demand_id", "d-1"},
                                              {"channel_id", "collab-1"},
                                              {"status", "processing"},
                                              {"understanding", {{"surface_demand", "a party"}}}}));
    REQUIRE(bench.calls.size() == 1);
    CHECK(bench.calls[0].first == "demand.submit");
    CHECK(bench.calls[0].second == json({{"raw_input", "我想办聚会"}, {"user_id", "user_alice"}}));
    bench.submit(R"({"raw_input":"x","agent_id":"ag_two","invite":["ag_bob"],"show_terms":true})");
    CHECK(bench.calls[1].second == json({{"raw_input", "x"},
                                         {"agent", "ag_two"},
                                         {"invite", {"ag_bob"}},
                                         {"show_terms", true}}));
}

TEST_CASE("an invalid demand is E001") {
    ApiBench bench;
    for (const char* body : {"", "{", "[]", "7", "null"}) {
        CAPTURE(body);
        bench.check_refused(bench.submit(body), 400, "E001");
    }
    const std::string deep(100, '[');
    bench.check_refused(bench.submit(deep), 400, "E001");
    bench.check_refused(bench.submit(R"({"raw_input":"x"})", {{"content-type", "text/plain"}}), 400,
                        "E001");
    CHECK(bench.calls.empty());
    bench.result = failed_with("invalid_argument");
    bench.check_refused(bench.submit("{}"), 400, "E001");
    bench.result["ok"] = true;
    CHECK(bench.submit("{}", {{"content-type", "application/json; charset=utf-8"}}).status == 200);
}

TEST_CASE("errors of operations have the specification's codes and their status") {
    const std::map<std::string, std::pair<int, std::string>> expected = {
        {"PLATFORM_410", {404, "E002"}},
        {"unavailable", {503, "E003"}},
        {"timeout", {504, "E004"}},
        {"conflict", {409, "conflict"}},
        {"resource_exhausted", {429, "resource_exhausted"}},
        {"RUNTIME_ERROR", {500, "RUNTIME_ERROR"}}};
    for (const auto& [code, answered] : expected) {
        CAPTURE(code);
        ApiBench bench;
        bench.result = failed_with(code);
        bench.check_refused(bench.ask("GET", "/api/v1/demand/d-1"), answered.first,
                            answered.second);
    }
    ApiBench lost;
    lost.lost = Error{ErrorCode::Timeout, "5 s"};
    lost.check_refused(lost.submit("{}"), 504, "E004");
    lost.lost = Error{ErrorCode::Unavailable, "stopping"};
    lost.check_refused(lost.submit("{}"), 503, "E003");
}

TEST_CASE("an agent that is not there to submit a demand is E008") {
    ApiBench bench;
    bench.result = failed_with("PLATFORM_410");
    bench.check_refused(bench.submit(R"({"raw_input":"x","agent_id":"ag_none"})"), 404, "E008");
}

TEST_CASE("a negotiation without agreement is answered with 200 and the specification's code") {
    ApiBench bench;
    const auto shown = [&] {
        const auto response = bench.ask("GET", "/api/v1/demand/d-1");
        CHECK(response.status == 200);
        return json::parse(response.body);
    };
    bench.result["data"]["reason"] = "no_candidates";
    CHECK(shown()["error"]["code"] == "E005");
    CHECK(shown().contains("candidates"));
    // Everybody said no, which is not a time-out.
    bench.result["data"]["reason"] = "no_participants";
    bench.result["data"]["candidates"] = {{{"agent_id", "ag_bob"}, {"state", "declined"}}};
    CHECK_FALSE(shown().contains("error"));
    bench.result["data"]["candidates"][0]["state"] = "silent";
    CHECK(shown()["error"]["code"] == "E006");
    bench.result["data"]["reason"] = "no_agreement";
    CHECK_FALSE(shown().contains("error"));
}

TEST_CASE("a story is followed from the beginning, or from where a reader was") {
    ApiBench bench;
    const std::string stream = "/api/v1/events/negotiations/d-1/stream";
    const auto begin = [&](const http::Response& response) {
        CHECK(response.status == 200);
        CHECK(answered_header(response, "Content-Type").starts_with("text/event-stream"));
        CHECK(answered_header(response, "Cache-Control").starts_with("no-cache"));
        REQUIRE(response.stream);
        response.stream(nullptr);
    };
    begin(bench.ask("GET", stream));
    begin(bench.ask("GET", stream, {}, {{"last-event-id", "evt-7"}}));
    begin(bench.ask("GET", stream + "?last_event_id=evt-9"));
    begin(bench.ask("GET", "/api/v1/events/negotiations/collab-1/stream"));
    CHECK(bench.followed == std::vector<std::string>{"d-1 after ", "d-1 after evt-7",
                                                     "d-1 after evt-9", "d-1 after "});
    bench.check_refused(bench.ask("GET", "/api/v1/events/negotiations/d-2/stream"), 404, "E002");
    bench.is_full = true;
    bench.check_refused(bench.ask("GET", stream), 500, "E009");
}

TEST_CASE("other host names and pages of other origins are refused") {
    ApiBench bench;
    CHECK(bench.submit("{}", {{"host", "evil.example"}}).status == 421);
    CHECK(bench.ask("GET", "/api/v1/demand/d-1", {}, {{"host", "evil.example:7842"}}).status ==
          421);
    for (const char* origin :
         {"http://evil.example", "null", "http://localhost:3001", "https://127.0.0.1:7842"}) {
        CAPTURE(origin);
        bench.check_refused(bench.submit("{}", {{"origin", origin}}), 403, "permission_denied");
        bench.check_refused(
            bench.ask("GET", "/api/v1/events/negotiations/d-1/stream", {}, {{"origin", origin}}),
            403, "permission_denied");
    }
    // A picture or a frame of another page names no origin.
    bench.check_refused(
        bench.ask("GET", "/api/v1/demand/d-1", {}, {{"sec-fetch-site", "cross-site"}}), 403,
        "permission_denied");
    CHECK(bench.calls.empty());
    CHECK(bench.submit("{}", {{"origin", "http://127.0.0.1:7842"}}).status == 200);
    CHECK(bench.submit("{}", {{"host", "localhost:7842"}}).status == 200);
}

TEST_CASE("a configured origin may send requests, and is answered so") {
    ApiBench bench;
    const ApiHeaders named = {{"origin", "http://localhost:3000"}};
    const auto before = bench.ask("OPTIONS", "/api/v1/demand/submit", {}, named);
    CHECK(before.status == 204);
    CHECK(answered_header(before, "Access-Control-Allow-Origin") == "http://localhost:3000");
    CHECK(answered_header(before, "Access-Control-Allow-Headers").find("content-type") !=
          std::string::npos);
    CHECK(answered_header(before, "Access-Control-Allow-Credentials").empty());
    const auto answer = bench.submit("{}", named);
    CHECK(answer.status == 200);
    CHECK(answered_header(answer, "Access-Control-Allow-Origin") == "http://localhost:3000");
    CHECK(answered_header(answer, "Vary") == "Origin");
    CHECK(answered_header(bench.submit("{}"), "Access-Control-Allow-Origin").empty());
}

TEST_CASE("a token or a session is needed on every address, and a wrong token is none") {
    for (const auto& options : {on_loopback(), on_network({}), on_network({kToken})}) {
        ApiBench bench(options);
        for (const char* shown :
             {"", "Bearer", "Bearer ", "Bearer wrong", "Basic 0123456789abcdef-token",
              "0123456789abcdef-token", "Bearer 0123456789abcdef-token2"}) {
            CAPTURE(shown);
            const ApiHeaders headers{{"authorization", shown}};
            bench.check_refused(bench.submit("{}", headers), 401, "unauthenticated");
            bench.check_refused(bench.ask("GET", "/api/v1/demand/d-1", {}, headers), 401,
                                "unauthenticated");
            bench.check_refused(bench.ask("POST", "/api/v1/agents/reset", "{}", headers), 401,
                                "unauthenticated");
        }
        CHECK(bench.calls.empty());
        bench.session_reads = true;
        const ApiHeaders no_token{{"authorization", ""}};
        CHECK(bench.ask("GET", "/api/v1/demand/d-1", {}, no_token).status == 200);
        bench.check_refused(bench.submit("{}", no_token), 401, "unauthenticated");
        bench.session_changes = true;
        CHECK(bench.submit("{}", no_token).status == 200);
    }
}

TEST_CASE("each of the tokens is accepted") {
    ApiBench bench;
    CHECK(bench.submit("{}", {{"authorization", kBearer}}).status == 200);
    CHECK(bench.submit("{}", {{"authorization", "Bearer another-0123456789"}}).status == 200);
    REQUIRE(bench.calls.size() == 2);
}

TEST_CASE("a stream of a session ends with it") {
    ApiBench bench(on_network({}));
    bench.session_reads = true;
    const auto response = bench.ask("GET", "/api/v1/events/negotiations/d-1/stream");
    REQUIRE(response.stream);
    bench.session_reads = false;
    response.stream(nullptr);
    CHECK(bench.followed == std::vector<std::string>{"d-1 after , over"});
}

TEST_CASE("other paths and methods lead nowhere") {
    ApiBench bench;
    for (const char* target : {"/api/v1/", "/api/v1/demand/", "/api/v1/demand/a/b",
                               "/api/v1/events/negotiations//stream", "/api/v1/nothing"}) {
        CAPTURE(target);
        bench.check_refused(bench.ask("GET", target), 404, "not_found");
    }
    const std::map<std::string, std::pair<std::string, std::string>> allowed = {
        {"/api/v1/demand/submit", {"GET", "POST"}},
        {"/api/v1/demand/d-1", {"DELETE", "GET"}},
        {"/api/v1/demand/d-1/cancel", {"GET", "POST"}},
        {"/api/v1/agents", {"POST", "GET"}},
        {"/api/v1/agents/import", {"PUT", "POST"}},
        {"/api/v1/agents/reset", {"DELETE", "POST"}},
        {"/api/v1/agents/ag_bob", {"DELETE", "GET, PUT"}}};
    for (const auto& [path, methods] : allowed) {
        CAPTURE(path);
        const auto refused = bench.ask(methods.first, path);
        bench.check_refused(refused, 405, "method_not_allowed");
        CHECK(answered_header(refused, "Allow") == methods.second);
    }
    CHECK(DemandApi::serves("/api/v1/demand/submit"));
    CHECK_FALSE(DemandApi::serves("/api/live"));
    CHECK(bench.calls.empty());
}
