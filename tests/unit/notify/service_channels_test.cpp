#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/guarded.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/listening.h"
#include "daemon/notify/mail_text.h"
#include "tests/support/fake_service.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;
using notify::Message;
using test::FakeService;

namespace {

Message question() {
    Message message;
    message.id = 7;
    message.kind = "approval.asked";
    message.priority = Priority::High;
    message.title = "A2H: your answer is needed";
    message.text = "Take *300*? <!channel> 好";
    message.approval_id = "apr_1";
    message.code = "123456";
    message.link = "https://a2h.example/a/apr_1?t=secret_token";
    message.buttons = {{AnswerKind::Approve, "Approve", "7.y.aaaa"},
                       {AnswerKind::Reject, "Reject", "7.n.bbbb"}};
    return message;
}

Message final_state() {
    Message message;
    message.id = 7;
    message.title = "A2H: answered";
    message.text = "anna agreed by button.";
    return message;
}

notify::Picture picture() {
    return {"shoe\".png", "image/png", std::string("\x89PNG\0\r\n", 7)};
}

notify::ChannelSettings settings(std::string kind,
                                 std::vector<std::pair<std::string, std::string>> values) {
    return {"phone", std::move(kind), std::move(values)};
}

/// What was pressed, and what is told.
struct Desk {
    Guarded<std::vector<std::string>> pressed;
    notify::ClickAnswer told{true, "agreed"};

    notify::AnswerClick answer() {
        return [this](const notify::Click& click) {
            pressed.with([&](auto& all) { all.push_back(click.channel + " " + click.button_id); });
            return told;
        };
    }
    std::vector<std::string> all() {
        return pressed.with([](auto& all) { return all; });
    }
};

/// Runs `listen` until it goes.
class Listening {
  public:
    Listening(notify::Channel& channel, notify::AnswerClick answer)
        : thread_([this, &channel, answer] { channel.listen(stop_, answer); }) {}
    ~Listening() {
        stop_ = true;
        thread_.join();
    }

