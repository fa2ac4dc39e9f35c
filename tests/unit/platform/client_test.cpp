#include "core/platform/client.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/guarded.h"
#include "core/http/server.h"
#include "core/wire/payload.h"
#include "tests/support/manual_clock.h"
#include "tests/support/process.h"

using namespace a2h;
using nlohmann::json;
using platform::Client;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

/// A platform with scripted answers that checks both signatures as the real ones do.
class FakePlatform {
  public:
    FakePlatform() : keys_{"test-key-0001", wire::new_key_pair()} {
        auto started = http::Server::start({}, [this](const http::Request& r) { return serve(r); });
        REQUIRE(started);
        server_ = std::move(*started);
    }

    Client client(std::string agent_key = "test-key-0001") {
        wire::SigningKeys keys = keys_;
        keys.agent_key = std::move(agent_key);
        return Client(http_, clock_, {url(), "ag_ann", keys});
    }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }
    http::Client& http() { return http_; }
    const Clock& clock() const { return clock_; }
    const wire::KeyPair& key_pair() const { return keys_.key_pair; }

    void answer(int status, const json& body) { answer_text(status, body.dump()); }
    void answer_data(const json& data) {
        answer(200, {{"code", "200"}, {"message", "success"}, {"data", data}});
    }
    void answer_text(int status, const std::string& body) {
        answer_.with([&](http::Response& next) { next = {status, {}, body}; });
    }
    http::Request last() const {
        return last_.with([](const http::Request& request) { return request; });
    }
    json last_body() const { return json::parse(last().body); }

  private:
    bool is_signed(const http::Request& request) const {
        const bool registering = request.path == "/v1/agents";
        const std::string agent = registering ? "" : "ag_ann";
        const std::int64_t timestamp_s = kNow / 1000;
        const std::string path = request.target.substr(0, request.target.find('?'));
        const bool hmac =
            registering ||
            request.header("x-agent-signature") ==
                wire::platform_signature(keys_.agent_key, request.method, path, agent, timestamp_s);
        const auto text =
            wire::nonce_signature_text(request.method, request.target, agent, timestamp_s,
                                       request.header("x-a2h-nonce"), request.body);
        return hmac && request.header("x-timestamp") == std::to_string(timestamp_s) &&
               wire::ed25519_verify(keys_.key_pair.public_key, text,
                                    request.header("x-a2h-signature"));
    }

    http::Response serve(const http::Request& request) {
        last_.with([&](http::Request& kept) { kept = request; });
        if (!is_signed(request)) return {401, {}, R"({"code":"PLATFORM_90005","message":"no"})"};
        return answer_.with([](const http::Response& next) { return next; });
    }

    wire::SigningKeys keys_;
    ManualClock clock_{kNow};
    http::Client http_{{}};
    Guarded<http::Response> answer_;
    Guarded<http::Request> last_;
    std::unique_ptr<http::Server> server_;
};

const json kRow = {{"worksId", "w1"}, {"agentId", "ag_bob"}, {"title", "t"}, {"type", 2}};

ErrorCode error_after(FakePlatform& platform) {
    const auto result = platform.client().own_listings(std::nullopt, 1, 10);
    REQUIRE_FALSE(result);
    return result.error().code;
}

}  // namespace

TEST_CASE("a wrong agent key is Unauthenticated") {
    FakePlatform platform;
    const auto result = platform.client("another key").own_listings(std::nullopt, 1, 10);
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::Unauthenticated);
}

TEST_CASE("the platform's codes become ours, with or without prefix, as text or number") {
    FakePlatform platform;
    const auto code_of = [&platform](int status, const json& code) {
        platform.answer(status, {{"code", code}, {"message", "m"}});
        return error_after(platform);
    };
    CHECK(code_of(200, "PLATFORM_90005") == ErrorCode::Unauthenticated);
    CHECK(code_of(200, 90005) == ErrorCode::Unauthenticated);
    CHECK(code_of(403, "PLATFORM_401") == ErrorCode::PermissionDenied);
    CHECK(code_of(200, 401) == ErrorCode::PermissionDenied);
    CHECK(code_of(404, "PLATFORM_410") == ErrorCode::NotFound);
    CHECK(code_of(200, "410") == ErrorCode::NotFound);
    CHECK(code_of(400, "400") == ErrorCode::InvalidArgument);
    CHECK(code_of(409, "409") == ErrorCode::Conflict);
    CHECK(code_of(429, "429") == ErrorCode::Unavailable);
    CHECK(code_of(503, "503") == ErrorCode::Unavailable);
    CHECK(code_of(500, "500") == ErrorCode::Timeout);
    CHECK(code_of(200, "500") == ErrorCode::Timeout);
}

