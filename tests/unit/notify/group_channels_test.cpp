// Many questions in one message: how each channel lets people answer them, and what it never does.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "daemon/notify/channels.h"
#include "daemon/notify/mail_text.h"
#include "daemon/notify/render.h"
#include "tests/support/fake_channel_api.h"
#include "tests/unit/notify/channel_desk.h"

using namespace a2h;
using nlohmann::json;
using notify::Message;
using namespace a2h::test;

namespace {

constexpr int kQuestions = 10;

Message group() {
    Message message;
    message.id = 7;
    message.kind = "group";
    message.title = "A2H: 12 notifications";
    message.link = "https://a2h.example/";
    for (int number = 1; number <= kQuestions; ++number) {
        const std::string n = std::to_string(number);
        message.text += n + ". May I? (apr_" + n + ")\n";
        message.linked_text +=
            n + ". May I? (apr_" + n + ")\nhttps://a2h.example/a/apr_" + n + "\n";
        message.buttons.push_back({AnswerKind::Approve, n + " Approve", n + ".y.aaaa", number});
        message.buttons.push_back({AnswerKind::Reject, n + " Reject", n + ".n.bbbb", number});
    }
    return message;
}

FakeChannelApi::Answer taken() {
    return [](const FakeChannelApi::Call&) {
        return FakeChannelApi::reply({{"ok", true},
                                      {"code", 0},
                                      {"id", "1"},
                                      {"tenant_access_token", "t"},
                                      {"result", {{"message_id", 1}}}});
    };
}

std::unique_ptr<notify::Channel> telegram(const FakeChannelApi& api) {
    return notify::make_telegram_channel(
        settings("telegram", {{"api_base", api.url()}, {"token", "T"}, {"chat_id", "9"}}));
}
std::unique_ptr<notify::Channel> slack(const FakeChannelApi& api) {
    return notify::make_slack_channel(
        settings("slack", {{"api_base", api.url()}, {"token", "T"}, {"channel_id", "C"}}));
}
std::unique_ptr<notify::Channel> discord(const FakeChannelApi& api) {
    return notify::make_discord_channel(
        settings("discord", {{"api_base", api.url()}, {"token", "T"}, {"channel_id", "5"}}));
}
std::unique_ptr<notify::Channel> feishu(const FakeChannelApi& api) {
    return notify::make_feishu_channel(settings(
        "feishu",
        {{"api_base", api.url()}, {"app_id", "a"}, {"app_secret", "s"}, {"receive_id", "o"}}));
}
std::unique_ptr<notify::Channel> ntfy(const FakeChannelApi& api) {
    return notify::make_ntfy_channel(
        settings("ntfy", {{"server", api.url()}, {"topic", "t"}, {"reply_topic", "back"}}));
}

}  // namespace

TEST_CASE("Telegram has a row of buttons for each question, and keeps those still open") {
    FakeChannelApi api("", taken());
    const auto channel = telegram(api);
    REQUIRE(channel->deliver(group()));
    json rows = api.last("/botT/sendMessage").json["reply_markup"]["inline_keyboard"];
    REQUIRE(rows.size() == kQuestions + 1);
    CHECK(rows[9][0]["callback_data"] == "10.y.aaaa");
    CHECK(rows[9][1]["text"] == "10 Reject");
    Message later = group();
    later.buttons.erase(later.buttons.begin(), later.buttons.begin() + 18);
    REQUIRE(channel->update("1", later));
    rows = api.last("/botT/editMessageText").json["reply_markup"]["inline_keyboard"];
    CHECK(rows.size() == 2);
}

TEST_CASE("Slack's buttons of a group have names of their own, and fit into one block") {
    FakeChannelApi api("", taken());
    REQUIRE(slack(api)->deliver(group()));
    const json blocks = api.last("/chat.postMessage").json["blocks"];
    const json& elements = blocks[2]["elements"];
    CHECK(elements.size() == 2 * kQuestions + 1);
    CHECK(elements.size() <= 25);
    std::set<std::string> names;
    for (const json& element : elements)
        names.insert(element["action_id"].get<std::string>());
    CHECK(names.size() == elements.size());
}

