#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/http/client.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "daemon/notify/channel_api.h"
#include "daemon/notify/channels.h"

namespace a2h::notify {
namespace {

constexpr std::chrono::seconds kLimit{10};

std::string body_of(const Message& message) {
    return wire::canonical_json({{"version", 1},
                                 {"id", message.id},
                                 {"kind", message.kind},
                                 {"language", i18n::language_tag(message.language)},
                                 {"title", message.title},
                                 {"text", message.text},
                                 {"approval_id", message.approval_id},
                                 {"code", message.code},
                                 {"link", message.link}});
}

class WebhookChannel final : public Channel {
  public:
    WebhookChannel(const ChannelSettings& settings, http::Transfers* transfers)
        : name_(settings.name),
          url_(settings.value("url")),
          secret_(settings.value("secret")),
          client_(http::Client::Options{.ca_file = settings.value("ca_file"),
                                        .transfers = transfers}) {}

    std::string_view name() const override { return name_; }
    std::string_view kind() const override { return "webhook"; }
    bool is_machine() const override { return true; }
    std::chrono::milliseconds take_wait() override { return std::exchange(wait_, {}); }

    Result<Delivered> deliver(const Message& message) override {
        http::ClientRequest request;
        request.method = "POST";
        request.url = url_;
        request.body = body_of(message);
        request.headers = {
            {"Content-Type", "application/json"},
            {"X-A2H-Signature", "sha256=" + wire::hmac_sha256_hex(secret_, request.body)}};
        request.timeout = kLimit;
        request.answer_bytes_max = 64 * 1024;
        auto response = client_.send(request);
        if (!response) {
            const bool lost = response.error().code == ErrorCode::Timeout;
            return fail(lost ? ErrorCode::Timeout : ErrorCode::Unavailable,
                        i18n::text(message.language, "notify.webhook_unreachable",
                                   {{"why", preview(response.error().message)}}));
        }
        const std::string status = std::to_string(response->status);
        if (response->status >= 200 && response->status < 300) {
            return Delivered{
                i18n::text(message.language, "notify.webhook_reached", {{"status", status}})};
        }
        if (may_pass(response->status))
            wait_ = asked_wait(*response, nlohmann::json(), SystemClock().now_ms());
        return fail(
            may_pass(response->status) ? ErrorCode::Unavailable : ErrorCode::InvalidArgument,
            i18n::text(message.language, "notify.webhook_refused", {{"status", status}}));
    }

  private:
    std::string name_;
    std::string url_;
    std::string secret_;
    http::Client client_;
    std::chrono::milliseconds wait_{0};
};

}  // namespace

std::unique_ptr<Channel> make_webhook_channel(const ChannelSettings& settings,
                                              http::Transfers* transfers) {
    return std::make_unique<WebhookChannel>(settings, transfers);
}

}  // namespace a2h::notify
