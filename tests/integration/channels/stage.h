#pragma once

#include <doctest/doctest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/store/database.h"
#include "core/store/notification_store.h"
#include "daemon/consent/approvals.h"
#include "daemon/notify/render.h"
#include "tests/support/daemon.h"
#include "tests/support/fake_channel_api.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// ntfy with one phone: `press` is the phone posting to the reply topic.
class Phone {
  public:
    void press(const std::string& body) {
        const std::lock_guard lock(mutex_);
        pressed_.push_back(body);
    }
    /// Publications are refused until the next one.
    void limit(const std::string& retry_after) {
        const std::lock_guard lock(mutex_);
        limit_ = retry_after;
    }
    /// The messages of a topic, oldest first.
    std::vector<nlohmann::json> shown(const std::string& topic = "mine") const {
        std::vector<nlohmann::json> all;
        for (const auto& call : api.calls()) {
            if (call.method == "POST" && call.path == "/" && call.json["topic"] == topic)
                all.push_back(call.json);
        }
        return all;
    }
    nlohmann::json wait_for(std::size_t number, const std::string& topic = "mine") {
        if (!eventually([&] { return shown(topic).size() >= number; })) {
            FAIL("only came " << nlohmann::json(shown(topic)).dump());
        }
        return shown(topic)[number - 1];
    }

  private:
    http::Response answer(const FakeChannelApi::Call& call) {
        http::Response response;
        if (call.path == "/") {
            const std::lock_guard lock(mutex_);
            if (limit_.empty()) return response;
            response.status = 429;
            response.headers = {{"Retry-After", std::exchange(limit_, {})}};
        }
        if (!call.path.starts_with("/back/json")) return response;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const std::lock_guard lock(mutex_);
        while (!pressed_.empty()) {
            response.body += nlohmann::json{{"id", "m" + std::to_string(++number_)},
                                            {"event", "message"},
                                            {"message", pressed_.front()}}
                                 .dump() +
                             "\n";
            pressed_.pop_front();
        }
        return response;
    }

    std::mutex mutex_;
    std::deque<std::string> pressed_;
    std::string limit_;
    int number_ = 0;

  public:
    FakeChannelApi api{"", [this](const FakeChannelApi::Call& call) { return answer(call); }};
};

/// Telegram with one chat.
class Chat {
  public:
    void press(const std::string& button_id) {
        const std::lock_guard lock(mutex_);
        const int id = ++updates_;
        pressed_.push_back({{"update_id", id},
                            {"callback_query",
                             {{"id", "q" + std::to_string(id)},
                              {"from", {{"id", 7}}},
                              {"data", button_id},
                              {"message", {{"chat", {{"id", 42}}}}}}}});
    }
    /// The bodies of all calls of a method, oldest first.
    std::vector<nlohmann::json> calls(const std::string& method) const {
        std::vector<nlohmann::json> all;
        for (const auto& call : api.calls())
            if (call.path == "/botTOKEN/" + method) all.push_back(call.json);
        return all;
    }
    nlohmann::json wait_for(const std::string& method, std::size_t number = 1) {
        if (!eventually([&] { return calls(method).size() >= number; })) {
            FAIL(method << ": only came " << nlohmann::json(calls(method)).dump());
        }
        return calls(method)[number - 1];
    }

  private:
    http::Response answer(const FakeChannelApi::Call& call) {
        using nlohmann::json;
        const std::lock_guard lock(mutex_);
        if (call.path.ends_with("/sendMessage"))
            return FakeChannelApi::reply({{"ok", true}, {"result", {{"message_id", ++messages_}}}});
        if (!call.path.ends_with("/getUpdates"))
            return FakeChannelApi::reply({{"ok", true}, {"result", true}});
        // A long poll that does not keep its caller busy.
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        json result = json::array();
        for (const json& update : pressed_)
            if (update["update_id"] >= call.json["offset"]) result.push_back(update);
        return FakeChannelApi::reply({{"ok", true}, {"result", result}});
    }

    std::mutex mutex_;
    std::vector<nlohmann::json> pressed_;
    int updates_ = 0;
    int messages_ = 0;

  public:
    FakeChannelApi api{"", [this](const FakeChannelApi::Call& call) { return answer(call); }};
};

