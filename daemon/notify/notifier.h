#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/notification.h"
#include "core/i18n/messages.h"

namespace a2h::notify {

/// What a channel shows. Filled just before delivery: code and link exist only here.
struct Message {
    i18n::Language language = i18n::Language::English;
    std::string title;
    std::string text;
    std::string approval_id;
    std::string code;  ///< empty for news
    std::string link;  ///< empty for news
    std::string kind;  ///< as in Notification
};

/// One way to reach a human. `deliver` may block up to 10 s and says in words who was reached.
/// Errors: Unavailable (nobody reached; retry may help), InvalidArgument (never will).
class Channel {
  public:
    virtual ~Channel() = default;
    virtual std::string_view name() const = 0;
    virtual Result<std::string> deliver(const Message& message) = 0;
};

struct Options {
    std::vector<std::string> channels;  ///< in order: "terminal", "desktop", "webhook"
    std::string webhook_url;
    std::string webhook_secret;  ///< HMAC-SHA256 of the body in X-A2H-Signature
};

/// Builds the configured channels. Errors: InvalidArgument for an unknown name or missing URL.
/// `terminal` writes to the controlling terminals of the owner's sessions that registered through
/// `a2h watch`-like streams, else to stderr when that is a terminal; with neither it is
/// Unavailable.
Result<std::vector<std::unique_ptr<Channel>>> make_channels(const Options& options);

/// The words of a notification row. `code`, `link`: from the approval's present form.
Message render(const Notification& notification, const Approval* approval, std::string_view code,
               std::string_view link, i18n::Language language);

}  // namespace a2h::notify
