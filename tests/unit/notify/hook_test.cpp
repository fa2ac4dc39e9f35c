#include <doctest/doctest.h>
#include <openssl/evp.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "core/wire/crypto.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/hook_signature.h"

using namespace a2h;
using nlohmann::json;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;
constexpr const char* kNowText = "1760000000";

std::string hex(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        out += kDigits[static_cast<unsigned char>(c) / 16];
        out += kDigits[static_cast<unsigned char>(c) % 16];
    }
    return out;
}

const unsigned char* bytes_of(const std::string& text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

/// Encrypts like Feishu, written from its documentation.
std::string encrypt_feishu(const std::string& key, const std::string& text) {
    std::array<unsigned char, 32> digest{};
    unsigned int size = 0;
    EVP_Digest(key.data(), key.size(), digest.data(), &size, EVP_sha256(), nullptr);
    const std::string iv(16, 'i');
    std::string out(text.size() + 16, '\0');
    EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
    int first = 0;
    int last = 0;
    auto* to = reinterpret_cast<unsigned char*>(out.data());
    EVP_EncryptInit_ex(context, EVP_aes_256_cbc(), nullptr, digest.data(), bytes_of(iv));
    EVP_EncryptUpdate(context, to, &first, bytes_of(text), static_cast<int>(text.size()));
    EVP_EncryptFinal_ex(context, to + first, &last);
    EVP_CIPHER_CTX_free(context);
    const std::string all = iv + out.substr(0, static_cast<std::size_t>(first + last));
    std::string base64(all.size() * 2, '\0');
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(base64.data()),
                                       bytes_of(all), static_cast<int>(all.size()));
    return base64.substr(0, static_cast<std::size_t>(length));
}

struct Caller {
    notify::Channel& channel;
    std::vector<std::string> pressed{};
    notify::ClickAnswer told{true, "agreed"};

    notify::HookResponse call(const std::string& body, std::map<std::string, std::string> headers,
                              UnixMs now_ms = kNow) {
        return channel.hook(
            {.body = body,
             .header = [&](std::string_view name) { return headers[std::string(name)]; },
             .now_ms = now_ms},
            [this](const notify::Click& click) {
                pressed.push_back(click.is_allowed ? click.button_id : "somebody else");
                return told;
            });
    }
};

}  // namespace

