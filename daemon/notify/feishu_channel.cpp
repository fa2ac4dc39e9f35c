#include <algorithm>
#include <iterator>
#include <mutex>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/notify/channel_api.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/hook_signature.h"
#include "daemon/notify/render.h"

namespace a2h::notify {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

/// Limit of the request that contains the card as text.
constexpr std::size_t kRequestBytesMax = 30 * 1024;
constexpr std::size_t kEnvelopeBytes = 512;
constexpr std::size_t kHookBytesMax = 64 * 1024;
/// A tenant token is valid for two hours; a value above a day is not plausible.
constexpr std::int64_t kTokenSecondsMax = 24 * 3600;
constexpr std::chrono::seconds kRenewBefore{60};
/// Feishu's codes for an invalid tenant token.
constexpr int kTokenInvalid = 99991663;
constexpr int kTokenExpired = 99991661;
/// Too many calls: by the app, on the platform in that minute, in the chat.
constexpr int kTooMany[] = {99991400, 11232, 230020};

json plain(std::string_view text) {
    return {{"tag", "plain_text"}, {"content", std::string(text)}};
}

/// One element of actions for each question, and one for the page.
void add_buttons(json& elements, const Message& message) {
    const auto actions_of = [&](json first) {
        elements.push_back({{"tag", "action"}, {"actions", json::array({std::move(first)})}});
    };
    int number = -1;
    for (const Button& button : message.buttons) {
        json action{{"tag", "button"},
                    {"text", plain(button.label)},
                    {"type", button.choice == AnswerKind::Approve ? "primary" : "danger"},
                    {"value", {{"a2h", button.id}}}};
        if (button.number == number) {
            elements.back()["actions"].push_back(std::move(action));
        } else {
            actions_of(std::move(action));
        }
        number = button.number;
    }
    if (message.link.empty()) return;
    json open{{"tag", "button"},
              {"text", plain(i18n::text(message.language, "notify.button_open"))},
              {"type", "default"},
              {"url", message.link}};
    if (number == 0) {
        elements.back()["actions"].push_back(std::move(open));
    } else {
        actions_of(std::move(open));
    }
}

json card_of(const Message& message, const std::vector<std::string>& image_keys) {
    json elements =
        json::array({{{"tag", "div"}, {"text", plain(text_with_code(message, false))}}});
    for (const std::string& key : image_keys) {
        elements.push_back({{"tag", "img"}, {"img_key", key}, {"alt", plain("")}});
    }
    add_buttons(elements, message);
    const char* colour = message.priority == Priority::High  ? "red"
                         : message.priority == Priority::Low ? "grey"
                                                             : "blue";
    // update_multi: the card changes for everybody who sees it.
    return {{"config", {{"wide_screen_mode", true}, {"update_multi", true}}},
            {"header", {{"title", plain(message.title)}, {"template", colour}}},
            {"elements", std::move(elements)}};
}

/// Returns what a card shows of `message`, shortened to what Feishu accepts.
Message shown_in_card(const Message& message, const std::vector<std::string>& image_keys) {
    const auto fits = [&](const Message& shown) {
        const json text = card_of(shown, image_keys).dump();
        return text.dump().size() + kEnvelopeBytes <= kRequestBytesMax;
    };
    return fitted(message, fits);
}

std::string card_text(const Message& message, const std::vector<std::string>& image_keys) {
    return card_of(shown_in_card(message, image_keys), image_keys).dump();
}

/// An app's bot, for Feishu and Lark. Its buttons call /hooks/{name}, so answers need a public
/// address.
///
/// Source:  open.feishu.cn, "tenant_access_token", "Send message", "Update message card", "Upload
///          image", "card.action.trigger", "Security verification".
class FeishuChannel final : public Channel {
  public:
    FeishuChannel(const ChannelSettings& settings, http::Transfers* transfers)
        : name_(settings.name),
          base_(settings.value("api_base")),
          app_id_(settings.value("app_id")),
          app_secret_(settings.value("app_secret")),
          verification_token_(settings.value("verification_token")),
          encrypt_key_(settings.value("encrypt_key")),
          receive_id_(settings.value("receive_id")),
          receive_id_type_(settings.value("receive_id_type")),
          users_(settings.value("users")),
          api_("Feishu", settings.value("ca_file"), transfers) {
        if (base_.empty()) base_ = "https://open.feishu.cn";
        while (base_.ends_with('/'))
            base_.pop_back();
        if (receive_id_type_.empty()) receive_id_type_ = "open_id";
    }

