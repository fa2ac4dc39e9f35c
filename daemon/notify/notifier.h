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

/// One way to answer within the message. `id` is returned when the button is pressed, see
/// `parse_button`; it proves the answer.
struct Button {
    AnswerKind choice = AnswerKind::Approve;
    std::string label;
    std::string id;
    int number = 0;  ///< number of the question if a message contains several; 0: there is one
};

/// A size that every channel accepts.
inline constexpr std::size_t kPictureBytesMax = 5 * 1024 * 1024;

/// An attachment that is an image.
struct Picture {
    std::string name;
    std::string media_type;
    std::string bytes;
};

/// The message that a channel shows. Filled just before delivery: code, link and buttons exist only
/// here and at the person.
struct Message {
    i18n::Language language = i18n::Language::English;
    std::int64_t id = 0;  ///< id of the row; the same if it is delivered again
    std::string kind;     ///< as in Notification
    Priority priority = Priority::Normal;
    std::string title;
    std::string text;
    /// Several questions in one message: `text` with a link below each, for channels whose buttons
    /// cannot answer them. Empty: `text` is sufficient.
    std::string linked_text{};
    /// For a question: this many bytes of `text` are what a yes covers. If they do not fit,
    /// `cut_ending` follows their beginning; see `fitted`.
    std::size_t covered_bytes = 0;
    std::string cut_ending{};
    bool no_sends_words = false;    ///< for a question: they are part of `text`
    std::string approval_id;        ///< empty for news
    std::string code;               ///< empty for news
    std::string link;               ///< empty for news
    std::vector<Button> buttons{};  ///< empty for news, and when nothing can be answered any more
    std::vector<Picture> pictures{};
    /// Receipt of the previous message to this person on the same matter; empty if there is none.
    std::string thread{};
};

/// The person or place that was reached, in the language of the message and as far as the channel
/// knows; and the channel's own id of the message, if it can be changed later.
struct Delivered {
    std::string words;
    std::string receipt{};
    bool shows_code = true;  ///< false if `fitted` removed the code, or the message had none
};

/// A pressed button, and the reply to the person who pressed it.
struct Click {
    std::string channel;
    std::string button_id;
    bool is_allowed = true;  ///< false: the channel's `users` does not include this person
};
struct ClickAnswer {
    bool accepted = false;
    std::string words;
    /// The new content of the card, for services that replace it in their answer; empty if it
    /// stays.
    std::optional<Message> card{};
};
/// May block up to 5 s. Thread: any but the loop.
using AnswerClick = std::function<ClickAnswer(const Click&)>;

/// Receives what people press.
class Buttons {
  public:
    /// May block up to 5 s.
    ///
    /// Thread:  any but the loop.
    virtual ClickAnswer press(const Click& click) = 0;

  protected:
    ~Buttons() = default;
};

/// A call of a channel's service to /hooks/{channel}.
struct HookRequest {
    std::string body;
    /// Empty when absent.
    std::function<std::string(std::string_view lower_case_name)> header;
    UnixMs now_ms = 0;
};
struct HookResponse {
    int status = 200;
    std::string content_type;  ///< empty if there is no body
    std::string body;
};

/// One way to reach a person.
class Channel {
  public:
    virtual ~Channel() = default;

    virtual std::string_view name() const = 0;
    virtual std::string_view kind() const = 0;

    /// May block up to 20 s.
    ///
    /// Errors:  Unavailable (nobody was reached; a retry may help), Timeout (somebody may have been
    ///          reached), InvalidArgument (it can never succeed).
    /// Thread:  a worker; one call of `deliver` or `update` at a time.
    virtual Result<Delivered> deliver(const Message& message) = 0;

    /// How long the service asked to wait since the last call of this function; 0: it did not ask.
    ///
    /// Thread:  as `deliver`.
    virtual std::chrono::milliseconds take_wait() { return {}; }

    /// Replaces what `deliver` showed under `receipt`, so that an old card does not ask for an
    /// answer any more.
    ///
    /// Errors:  as `deliver`; InvalidArgument also if the message no longer exists.
    virtual Result<void> update(const std::string& receipt, const Message& message);

    /// True if `update` sends a message of its own instead of changing the first one. It is then
    /// called only once, when everything is settled.
    virtual bool follows_up() const { return false; }

    /// True if a program reads it, so that the limit for each hour does not apply.
    virtual bool is_machine() const { return false; }

    /// True if answers are fetched by a `listen` on a thread of its own.
    virtual bool listens() const { return false; }
    /// Passes what people press to `answer` until `stop`; returns within 2 s of it.
    virtual void listen(const std::atomic<bool>& stop, const AnswerClick& answer);

    /// Answers a call of the service. A call without a valid signature gets a 401.
    ///
    /// Thread:  any.
    virtual HookResponse hook(const HookRequest& request, const AnswerClick& answer);
};

using Channels = std::vector<std::shared_ptr<Channel>>;

/// A `[[channel]]` of config.toml.
struct ChannelSettings {
    std::string name;
    std::string kind;
    /// Options of its kind, and the secrets of its secret file.
    std::vector<std::pair<std::string, std::string>> values;

    /// Empty if it is not set.
    std::string value(std::string_view key) const;
    bool operator==(const ChannelSettings&) const = default;
};

struct Options {
    std::vector<std::string> channels;  ///< channels of the person who exists without configuration
    std::string webhook_url;            ///< https, or http to a loopback address
    std::string webhook_secret;         ///< key of the HMAC in X-A2H-Signature; required
    std::string terminal_path = {};     ///< empty: the controlling terminal of a2hd
    std::vector<ChannelSettings> configured = {};
    std::vector<std::string> picture_hosts = {};  ///< see `is_picture_source`; in lower case
    bool operator==(const Options&) const = default;
};

/// Creates `terminal` and `desktop`, which always exist, `webhook` if `channels` names it, and the
/// configured channels.
///
/// `terminal` writes to the terminal from which a2hd was started; in the background there is none,
/// and it reports that. `desktop` runs notify-send without code and link, because every user of the
/// machine can read a program's arguments. `webhook` posts JSON. The others are described in
/// docs/channels.md. `transfers` ends all their calls, including those of listeners; may be null.
///
/// Errors:  those of `complete_channels`.
Result<Channels> make_channels(const Options& options, http::Transfers* transfers = nullptr);

}  // namespace a2h::notify
