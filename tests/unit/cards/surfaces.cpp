#include "tests/unit/cards/surfaces.h"

#include <doctest/doctest.h>

#include <pty.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/approval_text.h"
#include "core/wire/crypto.h"
#include "daemon/card/card.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/mail_text.h"
#include "daemon/notify/render.h"
#include "daemon/operations/ask.h"
#include "daemon/web/link_page_view.h"
#include "daemon/web/page_data.h"
#include "tests/support/environment.h"
#include "tests/support/fake_channel_api.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {
namespace {

using i18n::Language;
using nlohmann::json;
using notify::Message;

constexpr const char* kLink = "https://a2h.example/a/apr_0123456789abcdef";
constexpr const char* kCode = "483920";

/// stdout is a terminal of 60 columns as long as it lives.
class NarrowTerminal {
  public:
    NarrowTerminal() : stdout_(::dup(STDOUT_FILENO)) {
        winsize size{};
        size.ws_col = 60;
        size.ws_row = 200;
        REQUIRE(::openpty(&main_, &terminal_, nullptr, nullptr, &size) == 0);
        std::fflush(stdout);
        ::dup2(terminal_, STDOUT_FILENO);
    }
    ~NarrowTerminal() {
        std::fflush(stdout);
        ::dup2(stdout_, STDOUT_FILENO);
        for (const int fd : {main_, terminal_, stdout_})
            ::close(fd);
    }
    NarrowTerminal(const NarrowTerminal&) = delete;
    NarrowTerminal& operator=(const NarrowTerminal&) = delete;