TEST_CASE("the documented example of a Slack signature holds, and nothing near it") {
    const std::string secret = "8f742231b10e8888abcd99yyyzzz85a5";
    const std::string body =
        "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id="
        "G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-"
        "collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%"
        "2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121."
        "803a0bc887a14d10d2c447fce8b6703c";
    const std::string signature =
        "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
    constexpr UnixMs kThen = 1'531'420'618'000;
    CHECK(notify::is_from_slack(secret, "1531420618", signature, body, kThen));
    CHECK(!notify::is_from_slack(secret, "1531420619", signature, body, kThen));
    CHECK(!notify::is_from_slack(secret, "1531420618", signature, body + " ", kThen));
    CHECK(!notify::is_from_slack("", "1531420618", signature, body, kThen));
    CHECK(!notify::is_from_slack(secret, "1531420618", "", body, kThen));
    CHECK(!notify::is_from_slack(secret, "1531420618x", signature, body, kThen));
    CHECK(!notify::is_from_slack(secret, "1531420618", signature, body, kThen + 301'000));
    CHECK(!notify::is_from_slack(secret, "1531420618", signature, body, kThen - 301'000));
}

TEST_CASE("a press in Slack counts when it is signed, and the person who pressed sees a refusal") {
    const auto channel = notify::make_slack_channel(
        {"chat",
         "slack",
         {{"token", "x"}, {"signing_secret", "s"}, {"channel_id", "C"}, {"users", "U1"}}});
    Caller caller{*channel};
    const auto body_of = [](const std::string& user) {
        const json payload{{"type", "block_actions"},
                           {"user", {{"id", user}}},
                           {"actions", {{{"action_id", "approve"}, {"value", "7.y.aaaa"}}}}};
        return "payload=" + notify::form_value(payload.dump());
    };
    const auto signed_by = [](const std::string& secret, const std::string& body) {
        return std::map<std::string, std::string>{
            {"x-slack-request-timestamp", kNowText},
            {"x-slack-signature",
             "v0=" + wire::hmac_sha256_hex(secret, std::string("v0:") + kNowText + ":" + body)}};
    };
    CHECK(caller.call(body_of("U1"), signed_by("s", body_of("U1"))).status == 200);
    CHECK(caller.pressed == std::vector<std::string>{"7.y.aaaa"});
    CHECK(caller.call(body_of("U1"), signed_by("other", body_of("U1"))).status == 401);
    CHECK(caller.call(body_of("U2"), signed_by("s", body_of("U2"))).status == 200);
    CHECK(caller.call("payload=[]", signed_by("s", "payload=[]")).status == 200);
    CHECK(caller.call("payload=%7B", signed_by("s", "payload=%7B")).status == 400);
    CHECK(caller.pressed == std::vector<std::string>{"7.y.aaaa", "somebody else"});
}

TEST_CASE("Discord's ping is answered and its presses count, both only when signed") {
    const wire::KeyPair keys = wire::new_key_pair();
    const std::string public_key = hex(wire::base64url_decode(keys.public_key).value());
    const auto channel = notify::make_discord_channel(
        {"chat", "discord", {{"token", "x"}, {"public_key", public_key}, {"channel_id", "5"}}});
    Caller caller{*channel};
    const auto signed_headers = [&](const std::string& body) {
        const auto signature = wire::ed25519_sign(keys.secret_key, kNowText + body).value();
        return std::map<std::string, std::string>{
            {"x-signature-timestamp", kNowText},
            {"x-signature-ed25519", hex(wire::base64url_decode(signature).value())}};
    };
    const std::string ping = R"({"type":1})";
    const auto pong = caller.call(ping, signed_headers(ping));
    CHECK(pong.status == 200);
    CHECK(json::parse(pong.body)["type"] == 1);
    const std::string press =
        R"({"type":3,"member":{"user":{"id":"8"}},"data":{"custom_id":"7.n.bbbb"}})";
    const json told = json::parse(caller.call(press, signed_headers(press)).body);
    CHECK(told["type"] == 4);
    CHECK(told["data"]["flags"] == 64);
    CHECK(told["data"]["content"] == "agreed");
    CHECK(caller.pressed == std::vector<std::string>{"7.n.bbbb"});
    CHECK(caller.call(press, signed_headers(ping)).status == 401);
    CHECK(caller.call(press, {}).status == 401);
    CHECK(caller.call(press, signed_headers(press), kNow + 600'000).status == 401);
    CHECK(caller.call("{", signed_headers("{")).status == 400);
    CHECK(caller.pressed.size() == 1);
}

TEST_CASE("Feishu's first contact and presses are decrypted and proved") {
    const auto channel = notify::make_feishu_channel({"chat",
                                                      "feishu",
                                                      {{"app_id", "a"},
                                                       {"app_secret", "s"},
                                                       {"verification_token", "vt"},
                                                       {"encrypt_key", "ek"},
                                                       {"receive_id", "o"}}});
    Caller caller{*channel};
    const auto closed = [](const json& event) {
        return json{{"encrypt", encrypt_feishu("ek", event.dump())}}.dump();
    };
    const auto signed_by = [](const std::string& key, const std::string& body) {
        return std::map<std::string, std::string>{
            {"x-lark-request-timestamp", kNowText},
            {"x-lark-request-nonce", "n"},
            {"x-lark-signature", wire::sha256_hex(std::string(kNowText) + "n" + key + body)}};
    };
    const std::string first =
        closed({{"type", "url_verification"}, {"token", "vt"}, {"challenge", "c1"}});
    CHECK(json::parse(caller.call(first, {}).body)["challenge"] == "c1");
    const json event{{"schema", "2.0"},
                     {"header", {{"event_type", "card.action.trigger"}, {"token", "vt"}}},
                     {"event",
                      {{"operator", {{"open_id", "ou_1"}}},
                       {"action", {{"tag", "button"}, {"value", {{"a2h", "7.y.aaaa"}}}}}}}};
    const std::string press = closed(event);
    const json told = json::parse(caller.call(press, signed_by("ek", press)).body);
    CHECK(told["toast"]["content"] == "agreed");
    CHECK(told["toast"]["type"] == "success");
    CHECK(!told.contains("card"));
    CHECK(caller.pressed == std::vector<std::string>{"7.y.aaaa"});
    caller.told.card = notify::Message{};
    caller.told.card->title = "A2H: answered";
    const json replaced = json::parse(caller.call(press, signed_by("ek", press)).body)["card"];
    CHECK(replaced["type"] == "raw");
    CHECK(replaced["data"]["config"]["update_multi"] == true);
    CHECK(replaced["data"]["header"]["title"]["content"] == "A2H: answered");
    caller.pressed.pop_back();
    CHECK(caller.call(press, signed_by("other", press)).status == 401);
    CHECK(caller.call(press, {}).status == 401);
    for (const std::string& unproved :
         {event.dump(), std::string("{"), json{{"encrypt", "AAAA"}}.dump(),
          json{{"encrypt", encrypt_feishu("other", event.dump())}}.dump(),
          json{{"encrypt", encrypt_feishu("ek", "{")}}.dump()}) {
        CAPTURE(unproved);
        CHECK(caller.call(unproved, signed_by("ek", unproved)).status == 401);
    }
    json stranger = event;
    stranger["header"]["token"] = "guess";
    CHECK(caller.call(closed(stranger), signed_by("ek", closed(stranger))).status == 401);
    CHECK(caller.pressed.size() == 1);
}

TEST_CASE("data that cannot be decrypted is refused") {
    CHECK(notify::decrypt_feishu("key", encrypt_feishu("key", "hello")).value() == "hello");
    for (const std::string& bad : {std::string(), std::string("!"), std::string("AAAA"),
                                   std::string(64, 'A'), encrypt_feishu("other", "hello")}) {
        CHECK(!notify::decrypt_feishu("key", bad).has_value());
    }
}

TEST_CASE("a channel without a web hook answers 404") {
    const auto channel = notify::make_ntfy_channel({"phone", "ntfy", {{"topic", "t"}}});
    Caller caller{*channel};
    CHECK(caller.call("{}", {}).status == 404);
}
