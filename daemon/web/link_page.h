#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/http/server.h"
#include "core/i18n/messages.h"
#include "daemon/card/reader.h"
#include "daemon/consent/approvals.h"

namespace a2h::web {

/// The functions of the daemon that the page uses. Each may block up to 5 s; Timeout and
/// Unavailable are shown as a page.
struct Callbacks {
    /// Errors:  NotFound.
    std::function<Result<Approval>(const std::string& approval_id)> load;
    /// The question that replaces it now; the same one if nothing newer has closed it.
    std::function<Result<Approval>(const std::string& approval_id)> standing;
    /// The token of a person's link to an approval in its present form; empty if there is none.
    std::function<std::string(const Approval&, std::string_view person)> link_token;
    /// A refusal of `consent::apply_answer` is an error here.
    std::function<Result<consent::Answered>(consent::Answer)> answer;
    /// Returns the people who have said yes to it, if several people must agree.
    std::function<Result<std::vector<std::string>>(const Approval&)> votes;
    /// The language of a person; `?lang=` overrides it.
    std::function<i18n::Language(std::string_view person)> language_of;
    const card::ActingAgents* acting_agents = nullptr;  ///< null: no card names its agent
};

/// The page on which a human answers one approval:
///   GET  /a/{id}?t={token}&p={person}
///                               shows it, changes nothing; without `p` it is the owner's link;
///   POST /a/{id}/answer         form fields p, t, digest, choice (approve, reject, instruct or
///                               withdraw), text (instruct), reply_text (approve), option, lang;
///                               answers with a redirect to the page to be seen next.
/// Everything else, and every wrong token, gets the same 404, so the page does not reveal which
/// approvals exist. It needs no script and loads nothing; all foreign text is escaped.
///
/// Thread:  any; the callbacks must allow it.
http::Response serve(const Callbacks& callbacks, const http::Request& request);

}  // namespace a2h::web
