#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/notification.h"
#include "core/http/transfers.h"
#include "core/i18n/messages.h"

namespace a2h::notify {

/// One way to answer without leaving the message. `id` is what comes back when it is pressed, see
/// `parse_button`; it proves the answer.
struct Button {
    AnswerKind choice = AnswerKind::Approve;
    std::string label;
    std::string id;
    int number = 0;  ///< of the question among several in one message; 0: there is one
};

/// What every channel takes.
inline constexpr std::size_t kPictureBytesMax = 5 * 1024 * 1024;

/// An attachment that is an image.
struct Picture {
    std::string name;
    std::string media_type;
    std::string bytes;
};

/// What a channel shows. Filled just before delivery: code, link and buttons exist only here and in
/// the hands of the person.
struct Message {
    i18n::Language language = i18n::Language::English;
    std::int64_t id = 0;  ///< of the row; the same when it is delivered again
    std::string kind;     ///< as in Notification
    Priority priority = Priority::Normal;
    std::string title;
    std::string text;
    /// Several things in one message: `text` with a link below each question, for channels whose
    /// buttons cannot answer them; empty: `text` will do.
    std::string linked_text{};
    /// Of a question: so many bytes of `text` are what a yes covers, and `cut_ending` follows their
    /// beginning where they do not fit; see `fitted`.
    std::size_t covered_bytes = 0;
    std::string cut_ending{};
    std::string approval_id;        ///< empty for news
    std::string code;               ///< empty for news
    std::string link;               ///< empty for news
    std::vector<Button> buttons{};  ///< empty for news and once nothing can be answered any more
    std::vector<Picture> pictures{};
    /// Receipt of what this person was told before on the same matter; empty: of nothing.
    std::string thread{};
};

/// Who or what was reached, in the message's language, no more than the channel knows; and the
/// channel's own id of the message, if it can be changed later.
struct Delivered {
    std::string words;
    std::string receipt{};
};

/// A button as it was pressed, and what whoever pressed it is told.
struct Click {
    std::string channel;
    std::string button_id;
    bool is_allowed = true;  ///< false: by somebody whom the channel's `users` leaves out
};
struct ClickAnswer {
    bool accepted = false;
    std::string words;
    /// What the card shows from now on, for services that replace it in their answer; empty when
    /// it stays.
    std::optional<Message> card{};
};
/// May block up to 5 s. Thread: any but the loop.
using AnswerClick = std::function<ClickAnswer(const Click&)>;

/// Who answers for what people press.
class Buttons {
  public:
    /// May block up to 5 s. Thread: any but the loop.
    virtual ClickAnswer press(const Click& click) = 0;

  protected:
    ~Buttons() = default;
};

/// A call of a channel's service to /hooks/{channel}, and what it gets.
struct HookRequest {
    std::string body;
    /// Empty when absent.
    std::function<std::string(std::string_view lower_case_name)> header;
    UnixMs now_ms = 0;
};
struct HookResponse {
    int status = 200;
    std::string content_type;  ///< empty without body
    std::string body;
};

/// One way to reach a human.
class Channel {
  public:
    virtual ~Channel() = default;

    virtual std::string_view name() const = 0;
    virtual std::string_view kind() const = 0;

    /// May block up to 20 s.
    /// Errors: Unavailable (nobody reached; a retry may help), Timeout (perhaps somebody was),
    ///         InvalidArgument (it never will).
    /// Thread: a worker; one call of `deliver` and `update` at a time.
    virtual Result<Delivered> deliver(const Message& message) = 0;

    /// How long the service asked to be left alone since this was asked last; 0: it did not.
    /// Thread: as `deliver`.
    virtual std::chrono::milliseconds take_wait() { return {}; }

    /// Replaces what `deliver` showed under `receipt`, so that an old card does not ask for an
    /// answer any more. Errors: as `deliver`; InvalidArgument also when the message is gone.
    virtual Result<void> update(const std::string& receipt, const Message& message);

    /// True when `update` sends a message of its own instead of changing the first, so that it is
    /// worth it only once, when all is settled.
    virtual bool follows_up() const { return false; }

    /// True when a program reads it, which needs no sparing.
    virtual bool is_machine() const { return false; }

    /// True when answers are fetched, by a `listen` on a thread of its own.
    virtual bool listens() const { return false; }
    /// Hands what people press to `answer` until `stop`; returns within 2 s of it.
    virtual void listen(const std::atomic<bool>& stop, const AnswerClick& answer);

    /// Answers a call of the service. Everything whose signature does not hold is a 401.
    /// Thread: any.
    virtual HookResponse hook(const HookRequest& request, const AnswerClick& answer);
};

using Channels = std::vector<std::shared_ptr<Channel>>;

/// A `[[channel]]` of config.toml.
struct ChannelSettings {
    std::string name;
    std::string kind;
    /// Options of its kind, and secrets from its secret file.
    std::vector<std::pair<std::string, std::string>> values;

    /// Empty when it was not given.
    std::string value(std::string_view key) const;
    bool operator==(const ChannelSettings&) const = default;
};

struct Options {
    std::vector<std::string> channels;  ///< of the person who is there without configuration
    std::string webhook_url;            ///< https, or http to a loopback address
    std::string webhook_secret;         ///< key of the HMAC in X-A2H-Signature; required
    std::string terminal_path = {};     ///< empty: the controlling terminal of a2hd
    std::vector<ChannelSettings> configured = {};
    std::vector<std::string> picture_hosts = {};  ///< see `is_picture_source`; lower case
    bool operator==(const Options&) const = default;
};

/// Builds `terminal` and `desktop`, which are always there, `webhook` when `channels` names it, and
/// the configured ones.
///
/// `terminal` writes to the terminal that a2hd was started from; a daemon in the background has
/// none and says so. `desktop` runs notify-send, without code and link: the arguments of a program
/// can be read by everybody on the machine. `webhook` posts JSON. The others: docs/channels.md.
/// `transfers`: whose end is that of all calls, also of a listener's; may be null.
/// Errors: those of `complete_channels`.
Result<Channels> make_channels(const Options& options, http::Transfers* transfers = nullptr);

}  // namespace a2h::notify