TEST_CASE("answers that break the protocol are Corrupt") {
    FakePlatform platform;
    for (const char* text : {"", "not json", "[]", R"({"code":"200","data":null})",
                             R"({"code":"200","data":{"title":"t"}})"}) {
        CAPTURE(text);
        platform.answer_text(200, text);
        CHECK(error_after(platform) == ErrorCode::Corrupt);
    }
    platform.answer_text(302, "");
    CHECK(error_after(platform) == ErrorCode::Corrupt);
    platform.answer_text(502, "<html>");
    CHECK(error_after(platform) == ErrorCode::Timeout);
    platform.answer_text(503, "<html>");
    CHECK(error_after(platform) == ErrorCode::Unavailable);
}

TEST_CASE("nobody listening is Unavailable") {
    FakePlatform platform;
    http::Client http({});
    Client client(http, platform.clock(),
                  {"http://127.0.0.1:" + std::to_string(test::free_port()),
                   "ag_ann",
                   {"k", platform.key_pair()}});
    CHECK(client.own_listings(std::nullopt, 1, 10).error().code == ErrorCode::Unavailable);
}

TEST_CASE("registering is signed with the new key and asks that nonces be required") {
    FakePlatform platform;
    platform.answer_data({{"agent_id", "ag_new"}, {"agent_key", "k"}, {"mqtt_url", "mqtt://h:1"}});
    const auto made = Client::register_agent(platform.http(), platform.clock(), platform.url(),
                                             "Ann", platform.key_pair());
    REQUIRE_MESSAGE(made.has_value(), made.error().message);
    CHECK(made->agent_id == "ag_new");
    CHECK(made->mqtt_url == "mqtt://h:1");
    CHECK(platform.last_body()["require_nonce"] == true);
    platform.answer_data({{"agent_id", "ag_a/b"}, {"agent_key", "k"}, {"mqtt_url", "m"}});
    const auto bad = Client::register_agent(platform.http(), platform.clock(), platform.url(),
                                            "Ann", platform.key_pair());
    REQUIRE_FALSE(bad);
    CHECK(bad.error().code == ErrorCode::Corrupt);
}

