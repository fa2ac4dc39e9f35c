#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/wire/envelope.h"
#include "market/broker/access.h"
#include "market/broker/token.h"
#include "tests/support/market_http.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/http/raw_socket.h"

using namespace a2h;
using nlohmann::json;
using test::nonce_request;
using test::now_s;
using test::plain_agent;
using test::plain_request;
using test::registration;
using test::send;

namespace {

constexpr std::string_view kPublish = "/findu-user/api/v1/user/works/change-requests";
constexpr std::string_view kSearch = "/findu-match/api/v1/inner/match/works_search";
constexpr std::string_view kToken = "/mqtt-token/api/v1/token";

test::Market& server() {
    static test::TempDir dir;
    static test::Market running(dir.path());
    return running;
}

json post_body(const std::string& title = "修电脑 laptop repair") {
    return {
        {"type", 3},
        {"title", title},
        {"content", "上门服务,当天修好"},
        {"pictures", json::array({"https://example.org/a.png"})},
        {"extendInfo",
         {{"pois", json::array()}, {"serviceMethod", "offline"}, {"expectedPrice", "280 CNY"}}}};
}

std::string publish(const platform::Account& account, const json& body) {
    const auto answer = send(plain_request(account, "POST", kPublish, body.dump()));
    REQUIRE_MESSAGE(answer.status == 200, answer.body.dump());
    return answer.body["data"]["worksId"];
}

}  // namespace

TEST_CASE("registering again with the same key answers the same agent") {
    const auto keys = wire::new_key_pair();
    const std::string body = json{{"name", "Ann"}, {"public_key", keys.public_key}}.dump();
    const auto first = send(registration(server().url(), keys, body, random_hex(16)));
    const auto second = send(registration(server().url(), keys, body, random_hex(16)));
    REQUIRE(first.status == 200);
    CHECK(first.body["data"] == second.body["data"]);
    CHECK(is_agent_id(first.body["data"]["agent_id"].get<std::string>()));
    CHECK(first.body["data"]["mqtt_url"] == server().mqtt_url());
}

TEST_CASE("an agent that has an id keeps it, and nobody else gets that id") {
    const auto keys = wire::new_key_pair();
    const std::string id = new_agent_id();
    const auto with_id = [&](const wire::KeyPair& signer, const std::string& wanted) {
        const std::string body =
            json{{"name", "Ann"}, {"public_key", signer.public_key}, {"agent_id", wanted}}.dump();
        return send(registration(server().url(), signer, body, random_hex(16)));
    };
    const auto first = with_id(keys, id);
    REQUIRE(first.status == 200);
    CHECK(first.body["data"]["agent_id"] == id);
    CHECK(with_id(keys, id).body["data"] == first.body["data"]);
    CHECK(with_id(keys, new_agent_id()).status == 409);
    CHECK(with_id(wire::new_key_pair(), id).status == 409);
    for (const char* bad : {"ag_", "agent1", "ag_with_more", "ag_x/y", "ag_+"}) {
        CAPTURE(bad);
        CHECK(with_id(wire::new_key_pair(), bad).status == 400);
    }
}

TEST_CASE("nobody gets an agent's key without the agent's secret key") {
    const auto keys = wire::new_key_pair();
    const std::string body = json{{"name", "Ann"}, {"public_key", keys.public_key}}.dump();
    const std::string nonce = random_hex(16);
    const auto captured = registration(server().url(), keys, body, nonce);
    REQUIRE(send(captured).status == 200);
    CHECK(send(captured).code() == "PLATFORM_90005");
    CHECK(send(registration(server().url(), wire::new_key_pair(), body, random_hex(16))).code() ==
          "PLATFORM_90005");
    CHECK(send(registration(server().url(), keys, body, random_hex(16), now_s() - 400)).code() ==
          "PLATFORM_90005");
    auto changed = registration(server().url(), keys, body, random_hex(16));
    changed.body = json{{"name", "Eve"}, {"public_key", keys.public_key}}.dump();
    CHECK(send(changed).code() == "PLATFORM_90005");
}