  private:
    int stdout_;
    int main_ = -1;
    int terminal_ = -1;
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// Returns what a browser shows of the page: its text, one block on a line.
std::string seen_in_browser(const std::string& html) {
    std::string text;
    bool in_tag = false;
    std::string tag;
    for (const char c : html) {
        if (c == '<') {
            in_tag = true;
            tag.clear();
        } else if (c == '>') {
            in_tag = false;
            if (tag == "/dt") text += ": ";
        } else if (in_tag) {
            tag += c;
        } else {
            text += c;
        }
    }
    for (const auto& [from, to] :
         {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""),
          std::pair("&#39;", "'"), std::pair("&amp;", "&")})
        replace_all(text, from, to);
    while (text.find("\n\n\n") != std::string::npos)
        replace_all(text, "\n\n\n", "\n\n");
    return text;
}

std::vector<std::string> buttons_in_browser(const std::string& html) {
    std::vector<std::string> labels;
    for (auto at = html.find("<button"); at != std::string::npos;
         at = html.find("<button", at + 1)) {
        const auto begin = html.find('>', at) + 1;
        labels.push_back(html.substr(begin, html.find('<', begin) - begin));
    }
    return labels;
}

/// Returns what the application and an assistant get: the question, and all that a yes covers.
std::string covers_of(const json& object) {
    std::string text = object.at("question").get<std::string>() + "\n";
    for (const json& line : object.at("covers")) {
        text += line.at("label").get<std::string>() + ": ";
        std::string value = line.at("value");
        replace_all(value, "\n", "\n    ");
        text += value + "\n";
    }
    return text;
}

Message message_of(const Approval& approval, Language language) {
    Notification row;
    row.id = 3;
    row.kind = "approval.asked";
    row.approval_id = approval.id;
    const notify::Secrets secrets{kCode, kLink,
                                  [](AnswerKind) { return std::string("0123456789abcdef"); }};
    return notify::render(row, &approval, secrets, language);
}

/// `text` without the line of the link, which is a button elsewhere.
Surface channel(std::string name, std::string text, std::vector<std::string> buttons,
                Language language) {
    const std::string line = i18n::text(language, "notify.link_line", {{"link", kLink}});
    const bool has_line = text.find(line) != std::string::npos;
    replace_all(text, "\n" + line, "");
    Surface surface{std::move(name), std::move(text), std::move(buttons)};
    if (has_line) surface.buttons.push_back("link");
    surface.has_link = has_line || std::count(surface.buttons.begin(), surface.buttons.end(),
                                              i18n::text(language, "notify.button_open")) > 0;
    const auto says = [&](std::string_view key) {
        const std::string label = i18n::text(language, key);
        return std::count(surface.buttons.begin(), surface.buttons.end(), label) > 0;
    };
    // The desktop stands before the machine, and gets no secrets: it names the command instead.
    if (surface.name == "desktop")
        surface.has_link = surface.text.find("a2h approvals") != std::string::npos;
    surface.offers_yes = says("notify.button_approve") || says("notify.button_close") ||
                         surface.text.find(kCode) != std::string::npos ||
                         surface.text.find("a2h approve ") != std::string::npos;
    while (surface.text.ends_with('\n'))
        surface.text.pop_back();
    surface.text += '\n';
    return surface;
}

std::vector<std::string> labels_in(const json& buttons, const char* member = "label") {
    std::vector<std::string> labels;
    for (const json& button : buttons) {
        const json& label = button.at(member);
        labels.push_back(label.is_string()           ? label.get<std::string>()
                         : label.contains("content") ? label.at("content").get<std::string>()
                                                     : label.at("text").get<std::string>());
    }
    return labels;
}

FakeChannelApi::Answer taken() {
    return [](const FakeChannelApi::Call&) {
        return FakeChannelApi::reply({{"ok", true},
                                      {"code", 0},
                                      {"id", "1"},
                                      {"tenant_access_token", "t"},
                                      {"data", {{"message_id", "m"}}},
                                      {"result", {{"message_id", 1}}}});
    };
}

notify::ChannelSettings to(const FakeChannelApi& api, std::string kind) {
    return {"phone",
            std::move(kind),
            {{"api_base", api.url()},
             {"server", api.url()},
             {"url", api.url() + "/hook"},
             {"token", "T"},
             {"chat_id", "9"},
             {"channel_id", "5"},
             {"topic", "t"},
             {"reply_topic", "r"},
             {"app_id", "a"},
             {"app_secret", "s"},
             {"receive_id", "ou_1"}}};
}

/// The call by which the channel delivers `message`.
json sent_by(notify::Channel& way, const FakeChannelApi& api, const std::string& path,
             const Message& message) {
    const auto delivered = way.deliver(message);
    if (!delivered) FAIL(delivered.error().message);
    return api.last(path).json;
}

Surface by_ntfy(const FakeChannelApi& api, const Message& message) {
    const auto way = notify::make_ntfy_channel(to(api, "ntfy"));
    const json body = sent_by(*way, api, "/", message);
    return channel(
        "ntfy", body.at("title").get<std::string>() + "\n" + body.at("message").get<std::string>(),
        labels_in(body.at("actions")), message.language);
}

Surface by_telegram(const FakeChannelApi& api, const Message& message) {
    const auto way = notify::make_telegram_channel(to(api, "telegram"));
    const json body = sent_by(*way, api, "/botT/sendMessage", message);
    std::vector<std::string> labels;
    for (const json& row : body.at("reply_markup").at("inline_keyboard"))
        for (const std::string& label : labels_in(row, "text"))
            labels.push_back(label);
    return channel("Telegram", body.at("text"), labels, message.language);
}

Surface by_feishu(const FakeChannelApi& api, const Message& message) {
    const auto way = notify::make_feishu_channel(to(api, "feishu"));
    const json body = sent_by(*way, api, "/open-apis/im/v1/messages", message);
    const json card = json::parse(body.at("content").get<std::string>());
    std::vector<std::string> labels;
    for (const json& element : card.at("elements")) {
        if (element.at("tag") != "action") continue;
        for (const std::string& label : labels_in(element.at("actions"), "text"))
            labels.push_back(label);
    }
    return channel("Feishu",
                   card.at("header").at("title").at("content").get<std::string>() + "\n" +
                       card.at("elements")[0].at("text").at("content").get<std::string>(),
                   labels, message.language);
}

Surface by_slack(const FakeChannelApi& api, const Message& message) {
    const auto way = notify::make_slack_channel(to(api, "slack"));
    const json blocks = sent_by(*way, api, "/chat.postMessage", message).at("blocks");
    return channel("Slack",
                   seen_in_browser(blocks[0].at("text").at("text").get<std::string>() + "\n" +
                                   blocks[1].at("text").at("text").get<std::string>()),
                   labels_in(blocks[2].at("elements"), "text"), message.language);
}

Surface by_discord(const FakeChannelApi& api, const Message& message) {
    const auto way = notify::make_discord_channel(to(api, "discord"));
    const json body = sent_by(*way, api, "/channels/5/messages", message);
    const std::string content = body.at("content");
    std::string shown;
    for (std::size_t i = 0; i < content.size(); ++i) {
        if (content[i] == '\\' && i + 1 < content.size()) ++i;
        shown += content[i];
    }
    std::vector<std::string> labels;
    for (const json& row : body.at("components"))
        for (const std::string& label : labels_in(row.at("components")))
            labels.push_back(label);
    return channel("Discord", shown, labels, message.language);
}

Surface by_webhook(const FakeChannelApi& api, const Message& message) {
    const auto way = notify::make_webhook_channel(to(api, "webhook"));
    const json body = sent_by(*way, api, "/hook", message);
    std::string text =
        body.at("title").get<std::string>() + "\n" + body.at("text").get<std::string>();
    if (!body.at("code").get<std::string>().empty()) text += "\n" + notify::code_line(message);
    text += "\n" + i18n::text(message.language, "notify.link_line",
                              {{"link", body.at("link").get<std::string>()}});
    return channel("webhook", text, {}, message.language);
}

Surface by_mail(const Message& message) {
    std::string mail = notify::mail_text({"a@example.org", "b@example.org", 0, "id"}, message);
    mail.erase(0, mail.find("\r\n\r\n") + 4);
    std::string lines;
    for (const char c : mail)
        if (c != '\r' && c != '\n' && c != '=') lines += c == '+' ? '-' : c == '/' ? '_' : c;
    const auto text = wire::base64url_decode(lines);
    REQUIRE(text.has_value());
    return channel("mail", *text, {}, message.language);
}

/// A program named notify-send that keeps what it should show.
Surface by_desktop(const Message& message) {
    const TempDir dir;
    const auto program = dir.path() / "notify-send";
    const auto file = dir.path() / "shown";
    std::ofstream(program) << "#!/bin/sh\nprintf '%s\\n%s' \"$4\" \"$5\" > " << file.string()
                           << "\n";
    ::chmod(program.c_str(), 0755);
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", (dir.path().string() + ":" + path).c_str(), 1);
    const Variable display("DISPLAY", ":99");
    const auto delivered = notify::make_desktop_channel()->deliver(message);
    ::setenv("PATH", path.c_str(), 1);
    if (!delivered) FAIL(delivered.error().message);
    std::ifstream in(file);
    std::string shown{std::istreambuf_iterator<char>(in), {}};
    // notify-send expands escape sequences of the body, and only there.
    for (std::size_t at = shown.find('\\', shown.find('\n')); at != std::string::npos;
         at = shown.find('\\', at + 1)) {
        REQUIRE(shown.substr(at, 2) == "\\\\");
        shown.erase(at, 1);
    }
    return channel("desktop", seen_in_browser(shown), {}, message.language);
}

/// One of several questions in a message.
Surface in_group(const Approval& approval, Language language) {
    Notification row;
    row.id = 3;
    row.kind = "approval.asked";
    row.approval_id = approval.id;
    const notify::Secrets secrets{kCode, kLink,
                                  [](AnswerKind) { return std::string("0123456789abcdef"); }};
    const auto line = notify::group_line(row, &approval, secrets, 1, language);
    Surface surface{"one of several questions in a message", line.words + "\n"};
    surface.offers_yes = false;
    for (const notify::Button& button : line.buttons) {
        surface.buttons.push_back(button.label);
        surface.offers_yes = surface.offers_yes || button.choice == AnswerKind::Approve;
    }
    surface.has_link = !line.link.empty();
    return surface;
}

}  // namespace

