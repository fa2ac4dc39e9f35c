// The text that a person is shown before they say yes, on the real surfaces of a real a2hd: either
// everything that the yes covers, or a note that it is not everything, and then no way to say yes
// there.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "core/base/text.h"
#include "tests/integration/trade/open_table.h"
#include "tests/support/fake_channel_api.h"
#include "tests/support/mail_server.h"
#include "tests/support/process.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// Stand-ins of services that take messages, and a real mail server.
class StandIns {
  public:
    StandIns() {
        write_secret("hook", "secret = \"hook secret\"\n");
        write_secret("chat", "token = \"TOKEN\"\n");
    }
    std::string config() const {
        const auto channel = [](const std::string& name, const std::string& kind,
                                const std::string& rest) {
            return "[[channel]]\nname = \"" + name + "\"\nkind = \"" + kind + "\"\n" + rest + "\n";
        };
        const auto secret = [&](const std::string& name) {
            return "\nsecret_file = \"" + (dir_.path() / name).string() + "\"\n";
        };
        return "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n" +
               channel("hook", "webhook", "url = \"" + hook.url() + "/\"" + secret("hook")) +
               channel(
                   "phone", "ntfy",
                   "server = \"" + phone.url() + "\"\ntopic = \"mine\"\nreply_topic = \"back\"\n") +
               channel("chat", "telegram",
                       "chat_id = \"42\"\napi_base = \"" + chat.url() + "\"" + secret("chat")) +
               channel("mail", "email",
                       "server = \"" + mail_server_.url() +
                           "\"\nfrom = \"a2h@example.org\"\nto = \"me@example.org\"\n") +
               "[[person]]\nname = \"anna\"\nnormal = [\"hook+phone+chat+mail\"]\n"
               "per_hour_max = 1000\n";
    }
    /// The messages about `id` as each service got it; waits for all of them.
    std::map<std::string, json> shown(const std::string& id) {
        std::map<std::string, json> found;
        const bool is_complete = eventually([&] {
            look(found, "webhook", hook, id);
            look(found, "ntfy", phone, id);
            look(found, "telegram", chat, id);
            for (const std::string& mail : mails())
                if (mail.find(id) != std::string::npos) found["mail"] = {{"text", mail}};
            return found.size() == 4;
        });
        REQUIRE_MESSAGE(is_complete, json(found).dump());
        return found;
    }

  private:
    static void look(std::map<std::string, json>& found, const std::string& name,
                     const FakeChannelApi& api, const std::string& id) {
        for (const auto& call : api.calls()) {
            if (call.json.is_object() && call.json.dump().find(id) != std::string::npos)
                found[name] = call.json;
        }
    }
    static http::Response answer_chat(const FakeChannelApi::Call& call) {
        if (call.path.ends_with("/sendMessage"))
            return FakeChannelApi::reply({{"ok", true}, {"result", {{"message_id", 1}}}});
        return FakeChannelApi::reply({{"ok", true}, {"result", json::array()}});
    }
    /// As a mail program shows them.
    std::vector<std::string> mails() const {
        std::vector<std::string> all;
        for (const std::string& raw : mail_server_.mails())
            all.push_back(
                run({"/usr/bin/python3", "-c",
                     "import sys,email,email.policy\n"
                     "m=email.message_from_string(sys.stdin.read(),policy=email.policy.default)\n"
                     "print(m.get_body().get_content())"},
                    {{"PYTHONIOENCODING", "utf-8"}}, raw)
                    .out);
        return all;
    }
    void write_secret(const std::string& name, const std::string& text) const {
        std::ofstream(dir_.path() / name) << text;
        std::filesystem::permissions(dir_.path() / name, std::filesystem::perms(0600));
    }

    TempDir dir_;
    MailServer mail_server_;

  public:
    FakeChannelApi hook{"", [](const FakeChannelApi::Call&) { return http::Response(); }};
    FakeChannelApi phone{"", [](const FakeChannelApi::Call&) { return http::Response(); }};
    FakeChannelApi chat{"", answer_chat};
};

struct Watched {
    StandIns stand_ins;
    Scene scene{DaemonOptions{.config = stand_ins.config()}};

    std::string ask(const std::string& action, const json& arguments) {
        const json result = scene.seller.call_assistant(action, arguments.dump());
        const json& part = result.contains("data") ? result["data"] : result["error"];
        REQUIRE_MESSAGE(part.contains("approval_id"), result.dump());
        return part["approval_id"];
    }
    std::string works_id() {
        scene.publish_listing();
        return scene.seller.call_assistant("works.list")["data"]["items"][0]["worksId"];
    }
    /// The answer of the real a2h-mcp to a2h_approval_list.
    std::string as_assistant(const std::string& id) const {
        const json hello{{"jsonrpc", "2.0"},
                         {"id", 0},
                         {"method", "initialize"},
                         {"params",
                          {{"protocolVersion", "2025-11-25"},
                           {"capabilities", json::object()},
                           {"clientInfo", {{"name", "test"}, {"version", "1"}}}}}};
        const json list{
            {"jsonrpc", "2.0"},
            {"id", 1},
            {"method", "tools/call"},
            {"params", {{"name", "a2h_approval_list"}, {"arguments", {{"approval_id", id}}}}}};
        return run({A2H_BIN_DIR "/a2h-mcp"}, {{"A2H_HOME", scene.seller.home().string()}},
                   hello.dump() + "\n" + list.dump() + "\n")
            .out;
    }
};