  private:
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

}  // namespace

TEST_CASE("ntfy publishes JSON with buttons that post to the reply topic, and replaces it later") {
    FakeService service("Bearer tk_1", [](const FakeService::Call&) {
        return FakeService::reply({{"id", "AbC123"}, {"event", "message"}});
    });
    const auto channel =
        notify::make_ntfy_channel(settings("ntfy", {{"server", service.url() + "/"},
                                                    {"topic", "mine"},
                                                    {"reply_topic", "back"},
                                                    {"token", "tk_1"}}));
    const auto delivered = channel->deliver(question());
    REQUIRE(delivered.has_value());
    const json body = service.last("/").json;
    CHECK(body["topic"] == "mine");
    CHECK(body["priority"] == 5);
    CHECK(body["sequence_id"] == delivered->receipt);
    CHECK(body["message"].get<std::string>().find("123456") != std::string::npos);
    REQUIRE(body["actions"].size() == 3);
    CHECK(body["actions"][0]["action"] == "http");
    CHECK(body["actions"][0]["url"] == service.url() + "/back");
    CHECK(body["actions"][0]["method"] == "POST");
    CHECK(body["actions"][0]["body"] == "7.y.aaaa");
    CHECK(body["actions"][2]["action"] == "view");
    REQUIRE(channel->update(delivered->receipt, final_state()).has_value());
    CHECK(service.last("/").json["sequence_id"] == delivered->receipt);
    CHECK(!service.last("/").json.contains("actions"));
}

TEST_CASE("ntfy never sends more than 4096 bytes of text") {
    FakeService service("", [](const FakeService::Call&) { return FakeService::reply({}); });
    const auto channel =
        notify::make_ntfy_channel(settings("ntfy", {{"server", service.url()}, {"topic", "t"}}));
    Message message = question();
    message.text.clear();
    for (int i = 0; i < 3000; ++i)
        message.text += "好";
    REQUIRE(channel->deliver(message).has_value());
    CHECK(service.last("/").json["message"].get<std::string>().size() <= 4096);
}

TEST_CASE("what the phone posts to ntfy's reply topic is an answer, across broken connections") {
    std::atomic<int> polls{0};
    FakeService service("", [&](const FakeService::Call& call) {
        http::Response response;
        if (!call.path.starts_with("/back/json")) return response;
        const int number = ++polls;
        if (number == 1) {
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
        settings("ntfy", {{"server", service.url()}, {"topic", "mine"}, {"reply_topic", "back"}}));
    REQUIRE(channel->listens());
    Desk desk;
    {
        const Listening listening(*channel, desk.answer());
        CHECK(test::eventually([&] { return polls >= 2; }));
    }
    CHECK(desk.all() == std::vector<std::string>{"phone 7.y.aaaa"});
    // Nothing is answered twice: the next subscription begins after it.
    CHECK(service.last("/back/json").path == "/back/json?since=m1");
}

TEST_CASE("Telegram gets plain text with an inline keyboard, and the card is edited later") {
    FakeService service("", [](const FakeService::Call& call) {
        if (!call.path.starts_with("/botTOKEN/")) return FakeService::reply({{"ok", false}}, 404);
        return FakeService::reply({{"ok", true}, {"result", {{"message_id", 42}}}});
    });
    const auto channel = notify::make_telegram_channel(
        settings("telegram", {{"api_base", service.url()}, {"token", "TOKEN"}, {"chat_id", "99"}}));
    const auto delivered = channel->deliver(question());
    REQUIRE(delivered.has_value());
    CHECK(delivered->receipt == "42");
    const json body = service.last("/botTOKEN/sendMessage").json;
    CHECK(body["chat_id"] == "99");
    CHECK(!body.contains("parse_mode"));
    const json& keys = body["reply_markup"]["inline_keyboard"];
    CHECK(keys[0][0]["callback_data"] == "7.y.aaaa");
    CHECK(keys[0][1]["text"] == "Reject");
    CHECK(keys[1][0]["url"] == question().link);
    REQUIRE(channel->update("42", final_state()).has_value());
    const json edit = service.last("/botTOKEN/editMessageText").json;
    CHECK(edit["message_id"] == 42);
    CHECK(!edit.contains("reply_markup"));
}

TEST_CASE("Telegram's presses are fetched, answered with words, and only from the own chat") {
    std::atomic<int> polls{0};
    FakeService service("", [&](const FakeService::Call& call) {
        if (!call.path.ends_with("getUpdates"))
            return FakeService::reply({{"ok", true}, {"result", true}});
        json updates = json::array();
        if (++polls == 1) {
            const auto query = [](int id, int chat, const char* data) {
                return json{{"update_id", id},
                            {"callback_query",
                             {{"id", "q" + std::to_string(id)},
                              {"data", data},
                              {"message", {{"message_id", 42}, {"chat", {{"id", chat}}}}}}}};
            };
            updates = {query(500, 99, "7.y.aaaa"), query(501, 11, "7.y.stolen"), {{"x", 1}}};
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return FakeService::reply({{"ok", true}, {"result", updates}});
    });
    const auto channel = notify::make_telegram_channel(
        settings("telegram", {{"api_base", service.url()}, {"token", "TOKEN"}, {"chat_id", "99"}}));
    Desk desk;
    desk.told = {false, "This was settled before."};
    {
        const Listening listening(*channel, desk.answer());
        CHECK(test::eventually([&] { return polls >= 2; }));
    }
    CHECK(desk.all() == std::vector<std::string>{"phone 7.y.aaaa"});
    const json told = service.last("/botTOKEN/answerCallbackQuery").json;
    CHECK(told["callback_query_id"] == "q500");
    CHECK(told["text"] == "This was settled before.");
    CHECK(told["show_alert"] == true);
    CHECK(service.last("/botTOKEN/getUpdates").json["offset"] == 502);
}

TEST_CASE("Slack gets plain blocks with buttons, and the message is updated later") {
    FakeService service("Bearer xoxb", [](const FakeService::Call&) {
        return FakeService::reply({{"ok", true}, {"channel", "C1"}, {"ts", "17.5"}});
    });
    const auto channel = notify::make_slack_channel(
        settings("slack", {{"api_base", service.url()}, {"token", "xoxb"}, {"channel_id", "C1"}}));
    const auto delivered = channel->deliver(question());
    REQUIRE(delivered.has_value());
    CHECK(delivered->receipt == "C1 17.5");
    const json body = service.last("/chat.postMessage").json;
    CHECK(body["channel"] == "C1");
    CHECK(body["blocks"][1]["text"]["type"] == "plain_text");
    CHECK(body["blocks"][2]["elements"][0]["value"] == "7.y.aaaa");
    CHECK(body["blocks"][2]["elements"][0]["style"] == "primary");
    REQUIRE(channel->update(delivered->receipt, final_state()).has_value());
    const json update = service.last("/chat.update").json;
    CHECK(update["ts"] == "17.5");
    CHECK(update["blocks"].size() == 2);
}

TEST_CASE("Slack says no with HTTP 200, and what may pass is tried again") {
    std::string error = "channel_not_found";
    FakeService service("", [&](const FakeService::Call&) {
        return FakeService::reply({{"ok", false}, {"error", error}});
    });
    const auto channel = notify::make_slack_channel(
        settings("slack", {{"api_base", service.url()}, {"token", "x"}, {"channel_id", "C1"}}));
    CHECK(channel->deliver(question()).error().code == ErrorCode::InvalidArgument);
    error = "ratelimited";
    CHECK(channel->deliver(question()).error().code == ErrorCode::Unavailable);
}

TEST_CASE("Discord gets escaped text without mentions, with components that go away later") {
    FakeService service("Bot TOKEN", [](const FakeService::Call&) {
        return FakeService::reply({{"id", "777"}});
    });
    const auto channel = notify::make_discord_channel(settings(
        "discord", {{"api_base", service.url()}, {"token", "TOKEN"}, {"channel_id", "5"}}));
    const auto delivered = channel->deliver(question());
    REQUIRE(delivered.has_value());
    CHECK(delivered->receipt == "777");
    const auto sent = service.last("/channels/5/messages");
    CHECK(sent.method == "POST");
    CHECK(sent.json["content"].get<std::string>().find("\\*300\\*") != std::string::npos);
    CHECK(sent.json["content"].get<std::string>().find(question().link) != std::string::npos);
    CHECK(sent.json["allowed_mentions"]["parse"].empty());
    const json& row = sent.json["components"][0]["components"];
    CHECK(row[0]["custom_id"] == "7.y.aaaa");
    CHECK(row[2]["style"] == 5);
    REQUIRE(channel->update("777", final_state()).has_value());
    const auto edit = service.last("/channels/5/messages/777");
    CHECK(edit.method == "PATCH");
    CHECK(edit.json["components"].empty());
}

TEST_CASE("Feishu gets a card under a tenant token, updates it, and never over 30 KB") {
    FakeService service("", [](const FakeService::Call& call) {
        if (call.path.ends_with("/tenant_access_token/internal")) {
            if (call.json["app_secret"] != "s")
                return FakeService::reply({{"code", 10003}, {"msg", "invalid param"}});
            return FakeService::reply(
                {{"code", 0}, {"tenant_access_token", "t-1"}, {"expire", 7200}});
        }
        return FakeService::reply({{"code", 0}, {"data", {{"message_id", "om_1"}}}});
    });
    const auto channel =
        notify::make_feishu_channel(settings("feishu", {{"api_base", service.url()},
                                                        {"app_id", "cli_1"},
                                                        {"app_secret", "s"},
                                                        {"receive_id", "ou_1"}}));
    Message message = question();
    message.text = std::string(60'000, '"');
    const auto delivered = channel->deliver(message);
    REQUIRE(delivered.has_value());
    CHECK(delivered->receipt == "om_1");
    const auto sent = service.last("/open-apis/im/v1/messages?receive_id_type=open_id");
    CHECK(sent.json["receive_id"] == "ou_1");
    CHECK(sent.json["msg_type"] == "interactive");
    const std::string content = sent.json["content"];
    CHECK(content.size() <= 30 * 1024);
    const json card = json::parse(content);
    CHECK(card["config"]["update_multi"] == true);
    CHECK(card["elements"][0]["text"]["tag"] == "plain_text");
    CHECK(card["elements"][1]["actions"][0]["value"]["a2h"] == "7.y.aaaa");
    REQUIRE(channel->update("om_1", final_state()).has_value());
    const auto edit = service.last("/open-apis/im/v1/messages/om_1");
    CHECK(edit.method == "PATCH");
    CHECK(edit.json["content"].get<std::string>().find("actions") == std::string::npos);
    CHECK(service.count("/open-apis/auth/") == 1);
}

TEST_CASE("pictures go along as pictures") {
    FakeService service("", [&service](const FakeService::Call& call) {
        if (call.path.starts_with("/files.getUploadURLExternal")) {
            return FakeService::reply(
                {{"ok", true}, {"upload_url", service.url() + "/up"}, {"file_id", "F1"}});
        }
        return FakeService::reply({{"ok", true},
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
        const auto call = service.last(path);
        CHECK(call.body.find(bytes) != std::string::npos);
        CAPTURE(path);
        CHECK(call.body.find("filename=\"shoe\".png") == std::string::npos);
        return call.content_type;
    };
    const std::pair<std::string, std::string> base{"api_base", service.url()};
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
    CHECK(service.last("/files.completeUploadExternal").json["files"][0]["id"] == "F1");
    REQUIRE(
        notify::make_feishu_channel(
            settings("feishu", {base, {"app_id", "a"}, {"app_secret", "s"}, {"receive_id", "o"}}))
            ->deliver(message));
    CHECK(holds("/open-apis/im/v1/images").starts_with("multipart/form-data; boundary="));
    const json sent = service.last("/open-apis/im/v1/messages").json;
    CHECK(sent["content"].get<std::string>().find("img_1") != std::string::npos);
    REQUIRE(
        notify::make_ntfy_channel(settings("ntfy", {{"server", service.url()}, {"topic", "mine"}}))
            ->deliver(message));
    CHECK(service.last("/mine").body == bytes);
}

TEST_CASE("of every service: 401 is final, 429 and 500 pass, and no secret is in what is told") {
    FakeService service("", [](const FakeService::Call&) { return FakeService::reply({}); });
    const std::pair<std::string, std::string> base{"api_base", service.url()};
    const std::vector<std::unique_ptr<notify::Channel>> channels = [&] {
        std::vector<std::unique_ptr<notify::Channel>> made;
        made.push_back(notify::make_ntfy_channel(
            settings("ntfy", {{"server", service.url()}, {"topic", "t"}, {"token", "SECRET"}})));
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
            service.fail_with(status);
            const auto delivered = channel->deliver(question());
            REQUIRE(!delivered.has_value());
            CHECK(delivered.error().code == code);
            CHECK(delivered.error().message.find("SECRET") == std::string::npos);
            CHECK(delivered.error().message.find("123456") == std::string::npos);
        }
    }
}

TEST_CASE("a mail reaches a real mail server with its text, code, link and picture") {
    const test::TempDir dir;
    const auto port = std::to_string(test::free_port());
    test::Process server(
        {.argv = {"/usr/bin/python3", "-m", "aiosmtpd", "-n", "-l", "127.0.0.1:" + port, "-c",
                  "aiosmtpd.handlers.Mailbox", (dir.path() / "mail").string()},
         .stderr_file = dir.path() / "log"});
    const auto channel =
        notify::make_email_channel(settings("email", {{"server", "smtp://127.0.0.1:" + port},
                                                      {"from", "a2h@example.org"},
                                                      {"to", "me@example.org"}}));
    Message message = question();
    message.pictures = {picture()};
    std::optional<Result<notify::Delivered>> delivered;
    REQUIRE(test::eventually([&] {
        delivered = channel->deliver(message);
        return delivered->has_value();
    }));
    CHECK((*delivered)->words.find("me@example.org") != std::string::npos);
    std::string mail;
    for (const auto& entry : std::filesystem::directory_iterator(dir.path() / "mail" / "new")) {
        std::ifstream in(entry.path());
        mail.assign(std::istreambuf_iterator<char>(in), {});
    }
    CHECK(mail.find("To: <me@example.org>") != std::string::npos);
    CHECK(mail.find("Subject: =?UTF-8?B?") != std::string::npos);
    const auto python =
        test::run({"/usr/bin/python3", "-c",
                   "import sys,email,email.policy\n"
                   "m=email.message_from_string(sys.stdin.read(),policy=email.policy.default)\n"
                   "print(m['subject']);print(m.get_body().get_content())\n"
                   "print([ (p.get_filename(),p.get_content()) for p in m.iter_attachments()])"},
                  {{"PYTHONIOENCODING", "utf-8"}}, mail);
    CHECK(python.out.find("A2H: your answer is needed") == 0);
    for (const std::string& part : {question().code, question().link, std::string("好")}) {
        CHECK(python.out.find(part) != std::string::npos);
    }
    CHECK(python.out.find("('shoe_.png', b'\\x89PNG") != std::string::npos);
}

TEST_CASE("a mail server that is not there, and an address that is none") {
    const std::string url = "smtp://127.0.0.1:" + std::to_string(test::free_port());
    const auto code = [&](const std::string& server, const std::string& to) {
        return notify::make_email_channel(
                   settings("email", {{"server", server}, {"from", "a@example.org"}, {"to", to}}))
            ->deliver(question())
            .error()
            .code;
    };
    CHECK(code(url, "b@example.org") == ErrorCode::Unavailable);
    CHECK(code(url, "b@example.org>\r\nRCPT TO:<c@example.org") == ErrorCode::InvalidArgument);
    CHECK(code("http://127.0.0.1/", "b@example.org") == ErrorCode::InvalidArgument);
}

TEST_CASE("a subject of any length is encoded words, and no character is cut") {
    Message message;
    message.title.clear();
    for (int i = 0; i < 60; ++i)
        message.title += "好a";
    const std::string mail = notify::mail_text({"a@b", "c@d", 1'760'000'000}, message);
    const auto python = test::run({"/usr/bin/python3", "-c",
                                   "import sys,email,email.policy\n"
                                   "print(email.message_from_string(sys.stdin.read(),policy=email."
                                   "policy.default)['subject'])"},
                                  {{"PYTHONIOENCODING", "utf-8"}}, mail);
    CHECK(python.out == message.title + "\n");
    for (std::size_t at = 0; at < mail.size();) {
        const auto end = mail.find("\r\n", at);
        CHECK(end - at <= 998);
        at = end + 2;
    }
}

TEST_CASE("a secret file is read only when nobody else can read it") {
    const test::TempDir dir;
    const auto file = dir.path() / "secrets";
    std::ofstream(file) << "token = \"SECRET\"\n";
    std::filesystem::permissions(file, std::filesystem::perms(0644));
    const auto open = notify::read_secret_file(file.string());
    REQUIRE(!open.has_value());
    CHECK(open.error().message.find("chmod 600") != std::string::npos);
    std::filesystem::permissions(file, std::filesystem::perms(0600));
    CHECK(notify::read_secret_file(file.string())->at(0).second == "SECRET");
    std::ofstream(file) << "token = SECRET\n";
    const auto broken = notify::read_secret_file(file.string());
    REQUIRE(!broken.has_value());
    CHECK(broken.error().message.find("SECRET") == std::string::npos);
    CHECK(!notify::read_secret_file((dir.path() / "none").string()));
}

TEST_CASE("options that a kind does not have, lacks, or must keep secret are refused") {
    const test::TempDir dir;
    const auto file = dir.path() / "secrets";
    std::ofstream(file) << "token = \"T\"\n";
    std::filesystem::permissions(file, std::filesystem::perms(0600));
    const auto message = [](notify::ChannelSettings one) {
        notify::Options options{.channels = {}, .webhook_url = {}, .webhook_secret = {}};
        options.configured = {std::move(one)};
        const auto made = notify::make_channels(options);
        return made ? std::string("fine") : made.error().message;
    };
    const std::pair<std::string, std::string> secret{"secret_file", file.string()};
    CHECK(message(settings("telegram", {{"chat_id", "9"}, secret})) == "fine");
    for (const auto& [one, part] : std::vector<std::pair<notify::ChannelSettings, std::string>>{
             {settings("pigeon", {}), "none of"},
             {settings("telegram", {secret}), "chat_id is missing"},
             {settings("telegram", {{"chat_id", "9"}}), "token is missing"},
             {settings("telegram", {{"chat_id", "9"}, {"token", "T"}}), "is a secret"},
             {settings("telegram", {{"chat", "9"}, secret}), "unknown option chat"},
             {settings("email", {{"server", "s"}, {"from", "f"}, {"to", "t"}, secret}),
              "unknown secret token"},
             {settings("telegram", {{"chat_id", "9"}, {"api_base", "http://x.org"}, secret}),
              "https://"},
             {settings("ntfy", {{"topic", "a/b"}}), "letters, digits"}}) {
        CAPTURE(part);
        CHECK(message(one).find(part) != std::string::npos);
    }
    notify::ChannelSettings twice = settings("ntfy", {{"topic", "t"}});
    twice.name = "desktop";
    CHECK(message(twice).find("two channels") != std::string::npos);
}

TEST_CASE("who may press can be named") {
    CHECK(notify::is_allowed("", "U1"));
    CHECK(notify::is_allowed("U1, U2", "U2"));
    CHECK(!notify::is_allowed("U1,U2", "U3"));
    CHECK(!notify::is_allowed("U1", ""));
    CHECK(!notify::is_allowed("U12", "U1"));
}
