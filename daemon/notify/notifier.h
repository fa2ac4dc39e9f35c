#pragma once

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

/// What a channel shows. Filled just before delivery: code and link exist only here and in the
/// hands of the human.
struct Message {
    i18n::Language language = i18n::Language::English;
    std::int64_t id = 0;  ///< of the row; the same when it is delivered again
    std::string kind;     ///< as in Notification
    std::string title;
    std::string text;
    std::string approval_id;  ///< empty for news
    std::string code;         ///< empty for news
    std::string link;         ///< empty for news
};

/// One way to reach a human. `deliver` may block up to 10 s and says in the message's language who
/// or what was reached, no more than it knows.
/// Errors: Unavailable (nobody reached; a retry may help), InvalidArgument (it never will).
/// Thread: a worker; one call at a time.
class Channel {
  public:
    virtual ~Channel() = default;
    virtual std::string_view name() const = 0;
    virtual Result<std::string> deliver(const Message& message) = 0;
};

struct Options {
    std::vector<std::string> channels;  ///< in order: "terminal", "desktop", "webhook"
    std::string webhook_url;            ///< https, or http to a loopback address
    std::string webhook_secret;         ///< key of the HMAC in X-A2H-Signature; required
    std::string terminal_path = {};     ///< empty: the controlling terminal of a2hd
};

/// Builds the configured channels.
///
/// `terminal` writes to the terminal that a2hd was started from; a daemon in the background has
/// none and says so. `desktop` runs notify-send, without code and link: the arguments of a program
/// can be read by everybody on the machine. `webhook` posts JSON, see docs/architecture.md,
/// "Approvals".
/// Errors: InvalidArgument for an unknown name, a missing or unsafe URL, a missing secret.
Result<std::vector<std::unique_ptr<Channel>>> make_channels(const Options& options);

/// The words of a notification row. `approval`: the row it is about, null for news. `code`, `link`:
/// from the approval's present form.
Message render(const Notification& notification, const Approval* approval, std::string_view code,
               std::string_view link, i18n::Language language);

}  // namespace a2h::notify
