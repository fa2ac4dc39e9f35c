#include <ctime>

#include "core/base/text.h"
#include "core/http/smtp.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/mail_text.h"
#include "daemon/notify/render.h"

namespace a2h::notify {
namespace {

/// E-mail through an SMTP server. A sent mail is not changed; the outcome is sent in its thread.
class EmailChannel final : public Channel {
  public:
    EmailChannel(const ChannelSettings& settings, http::Transfers* transfers)
        : name_(settings.name),
          url_(settings.value("server")),
          user_(settings.value("user")),
          password_(settings.value("password")),
          ca_file_(settings.value("ca_file")),
          from_(settings.value("from")),
          to_(settings.value("to")),
          transfers_(transfers) {}

    std::string_view name() const override { return name_; }
    std::string_view kind() const override { return "email"; }

    bool follows_up() const override { return true; }

    Result<Delivered> deliver(const Message& message) override {
        return send(message, message.thread);
    }

    Result<void> update(const std::string& receipt, const Message& message) override {
        const auto sent = send(message, receipt);
        return sent ? Result<void>() : fail(sent.error());
    }

  private:
    /// The receipt is the Message-ID.
    Result<Delivered> send(const Message& message, const std::string& thread) {
        const std::string id = new_message_id(from_);
        http::SmtpMail mail;
        mail.url = url_;
        mail.user = user_;
        mail.password = password_;
        mail.ca_file = ca_file_;
        mail.from = from_;
        mail.to = to_;
        mail.text = mail_text({.from = from_,
                               .to = to_,
                               .now_s = std::time(nullptr),
                               .message_id = id,
                               .thread = thread},
                              message);
        mail.transfers = transfers_;
        const auto sent = http::send_mail(mail);
        if (sent) {
            return Delivered{i18n::text(message.language, "notify.mail_taken", {{"to", to_}}), id,
                             has_code(shown_in_mail(message))};
        }
        const bool again =
            sent.error().code == ErrorCode::Unavailable || sent.error().code == ErrorCode::Timeout;
        return fail(again ? sent.error().code : ErrorCode::InvalidArgument,
                    i18n::text(message.language,
                               again ? "notify.service_unreachable" : "notify.service_refused",
                               {{"service", name_}, {"why", preview(sent.error().message)}}));
    }

    std::string name_;
    std::string url_;
    std::string user_;
    std::string password_;
    std::string ca_file_;
    std::string from_;
    std::string to_;
    http::Transfers* transfers_;
};

}  // namespace

std::unique_ptr<Channel> make_email_channel(const ChannelSettings& settings,
                                            http::Transfers* transfers) {
    return std::make_unique<EmailChannel>(settings, transfers);
}

}  // namespace a2h::notify