TEST_CASE("Discord's buttons of a group fit into five rows of five") {
    FakeChannelApi api("", taken());
    REQUIRE(discord(api)->deliver(group()));
    const json rows = api.last("/channels/5/messages").json["components"];
    REQUIRE(rows.size() == 5);
    std::size_t buttons = 0;
    for (const json& row : rows) {
        CHECK(row["components"].size() <= 5);
        buttons += row["components"].size();
    }
    CHECK(buttons == 2 * kQuestions + 1);
    CHECK(rows[4]["components"][3]["custom_id"] == "10.n.bbbb");
}

TEST_CASE("Feishu has an element of actions for each question of a group") {
    FakeChannelApi api("", taken());
    REQUIRE(feishu(api)->deliver(group()));
    const json sent = api.last("/open-apis/im/v1/messages").json;
    const json card = json::parse(sent["content"].get<std::string>());
    CHECK(card["elements"].size() == 1 + kQuestions + 1);
    CHECK(card["elements"][10]["actions"][1]["value"]["a2h"] == "10.n.bbbb");
}

TEST_CASE("ntfy, which has three buttons at most, and mail have a link for each question") {
    FakeChannelApi api("", taken());
    REQUIRE(ntfy(api)->deliver(group()));
    const json sent = api.last("/").json;
    CHECK(sent["actions"].size() == 1);
    CHECK(sent["message"].get<std::string>().find("https://a2h.example/a/apr_10") !=
          std::string::npos);
}

TEST_CASE("a message that a channel has to cut has no button that says yes") {
    FakeChannelApi api("", taken());
    Message message = question();
    message.link = "https://a2h.example/";
    message.text = std::string(1200, '*');  // twice as much once it is escaped
    REQUIRE(discord(api)->deliver(message));
    const json row = api.last("/channels/5/messages").json["components"][0]["components"];
    REQUIRE(row.size() == 2);
    CHECK(row[0]["custom_id"] == "7.n.bbbb");
    message.text = std::string(5000, 'x');
    REQUIRE(ntfy(api)->deliver(message));
    CHECK(api.last("/").json["actions"].size() == 2);
    REQUIRE(slack(api)->deliver(message));
    CHECK(api.last("/chat.postMessage").json["blocks"][2]["elements"].size() == 2);
    REQUIRE(telegram(api)->deliver(message));
    const json rows = api.last("/botT/sendMessage").json["reply_markup"]["inline_keyboard"];
    CHECK(rows[0].size() == 1);
    message.text = std::string(60'000, 'x');
    REQUIRE(feishu(api)->deliver(message));
    const std::string card = api.last("/open-apis/im/v1/messages").json["content"];
    CHECK(card.find("7.y.aaaa") == std::string::npos);
    CHECK(card.find("7.n.bbbb") != std::string::npos);
}

TEST_CASE("a message that a channel has to cut has no button for a no that sends words") {
    FakeChannelApi api("", taken());
    Message message = question();
    message.text = std::string(60'000, 'x');
    message.no_sends_words = true;
    const auto has_button = [&](const auto& channel, const std::string& path) {
        REQUIRE(channel->deliver(message));
        return api.last(path).json.dump().find("7.n.bbbb") != std::string::npos;
    };
    CHECK_FALSE(has_button(discord(api), "/channels/5/messages"));
    CHECK_FALSE(has_button(ntfy(api), "/"));
    CHECK_FALSE(has_button(slack(api), "/chat.postMessage"));
    CHECK_FALSE(has_button(telegram(api), "/botT/sendMessage"));
    CHECK_FALSE(has_button(feishu(api), "/open-apis/im/v1/messages"));
}

TEST_CASE("each channel says whether what it delivered shows the code") {
    FakeChannelApi api("", taken());
    const auto shows_code = [](const auto& channel, const Message& message) {
        const auto delivered = channel->deliver(message);
        REQUIRE(delivered);
        return delivered->shows_code;
    };
    Message message = question();
    message.cut_ending = "Open the page.";
    for (const std::size_t size : {std::size_t{10}, std::size_t{60'000}}) {
        CAPTURE(size);
        message.text = std::string(size, 'x');
        message.covered_bytes = message.text.size();
        const bool is_whole = size == 10;
        CHECK(shows_code(discord(api), message) == is_whole);
        CHECK(shows_code(ntfy(api), message) == is_whole);
        CHECK(shows_code(slack(api), message) == is_whole);
        CHECK(shows_code(telegram(api), message) == is_whole);
        CHECK(shows_code(feishu(api), message) == is_whole);
        CHECK(notify::has_code(notify::shown_in_mail(message)) == is_whole);
    }
}