TEST_CASE("an agent's public record holds its key and not its secret") {
    const auto ann = plain_agent(server(), "Ann");
    const auto answer = send({.url = server().url() + "/v1/agents/" + ann.agent_id});
    CHECK(answer.body["data"] == json{{"agent_id", ann.agent_id},
                                      {"name", "Ann"},
                                      {"key_id", ann.keys.key_pair.key_id},
                                      {"public_key", ann.keys.key_pair.public_key},
                                      {"capabilities", json::array()}});
}

TEST_CASE("requests that are not signed well are refused with PLATFORM_90005") {
    const auto ann = plain_agent(server(), "Ann");
    const std::string path = "/findu-user/api/v1/user/profile/public";
    const auto refused = [](const http::ClientRequest& request) {
        const auto answer = send(request);
        return answer.status == 401 && answer.code() == "PLATFORM_90005";
    };
    CHECK(send(plain_request(ann, "GET", path)).status == 200);
    CHECK(refused({.url = server().url() + path}));
    CHECK(refused(plain_request(ann, "GET", path, {}, now_s() - 301 - 5)));
    CHECK(refused(plain_request(ann, "GET", path, {}, now_s() + 301 + 5)));
    auto other_path = plain_request(ann, "GET", "/findu-user/api/v1/user/works/public");
    other_path.url = server().url() + path;
    CHECK(refused(other_path));
    auto stranger = ann;
    stranger.agent_id = "ag_unknown";
    CHECK(refused(plain_request(stranger, "GET", path)));
    auto wrong_key = ann;
    wrong_key.keys.agent_key = "";
    CHECK(refused(plain_request(wrong_key, "GET", path)));
    for (const char* timestamp : {"", "now", "1e9", "-1", "99999999999999999999"}) {
        auto request = plain_request(ann, "GET", path);
        request.headers[1].second = timestamp;
        CHECK(refused(request));
    }
}

TEST_CASE("equal plain signatures within a second are accepted") {
    const auto ann = plain_agent(server(), "Ann");
    const auto request = plain_request(ann, "GET", "/findu-user/api/v1/user/profile/public");
    CHECK(send(request).status == 200);
    CHECK(send(request).status == 200);
}

TEST_CASE("a nonce is checked where it is present and never good twice") {
    const auto ann = plain_agent(server(), "Ann");
    const std::string path(kSearch);
    const auto request = nonce_request(ann, "POST", path, R"({"pageNum":0})", random_hex(16));
    CHECK(send(request).status == 200);
    CHECK(send(request).code() == "PLATFORM_90005");
    auto changed = nonce_request(ann, "POST", path, R"({"pageNum":0})", random_hex(16));
    changed.body = R"({"pageNum":1})";
    CHECK(send(changed).code() == "PLATFORM_90005");
    auto half = nonce_request(ann, "POST", path, "{}", random_hex(16));
    half.headers.pop_back();
    CHECK(send(half).code() == "PLATFORM_90005");
}

TEST_CASE("an agent that requires nonces accepts no request without one") {
    const auto ann = server().register_agent("Ann");  // our client asks for it
    CHECK(send(plain_request(ann, "POST", kSearch, "{}")).code() == "PLATFORM_90005");
    CHECK(send(nonce_request(ann, "POST", std::string(kSearch), "{}", random_hex(16))).status ==
          200);
}

