#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// What only the person is told about an approval in its present form.
struct Secrets {
    std::string code;
    std::string link;
    /// Token of a button that says so.
    std::function<std::string(AnswerKind)> button_token;
};

/// The words of a notification row, whole. `approval`: the row it is about, null for news. A
/// question shows the whole card of what a yes covers (daemon/card/card.h).
Message render(const Notification& notification, const Approval* approval, const Secrets& secrets,
               i18n::Language language);

/// What the message's code is for, and the code.
std::string code_line(const Message& message);

/// What became of an approval, who said so, where and when, in one or two lines.
std::string answered_words(const Approval& approval, i18n::Language language);

/// The same card once it cannot be answered any more: what became of it, who said so and when.
Message render_final(const Notification& notification, const Approval& approval,
                     i18n::Language language);

/// Many things told as one: `shown` are the first of `count`.
struct GroupLine {
    Notification row;
    std::string words;              ///< one line
    std::vector<Button> buttons{};  ///< empty for news and what was answered
    std::string link{};             ///< of an open question
};
Message render_group(const std::vector<GroupLine>& shown, std::int64_t count,
                     const std::string& page_url, i18n::Language language);
/// The line with this `number`, from 1, for `render_group`. An open question has a button that says
/// yes only when the line holds all that a yes covers; one that was answered says how.
GroupLine group_line(const Notification& notification, const Approval* approval,
                     const Secrets& secrets, int number, i18n::Language language);

/// `message` as a channel can show it. Where it does not fit whole, its beginning is left, words
/// that say so, and the link; button, code and command of a yes are gone, because nobody agrees to
/// what they have not seen. `fits` gets messages whose texts are shorter and shorter.
Message fitted(Message message, const std::function<bool(const Message&)>& fits);

/// `{row}.{choice}.{token}`: at most 48 bytes, because Telegram takes 64.
std::string button_id(std::int64_t row, AnswerKind choice, std::string_view token);
struct PressedButton {
    std::int64_t row = 0;
    AnswerKind choice = AnswerKind::Instruct;
    std::string token;
};
std::optional<PressedButton> parse_button(std::string_view id);

/// Title, text, link and code as one plain text. `with_links`: of the questions of a group, too.
std::string plain_text(const Message& message, bool with_links);
/// As above without title and link.
std::string text_with_code(const Message& message, bool with_links);

/// Of a question that a group shows whole.
inline constexpr std::size_t kGroupLineMax = 120;

}  // namespace a2h::notify
