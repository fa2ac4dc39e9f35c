#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/notify/channel_api.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/listeners.h"
#include "daemon/notify/render.h"

namespace a2h::notify {
namespace {

using nlohmann::json;

constexpr std::size_t kTextMax = 4096;
constexpr int kPollSeconds = 25;
/// Ids of the Bot API have at most 52 bits.
constexpr std::int64_t kUpdateIdMax = std::int64_t{1} << 52;
constexpr std::size_t kUpdatesBytesMax = 1024 * 1024;

/// A bot in one chat, with buttons below the message. Answers are fetched by long polling, so a2hd
/// needs no public address. Text is sent without markup.
///
/// Source:  core.telegram.org/bots/api, "sendMessage", "InlineKeyboardButton", "getUpdates",
///          "answerCallbackQuery", "editMessageText", "sendPhoto".
class TelegramChannel final : public Channel {
  public:
    TelegramChannel(const ChannelSettings& settings, http::Transfers* transfers)
        : name_(settings.name),
          base_(settings.value("api_base")),
          token_(settings.value("token")),
          chat_(settings.value("chat_id")),
          users_(settings.value("users")),
          api_("Telegram", settings.value("ca_file"), transfers) {
        if (base_.empty()) base_ = "https://api.telegram.org";
        while (base_.ends_with('/'))
            base_.pop_back();
    }

    std::string_view name() const override { return name_; }
    std::string_view kind() const override { return "telegram"; }
    bool listens() const override { return true; }

    Result<Delivered> deliver(const Message& whole) override {
        const Message message = fitted(whole, fits);
        json body{{"chat_id", chat_},
                  {"text", plain_text(message, false)},
                  {"link_preview_options", {{"is_disabled", true}}},
                  {"disable_notification", message.priority == Priority::Low}};
        add_keyboard(body, message);
        A2H_ASSIGN_OR_RETURN(auto sent, method("sendMessage", body, message.language));
        const json& id = wire::member(wire::member(sent, "result"), "message_id");
        // The message was sent: a failed picture must not cause it to be sent again.
        std::size_t lost = 0;
        for (const Picture& picture : message.pictures)
            lost += send_photo(picture, message.language) ? 0 : 1;
        return Delivered{api_.taken(message.language, lost),
                         id.is_number_integer() ? id.dump() : std::string(), has_code(message)};
    }

    std::chrono::milliseconds take_wait() override { return api_.take_wait(); }

    Result<void> update(const std::string& receipt, const Message& whole) override {
        const Message message = fitted(whole, fits);
        const json id = json::parse(receipt, nullptr, false);
        if (!id.is_number_integer()) return api_.refused("message_id", message.language);
        json body{{"chat_id", chat_},
                  {"message_id", id},
                  {"text", plain_text(message, false)},
                  {"link_preview_options", {{"is_disabled", true}}}};
        // Without reply_markup the buttons are removed.
        add_keyboard(body, message);
        const auto edited = method("editMessageText", body, message.language);
        if (edited) return {};
        // If the card already shows the same, nothing has to be changed.
        if (edited.error().message.find("message is not modified") != std::string::npos) return {};
        return fail(edited.error());
    }

    void listen(const std::atomic<bool>& stop, const AnswerClick& answer) override {
        std::int64_t offset = 0;
        Patience(stop).repeat([&] { return poll(stop, answer, offset); });
    }

  private:
    static bool fits(const Message& message) {
        return utf16_count(plain_text(message, false)) <= kTextMax;
    }

    /// Adds one row of buttons for each question.
    static void add_keyboard(json& body, const Message& message) {
        json rows = json::array();
        int number = -1;
        for (const Button& button : message.buttons) {
            if (button.number != number) rows.push_back(json::array());
            number = button.number;
            rows.back().push_back({{"text", button.label}, {"callback_data", button.id}});
        }
        if (rows.empty()) return;
        // Telegram does not accept links to the local machine.
        if (message.link.starts_with("https://")) {
            rows.push_back({{{"text", i18n::text(message.language, "notify.button_open")},
                             {"url", message.link}}});
        }
        body["reply_markup"] = {{"inline_keyboard", std::move(rows)}};
    }