TEST_CASE("a post is published, found, shown, updated in part and deleted") {
    const auto ann = plain_agent(server(), "Ann");
    const auto bob = plain_agent(server(), "Bob");
    const std::string id = publish(ann, post_body());
    CHECK(id.size() >= 20);
    CHECK(id.ends_with("a7ee"));
    const json search{{"serviceInfo", "电脑"}, {"agentId", ann.agent_id}, {"type", 3}};
    const auto found = send(plain_request(bob, "POST", kSearch, search.dump()));
    REQUIRE(found.body["data"]["result"].size() == 1);
    const json row = found.body["data"]["result"][0];
    CHECK(row["worksId"] == id);
    CHECK(row["agentId"] == ann.agent_id);
    CHECK(row["nickname"] == "Ann");
    CHECK(row["extendInfo"]["expectedPrice"] == "280 CNY");

    const json update{{"worksId", id},
                      {"type", 3},
                      {"title", "new"},
                      {"extendInfo", {{"serviceLocation", "沪"}}}};
    publish(ann, update);
    const std::string detail = "/findu-user/api/v1/user/works/" + id;
    const auto shown = send(plain_request(bob, "GET", detail + "/detail")).body["data"];
    CHECK(shown["title"] == "new");
    CHECK(shown["content"] == "上门服务,当天修好");
    CHECK(shown["pictures"].size() == 1);
    CHECK(shown["extendInfo"]["serviceMethod"] == "offline");
    CHECK(shown["extendInfo"]["serviceLocation"] == "沪");

    // No amount stays under another kind of price or another currency.
    const auto priced = [&](const json& info) {
        publish(ann, {{"worksId", id}, {"type", 3}, {"title", "new"}, {"extendInfo", info}});
        return send(plain_request(bob, "GET", detail + "/detail")).body["data"]["extendInfo"];
    };
    priced({{"priceType", "FIXED"}, {"currency", "CNY"}, {"fixedPrice", 25'000}});
    CHECK(priced({{"serviceLocation", "京"}})["fixedPrice"] == 25'000);
    const json range = priced({{"priceType", "NEGOTIABLE"},
                               {"currency", "USD"},
                               {"priceMin", 1'000},
                               {"priceMax", 9'000}});
    CHECK(range["priceMax"] == 9'000);
    CHECK_FALSE(range.contains("fixedPrice"));
    CHECK(range["serviceLocation"] == "京");
    CHECK_FALSE(priced({{"currency", "CNY"}}).contains("priceMin"));

    CHECK(send(plain_request(bob, "DELETE", detail, "{}")).code() == "PLATFORM_401");
    CHECK(send(plain_request(bob, "POST", kPublish, update.dump())).code() == "PLATFORM_401");
    CHECK(send(plain_request(ann, "DELETE", detail, "{}")).status == 200);
    CHECK(send(plain_request(ann, "DELETE", detail, "{}")).code() == "PLATFORM_410");
    CHECK(send(plain_request(ann, "GET", detail + "/detail")).code() == "PLATFORM_410");
    CHECK(send(plain_request(ann, "POST", kPublish, update.dump())).code() == "PLATFORM_410");
}

TEST_CASE("a post keeps its type: a discussion never becomes what can be ordered") {
    const auto ann = plain_agent(server(), "Ann");
    for (const int type : {2, 3, 4}) {
        json body = post_body();
        body["type"] = type;
        const std::string id = publish(ann, body);
        for (const int other : {2, 3, 4}) {
            CAPTURE(other);
            const json change{{"worksId", id}, {"type", other}, {"title", "changed"}};
            CHECK(send(plain_request(ann, "POST", kPublish, change.dump())).status ==
                  (other == type ? 200 : 409));
        }
        const auto shown =
            send(plain_request(ann, "GET", "/findu-user/api/v1/user/works/" + id + "/detail"));
        CHECK(shown.body["data"]["type"] == type);
    }
}

TEST_CASE("one's own posts come in pages from 0, filtered by type") {
    const auto ann = plain_agent(server(), "Ann");
    for (int i = 0; i < 3; ++i)
        publish(ann, post_body("post " + std::to_string(i)));
    const std::string list = "/findu-user/api/v1/user/works/public?pageSize=2&pageNum=";
    CHECK(send(plain_request(ann, "GET", list + "0")).body["data"]["items"].size() == 2);
    CHECK(send(plain_request(ann, "GET", list + "1")).body["data"]["items"].size() == 1);
    CHECK(send(plain_request(ann, "GET", list + "0&type=2")).body["data"]["items"].empty());
}

TEST_CASE("discussions are listed for everybody, whoever wrote them") {
    const auto ann = plain_agent(server(), "Ann");
    const auto bob = plain_agent(server(), "Bob");
    json body = post_body("a question for all");
    body["type"] = 4;
    const std::string id = publish(ann, body);
    const std::string list = "/findu-user/api/v1/user/works/public?pageNum=0&type=";
    const auto first = [&](const platform::Account& who, const std::string& type) {
        const auto items = send(plain_request(who, "GET", list + type)).body["data"]["items"];
        return items.empty() ? std::string() : items[0]["worksId"].get<std::string>();
    };
    body["parentWorksId"] = id;
    CHECK(send(plain_request(bob, "POST", kPublish, body.dump())).status == 200);
    CHECK(first(bob, "4") == id);  // not the reply
    CHECK(first(ann, "4") == id);
    CHECK(first(bob, "3").empty());
    const auto own = send(plain_request(bob, "GET", "/findu-user/api/v1/user/works/public"));
    CHECK(own.body["data"]["items"].size() == 1);
}

TEST_CASE("titles and contents are counted in characters and refused when too long, never cut") {
    const auto ann = plain_agent(server(), "Ann");
    const auto repeat = [](int count) {
        std::string text;
        for (int i = 0; i < count; ++i)
            text += "汉";
        return text;
    };
    json body = post_body(repeat(100));
    body["content"] = repeat(2000);
    publish(ann, body);
    const auto refused = [&ann](const json& request) {
        return send(plain_request(ann, "POST", kPublish, request.dump())).status == 400;
    };
    CHECK(refused(post_body(repeat(101))));
    body["content"] = repeat(2001);
    CHECK(refused(body));
}

TEST_CASE("bad bodies are refused and named") {
    const auto ann = plain_agent(server(), "Ann");
    json no_title = post_body();
    no_title.erase("title");
    json wrong_type = post_body();
    wrong_type["title"] = 7;
    json bad_kind = post_body();
    bad_kind["type"] = 9;
    json bad_info = post_body();
    bad_info["extendInfo"] = "text";
    json big_info = post_body();
    big_info["extendInfo"]["x"] = std::string(9000, 'x');
    json bad_pictures = post_body();
    bad_pictures["pictures"] = json::array({1});
    std::string deep;
    for (int i = 0; i < 10'000; ++i)
        deep += "[";
    for (const std::string& body :
         {no_title.dump(), wrong_type.dump(), bad_kind.dump(), bad_info.dump(), big_info.dump(),
          bad_pictures.dump(), std::string("{"), std::string("[]"),
          std::string("{\"title\":\"\xff\"}"), deep, std::string("{}")}) {
        CAPTURE(body.substr(0, 60));
        CHECK(send(plain_request(ann, "POST", kPublish, body)).status == 400);
    }
    for (const char* body :
         {R"({"pageNum":-1})", R"({"pageSize":0})", R"({"pageSize":101})", R"({"type":1})",
          R"({"pageNum":18446744073709551615})", R"({"serviceInfo":[]})", R"({"pageNum":1.5})"}) {
        CAPTURE(body);
        CHECK(send(plain_request(ann, "POST", kSearch, body)).status == 400);
    }
}

TEST_CASE("unknown paths and methods are told apart") {
    CHECK(send({.url = server().url() + "/nothing"}).status == 404);
    const auto wrong_method = send({.method = "PUT", .url = server().url() + "/v1/agents"});
    CHECK(wrong_method.status == 405);
    CHECK(wrong_method.header("allow") == "POST");
}

TEST_CASE("under /v1 an unknown field is refused and named, on the platform's paths it is not") {
    const auto ann = plain_agent(server(), "Ann");
    const auto verify =
        test::call(ann, "POST", "/v1/messages/verify", {{"envelop", "{}"}, {"envelope", "{}"}});
    CHECK(verify.status == 400);
    CHECK(verify.body["message"] == "envelop is not known; did you mean envelope?");
    CHECK(test::call(ann, "GET", "/v1/agents/" + ann.agent_id + "?colour=1").status == 400);
    CHECK(test::call(ann, "POST", kSearch, {{"unknown", 1}, {"pageNum", "0"}, {"type", nullptr}})
              .status == 200);
}

TEST_CASE("the API documents itself, for programs and for people in their language") {
    const auto document = send({.url = server().url() + "/openapi.json"});
    CHECK(document.body["openapi"] == "3.1.0");
    CHECK(document.body["paths"]["/v1/agents/{agent_id}"]["get"]["parameters"][0]["name"] ==
          "agent_id");
    const auto page = [](const char* language) {
        http::ClientRequest request;
        request.url = server().url() + "/docs";
        request.headers = {{"Accept-Language", language}};
        return send(request);
    };
    const auto english = page("en-GB, zh;q=0.5");
    CHECK(english.text.find("<h1>The market's API</h1>") != std::string::npos);
    CHECK(english.text.find("works_search") != std::string::npos);
    CHECK(english.header("content-security-policy").starts_with("default-src 'none'"));
    CHECK(page("zh-CN").text.find("<html lang=\"zh-CN\">") != std::string::npos);
}

TEST_CASE("an answer that is not as documented would be noticed") {
    const auto document = send({.url = server().url() + "/openapi.json"}).body;
    const std::string path = "/v1/agents/ag_1";
    const auto fault = [&](int status, const json& body) {
        return test::undocumented(document, "GET", path, status, body);
    };
    json good{{"code", "200"}, {"message", "success"}};
    good["data"] = {{"agent_id", "a"}, {"name", "n"}, {"key_id", "k"}, {"public_key", "p"}};
    good["data"]["capabilities"] = json::array();
    CHECK(fault(200, good) == "");
    good["data"].erase("name");
    CHECK(fault(200, good) == "data.name is missing");
    CHECK(fault(404, good).ends_with("it must be of type null"));
    CHECK(test::undocumented(document, "GET", "/secret", 200, good) != "");
}

TEST_CASE("a token names the client id it is for, and only one's own are given out") {
    const auto ann = plain_agent(server(), "Ann");
    const auto bob = plain_agent(server(), "Bob");
    const std::string id = market::listener_client_id(ann.agent_id);
    const auto token = send(plain_request(ann, "POST", kToken, json{{"client_id", id}}.dump()));
    CHECK(token.body["success"] == true);
    CHECK(token.body["data"]["client_id"] == id);
    CHECK(token.body["data"]["username"] == ann.agent_id);
    CHECK(token.body["data"]["expire_time"].get<std::int64_t>() > (now_s() + 3000) * 1000);
    const auto foreign = send(plain_request(bob, "POST", kToken, json{{"client_id", id}}.dump()));
    CHECK(foreign.status == 403);
    CHECK(foreign.body["success"] == false);
    CHECK(send(plain_request(ann, "POST", kToken, R"({"client_id":"x"})")).status == 403);
    CHECK(send(plain_request(ann, "POST", kToken, "{}")).status == 400);
}

TEST_CASE("the broker is told to allow a valid token of an active agent, else to deny") {
    const auto ann = plain_agent(server(), "Ann");
    const std::string id = market::listener_client_id(ann.agent_id);
    const auto signer = *market::TokenSigner::open(server().dir());
    const auto sign = [&](std::int64_t from_s, std::int64_t to_s) {
        return *signer.sign({ann.agent_id, id, now_s() + from_s, now_s() + to_s});
    };
    const std::string good = sign(0, 3600);
    const auto asked = [&](const std::string& body) {
        const auto answer =
            send({.method = "POST", .url = server().url() + "/v1/broker/user", .body = body});
        CHECK(answer.status == 200);
        return answer.text;
    };
    const auto judged = [&](const std::string& user, const std::string& client,
                            const std::string& token) {
        return asked("username=" + user + "&password=" + token + "&vhost=%2F&client_id=" + client);
    };
    CHECK(judged(ann.agent_id, id, good) == "allow");
    CHECK(judged(ann.agent_id, id, sign(-10, 0)) == "deny");
    CHECK(judged(ann.agent_id, id + "_rt_2", good) == "deny");
    CHECK(judged(plain_agent(server(), "Bob").agent_id, id, good) == "deny");
    CHECK(judged(ann.agent_id, id, good.substr(0, good.size() - 2)) == "deny");
    const test::TempDir other;
    const auto foreign = *market::TokenSigner::open(other.path());
    CHECK(judged(ann.agent_id, id, *foreign.sign({ann.agent_id, id, now_s(), now_s() + 60})) ==
          "deny");
    CHECK(judged("ag_nobody", "GID_agent@@@ag_nobody",
                 *signer.sign({"ag_nobody", "GID_agent@@@ag_nobody", now_s(), now_s() + 60})) ==
          "deny");
    for (const std::string& body : {std::string(), std::string("%"), std::string("password=%00"),
                                    "username=" + ann.agent_id, std::string("{}")}) {
        CAPTURE(body);
        CHECK(asked(body) == "deny");
    }
    server().revoke(ann.agent_id);
    CHECK(test::eventually([&] { return judged(ann.agent_id, id, good) == "deny"; }));
}

TEST_CASE("the market vouches for true messages to the caller and for nothing else") {
    const auto ann = server().register_agent("Ann");
    const auto bob = server().register_agent("Bob");
    const auto eve = server().register_agent("Eve");
    OutboxMessage message;
    message.agent_id = ann.agent_id;
    message.target_id = bob.agent_id;
    message.message_id = new_message_id(now_s() * 1000);
    message.trace_id = new_trace_id(now_s() * 1000);
    message.message_type = "chat.request";
    message.payload_json = R"({"text":"hello"})";
    const auto envelope = wire::sign_envelope(message, ann.keys, now_s() * 1000);
    REQUIRE_MESSAGE(envelope.has_value(), envelope.error().message);
    CHECK(server().client(bob).vouch(*envelope).value() == true);
    const auto third = server().client(eve).vouch(*envelope);
    REQUIRE_FALSE(third);
    CHECK(third.error().code == ErrorCode::PermissionDenied);
    const auto forged = wire::sign_envelope(message, eve.keys, now_s() * 1000);
    REQUIRE(forged);
    CHECK(server().client(bob).vouch(*forged).value() == false);
    CHECK(server().client(bob).vouch("no envelope").value() == false);
}

TEST_CASE("10 MB of body are refused and a slow client disturbs nobody") {
    const auto ann = plain_agent(server(), "Ann");
    auto huge = plain_request(ann, "POST", kPublish, std::string(10 * 1024 * 1024, ' '));
    http::Client client({});
    const auto answer = client.send(huge);
    // Refused while it is still being sent: the answer may be lost with the connection.
    CHECK((!answer || answer->status == 413));
    test::RawConnection slow(server().port());
    slow.send("POST /v1/agents HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{");
    CHECK(send(plain_request(ann, "GET", "/findu-user/api/v1/user/profile/public")).status == 200);
}

TEST_CASE("answered requests outlast a SIGKILL of the market") {
    const auto ann = plain_agent(server(), "Ann");
    const std::string id = publish(ann, post_body());
    const auto used = nonce_request(ann, "POST", std::string(kSearch), "{}", random_hex(16));
    REQUIRE(send(used).status == 200);
    server().kill_market();
    server().start_market();
    CHECK(
        send(plain_request(ann, "GET", "/findu-user/api/v1/user/works/" + id + "/detail")).status ==
        200);
    CHECK(send(used).code() == "PLATFORM_90005");
}

TEST_CASE("our own client does all of it") {
    const auto ann = server().register_agent("Ann");
    auto client = server().client(ann);
    test::ListingDraft draft;
    draft.title = "吉他 guitar lessons";
    draft.content = "one hour";
    draft.expected_price = "100-200 per session";
    draft.service_method = "online";
    const auto listing_id = client.submit_listing(draft);
    REQUIRE_MESSAGE(listing_id.has_value(), listing_id.error().message);
    draft.works_id = *listing_id;
    draft.content = "";
    draft.title = "guitar";
    REQUIRE(client.submit_listing(draft));
    const json works{{"works_id", *listing_id}};
    const auto listing = client.call("works.get", works);
    REQUIRE(listing);
    CHECK((*listing)["title"] == "guitar");
    CHECK((*listing)["content"] == "one hour");
    CHECK((*listing)["extendInfo"]["expectedPrice"] == "100-200 per session");
    CHECK(client.own_listings(ListingType::Service, 1, 10).value().size() == 1);
    CHECK(client.own_listings(ListingType::Demand, 1, 10).value().empty());
    json query{{"keyword", "GUITAR"}, {"agent_id", ann.agent_id}};
    CHECK(client.call("works.search", query).value()["result"][0]["worksId"] == *listing_id);
    query["page"] = 2;
    CHECK(client.call("works.search", query).value()["result"].empty());
    CHECK(client.fetch_agent(ann.agent_id).value().public_key == ann.keys.key_pair.public_key);
    CHECK(client.fetch_agent("ag_nobody").error().code == ErrorCode::NotFound);
    CHECK(client.call("works.delete", works));
    CHECK(client.call("works.delete", works).error().code == ErrorCode::NotFound);
}
