#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/card/reader.h"
#include "daemon/notify/notifier.h"

namespace a2h::notify {

// The words of notifications. Pure, except for the time zone of the machine.
//
// Thread:  any.

/// Secrets that only one person gets with an approval in its present form, and words to that
/// person.
struct Secrets {
    std::string code;
    std::string link;
    /// The token of a button for this answer.
    std::function<std::string(AnswerKind)> button_token;
    bool may_approve = true;  ///< false: the yes of this person does not count
    /// The name for the option `--person`; empty for the owner, whom commands mean without it.
    std::string person_option = {};
};

/// The complete message of a notification row. `approval` is the one that it is about, or null for
/// news. A question shows the whole card of what a yes covers (daemon/card/card.h).
Message render(const Notification& notification, const Approval* approval, const Secrets& secrets,
               const card::Reader& reader);

/// The message's code with the words that say what it is for.
std::string code_line(const Message& message);

/// The result of an approval, who answered, where and when, in one or two lines.
std::string answered_words(const Approval& approval, i18n::Language language);

/// The same message once it cannot be answered any more: the result, who answered and when.
Message render_final(const Notification& notification, const Approval& approval,
                     i18n::Language language);

/// Several notifications in one message: `shown` are the first of `count`.
struct GroupLine {
    Notification row;
    std::string words;              ///< a single line
    std::vector<Button> buttons{};  ///< empty for news and for answered questions
    std::string link{};             ///< for an open question
};
Message render_group(const std::vector<GroupLine>& shown, std::int64_t count,
                     const std::string& page_url, i18n::Language language);
/// Line `number`, counted from 1, for `render_group`. An open question has a button for yes only if
/// the line contains everything that a yes covers, and one for no only if that no sends no words,
/// because a line never shows these. An answered one shows the answer.
GroupLine group_line(const Notification& notification, const Approval* approval,
                     const Secrets& secrets, int number, const card::Reader& reader);

/// `message` in a form that a channel can show. If it does not fit, only its beginning, a note and
/// the link remain; button, code and command for a yes are removed, because nobody may agree to
/// what they have not seen, and so is the button for a no that sends words. `fits` is called with
/// messages of decreasing length.
Message fitted(Message message, const std::function<bool(const Message&)>& fits);

/// False for a question whose code `fitted` removed, and for what has no code.
inline bool has_code(const Message& message) {
    return !message.code.empty();
}

/// `{row}.{choice}.{token}`: at most 48 bytes; Telegram allows 64.
std::string button_id(std::int64_t row, AnswerKind choice, std::string_view token);
struct PressedButton {
    std::int64_t row = 0;
    AnswerKind choice = AnswerKind::Instruct;
    std::string token;
};
std::optional<PressedButton> parse_button(std::string_view id);

/// Title, text, link and code as one plain text. `with_links` includes the links of the questions
/// of a group.
std::string plain_text(const Message& message, bool with_links);
/// The same without title and link.
std::string text_with_code(const Message& message, bool with_links);

/// The longest question that a group shows completely.
inline constexpr std::size_t kGroupLineMax = 120;

}  // namespace a2h::notify
