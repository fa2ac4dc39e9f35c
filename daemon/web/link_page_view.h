#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/domain/approval.h"
#include "core/i18n/messages.h"
#include "daemon/card/reader.h"

namespace a2h::web {

/// The facts that the page shows besides the approval itself.
struct View {
    const Approval& approval;
    std::string_view person;  ///< the person whose link is used
    std::string_view token;
    card::Reader reader = i18n::Language::English;
    std::string notice;  ///< plain text at the top; empty: none
    /// The people who have said yes, if several people must agree.
    std::vector<std::string> votes = {};
    std::string next_path = {};  ///< path of the question that replaces it; empty: none
};

/// HTML of the page's body: the question with its forms while it is open, otherwise its result.
std::string approval_body(const View& view);

/// `/a/{id}?t={token}&lang={language}`; for people other than the owner with `p={person}`.
std::string approval_path(std::string_view id, std::string_view person, std::string_view token,
                          i18n::Language language);

/// Whether answering with `words` chooses an option that has a button: one that is neither the yes
/// nor the no, which have buttons of their own.
bool has_button(const Approval& approval, std::string_view words);
std::vector<AnswerOption> options_with_buttons(const Approval& approval);

/// True if the human may change the text that is sent after a yes.
bool text_is_editable(const Approval& approval);

/// The draft of `approval` as the field of a page is filled with it: with the codes of characters
/// that nobody sees, and LF for every line break.
std::string text_in_form(const Approval& approval);

/// The text that a browser has sent for a field, with LF for every line break.
std::string text_of_field(std::string_view sent);

/// Whether `sent` is what the field was filled with, so that the draft itself is meant.
bool is_untouched(std::string_view sent, const Approval& approval);

}  // namespace a2h::web