/// `text` without the line breaks and margins of a terminal.
std::string unwrapped(const std::string& text) {
    std::string out;
    for (const char c : text)
        if (c != '\n' && c != ' ') out += c;
    return out;
}

void check_shown(const std::string& where, const std::string& text,
                 const std::vector<std::string>& marks) {
    for (const std::string& mark : marks) {
        CAPTURE(where);
        CAPTURE(text);
        CHECK_MESSAGE(unwrapped(text).find(unwrapped(mark)) != std::string::npos, mark);
    }
}

void check_everywhere(Watched& watched, const std::string& id,
                      const std::vector<std::string>& marks) {
    const Daemon& seller = watched.scene.seller;
    for (const char* language : {"en_US.UTF-8", "zh_CN.UTF-8"}) {
        check_shown("a2h approvals", seller.a2h({"approvals"}, {}, language).out, marks);
        const auto approve = seller.a2h({"approve", id, "--pin-stdin"}, {}, language);
        check_shown("a2h approve", approve.err, marks);
    }
    check_shown("a2h_approval_list", watched.as_assistant(id), marks);
    for (const auto& [api, message] : watched.stand_ins.shown(id)) {
        const char* member = message.contains("message") ? "message" : "text";
        check_shown(api, message[member].get<std::string>(), marks);
    }
}

}  // namespace

