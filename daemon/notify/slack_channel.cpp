#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/http/server.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/notify/channel_api.h"
#include "daemon/notify/channel_options.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/hook_signature.h"
#include "daemon/notify/render.h"

namespace a2h::notify {
namespace {

using nlohmann::json;

constexpr std::size_t kHeaderMax = 150;
constexpr std::size_t kSectionMax = 3000;

/// A text object. Slack decodes `&amp;`, `&lt;` and `&gt;` in each, so that it would show the
/// peer's "&lt;" as "<"; its limit counts the text as it is sent.
///
/// Source:  docs.slack.dev, "Formatting message text", "Escaping text".
json plain(std::string_view text, std::size_t max) {
    std::string escaped = escape_markup(text);
    for (std::size_t length = max; code_point_count(escaped) > max; --length)
        escaped = escape_markup(truncate(text, length));
    return {{"type", "plain_text"}, {"text", std::move(escaped)}, {"emoji", false}};
}

bool fits(const Message& message) {
    return utf16_count(escape_markup(text_with_code(message, false))) <= kSectionMax;
}

json blocks_of(const Message& whole) {
    const Message message = fitted(whole, fits);
    const std::string text = text_with_code(message, false);
    json blocks = json::array({{{"type", "header"}, {"text", plain(message.title, kHeaderMax)}},
                               {{"type", "section"}, {"text", plain(text, kSectionMax)}}});
    json elements = json::array();
    for (const Button& button : message.buttons) {
        const bool yes = button.choice == AnswerKind::Approve;
        const std::string number = button.number > 0 ? std::to_string(button.number) : "";
        elements.push_back({{"type", "button"},
                            {"text", plain(button.label, 75)},
                            {"action_id", (yes ? "approve" : "reject") + number},
                            {"style", yes ? "primary" : "danger"},
                            {"value", button.id}});
    }
    if (!message.link.empty()) {
        elements.push_back({{"type", "button"},
                            {"text", plain(i18n::text(message.language, "notify.button_open"), 75)},
                            {"action_id", "open"},
                            {"url", message.link}});
    }
    if (!elements.empty()) {
        blocks.push_back({{"type", "actions"}, {"elements", std::move(elements)}});
    }
    return blocks;
}

/// A bot in one channel. Its buttons call /hooks/{name}, so answers need a public address.
///
/// Source:  docs.slack.dev, "chat.postMessage", "chat.update", "Block Kit", "Handling user
///          interaction", "files.getUploadURLExternal".
class SlackChannel final : public Channel {
  public:
    SlackChannel(const ChannelSettings& settings, http::Transfers* transfers)
        : name_(settings.name),
          base_(settings.value("api_base")),
          token_(settings.value("token")),
          secret_(settings.value("signing_secret")),
          channel_(settings.value("channel_id")),
          users_(settings.value("users")),
          api_("Slack", settings.value("ca_file"), transfers) {
        if (base_.empty()) base_ = "https://slack.com/api";
        while (base_.ends_with('/'))
            base_.pop_back();
    }

    std::string_view name() const override { return name_; }
    std::string_view kind() const override { return "slack"; }

    Result<Delivered> deliver(const Message& message) override {
        A2H_ASSIGN_OR_RETURN(const auto sent, method("chat.postMessage",
                                                     {{"channel", channel_},
                                                      {"text", escape_markup(message.title)},
                                                      {"blocks", blocks_of(message)},
                                                      {"unfurl_links", false},
                                                      {"unfurl_media", false}},
                                                     message.language));
        // The message was sent: a failed picture must not cause it to be sent again.
        std::size_t lost = 0;
        for (const Picture& picture : message.pictures)
            lost += upload(picture, message.language) ? 0 : 1;
        const std::string channel = wire::text_member(sent, "channel");
        const std::string ts = wire::text_member(sent, "ts");
        return Delivered{api_.taken(message.language, lost), ts.empty() ? "" : channel + " " + ts,
                         has_code(fitted(message, fits))};
    }

    std::chrono::milliseconds take_wait() override { return api_.take_wait(); }

