#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/domain/approval.h"
#include "core/i18n/messages.h"

namespace a2h::web {

/// What the page shows besides the approval itself.
struct View {
    const Approval& approval;
    std::string_view person;  ///< whose link it is
    std::string_view token;
    i18n::Language language = i18n::Language::English;
    std::string notice;  ///< plain text above everything; empty: none
    /// Who has said yes, where several must agree.
    std::vector<std::string> votes = {};
    std::string next_path = {};  ///< of the question that stands instead; empty: none does
};

/// HTML of the page's body: the question with its forms while it is open, else what became of it.
std::string approval_body(const View& view);

/// `/a/{id}?t={token}&lang={language}`, for anybody but the owner with `p={person}`.
std::string approval_path(std::string_view id, std::string_view person, std::string_view token,
                          i18n::Language language);

/// True when the human may write the text that is sent on a yes.
bool text_is_editable(const Approval& approval);

}  // namespace a2h::web
