#pragma once

#include <string>
#include <vector>

#include "core/domain/approval.h"
#include "core/i18n/messages.h"

namespace a2h::test {

/// A question on one surface, as a person reads it there.
struct Surface {
    std::string name;
    std::string text;
    std::vector<std::string> buttons{};  ///< their labels
    bool offers_yes = true;              ///< a code, a button or a command for a yes
    bool has_link = false;               ///< to the whole
};

/// Returns what `a2h approvals` and `a2h approve` print in a terminal of 60 columns.
Surface on_terminal(const Approval& approval, i18n::Language language);
/// Every surface that shows an open question. Channels get it through their real classes.
std::vector<Surface> surfaces_of(const Approval& approval, i18n::Language language);

}  // namespace a2h::test