    Result<void> update(const std::string& receipt, const Message& message) override {
        const auto space = receipt.find(' ');
        if (space == std::string::npos) return api_.refused("ts", message.language);
        const auto edited = method("chat.update",
                                   {{"channel", receipt.substr(0, space)},
                                    {"ts", receipt.substr(space + 1)},
                                    {"text", escape_markup(message.title)},
                                    {"blocks", blocks_of(message)}},
                                   message.language);
        return edited ? Result<void>() : fail(edited.error());
    }

    HookResponse hook(const HookRequest& request, const AnswerClick& answer) override {
        if (!is_from_slack(secret_, request.header("x-slack-request-timestamp"),
                           request.header("x-slack-signature"), request.body, request.now_ms)) {
            return {.status = 401, .content_type = {}, .body = {}};
        }
        const auto fields = http::parse_form(request.body);
        std::string payload;
        for (const auto& [key, value] : fields.value_or(http::Fields{}))
            if (key == "payload") payload = value;
        const auto event = wire::parse_json(payload);
        if (!event) return {.status = 400, .content_type = {}, .body = {}};
        const std::string user = wire::text_member(wire::member(*event, "user"), "id");
        if (wire::text_member(*event, "type") == "block_actions") {
            take(*event, is_allowed(users_, user), answer);
        }
        return {};
    }

  private:
    void take(const json& event, bool is_allowed, const AnswerClick& answer) {
        const json& actions = wire::member(event, "actions");
        if (!actions.is_array() || actions.empty()) return;
        const std::string id = wire::text_member(actions[0], "value");
        if (id.empty()) return;  // the button that opens the page
        const ClickAnswer result = answer({name_, id, is_allowed});
        const std::string url = wire::text_member(event, "response_url");
        // An accepted answer is visible on the card itself.
        if (result.accepted || !is_safe_url(url)) return;
        ChannelApi::Call call;
        call.url = url;
        call.body = json{{"response_type", "ephemeral"},
                         {"replace_original", false},
                         {"text", escape_markup(result.words)}}
                        .dump();
        // Slack requires an answer to its own call within 3 s.
        call.limit = std::chrono::seconds(2);
        (void)api_.call(call, i18n::Language::English);
    }

    Result<json> method(std::string_view name, const json& body, i18n::Language language) {
        ChannelApi::Call call;
        call.url = base_ + "/" + std::string(name);
        call.headers = {{"Authorization", "Bearer " + token_}};
        call.body = body.dump();
        return checked(api_.call(call, language), language);
    }

    /// Slack answers with HTTP 200 to nearly everything.
    Result<json> checked(Result<json> answer, i18n::Language language) {
        if (!answer || wire::member(*answer, "ok") == true) return answer;
        const std::string why = wire::text_member(*answer, "error");
        for (const char* passing : {"ratelimited", "internal_error", "fatal_error",
                                    "service_unavailable", "request_timeout"}) {
            if (why == passing) return api_.unreachable(why, language);
        }
        return api_.refused(preview(printable(why)), language);
    }

    Result<void> upload(const Picture& picture, i18n::Language language) {
        ChannelApi::Call place;
        place.url = base_ + "/files.getUploadURLExternal";
        place.headers = {{"Authorization", "Bearer " + token_}};
        place.content_type = "application/x-www-form-urlencoded";
        place.body = "filename=" + form_value(picture.name) +
                     "&length=" + std::to_string(picture.bytes.size());
        A2H_ASSIGN_OR_RETURN(const auto placed, checked(api_.call(place, language), language));
        const std::string url = wire::text_member(placed, "upload_url");
        if (!is_safe_url(url)) return api_.refused("upload_url", language);
        ChannelApi::Call bytes;
        bytes.url = url;
        bytes.content_type = "application/octet-stream";
        bytes.body = picture.bytes;
        A2H_TRY(api_.call(bytes, language));
        A2H_TRY(method(
            "files.completeUploadExternal",
            {{"files", {{{"id", wire::text_member(placed, "file_id")}, {"title", picture.name}}}},
             {"channel_id", channel_}},
            language));
        return {};
    }

    std::string name_;
    std::string base_;
    std::string token_;
    std::string secret_;
    std::string channel_;
    std::string users_;
    ChannelApi api_;
};

}  // namespace

std::unique_ptr<Channel> make_slack_channel(const ChannelSettings& settings,
                                            http::Transfers* transfers) {
    return std::make_unique<SlackChannel>(settings, transfers);
}

}  // namespace a2h::notify
