#include "tests/integration/daemon/strangers.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <doctest/doctest.h>

#include "core/base/ids.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "tests/support/market_http.h"
#include "tests/support/permit.h"
#include "tests/support/queued_message.h"
#include "tests/support/signed_mail.h"

namespace a2h::test {

using nlohmann::json;

long in_history(const platform::Account& sender, const platform::Account& receiver) {
    const auto answer = test::send(
        nonce_request(sender, "GET",
                      "/agent-message/api/v1/agents/sessions/messages?limit=100&sessionId=" +
                          session_id(sender.agent_id, receiver.agent_id),
                      "", random_hex(16)));
    const json items = answer.data()["items"];
    return std::count_if(items.begin(), items.end(),
                         [&](const json& item) { return item["senderId"] == sender.agent_id; });
}

std::multiset<std::string> texts_from(Daemon& daemon, const std::string& peer) {
    const json history =
        daemon.call_assistant("inbox.history", json{{"peer_id", peer}, {"limit", 50}}.dump());
    REQUIRE_MESSAGE(history.value("ok", false), history.dump());
    std::multiset<std::string> texts;
    for (const json& item : history["data"]["items"]) {
        if (item["direction"] == "in") texts.insert(item["text"].get<std::string>());
    }
    return texts;
}

bool relay_is(const Market& market, const std::string& state) {
    return eventually(
        [&] { return test::send({.url = market.url() + "/healthz"}).body["relay"] == state; },
        std::chrono::seconds(30));
}

void relay_to(const Market& market, ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request,
              const std::function<void(std::string& body)>& change) {
    const auto method_end = request.head.find(' ');
    const auto target_end = request.head.find(' ', method_end + 1);
    http::ClientRequest made{
        .method = request.head.substr(0, method_end),
        .url = market.url() + request.head.substr(method_end + 1, target_end - method_end - 1),
        .body = request.body};
    for (const char* name : {"x-agent-id", "x-timestamp", "x-agent-signature", "x-a2h-nonce",
                             "x-a2h-signature", "idempotency-key", "content-type"}) {
        const std::string value = request.header(name);
        if (!value.empty()) made.headers.emplace_back(name, value);
    }
    http::Client client{{}};
    auto answer = client.send(made);
    if (!answer) return;
    if (change) change(answer->body);
    peer.answer(answer->status, answer->body);
}

Guest::Guest(Market& market, platform::Account account, std::uint32_t seconds)
    : account_(std::move(account)) {
    const std::string client_id = "GID_agent@@@" + account_.agent_id;
    const auto token = market.client(account_).fetch_broker_token(client_id);
    REQUIRE(token.has_value());
    mqtt_ = std::make_unique<RawMqtt>(
        market.broker_port(), RawMqtt::Login{client_id, token->username, token->password, seconds});
    REQUIRE(mqtt_->connected());
}

void Guest::say(const std::string& target_id, const std::string& text,
                const std::string& trace_id) {
    publish(target_id,
            signed_mail(account_, target_id, "chat.request", {{"text", text}}, trace_id));
}

void Guest::publish(const std::string& target_id, const std::string& mail) {
    REQUIRE(mqtt_->publish_and_wait("P2P_TOPIC/p2p/GID_agent@@@" + target_id, mail));
}

Strangers::Strangers() {
    REQUIRE(buyer.connected());
    // Messages from before the market's first subscription are in no history.
    REQUIRE(relay_is(market, "connected"));
}

void Strangers::buyer_says(const std::string& text) {
    const json sent = buyer.call_assistant(
        "send", json{{"target_agent_id", seller_account.agent_id}, {"text", text}}.dump());
    // Until the buyer's a2hd knows what it has missed, its assistant's texts wait for a yes
    // (R46).
    if (sent["ok"] != true) {
        REQUIRE_MESSAGE(sent["error"].contains("approval_id"), sent.dump());
        const json yes{{"approval_id", sent["error"]["approval_id"]},
                       {"decision", "approve"},
                       {"pin", Daemon::kPin}};
        const json answered = buyer.call_human("approval.answer", yes.dump());
        REQUIRE_MESSAGE(answered["ok"] == true, answered.dump());
    }
    said.insert(text);
    REQUIRE(
        eventually([&] { return in_history(buyer_account, seller_account) == std::ssize(said); }));
}

Daemon& Strangers::up(const std::string& api) {
    platform::Account account = seller_account;
    if (!api.empty()) account.api_base = api;
    seller = std::make_unique<Daemon>(
        dir.path() / "seller", std::vector{account}, market.mqtt_url(),
        DaemonOptions{.config = "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n"
                                "[notify]\nchannels = [\"terminal\"]\n"});
    REQUIRE(has_asked());
    return *seller;
}

void Strangers::queue_at_seller(const std::string& text, const std::string& cause,
                                const std::string& type) const {
    const auto db =
        store::Database::open(seller->home() / "a2hd.db", store::Database::Mode::ReadWrite);
    REQUIRE(db.has_value());
    const OutboxMessage message =
        queued_message(seller_account.agent_id, buyer_account.agent_id, type,
                       wire::canonical_json({{"text", text}}), cause);
    REQUIRE(test::insert_outbox(**db, message).has_value());
}

bool Strangers::has_asked() {
    return eventually([&] { return seller->status()["history"]["asked_at"].is_string(); },
                      std::chrono::seconds(20));
}

void Strangers::broker_forgets() {
    market.stop_broker();
    std::filesystem::remove(market.dir() / "broker.db");
    REQUIRE(relay_is(market, "disconnected"));
    market.start_broker();
    REQUIRE(relay_is(market, "connected"));
    REQUIRE(buyer.connected());
}

std::vector<json> Strangers::events_of_loss() {
    std::vector<json> found;
    const json listed = seller->call_human("events.list", R"({"limit":1000})");
    for (const json& event : listed["data"]["events"]) {
        if (event["kind"] == "listening.session_lost") found.push_back(event);
    }
    return found;
}

bool Strangers::has_problem(const std::string& code) {
    const json problems = seller->status()["problems"];
    return std::any_of(problems.begin(), problems.end(),
                       [&](const json& problem) { return problem["code"] == code; });
}

}  // namespace a2h::test