TEST_CASE("a listing, a post, a question, an offer and a payment code are shown whole") {
    Watched watched;
    const std::string& peer = watched.scene.buyer_account.agent_id;
    const std::vector<std::tuple<std::string, json, std::vector<std::string>>> cases = {
        {"works.publish",
         {{"type", 3},
          {"title", "Slides"},
          {"content", "Ten slides, and we pay all damages"},
          {"price_type", "FIXED"},
          {"currency", "CNY"},
          {"fixed_price", 28'000},
          {"service_location", "our cellar"}},
         {"and we pay all damages", "280.00 CNY", "our cellar", "Slides"}},
        {"discussion.publish",
         {{"title", "Hello"}, {"content", "We owe everybody a car"}},
         {"We owe everybody a car", "Hello"}},
        {"approval.create",
         {{"peer_id", peer},
          {"question", "Fine?"},
          {"context", "They also want our house"},
          {"options", {"yes and the house", "only the garden"}},
          {"reply_text", "Deal."}},
         {"They also want our house", "yes and the house", "only the garden", "Deal.",
          "> They also"}},
        {"send",
         {{"target_agent_id", peer},
          {"extra_payload",
           {{"type", "offer"},
            {"price", {{"amount", 300}, {"currency", "CNY"}}},
            {"summary", "portraits"},
            {"terms", "we carry every risk"},
            {"note", "and the tax"}}}},
         {"we carry every risk", "and the tax", "portraits", "300.00 CNY"}},
        {"send",
         {{"target_agent_id", peer},
          {"text", "Pay here"},
          {"payment_qr", "https://pay.example/thief.png"}},
         {"https://pay.example/thief.png", "Pay here"}},
    };
    for (const auto& [action, arguments, marks] : cases) {
        CAPTURE(action);
        check_everywhere(watched, watched.ask(action, arguments), marks);
    }
}

TEST_CASE("a new title, and an order's title and text, are shown whole") {
    Watched watched;
    const std::string works_id = watched.works_id();
    check_everywhere(
        watched,
        watched.ask("works.update",
                    {{"works_id", works_id}, {"type", 3}, {"title", "Portraits and a free car"}}),
        {"Portraits and a free car"});
    check_everywhere(
        watched,
        watched.ask("order.create", {{"customer_id", watched.scene.buyer_account.agent_id},
                                     {"title", "Portrait with insurance"},
                                     {"content", "Saturday, and every loss is ours"},
                                     {"price_cent", 28'000},
                                     {"currency", "CNY"},
                                     {"product_id", works_id},
                                     {"order_type", 3}}),
        {"Portrait with insurance", "every loss is ours", "280.00 CNY"});
}

TEST_CASE("the card of an update shows what it replaces, and its yes is for nothing else") {
    OpenTable s;
    const std::string before = s.seller.call_assistant(
        "works.get", json{{"works_id", s.works_id}}.dump())["data"]["content"];
    const auto update = [&](const std::string& content) -> std::string {
        const json call{
            {"works_id", s.works_id}, {"type", 3}, {"title", "Portrait"}, {"content", content}};
        const json asked = s.seller.call_assistant("works.update", call.dump());
        REQUIRE_MESSAGE(asked["error"]["code"] == kAsks, asked.dump());
        return asked["error"]["approval_id"];
    };
    const std::string first = update("Two hours, in the studio.");
    const std::string second = update("One hour, at the lake.");
    CHECK(s.approval(first)["covers"].dump().find(before) != std::string::npos);
    REQUIRE(s.answer(s.seller, second, "approve")["ok"] == true);
    REQUIRE(eventually([&] { return s.approval(second)["outcome"] == "executed"; }));
    REQUIRE(s.answer(s.seller, first, "approve")["ok"] == true);
    REQUIRE(eventually([&] { return s.approval(first)["outcome"] == "failed"; }));
    const json asked_again = s.open_approval();
    CHECK(asked_again["covers"].dump().find("One hour, at the lake.") != std::string::npos);
    CHECK(s.seller.call_assistant("works.get",
                                  json{{"works_id", s.works_id}}.dump())["data"]["content"] ==
          "One hour, at the lake.");
}

TEST_CASE("the card of a change and that of a deletion show the pictures that go") {
    const std::string kBefore = "https://files.example/before.jpg";
    OpenTable s;
    const auto asked = [&](const char* action, json call) -> std::string {
        call["works_id"] = s.works_id;
        const json answer = s.seller.call_assistant(action, call.dump());
        REQUIRE_MESSAGE(answer["error"]["code"] == kAsks, answer.dump());
        return answer["error"]["approval_id"];
    };
    const auto update = [&](const std::string& picture) {
        return asked(
            "works.update",
            {{"type", 3}, {"title", "Portrait"}, {"content", "One hour."}, {"picture", picture}});
    };
    const std::string first = update(kBefore);
    REQUIRE(s.answer(s.seller, first, "approve")["ok"] == true);
    REQUIRE(eventually([&] { return s.approval(first)["outcome"] == "executed"; }));
    for (const std::string& id :
         {update("https://files.example/after.jpg"), asked("works.delete", json::object())}) {
        const std::string card = s.approval(id)["covers"].dump();
        CHECK_MESSAGE(card.find(kBefore) != std::string::npos, card);
    }
}

TEST_CASE("a text too long for a message shows its beginning and a link, and no yes") {
    Watched watched;
    std::string content;
    for (int i = 0; i < 180; ++i)
        content += "好词" + std::to_string(1000 + i) + "三个字。";
    const std::string id =
        watched.ask("works.publish", {{"type", 3}, {"title", "Long"}, {"content", content}});
    auto shown = watched.stand_ins.shown(id);
    check_shown("webhook", shown["webhook"]["text"], {"1179三个字"});
    CHECK(!shown["webhook"]["code"].get<std::string>().empty());
    check_shown("mail", shown["mail"]["text"], {"1179三个字"});
    const json phone = shown["ntfy"];
    const std::string text = phone["message"];
    CHECK(text.find("1000三个字") != std::string::npos);
    CHECK(text.find("1179三个字") == std::string::npos);
    CHECK(text.find("This is only the beginning") != std::string::npos);
    CHECK(text.find("Code for answering") == std::string::npos);
    CHECK(text.find("a2h approve ") == std::string::npos);
    CHECK(text.size() <= 4096);
    CHECK(!phone["click"].get<std::string>().empty());
    for (const json& action : phone["actions"])
        CHECK(action["label"] != "Approve");
}

TEST_CASE("a yes to a question without a draft is called closing, and a text is asked for first") {
    Watched watched;
    const json question{{"peer_id", watched.scene.buyer_account.agent_id},
                        {"question", "Can they come on Sunday?"}};
    Daemon& seller = watched.scene.seller;
    const std::string id = watched.ask("approval.create", question);
    const auto shown = watched.stand_ins.shown(id);
    CHECK(shown.at("telegram")["reply_markup"]["inline_keyboard"][0][0]["text"] ==
          "Close without answering");
    check_shown("webhook", shown.at("webhook")["text"], {"--text"});
    const std::string pin = std::string(Daemon::kPin) + "\n";
    const auto closed = seller.a2h({"approve", id, "--pin-stdin"}, pin);
    CHECK(closed.status == 0);
    check_shown("stderr", closed.err, {"This question has no draft", "approve " + id + " --text"});
    check_shown("stdout", closed.out, {"closed without an answer"});
    CHECK(closed.out.find("carried out") == std::string::npos);
    const auto why = seller.a2h({"why", id});
    check_shown("stdout", why.out, {"closed without an answer"});
    CHECK(why.out.find("carried out") == std::string::npos);
    const json row = watched.scene.approval(id);
    CHECK(row["status"] == "approved");
    CHECK(row["closed_without_answer"] == true);
    CHECK(seller.call_human("outbox.list")["data"]["items"].empty());
    const std::string other =
        watched.ask("approval.create", {{"peer_id", watched.scene.buyer_account.agent_id},
                                        {"question", "Can they come on Monday?"}});
    const auto sent = seller.a2h({"approve", other, "--text", "Yes, at ten.", "--pin-stdin"}, pin);
    CHECK(sent.status == 0);
    CHECK(!watched.scene.approval(other).contains("closed_without_answer"));
}