Surface on_terminal(const Approval& approval, Language language) {
    const NarrowTerminal narrow;
    const Variable plain("NO_COLOR", "1");
    cli::Invocation invocation;
    invocation.language = language;
    const json data{{"approvals", {operations::to_json(approval, language)}}};
    Surface surface{"terminal (a2h approvals)", cli::render_approvals(invocation, data) + "\n"};
    const std::string asked = cli::render_approval(invocation, data);
    CHECK(surface.text.starts_with(asked));
    return surface;
}

std::vector<Surface> surfaces_of(const Approval& approval, Language language) {
    const FakeChannelApi api("", taken());
    const Message message = message_of(approval, language);
    std::vector<Surface> all{on_terminal(approval, language)};
    all.push_back({"page", covers_of(web::approval_json(approval, language))});
    all.push_back(
        {"assistant (approval.list)", covers_of(operations::to_json(approval, language))});
    const std::string html = web::approval_body({approval, "human", "t", language, {}});
    all.push_back({"page behind the link", seen_in_browser(html), buttons_in_browser(html)});
    all.push_back(by_mail(message));
    all.push_back(by_webhook(api, message));
    all.push_back(by_ntfy(api, message));
    all.push_back(by_telegram(api, message));
    all.push_back(by_feishu(api, message));
    all.push_back(by_slack(api, message));
    all.push_back(by_discord(api, message));
    all.push_back(by_desktop(message));
    all.push_back(in_group(approval, language));
    return all;
}

}  // namespace a2h::test
