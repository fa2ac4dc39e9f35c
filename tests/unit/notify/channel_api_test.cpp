#include <doctest/doctest.h>

#include <atomic>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/text.h"
#include "daemon/notify/channels.h"
#include "tests/support/fake_channel_api.h"
#include "tests/support/process.h"
#include "tests/unit/notify/channel_desk.h"

using namespace a2h;
using nlohmann::json;
using notify::Message;
using namespace a2h::test;

TEST_CASE("ntfy publishes JSON with buttons that post to the reply topic, and replaces it later") {
    FakeChannelApi api("Bearer tk_1", [](const FakeChannelApi::Call&) {
        return FakeChannelApi::reply({{"id", "AbC123"}, {"event", "message"}});
    });
    const auto channel = notify::make_ntfy_channel(settings("ntfy", {{"server", api.url() + "/"},
                                                                     {"topic", "mine"},
                                                                     {"reply_topic", "back"},
                                                                     {"token", "tk_1"}}));
    const auto delivered = channel->deliver(question());
    REQUIRE(delivered.has_value());
    const json body = api.last("/").json;
    CHECK(body["topic"] == "mine");
    CHECK(body["priority"] == 5);
    CHECK(body["sequence_id"] == delivered->receipt);
    CHECK(body["message"].get<std::string>().find("123456") != std::string::npos);
    REQUIRE(body["actions"].size() == 3);
    CHECK(body["actions"][0]["action"] == "http");
    CHECK(body["actions"][0]["url"] == api.url() + "/back");
    CHECK(body["actions"][0]["method"] == "POST");
    CHECK(body["actions"][0]["body"] == "7.y.aaaa");
    CHECK(body["actions"][2]["action"] == "view");
    REQUIRE(channel->update(delivered->receipt, final_state()).has_value());
    CHECK(api.last("/").json["sequence_id"] == delivered->receipt);
    CHECK(!api.last("/").json.contains("actions"));
}

TEST_CASE("ntfy never sends more than 4096 bytes of text") {
    FakeChannelApi api("", [](const FakeChannelApi::Call&) { return FakeChannelApi::reply({}); });
    const auto channel =
        notify::make_ntfy_channel(settings("ntfy", {{"server", api.url()}, {"topic", "t"}}));
    Message message = question();
    message.text.clear();
    for (int i = 0; i < 3000; ++i)
        message.text += "好";
    REQUIRE(channel->deliver(message).has_value());
    CHECK(api.last("/").json["message"].get<std::string>().size() <= 4096);
}