    std::string_view name() const override { return name_; }
    std::string_view kind() const override { return "feishu"; }

    Result<Delivered> deliver(const Message& message) override {
        std::vector<std::string> image_keys;
        for (const Picture& picture : message.pictures) {
            auto key = upload(picture, message.language);
            // Without the picture there is still the link.
            if (key && !key->empty()) image_keys.push_back(std::move(*key));
        }
        const std::size_t lost = message.pictures.size() - image_keys.size();
        ChannelApi::Call call;
        call.url = base_ + "/open-apis/im/v1/messages?receive_id_type=" + receive_id_type_;
        call.body = json{{"receive_id", receive_id_},
                         {"msg_type", "interactive"},
                         {"content", card_text(message, image_keys)}}
                        .dump();
        A2H_ASSIGN_OR_RETURN(const auto sent, authorized(call, message.language));
        return Delivered{api_.taken(message.language, lost),
                         wire::text_member(wire::member(sent, "data"), "message_id"),
                         has_code(shown_in_card(message, image_keys))};
    }

    std::chrono::milliseconds take_wait() override { return api_.take_wait(); }

    Result<void> update(const std::string& receipt, const Message& message) override {
        ChannelApi::Call call;
        call.method = "PATCH";
        call.url = base_ + "/open-apis/im/v1/messages/" + receipt;
        call.body = json{{"content", card_text(message, {})}}.dump();
        const auto edited = authorized(call, message.language);
        return edited ? Result<void>() : fail(edited.error());
    }

    HookResponse hook(const HookRequest& request, const AnswerClick& answer) override {
        const HookResponse refused{.status = 401, .content_type = {}, .body = {}};
        // What cannot be decrypted and read proves nothing.
        const auto event = open(request);
        if (!event) return refused;
        const json& header = wire::member(*event, "header");
        const bool first_contact = wire::text_member(*event, "type") == "url_verification";
        const std::string token = wire::text_member(first_contact ? *event : header, "token");
        if (verification_token_.empty() || !wire::equal_constant_time(verification_token_, token)) {
            return refused;
        }
        if (first_contact) {
            return respond({{"challenge", wire::text_member(*event, "challenge")}});
        }
        if (!encrypt_key_.empty() &&
            !is_from_feishu(encrypt_key_, request.header("x-lark-request-timestamp"),
                            request.header("x-lark-request-nonce"),
                            request.header("x-lark-signature"), request.body)) {
            return refused;
        }
        const json& pressed = wire::member(*event, "event");
        const std::string user = wire::text_member(wire::member(pressed, "operator"), "open_id");
        if (wire::text_member(header, "event_type") != "card.action.trigger") {
            return respond(json::object());
        }
        const json& value = wire::member(wire::member(pressed, "action"), "value");
        const ClickAnswer result =
            answer({name_, wire::text_member(value, "a2h"), is_allowed(users_, user)});
        json body{{"toast",
                   {{"type", result.accepted ? "success" : "warning"}, {"content", result.words}}}};
        // Feishu restores the old card if a change of it arrives before this answer.
        if (result.card) {
            body["card"] = {{"type", "raw"}, {"data", json::parse(card_text(*result.card, {}))}};
        }
        return respond(body);
    }