    std::string url_of(std::string_view method) const {
        return base_ + "/bot" + token_ + "/" + std::string(method);
    }

    Result<json> method(std::string_view name, const json& body, i18n::Language language) {
        ChannelApi::Call call;
        call.url = url_of(name);
        call.body = body.dump();
        auto answer = api_.call(call, language);
        if (!answer) return answer;
        if (wire::member(*answer, "ok") == true) return answer;
        return api_.refused(wire::text_member(*answer, "description"), language);
    }

    Result<void> send_photo(const Picture& picture, i18n::Language language) {
        ChannelApi::Call call;
        call.url = url_of("sendPhoto");
        std::tie(call.content_type, call.body) =
            multipart({{"chat_id", "", "", chat_},
                       {"caption", "", "", std::string(truncate(picture.name, 200))},
                       {"photo", picture.name, picture.media_type, picture.bytes}});
        const auto answer = api_.call(call, language);
        return answer ? Result<void>() : fail(answer.error());
    }

    /// An update that is repeated is nothing new.
    Heard poll(const std::atomic<bool>& stop, const AnswerClick& answer, std::int64_t& offset) {
        http::ClientRequest request;
        request.method = "POST";
        request.url = url_of("getUpdates");
        request.headers = {{"Content-Type", "application/json"}};
        request.body = json{{"offset", offset},
                            {"timeout", kPollSeconds},
                            {"allowed_updates", {"callback_query"}}}
                           .dump();
        request.timeout = std::chrono::seconds(kPollSeconds + 15);
        request.keep_going = [&stop] { return !stop; };
        const auto response = api_.client().send(request);
        if (!response || response->status != 200) return Heard::Failed;
        const auto answered = wire::parse_json(response->body, {.bytes_max = kUpdatesBytesMax});
        if (!answered) return Heard::Failed;
        const std::int64_t before = offset;
        for (const json& update : wire::member(*answered, "result")) {
            const json& id = wire::member(update, "update_id");
            if (id.is_number_integer() && id.get<std::int64_t>() <= kUpdateIdMax)
                offset = std::max(offset, id.get<std::int64_t>() + 1);
            take(wire::member(update, "callback_query"), answer);
        }
        return offset == before ? Heard::Empty : Heard::Something;
    }

    void take(const json& query, const AnswerClick& answer) {
        const json& chat = wire::member(wire::member(wire::member(query, "message"), "chat"), "id");
        const std::string from_chat = chat.is_number_integer() ? chat.dump() : std::string();
        const std::string username =
            "@" +
            wire::text_member(wire::member(wire::member(query, "message"), "chat"), "username");
        // A message forwarded to another chat keeps its buttons.
        if (from_chat.empty() || (from_chat != chat_ && username != chat_)) return;
        const json& user = wire::member(wire::member(query, "from"), "id");
        const std::string who = user.is_number_integer() ? user.dump() : std::string();
        const ClickAnswer result =
            answer({name_, wire::text_member(query, "data"), is_allowed(users_, who)});
        (void)method("answerCallbackQuery",
                     {{"callback_query_id", wire::text_member(query, "id")},
                      {"text", std::string(truncate(result.words, 200))},
                      {"show_alert", !result.accepted}},
                     i18n::Language::English);
    }

    std::string name_;
    std::string base_;
    std::string token_;
    std::string chat_;
    std::string users_;
    ChannelApi api_;
};

}  // namespace

std::unique_ptr<Channel> make_telegram_channel(const ChannelSettings& settings,
                                               http::Transfers* transfers) {
    return std::make_unique<TelegramChannel>(settings, transfers);
}

}  // namespace a2h::notify