TEST_CASE("a post of the phone to ntfy's reply topic is an answer, also after broken connections") {
    std::atomic<int> polls{0};
    FakeChannelApi api("", [&](const FakeChannelApi::Call& call) {
        http::Response response;
        if (!call.path.starts_with("/back/json")) return response;
        const int number = ++polls;
        if (number == 1) {
            CHECK(call.path == "/back/json?since=12h");
            response.body =
                "{\"event\":\"open\"}\n"
                "{\"id\":\"m1\",\"event\":\"message\",\"message\":\"7.y.aaaa\"}\n"
                "not json\n{\"event\":\"keepalive\"}\n";
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return response;
    });
    const auto channel = notify::make_ntfy_channel(
        settings("ntfy", {{"server", api.url()}, {"topic", "mine"}, {"reply_topic", "back"}}));
    REQUIRE(channel->listens());
    Desk desk;
    {
        const Listening listening(*channel, desk.answer());
        CHECK(test::eventually([&] { return polls >= 2; }));
    }
    CHECK(desk.all() == std::vector<std::string>{"phone 7.y.aaaa"});
    // Nothing is answered twice: the next subscription begins after it.
    CHECK(api.last("/back/json").path == "/back/json?since=m1");
}

TEST_CASE("a server that ends every long request at once is not asked without a pause") {
    std::atomic<int> polls{0};
    std::string body;
    FakeChannelApi api("", [&](const FakeChannelApi::Call&) {
        ++polls;
        http::Response response;
        response.body = body;
        return response;
    });
    const auto listen_to = [&](notify::Channel& channel) {
        Desk desk;
        const Listening listening(channel, desk.answer());
        REQUIRE(test::eventually([&] { return polls >= 1; }));
        CHECK(!test::eventually([&] { return polls > 5; }, std::chrono::seconds(1)));
    };
    const auto ntfy = notify::make_ntfy_channel(
        settings("ntfy", {{"server", api.url()}, {"topic", "mine"}, {"reply_topic", "back"}}));
    const auto telegram = notify::make_telegram_channel(
        settings("telegram", {{"api_base", api.url()}, {"token", "TOKEN"}, {"chat_id", "99"}}));
    SUBCASE("ntfy, an empty stream") {
        listen_to(*ntfy);
    }
    SUBCASE("ntfy, the same message again and again") {
        body = "{\"id\":\"m1\",\"event\":\"message\",\"message\":\"7.y.aaaa\"}\n";
        listen_to(*ntfy);
    }
    SUBCASE("Telegram, no updates") {
        body = R"({"ok":true,"result":[]})";
        listen_to(*telegram);
    }
    SUBCASE("Telegram, an update without an id") {
        body = R"({"ok":true,"result":[{"x":1}]})";
        listen_to(*telegram);
    }
}

TEST_CASE("Telegram gets plain text with an inline keyboard, and the card is edited later") {
    FakeChannelApi api("", [](const FakeChannelApi::Call& call) {
        if (!call.path.starts_with("/botTOKEN/"))
            return FakeChannelApi::reply({{"ok", false}}, 404);
        return FakeChannelApi::reply({{"ok", true}, {"result", {{"message_id", 42}}}});
    });
    const auto channel = notify::make_telegram_channel(
        settings("telegram", {{"api_base", api.url()}, {"token", "TOKEN"}, {"chat_id", "99"}}));
    const auto delivered = channel->deliver(question());
    REQUIRE(delivered.has_value());
    CHECK(delivered->receipt == "42");
    const json body = api.last("/botTOKEN/sendMessage").json;
    CHECK(body["chat_id"] == "99");
    CHECK(!body.contains("parse_mode"));
    const json& keys = body["reply_markup"]["inline_keyboard"];
    CHECK(keys[0][0]["callback_data"] == "7.y.aaaa");
    CHECK(keys[0][1]["text"] == "Reject");
    CHECK(keys[1][0]["url"] == question().link);
    REQUIRE(channel->update("42", final_state()).has_value());
    const json edit = api.last("/botTOKEN/editMessageText").json;
    CHECK(edit["message_id"] == 42);
    CHECK(!edit.contains("reply_markup"));
}

TEST_CASE("Telegram never gets more than 4096 UTF-16 units of text") {
    FakeChannelApi api("", [](const FakeChannelApi::Call&) {
        return FakeChannelApi::reply({{"ok", true}, {"result", {{"message_id", 42}}}});
    });
    const auto channel = notify::make_telegram_channel(
        settings("telegram", {{"api_base", api.url()}, {"token", "TOKEN"}, {"chat_id", "99"}}));
    Message message = question();
    message.text.clear();
    for (int i = 0; i < 3000; ++i)
        message.text += "🎻";
    REQUIRE(channel->deliver(message).has_value());
    const std::string text = api.last("/botTOKEN/sendMessage").json["text"];
    CHECK(utf16_count(text) <= 4096);
}

TEST_CASE("Telegram's presses are fetched, answered with words, and only from the own chat") {
    std::atomic<int> polls{0};
    FakeChannelApi api("", [&](const FakeChannelApi::Call& call) {
        if (!call.path.ends_with("getUpdates"))
            return FakeChannelApi::reply({{"ok", true}, {"result", true}});
        json updates = json::array();
        if (++polls == 1) {
            const auto query = [](int id, int chat, const char* data, int user = 70) {
                return json{{"update_id", id},
                            {"callback_query",
                             {{"id", "q" + std::to_string(id)},
                              {"from", {{"id", user}}},
                              {"data", data},
                              {"message", {{"message_id", 42}, {"chat", {{"id", chat}}}}}}}};
            };
            updates = {query(500, 99, "7.y.aaaa"),
                       query(501, 11, "7.y.stolen"),
                       {{"x", 1}},
                       {{"update_id", std::numeric_limits<std::int64_t>::max()}},
                       query(502, 99, "7.y.cccc", 71)};
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return FakeChannelApi::reply({{"ok", true}, {"result", updates}});
    });
    const auto channel = notify::make_telegram_channel(settings(
        "telegram",
        {{"api_base", api.url()}, {"token", "TOKEN"}, {"chat_id", "99"}, {"users", "70"}}));
    Desk desk;
    desk.told = {false, "This was already settled."};
    {
        const Listening listening(*channel, desk.answer());
        CHECK(test::eventually([&] { return polls >= 2; }));
    }
    CHECK(desk.all() ==
          std::vector<std::string>{"phone 7.y.aaaa", "phone 7.y.cccc of somebody else"});
    const json told = api.last("/botTOKEN/answerCallbackQuery").json;
    CHECK(told["callback_query_id"] == "q502");
    CHECK(told["text"] == "This was already settled.");
    CHECK(told["show_alert"] == true);
    CHECK(api.last("/botTOKEN/getUpdates").json["offset"] == 503);
}

TEST_CASE("Slack gets plain blocks with buttons, and the message is updated later") {
    FakeChannelApi api("Bearer xoxb", [](const FakeChannelApi::Call&) {
        return FakeChannelApi::reply({{"ok", true}, {"channel", "C1"}, {"ts", "17.5"}});
    });
    const auto channel = notify::make_slack_channel(
        settings("slack", {{"api_base", api.url()}, {"token", "xoxb"}, {"channel_id", "C1"}}));
    const auto delivered = channel->deliver(question());
    REQUIRE(delivered.has_value());
    CHECK(delivered->receipt == "C1 17.5");
    const json body = api.last("/chat.postMessage").json;
    CHECK(body["channel"] == "C1");
    CHECK(body["blocks"][1]["text"]["type"] == "plain_text");
    CHECK(body["blocks"][2]["elements"][0]["value"] == "7.y.aaaa");
    CHECK(body["blocks"][2]["elements"][0]["style"] == "primary");
    REQUIRE(channel->update(delivered->receipt, final_state()).has_value());
    const json update = api.last("/chat.update").json;
    CHECK(update["ts"] == "17.5");
    CHECK(update["blocks"].size() == 2);
}

TEST_CASE("Slack decodes nothing of what others write") {
    FakeChannelApi api("", [](const FakeChannelApi::Call&) {
        return FakeChannelApi::reply({{"ok", true}, {"channel", "C1"}, {"ts", "17.5"}});
    });
    const auto channel = notify::make_slack_channel(
        settings("slack", {{"api_base", api.url()}, {"token", "x"}, {"channel_id", "C1"}}));
    Message message = question();
    message.title = "a & b";
    message.text = "x &lt; 3, y < 3 &amp; more";
    REQUIRE(channel->deliver(message));
    json blocks = api.last("/chat.postMessage").json["blocks"];
    CHECK(blocks[0]["text"]["text"] == "a &amp; b");
    CHECK(blocks[1]["text"]["text"].get<std::string>().starts_with(
        "x &amp;lt; 3, y &lt; 3 &amp;amp; more"));
    message.title = std::string(200, '&');
    message.text = std::string(2900, '<');
    REQUIRE(channel->deliver(message));
    blocks = api.last("/chat.postMessage").json["blocks"];
    CHECK(blocks[0]["text"]["text"].get<std::string>().size() == 150);
    CHECK(code_point_count(blocks[1]["text"]["text"].get<std::string>()) <= 3000);
}

TEST_CASE("Slack says no with HTTP 200, and what may pass is tried again") {
    std::string error = "channel_not_found";
    FakeChannelApi api("", [&](const FakeChannelApi::Call&) {
        return FakeChannelApi::reply({{"ok", false}, {"error", error}});
    });
    const auto channel = notify::make_slack_channel(
        settings("slack", {{"api_base", api.url()}, {"token", "x"}, {"channel_id", "C1"}}));
    CHECK(channel->deliver(question()).error().code == ErrorCode::InvalidArgument);
    error = "ratelimited";
    CHECK(channel->deliver(question()).error().code == ErrorCode::Unavailable);
}

TEST_CASE("Discord gets escaped text without mentions, with components that go away later") {
    FakeChannelApi api("Bot TOKEN", [](const FakeChannelApi::Call&) {
        return FakeChannelApi::reply({{"id", "777"}});
    });
    const auto channel = notify::make_discord_channel(
        settings("discord", {{"api_base", api.url()}, {"token", "TOKEN"}, {"channel_id", "5"}}));
    const auto delivered = channel->deliver(question());
    REQUIRE(delivered.has_value());
    CHECK(delivered->receipt == "777");
    const auto sent = api.last("/channels/5/messages");
    CHECK(sent.method == "POST");
    CHECK(sent.json["content"].get<std::string>().find("\\*300\\*") != std::string::npos);
    CHECK(sent.json["content"].get<std::string>().find(question().link) != std::string::npos);
    CHECK(sent.json["allowed_mentions"]["parse"].empty());
    CHECK(sent.json["flags"] == 4);
    const json& row = sent.json["components"][0]["components"];
    CHECK(row[0]["custom_id"] == "7.y.aaaa");
    CHECK(row[2]["style"] == 5);
    REQUIRE(channel->update("777", final_state()).has_value());
    const auto edit = api.last("/channels/5/messages/777");
    CHECK(edit.method == "PATCH");
    CHECK(edit.json["components"].empty());
}

TEST_CASE("Discord makes no list, no emoji and no address of what others write") {
    FakeChannelApi api("", [](const FakeChannelApi::Call&) {
        return FakeChannelApi::reply({{"id", "777"}});
    });
    const auto channel = notify::make_discord_channel(
        settings("discord", {{"api_base", api.url()}, {"token", "T"}, {"channel_id", "5"}}));
    Message message = question();
    const auto shown = [&](const std::string& text) {
        message.text = text;
        REQUIRE(channel->deliver(message));
        const std::string content = api.last("/channels/5/messages").json["content"];
        const auto begin = content.find('\n') + 1;
        return content.substr(begin, content.rfind("\n", content.find(message.link)) - begin);
    };
    CHECK(shown("3. May\n7. May\n24. June") == "3\\. May\n7\\. May\n24\\. June");
    CHECK(shown("  3) May\n\t- one\n+ two\n* three") ==
          "  3\\) May\n\t\\- one\n\\+ two\n\\* three");
    CHECK(shown("\u3000- one\n\u00a01. two") == "\u3000\\- one\n\u00a01\\. two");
    CHECK(shown("300.00 CNY, a-b, 1+1. 2") == "300\\.00 CNY, a-b, 1+1. 2");
    CHECK(shown("at 1.5 or -2. 3") == "at 1.5 or -2. 3");
    CHECK(shown("see https://x.example/a_b :100:") == "see https\\://x.example/a\\_b \\:100\\:");
}

TEST_CASE("Discord counts the characters that escape others") {
    FakeChannelApi api("", [](const FakeChannelApi::Call&) {
        return FakeChannelApi::reply({{"id", "777"}});
    });
    const auto channel = notify::make_discord_channel(
        settings("discord", {{"api_base", api.url()}, {"token", "T"}, {"channel_id", "5"}}));
    Message message = question();
    message.text = std::string(1500, ':');
    REQUIRE(channel->deliver(message));
    const std::string content = api.last("/channels/5/messages").json["content"];
    CHECK(code_point_count(content) <= 2000);
}

TEST_CASE("A lifetime of Feishu's token that is no lifetime neither overflows nor is believed") {
    for (const std::int64_t expire : {std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max(), std::int64_t{-1}}) {
        FakeChannelApi api("", [expire](const FakeChannelApi::Call& call) {
            return FakeChannelApi::reply(
                call.path.ends_with("/internal")
                    ? json{{"code", 0}, {"tenant_access_token", "t-1"}, {"expire", expire}}
                    : json{{"code", 0}, {"data", {{"message_id", "om_1"}}}});
        });
        const auto channel =
            notify::make_feishu_channel(settings("feishu", {{"api_base", api.url()},
                                                            {"app_id", "cli_1"},
                                                            {"app_secret", "s"},
                                                            {"receive_id", "ou_1"}}));
        REQUIRE(channel->deliver(question()).has_value());
        REQUIRE(channel->deliver(question()).has_value());
        const auto tokens = api.count("/open-apis/auth/v3/tenant_access_token/internal");
        CHECK(tokens == (expire > 0 ? 1 : 2));
    }
}

TEST_CASE("Feishu gets a card under a tenant token, updates it, and never over 30 KB") {
    FakeChannelApi api("", [](const FakeChannelApi::Call& call) {
        if (call.path.ends_with("/tenant_access_token/internal")) {
            if (call.json["app_secret"] != "s")
                return FakeChannelApi::reply({{"code", 10003}, {"msg", "invalid param"}});
            return FakeChannelApi::reply(
                {{"code", 0}, {"tenant_access_token", "t-1"}, {"expire", 7200}});
        }
        return FakeChannelApi::reply({{"code", 0}, {"data", {{"message_id", "om_1"}}}});
    });
    const auto channel = notify::make_feishu_channel(settings("feishu", {{"api_base", api.url()},
                                                                         {"app_id", "cli_1"},
                                                                         {"app_secret", "s"},
                                                                         {"receive_id", "ou_1"}}));
    Message message = question();
    message.text = std::string(60'000, '"');
    const auto delivered = channel->deliver(message);
    REQUIRE(delivered.has_value());
    CHECK(delivered->receipt == "om_1");
    const auto sent = api.last("/open-apis/im/v1/messages?receive_id_type=open_id");
    CHECK(sent.json["receive_id"] == "ou_1");
    CHECK(sent.json["msg_type"] == "interactive");
    const std::string content = sent.json["content"];
    CHECK(sent.body.size() <= 30 * 1024);
    const json card = json::parse(content);
    CHECK(card["config"]["update_multi"] == true);
    CHECK(card["elements"][0]["text"]["tag"] == "plain_text");
    CHECK(card["elements"][1]["actions"][0]["value"]["a2h"] == "7.n.bbbb");
    REQUIRE(channel->update("om_1", final_state()).has_value());
    const auto edit = api.last("/open-apis/im/v1/messages/om_1");
    CHECK(edit.method == "PATCH");
    CHECK(edit.json["content"].get<std::string>().find("actions") == std::string::npos);
    CHECK(api.count("/open-apis/auth/") == 1);
}

TEST_CASE("pictures go along as pictures") {
    FakeChannelApi api("", [&api](const FakeChannelApi::Call& call) {
        if (call.path.starts_with("/files.getUploadURLExternal")) {
            return FakeChannelApi::reply(
                {{"ok", true}, {"upload_url", api.url() + "/up"}, {"file_id", "F1"}});
        }
        return FakeChannelApi::reply({{"ok", true},
                                      {"code", 0},
                                      {"id", "1"},
                                      {"ts", "1"},
                                      {"channel", "C"},
                                      {"tenant_access_token", "t"},
                                      {"result", {{"message_id", 1}}},
                                      {"data", {{"image_key", "img_1"}, {"message_id", "om"}}}});
    });
    Message message = question();
    message.pictures = {picture()};
    const std::string bytes = picture().bytes;
    const auto holds = [&](const std::string& path) {
        const auto call = api.last(path);
        CHECK(call.body.find(bytes) != std::string::npos);
        CAPTURE(path);
        CHECK(call.body.find("filename=\"shoe\".png") == std::string::npos);
        return call.content_type;
    };
    const std::pair<std::string, std::string> base{"api_base", api.url()};
    REQUIRE(notify::make_telegram_channel(
                settings("telegram", {base, {"token", "T"}, {"chat_id", "9"}}))
                ->deliver(message));
    CHECK(holds("/botT/sendPhoto").starts_with("multipart/form-data; boundary="));
    REQUIRE(notify::make_discord_channel(
                settings("discord", {base, {"token", "T"}, {"channel_id", "5"}}))
                ->deliver(message));
    CHECK(holds("/channels/5/messages").starts_with("multipart/form-data; boundary="));
    REQUIRE(
        notify::make_slack_channel(settings("slack", {base, {"token", "T"}, {"channel_id", "C"}}))
            ->deliver(message));
    CHECK(holds("/up") == "application/octet-stream");
    CHECK(api.last("/files.completeUploadExternal").json["files"][0]["id"] == "F1");
    REQUIRE(
        notify::make_feishu_channel(
            settings("feishu", {base, {"app_id", "a"}, {"app_secret", "s"}, {"receive_id", "o"}}))
            ->deliver(message));
    CHECK(holds("/open-apis/im/v1/images").starts_with("multipart/form-data; boundary="));
    const json sent = api.last("/open-apis/im/v1/messages").json;
    CHECK(sent["content"].get<std::string>().find("img_1") != std::string::npos);
    REQUIRE(notify::make_ntfy_channel(settings("ntfy", {{"server", api.url()}, {"topic", "mine"}}))
                ->deliver(message));
    CHECK(api.last("/mine").body == bytes);
}

TEST_CASE("every service: 401 is final, 429 and 500 are retried, no secret in errors") {
    FakeChannelApi api("", [](const FakeChannelApi::Call&) { return FakeChannelApi::reply({}); });
    const std::pair<std::string, std::string> base{"api_base", api.url()};
    const std::vector<std::unique_ptr<notify::Channel>> channels = [&] {
        std::vector<std::unique_ptr<notify::Channel>> made;
        made.push_back(notify::make_ntfy_channel(
            settings("ntfy", {{"server", api.url()}, {"topic", "t"}, {"token", "SECRET"}})));
        made.push_back(notify::make_telegram_channel(
            settings("telegram", {base, {"token", "SECRET"}, {"chat_id", "9"}})));
        made.push_back(notify::make_slack_channel(
            settings("slack", {base, {"token", "SECRET"}, {"channel_id", "C"}})));
        made.push_back(notify::make_discord_channel(
            settings("discord", {base, {"token", "SECRET"}, {"channel_id", "5"}})));
        made.push_back(notify::make_feishu_channel(settings(
            "feishu", {base, {"app_id", "a"}, {"app_secret", "SECRET"}, {"receive_id", "o"}})));
        return made;
    }();
    for (const auto& channel : channels) {
        CAPTURE(channel->kind());
        for (const auto& [status, code] : {std::pair{401, ErrorCode::InvalidArgument},
                                           {404, ErrorCode::InvalidArgument},
                                           {429, ErrorCode::Unavailable},
                                           {500, ErrorCode::Unavailable}}) {
            api.fail_with(status);
            const auto delivered = channel->deliver(question());
            REQUIRE(!delivered.has_value());
            CHECK(delivered.error().code == code);
            CHECK(delivered.error().message.find("SECRET") == std::string::npos);
            CHECK(delivered.error().message.find("123456") == std::string::npos);
        }
    }
}

TEST_CASE("Feishu refuses with HTTP 400: an old token and a rate limit are retried") {
    int code = 99991663;
    int tokens = 0;
    FakeChannelApi api("", [&](const FakeChannelApi::Call& call) {
        if (call.path.ends_with("/tenant_access_token/internal")) {
            ++tokens;
            return FakeChannelApi::reply(
                {{"code", 0}, {"tenant_access_token", "t"}, {"expire", 7200}});
        }
        return FakeChannelApi::reply({{"code", code}, {"msg", "why"}}, 400);
    });
    const auto channel = notify::make_feishu_channel(settings(
        "feishu",
        {{"api_base", api.url()}, {"app_id", "a"}, {"app_secret", "s"}, {"receive_id", "o"}}));
    CHECK(channel->deliver(question()).error().code == ErrorCode::Unavailable);
    code = 99991400;
    CHECK(channel->deliver(question()).error().code == ErrorCode::Unavailable);
    CHECK(tokens == 2);
    code = 230001;
    const auto refused = channel->deliver(question());
    CHECK(refused.error().code == ErrorCode::InvalidArgument);
    CHECK(refused.error().message.find("why") != std::string::npos);
}

TEST_CASE("a picture that is refused does not send the message again") {
    FakeChannelApi api("", [](const FakeChannelApi::Call& call) {
        const bool picture = call.path.ends_with("sendPhoto") || call.path == "/mine" ||
                             call.path.find("/images") != std::string::npos ||
                             call.content_type.starts_with("multipart/") ||
                             call.path.starts_with("/files.");
        if (picture) return FakeChannelApi::reply({{"ok", false}, {"error", "no"}}, 400);
        return FakeChannelApi::reply({{"ok", true},
                                      {"code", 0},
                                      {"id", "1"},
                                      {"tenant_access_token", "t"},
                                      {"result", {{"message_id", 1}}}});
    });
    Message message = question();
    message.pictures = {picture()};
    const std::pair<std::string, std::string> base{"api_base", api.url()};
    std::vector<std::unique_ptr<notify::Channel>> channels;
    channels.push_back(notify::make_telegram_channel(
        settings("telegram", {base, {"token", "T"}, {"chat_id", "9"}})));
    channels.push_back(
        notify::make_slack_channel(settings("slack", {base, {"token", "T"}, {"channel_id", "C"}})));
    channels.push_back(notify::make_discord_channel(
        settings("discord", {base, {"token", "T"}, {"channel_id", "5"}})));
    channels.push_back(notify::make_feishu_channel(
        settings("feishu", {base, {"app_id", "a"}, {"app_secret", "s"}, {"receive_id", "o"}})));
    channels.push_back(
        notify::make_ntfy_channel(settings("ntfy", {{"server", api.url()}, {"topic", "mine"}})));
    for (const auto& channel : channels) {
        CAPTURE(channel->kind());
        const auto delivered = channel->deliver(message);
        REQUIRE(delivered.has_value());
        CHECK(delivered->words.find("pictures that could not be attached: 1") != std::string::npos);
    }
}

TEST_CASE("each service's own way to ask for a wait is understood, and asked for once") {
    http::Response limited;
    FakeChannelApi api("", [&](const FakeChannelApi::Call& call) {
        if (call.path.ends_with("/tenant_access_token/internal"))
            return FakeChannelApi::reply(
                {{"code", 0}, {"tenant_access_token", "t"}, {"expire", 7200}});
        return limited;
    });
    const auto wait_of = [&](notify::Channel& channel, http::Response response) {
        limited = std::move(response);
        const auto delivered = channel.deliver(question());
        REQUIRE(!delivered.has_value());
        CHECK(delivered.error().code == ErrorCode::Unavailable);
        const auto wait = channel.take_wait();
        CHECK(channel.take_wait().count() == 0);
        return wait.count();
    };
    const auto with_header = [](int status, const char* name, const char* value) {
        http::Response response;
        response.status = status;
        response.headers = {{name, value}};
        return response;
    };
    const std::string url = api.url();
    const auto ntfy =
        notify::make_ntfy_channel(settings("ntfy", {{"server", url}, {"topic", "t"}}));
    CHECK(wait_of(*ntfy, with_header(429, "Retry-After", "17")) == 17'000);
    CHECK(wait_of(*ntfy, with_header(503, "Retry-After", "soon")) == 0);
    const auto slack = notify::make_slack_channel(
        settings("slack", {{"api_base", url}, {"token", "t"}, {"channel_id", "C"}}));
    CHECK(wait_of(*slack, with_header(429, "Retry-After", "30")) == 30'000);
    const auto hook = notify::make_webhook_channel(
        settings("webhook", {{"url", url + "/hook"}, {"secret", "s"}}));
    CHECK(wait_of(*hook, with_header(503, "Retry-After", "5")) == 5'000);
    const auto telegram = notify::make_telegram_channel(
        settings("telegram", {{"api_base", url}, {"token", "T"}, {"chat_id", "99"}}));
    CHECK(wait_of(*telegram,
                  FakeChannelApi::reply(
                      {{"ok", false}, {"error_code", 429}, {"parameters", {{"retry_after", 35}}}},
                      429)) == 35'000);
    const auto discord = notify::make_discord_channel(settings(
        "discord", {{"api_base", url}, {"token", "t"}, {"public_key", "00"}, {"channel_id", "1"}}));
    CHECK(wait_of(*discord, FakeChannelApi::reply({{"message", "You are being rate limited."},
                                                   {"retry_after", 64.5701},
                                                   {"global", false}},
                                                  429)) == 64'571);
    CHECK(wait_of(*discord, FakeChannelApi::reply({{"retry_after", -3}}, 429)) == 0);
    CHECK(wait_of(*discord, FakeChannelApi::reply({{"retry_after", "1"}}, 429)) == 0);
    const auto feishu =
        notify::make_feishu_channel(settings("feishu", {{"api_base", url},
                                                        {"app_id", "cli_1"},
                                                        {"app_secret", "s"},
                                                        {"verification_token", "vt"},
                                                        {"receive_id", "ou_1"}}));
    http::Response busy =
        FakeChannelApi::reply({{"code", 99991400}, {"msg", "frequency limit"}}, 400);
    busy.headers.emplace_back("x-ogw-ratelimit-reset", "52");
    CHECK(wait_of(*feishu, std::move(busy)) == 52'000);
}