TEST_CASE("a broker token must be for the client id that was asked for") {
    FakePlatform platform;
    json data{{"client_id", "c1"}, {"username", "u"}, {"password", "p"}, {"expire_time", kNow + 1}};
    platform.answer(200, {{"success", true}, {"data", data}});
    const auto token = platform.client().fetch_broker_token("c1");
    REQUIRE(token);
    CHECK(token->password == "p");
    CHECK(token->expires_at_ms == kNow + 1);
    CHECK(platform.client().fetch_broker_token("c2").error().code == ErrorCode::Corrupt);
    for (const std::int64_t no_time : {std::int64_t{-1}, kTimeMaxMs + 1}) {
        data["expire_time"] = no_time;
        platform.answer(200, {{"success", true}, {"data", data}});
        CHECK(platform.client().fetch_broker_token("c1").error().code == ErrorCode::Corrupt);
    }
    platform.answer(200, {{"success", false}, {"error", "no"}});
    CHECK(platform.client().fetch_broker_token("c1").error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("a refusal's message and code are one line of bounded length") {
    FakePlatform platform;
    std::string lines;
    while (lines.size() < 10'000)
        lines += "line\n";
    platform.answer(400, {{"code", lines}, {"message", lines}});
    const std::string message = platform.client().own_listings(std::nullopt, 1, 10).error().message;
    CHECK(message.size() < 300);
    CHECK(message.find('\n') == std::string::npos);
}

TEST_CASE("an agent's record is refused when its key id is not its key's") {
    FakePlatform platform;
    json data{{"agent_id", "ag_bob"},
              {"name", "Bob"},
              {"key_id", platform.key_pair().key_id},
              {"public_key", platform.key_pair().public_key}};
    platform.answer_data(data);
    CHECK(platform.client().fetch_agent("ag_bob").value().name == "Bob");
    CHECK(platform.client().fetch_agent("ag_eve").error().code == ErrorCode::Corrupt);
    data["key_id"] = "another";
    platform.answer_data(data);
    CHECK(platform.client().fetch_agent("ag_bob").error().code == ErrorCode::Corrupt);
}

TEST_CASE("a platform without vouching is Unsupported") {
    FakePlatform platform;
    platform.answer_data({{"verified", true}});
    CHECK(platform.client().vouch("{}").value());
    platform.answer_data({{"verified", "yes"}});
    CHECK(platform.client().vouch("{}").error().code == ErrorCode::Corrupt);
    platform.answer_text(404, "not here");
    CHECK(platform.client().vouch("{}").error().code == ErrorCode::Unsupported);
    CHECK(platform.client().vouch("\xff").error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("incoming messages are read in pages, and a page that does not advance is refused") {
    FakePlatform platform;
    platform.answer_data({{"items", {{{"envelope", "first"}}, {{"envelope", "second"}}}},
                          {"after", 7},
                          {"more", true}});
    const auto page = platform.client().fetch_incoming(3, 100);
    REQUIRE(page);
    CHECK(page->envelopes == std::vector<std::string>{"first", "second"});
    CHECK(page->after == 7);
    CHECK(page->more);
    CHECK(platform.last().target == "/v1/messages?after=3&limit=100");
    CHECK(platform.client().fetch_incoming(7, 100).error().code == ErrorCode::Corrupt);
    for (const char* other :
         {R"({})", R"([])", R"({"items":{},"after":1,"more":false})",
          R"({"items":[],"after":"1","more":false})", R"({"items":[],"after":-1,"more":false})",
          R"({"items":[],"after":1})"}) {
        CAPTURE(other);
        platform.answer_data(json::parse(other));
        CHECK(platform.client().fetch_incoming(0, 100).error().code == ErrorCode::Corrupt);
    }
    platform.answer_text(404, "not here");
    CHECK(platform.client().fetch_incoming(0, 100).error().code == ErrorCode::NotFound);
}

TEST_CASE("pages count from 1 in our interface and from 0 in the market's") {
    FakePlatform platform;
    platform.answer_data({{"items", json::array({kRow})}});
    const auto found = platform.client().own_listings(ListingType::Demand, 3, 20);
    REQUIRE(found);
    CHECK(found->front().agent_id == "ag_bob");
    CHECK(found->front().type == ListingType::Demand);
    CHECK(platform.last().target.ends_with("?pageNum=2&pageSize=20&type=2"));
    REQUIRE(platform.client().own_listings(std::nullopt, 1, 20));
    CHECK(platform.last().target.ends_with("?pageNum=0&pageSize=20"));
    CHECK(platform.client().own_listings(std::nullopt, 0, 20).error().code ==
          ErrorCode::InvalidArgument);
}

TEST_CASE("extendInfo is read as an object, as text, and with prices in cents") {
    FakePlatform platform;
    const auto shown = [&platform](const json& extend_info) {
        json row = kRow;
        row["extendInfo"] = extend_info;
        platform.answer_data({{"items", json::array({row})}});
        const auto listings = platform.client().own_listings(std::nullopt, 1, 10);
        REQUIRE(listings);
        return listings->front().expected_price + "|" + listings->front().service_method;
    };
    CHECK(shown({{"expectedPrice", "100-200"}, {"serviceMethod", "online"}}) == "100-200|online");
    CHECK(shown(R"({"expectedPrice":"5 CNY"})") == "5 CNY|");
    CHECK(shown({{"priceType", "FIXED"}, {"currency", "CNY"}, {"fixedPrice", 50000}}) ==
          "500.00 CNY|");
    CHECK(shown({{"priceType", "NEGOTIABLE"},
                 {"currency", "CNY"},
                 {"priceMin", 100},
                 {"priceMax", 250}}) == "1.00 CNY - 2.50 CNY|");
    CHECK(shown("not json") == "|");
    CHECK(shown({{"expectedPrice", 7}}) == "|");
}

TEST_CASE("an id from a peer stays one segment of the path") {
    FakePlatform platform;
    platform.answer_data(json::object());
    CHECK_FALSE(platform.client().fetch_agent("../x/y?z"));
    CHECK(platform.last().target == "/v1/agents/%2E%2E%2Fx%2Fy%3Fz");
}