/// A real a2hd with the channels "phone" and "other" (topics "mine" and "theirs" of ntfy), "chat"
/// (Telegram) and "gone", whose service does not answer.
struct Stage {
    /// `config`: of the person "anna", then whatever belongs behind it.
    explicit Stage(const std::string& config) {
        std::filesystem::create_directories(dir.path() / "user");
        write_secret("hook.secret", "secret = \"SECRET-OF-HOOK\"\n");
        write_secret("chat.secret", "token = \"TOKEN\"\n");
        platform::Account account;
        account.api_base = "http://127.0.0.1:1";
        account.agent_id = "ag_seller";
        account.keys.agent_key = "key";
        DaemonOptions options{channels() + "[[person]]\nname = \"anna\"\n" + config,
                              {{"HOME", (dir.path() / "user").string()}}};
        daemon = std::make_unique<Daemon>(dir.path() / "home", std::vector{account},
                                          "tcp://127.0.0.1:1", options);
    }

    nlohmann::json ask(const std::string& question) {
        const nlohmann::json answer = daemon->call_assistant(
            "approval.create",
            nlohmann::json{{"peer_id", "ag_buyer"}, {"question", question}}.dump());
        return answer.contains("data") ? answer["data"] : answer["error"];
    }
    /// Asks `questions` as if that had been at `at_ms`, while a2hd was away.
    std::vector<Approval> asked_before(const std::vector<std::string>& questions,
                                       const consent::Policy& policy, UnixMs at_ms,
                                       const std::string& reject_text = {}) {
        daemon->stop();
        const auto db =
            store::Database::open(daemon->home() / "a2hd.db", store::Database::Mode::ReadWrite)
                .value();
        std::vector<Approval> asked;
        for (const std::string& question : questions) {
            consent::Ask ask;
            ask.agent_id = "ag_seller";
            ask.peer_id = "ag_buyer";
            ask.action = "reply.send";
            ask.reply_text = "Yes: " + question;
            ask.reject_text = reject_text;
            ask.question = question;
            ask.requested_by = "rule:test";
            const auto put = consent::new_approval(ask, policy, at_ms);
            REQUIRE(consent::open_approval(*db, put, policy, at_ms));
            asked.push_back(put);
        }
        daemon->start();
        return asked;
    }
    /// The button with which `person` says no to `asked`, in the message of its first row.
    std::string button_of_no(const Approval& asked, const std::string& person) {
        const auto db =
            store::Database::open(daemon->home() / "a2hd.db", store::Database::Mode::ReadOnly)
                .value();
        const auto rows = store::notifications_of_approval(*db, asked.id).value();
        REQUIRE(!rows.empty());
        std::ifstream file(daemon->home() / "human.json");
        const consent::HumanSecrets secrets{nlohmann::json::parse(file).at("link_key")};
        return notify::button_id(
            rows.front().id, AnswerKind::Reject,
            consent::approval_button_token(secrets, asked, person, AnswerKind::Reject));
    }
    nlohmann::json approval(const std::string& id) {
        return daemon->call_human(
            "approval.list", nlohmann::json{{"approval_id", id}}.dump())["data"]["approvals"][0];
    }
    nlohmann::json approval(const nlohmann::json& asked) {
        return approval(asked["approval_id"].get<std::string>());
    }
    std::string status(const auto& asked) { return approval(asked)["status"]; }
    /// Texts that have left or wait to leave.
    std::size_t outbox_size() { return daemon->call_human("outbox.list")["data"]["items"].size(); }

    TempDir dir;
    Phone phone;
    Chat chat;
    std::unique_ptr<Daemon> daemon;

  private:
    void write_secret(const std::string& name, const std::string& text) const {
        const auto file = dir.path() / "user" / name;
        std::ofstream(file) << text;
        std::filesystem::permissions(file, std::filesystem::perms(0600));
    }
    std::string channels() const {
        const std::string ntfy = "kind = \"ntfy\"\nserver = \"" + phone.api.url() + "\"\n";
        return "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n"
               "[[channel]]\nname = \"phone\"\n" +
               ntfy + "topic = \"mine\"\nreply_topic = \"back\"\n[[channel]]\nname = \"other\"\n" +
               ntfy +
               "topic = \"theirs\"\n[[channel]]\nname = \"chat\"\nkind = \"telegram\"\n"
               "chat_id = \"42\"\napi_base = \"" +
               chat.api.url() +
               "\"\nsecret_file = \"~/chat.secret\"\n[[channel]]\nname = \"gone\"\n"
               "kind = \"webhook\"\nurl = \"http://127.0.0.1:1/\"\n"
               "secret_file = \"~/hook.secret\"\n";
    }
};

}  // namespace a2h::test
