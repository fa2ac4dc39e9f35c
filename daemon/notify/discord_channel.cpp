#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/notify/channel_api.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/hook_signature.h"
#include "daemon/notify/render.h"

namespace a2h::notify {
namespace {

using nlohmann::json;

constexpr std::size_t kContentMax = 2000;
// Constants of Discord's documentation.
constexpr int kActionRow = 1;
constexpr int kButton = 2;
constexpr int kSuccess = 3;
constexpr int kDanger = 4;
constexpr int kLink = 5;
/// Discord accepts five rows of five buttons.
constexpr std::size_t kRowsMax = 5;
constexpr std::size_t kAnswersARow = 4;
constexpr int kPing = 1;
constexpr int kMessageComponent = 3;
constexpr int kReplyWithMessage = 4;
constexpr int kEphemeral = 64;
/// Discord's servers fetch the target of a link in a message unless told not to.
constexpr int kSuppressEmbeds = 4;
/// The form that Discord requires; other values are blocked.
constexpr const char* kUserAgent = "DiscordBot (https://a2h.invalid, " A2H_VERSION ")";

/// Escapes a peer's words so that they are shown as plain text. The colon is that of addresses,
/// which would be shown with the backslashes inside them, and of names of emoji. At the beginning
/// of a line, `-`, `+` and digits with a dot would begin a list, which is numbered anew.
std::string without_markdown(std::string_view text) {
    enum class Place { LineStart, Number, Inside } place = Place::LineStart;
    std::string out;
    for (const char c : text) {
        const bool begins_list = (place == Place::LineStart && (c == '-' || c == '+')) ||
                                 (place == Place::Number && c == '.');
        if (begins_list || std::string_view("\\*_~`|>#[]()<:").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
        // Bytes of other characters may be those of blanks.
        const bool is_blank = c == ' ' || c == '\t' || static_cast<unsigned char>(c) >= 0x80;
        if (c == '\n') {
            place = Place::LineStart;
        } else if (c >= '0' && c <= '9' && place != Place::Inside) {
            place = Place::Number;
        } else if (!is_blank || place != Place::LineStart) {
            place = Place::Inside;
        }
    }
    return out;
}

std::string content_of(const Message& message) {
    std::string after;
    if (!message.link.empty()) {
        after += "\n" + i18n::text(message.language, "notify.link_line", {{"link", message.link}});
    }
    if (!message.code.empty()) {
        after += "\n" + code_line(message);
    }
    return without_markdown(message.title + "\n" + message.text) + after;
}

json components_of(const Message& message) {
    json rows = json::array();
    const auto add = [&](std::size_t row_max, json button) {
        if (rows.empty() || rows.back()["components"].size() >= row_max) {
            if (rows.size() == kRowsMax) return;
            rows.push_back({{"type", kActionRow}, {"components", json::array()}});
        }
        rows.back()["components"].push_back(std::move(button));
    };
    for (const Button& button : message.buttons) {
        add(kAnswersARow, {{"type", kButton},
                           {"style", button.choice == AnswerKind::Approve ? kSuccess : kDanger},
                           {"label", button.label},
                           {"custom_id", button.id}});
    }
    if (message.link.starts_with("https://")) {
        add(kAnswersARow + 1, {{"type", kButton},
                               {"style", kLink},
                               {"label", i18n::text(message.language, "notify.button_open")},
                               {"url", message.link}});
    }
    return rows;
}

/// A bot in one channel. Its buttons call /hooks/{name}, so answers need a public address.
///
/// Source:  docs.discord.com, "Create Message", "Edit Message", "Component Reference", "Receiving
///          and Responding".
class DiscordChannel final : public Channel {
  public:
    DiscordChannel(const ChannelSettings& settings, http::Transfers* transfers)
        : name_(settings.name),
          base_(settings.value("api_base")),
          token_(settings.value("token")),
          public_key_(settings.value("public_key")),
          channel_(settings.value("channel_id")),
          users_(settings.value("users")),
          api_("Discord", settings.value("ca_file"), transfers, kUserAgent) {
        if (base_.empty()) base_ = "https://discord.com/api/v10";
        while (base_.ends_with('/'))
            base_.pop_back();
    }

    std::string_view name() const override { return name_; }
    std::string_view kind() const override { return "discord"; }

    Result<Delivered> deliver(const Message& message) override {
        ChannelApi::Call call = call_of(message);
        call.url = base_ + "/channels/" + channel_ + "/messages";
        const ChannelApi::Call without_pictures = call;
        if (!message.pictures.empty()) add_pictures(call, message.pictures);
        auto sent = api_.call(call, message.language);
        std::size_t lost = 0;
        if (!message.pictures.empty() && !sent && sent.error().code == ErrorCode::InvalidArgument) {
            // The reason may be a picture that Discord does not accept.
            lost = message.pictures.size();
            sent = api_.call(without_pictures, message.language);
        }
        if (!sent) return fail(sent.error());
        return Delivered{api_.taken(message.language, lost), wire::text_member(*sent, "id"),
                         has_code(fitted(message, fits))};
    }

    std::chrono::milliseconds take_wait() override { return api_.take_wait(); }

    Result<void> update(const std::string& receipt, const Message& message) override {
        ChannelApi::Call call = call_of(message);
        call.method = "PATCH";
        call.url = base_ + "/channels/" + channel_ + "/messages/" + receipt;
        const auto edited = api_.call(call, message.language);
        return edited ? Result<void>() : fail(edited.error());
    }

    HookResponse hook(const HookRequest& request, const AnswerClick& answer) override {
        if (!is_from_discord(public_key_, request.header("x-signature-timestamp"),
                             request.header("x-signature-ed25519"), request.body, request.now_ms)) {
            return {.status = 401, .content_type = {}, .body = {}};
        }
        const auto event = wire::parse_json(request.body);
        if (!event) return {.status = 400, .content_type = {}, .body = {}};
        const json& type = wire::member(*event, "type");
        if (type == kPing) return respond({{"type", kPing}});
        std::string user = wire::text_member(wire::member(*event, "user"), "id");
        if (user.empty()) {
            user = wire::text_member(wire::member(wire::member(*event, "member"), "user"), "id");
        }
        if (type != kMessageComponent) return {.status = 400, .content_type = {}, .body = {}};
        const ClickAnswer result =
            answer({name_, wire::text_member(wire::member(*event, "data"), "custom_id"),
                    is_allowed(users_, user)});
        return respond({{"type", kReplyWithMessage},
                        {"data",
                         {{"content", without_markdown(result.words)},
                          {"flags", kEphemeral},
                          {"allowed_mentions", {{"parse", json::array()}}}}}});
    }

  private:
    static HookResponse respond(const json& body) {
        return {.status = 200, .content_type = "application/json", .body = body.dump()};
    }

    static bool fits(const Message& message) {
        return utf16_count(content_of(message)) <= kContentMax;
    }

    ChannelApi::Call call_of(const Message& whole) const {
        const Message message = fitted(whole, fits);
        ChannelApi::Call call;
        call.headers = {{"Authorization", "Bot " + token_}};
        call.body = json{{"content", content_of(message)},
                         {"components", components_of(message)},
                         {"flags", kSuppressEmbeds},
                         {"allowed_mentions", {{"parse", json::array()}}}}
                        .dump();
        return call;
    }

    static void add_pictures(ChannelApi::Call& call, const std::vector<Picture>& pictures) {
        std::vector<Part> parts{{"payload_json", "", "application/json", call.body}};
        for (const Picture& picture : pictures) {
            parts.push_back({"files[" + std::to_string(parts.size() - 1) + "]", picture.name,
                             picture.media_type, picture.bytes});
        }
        std::tie(call.content_type, call.body) = multipart(parts);
    }

    std::string name_;
    std::string base_;
    std::string token_;
    std::string public_key_;
    std::string channel_;
    std::string users_;
    ChannelApi api_;
};

}  // namespace

std::unique_ptr<Channel> make_discord_channel(const ChannelSettings& settings,
                                              http::Transfers* transfers) {
    return std::make_unique<DiscordChannel>(settings, transfers);
}

}  // namespace a2h::notify
