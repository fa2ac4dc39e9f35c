#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/notify/channel_api.h"
#include "daemon/notify/channel_options.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/listeners.h"
#include "daemon/notify/render.h"

namespace a2h::notify {
namespace {

using nlohmann::json;

// ntfy turns a longer message into an attachment.
constexpr std::size_t kMessageBytesMax = 4096;
constexpr std::size_t kLineBytesMax = 16 * 1024;
/// Fetches what was pressed while a2hd was not running; servers keep it this long. A press that
/// already counted has no effect.
constexpr const char* kSinceStart = "12h";
/// One subscription; ntfy sends a line every 45 s to keep it open.
constexpr std::chrono::minutes kSubscription{10};

/// 3 is ntfy's default; 5 overrides "do not disturb".
int ntfy_priority(const Message& message) {
    switch (message.priority) {
        case Priority::Low:
            return 2;
        case Priority::Normal:
            return 3;
        case Priority::High:
            return 5;
    }
    return 3;
}

/// Publishes to a topic and, with `reply_topic`, listens to that topic for buttons: the phone posts
/// a button's id there, so neither side needs to be reachable. On a public server both topics are
/// as secret as passwords.
///
/// Source:  docs.ntfy.sh, "Publish as JSON", "Send HTTP request", "Updating notifications",
///          "Subscribe as raw stream/JSON".
class NtfyChannel final : public Channel {
  public:
    NtfyChannel(const ChannelSettings& settings, http::Transfers* transfers)
        : name_(settings.name),
          server_(settings.value("server")),
          topic_(settings.value("topic")),
          reply_topic_(settings.value("reply_topic")),
          token_(settings.value("token")),
          api_("ntfy", settings.value("ca_file"), transfers) {
        if (server_.empty()) server_ = "https://ntfy.sh";
        while (server_.ends_with('/'))
            server_.pop_back();
    }

    std::string_view name() const override { return name_; }
    std::string_view kind() const override { return "ntfy"; }

    Result<Delivered> deliver(const Message& message) override {
        // Chosen by us, so that a notification that is delivered twice replaces itself.
        const std::string sequence = "a2h-" + std::to_string(message.id);
        A2H_TRY(publish(message, sequence, ntfy_priority(message)));
        // The message was sent: a failed picture must not cause it to be sent again.
        std::size_t lost = 0;
        for (const Picture& picture : message.pictures)
            lost += send_picture(picture, message.language) ? 0 : 1;
        return Delivered{api_.taken(message.language, lost), sequence,
                         has_code(fitted(message, fits))};
    }

    std::chrono::milliseconds take_wait() override { return api_.take_wait(); }

    Result<void> update(const std::string& receipt, const Message& message) override {
        return publish(message, receipt, ntfy_priority(message));
    }

    bool listens() const override { return !reply_topic_.empty(); }

    void listen(const std::atomic<bool>& stop, const AnswerClick& answer) override {
        std::string since = kSinceStart;
        Patience(stop).repeat([&] { return subscribe(stop, answer, since); });
    }

  private:
    std::vector<std::pair<std::string, std::string>> headers() const {
        if (token_.empty()) return {};
        return {{"Authorization", "Bearer " + token_}};
    }

    /// ntfy allows three. A group has more answers, so it has links instead.
    json actions(const Message& message) const {
        json actions = json::array();
        if (!reply_topic_.empty()) {
            for (const Button& button : message.buttons) {
                if (button.number > 0) continue;
                json action{{"action", "http"},
                            {"label", button.label},
                            {"url", server_ + "/" + reply_topic_},
                            {"method", "POST"},
                            {"body", button.id},
                            {"clear", false}};
                // The phone needs permission to write to the topic as well.
                if (!token_.empty()) action["headers"] = {{"Authorization", "Bearer " + token_}};
                actions.push_back(std::move(action));
            }
        }
        if (!message.link.empty()) {
            actions.push_back({{"action", "view"},
                               {"label", i18n::text(message.language, "notify.button_open")},
                               {"url", message.link}});
        }
        return actions;
    }

    static bool fits(const Message& message) {
        return text_with_code(message, true).size() <= kMessageBytesMax;
    }

    Result<void> publish(const Message& whole, const std::string& sequence, int priority) {
        const Message message = fitted(whole, fits);
        json body{{"topic", topic_},
                  {"title", message.title},
                  {"message", text_with_code(message, true)},
                  {"priority", priority},
                  {"sequence_id", sequence}};
        if (!message.link.empty()) body["click"] = message.link;
        if (json buttons = actions(message); !buttons.empty()) body["actions"] = std::move(buttons);
        ChannelApi::Call call;
        call.url = server_ + "/";
        call.headers = headers();
        call.body = body.dump();
        const auto answer = api_.call(call, message.language);
        return answer ? Result<void>() : fail(answer.error());
    }

    Result<void> send_picture(const Picture& picture, i18n::Language language) {
        ChannelApi::Call call;
        call.method = "PUT";
        call.url = server_ + "/" + topic_;
        call.headers = headers();
        call.headers.emplace_back("Filename", header_value(picture.name));
        call.content_type = picture.media_type;
        call.body = picture.bytes;
        const auto answer = api_.call(call, language);
        return answer ? Result<void>() : fail(answer.error());
    }

    /// Failed if there was no connection or it broke. A message that is repeated is nothing new.
    Heard subscribe(const std::atomic<bool>& stop, const AnswerClick& answer, std::string& since) {
        http::ClientRequest request;
        request.url = server_ + "/" + reply_topic_ + "/json?since=" + since;
        request.headers = headers();
        request.timeout = kSubscription;
        const std::string before = since;
        std::string unread;
        request.keep_going = [&stop] { return !stop; };
        request.on_data = [&](std::string_view piece) {
            unread += piece;
            for (auto end = unread.find('\n'); end != std::string::npos; end = unread.find('\n')) {
                take_line(std::string_view(unread).substr(0, end), answer, since);
                unread.erase(0, end + 1);
            }
            return unread.size() <= kLineBytesMax && !stop;
        };
        const auto response = api_.client().send(request);
        const bool ended_well =
            response ? response->status == 200 : response.error().code == ErrorCode::Timeout;
        if (!ended_well) return Heard::Failed;
        return since == before ? Heard::Empty : Heard::Something;
    }

    void take_line(std::string_view line, const AnswerClick& answer, std::string& since) {
        const auto event = wire::parse_json(line);
        if (!event || wire::text_member(*event, "event") != "message") return;
        const std::string id = wire::text_member(*event, "id");
        if (is_plain_id(id)) since = id;
        // The card shows the result, because ntfy cannot reply to the person who pressed the
        // button.
        (void)answer({name_, wire::text_member(*event, "message")});
    }

    std::string name_;
    std::string server_;
    std::string topic_;
    std::string reply_topic_;
    std::string token_;
    ChannelApi api_;
};

}  // namespace

std::unique_ptr<Channel> make_ntfy_channel(const ChannelSettings& settings,
                                           http::Transfers* transfers) {
    return std::make_unique<NtfyChannel>(settings, transfers);
}

}  // namespace a2h::notify