  private:
    static HookResponse respond(const json& body) {
        return {.status = 200, .content_type = "application/json", .body = body.dump()};
    }

    Result<json> open(const HookRequest& request) const {
        auto outer = wire::parse_json(request.body, {.bytes_max = kHookBytesMax});
        if (!outer) return outer;
        const std::string encrypted = wire::text_member(*outer, "encrypt");
        if (encrypted.empty()) {
            // With an encrypt key, an unencrypted call is not from Feishu.
            if (encrypt_key_.empty()) return outer;
            return fail(ErrorCode::InvalidArgument, "not encrypted");
        }
        A2H_ASSIGN_OR_RETURN(const auto plain_text, decrypt_feishu(encrypt_key_, encrypted));
        return wire::parse_json(plain_text, {.bytes_max = kHookBytesMax});
    }

    /// The tenant token, fetched if there is none or if it is about to expire.
    Result<std::string> tenant_token(i18n::Language language) {
        const std::lock_guard lock(mutex_);
        if (!token_.empty() && steady_clock::now() < token_until_) return token_;
        ChannelApi::Call call;
        call.url = base_ + "/open-apis/auth/v3/tenant_access_token/internal";
        call.body = json{{"app_id", app_id_}, {"app_secret", app_secret_}}.dump();
        A2H_ASSIGN_OR_RETURN(const auto answer, api_.call(call, language));
        token_ = wire::text_member(answer, "tenant_access_token");
        if (token_.empty()) {
            return api_.refused(preview(printable(wire::text_member(answer, "msg"))), language);
        }
        const json& expire = wire::member(answer, "expire");
        const std::int64_t seconds = expire.is_number_integer() ? expire.get<std::int64_t>() : 0;
        token_until_ = steady_clock::now() - kRenewBefore +
                       std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kTokenSecondsMax));
        return token_;
    }

    Result<json> authorized(ChannelApi::Call call, i18n::Language language) {
        A2H_ASSIGN_OR_RETURN(const auto token, tenant_token(language));
        call.headers = {{"Authorization", "Bearer " + token}};
        call.codes_with_400 = true;
        auto answer = api_.call(call, language);
        if (!answer) return answer;
        const json& code = wire::member(*answer, "code");
        if (code == 0) return answer;
        if (code == kTokenInvalid || code == kTokenExpired) {
            const std::lock_guard lock(mutex_);
            token_.clear();
            return api_.unreachable(code.dump(), language);
        }
        if (std::find(std::begin(kTooMany), std::end(kTooMany), code) != std::end(kTooMany)) {
            return api_.unreachable(code.dump(), language);
        }
        return api_.refused(
            code.dump() + " " + preview(printable(wire::text_member(*answer, "msg"))), language);
    }

    Result<std::string> upload(const Picture& picture, i18n::Language language) {
        ChannelApi::Call call;
        call.url = base_ + "/open-apis/im/v1/images";
        std::tie(call.content_type, call.body) =
            multipart({{"image_type", "", "", "message"},
                       {"image", picture.name, picture.media_type, picture.bytes}});
        A2H_ASSIGN_OR_RETURN(const auto answer, authorized(call, language));
        return wire::text_member(wire::member(answer, "data"), "image_key");
    }

    std::string name_;
    std::string base_;
    std::string app_id_;
    std::string app_secret_;
    std::string verification_token_;
    std::string encrypt_key_;
    std::string receive_id_;
    std::string receive_id_type_;
    std::string users_;
    ChannelApi api_;
    std::mutex mutex_;  ///< protects the two below: `notify test` may run beside a delivery
    std::string token_;
    steady_clock::time_point token_until_;
};

}  // namespace

std::unique_ptr<Channel> make_feishu_channel(const ChannelSettings& settings,
                                             http::Transfers* transfers) {
    return std::make_unique<FeishuChannel>(settings, transfers);
}

}  // namespace a2h::notify
