#include "daemon/consent/late_yes.h"

#include <algorithm>
#include <string_view>

#include "core/store/approval_store.h"
#include "core/store/mandate_store.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/newer.h"
#include "daemon/consent/open_matters.h"
#include "daemon/consent/recorded.h"
#include "daemon/consent/terms.h"

namespace a2h::consent {
namespace {

constexpr std::string_view kByMandate = "mandate:";

}  // namespace

std::string mandate_of(const Approval& yes) {
    return yes.surface == AnswerSurface::Mandate && yes.answered_by.starts_with(kByMandate)
               ? yes.answered_by.substr(kByMandate.size())
               : std::string();
}

Result<bool> has_ended(store::Database& db, const Approval& yes, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto mandate, mandates::find_in_force(db, mandate_of(yes)));
    if (!mandate || now_ms >= yes.answer_by_ms) return true;
    const auto terms = mandates::read_terms(mandate->terms_json);
    if (!terms || now_ms >= terms->ends_ms) return true;
    A2H_ASSIGN_OR_RETURN(const auto done,
                         store::actions_done_since(db, yes.agent_id, yes.answered_at_ms));
    return std::any_of(done.begin(), done.end(),
                       [](const std::string& action) { return row_of(action).changes_listing; });
}

Result<bool> still_stands(store::Database& db, const Approval& yes, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto ended, has_ended(db, yes, now_ms));
    if (ended) return false;
    A2H_ASSIGN_OR_RETURN(const auto newer, has_newer(db, yes));
    if (newer) return false;
    A2H_ASSIGN_OR_RETURN(const auto open, is_other_open(db, yes));
    return !open;
}

Result<std::string> pinned_listing(store::Database& db, const Approval& yes) {
    A2H_ASSIGN_OR_RETURN(const auto mandate, store::get_mandate(db, mandate_of(yes)));
    if (!mandate) return std::string();
    A2H_ASSIGN_OR_RETURN(const auto terms, mandates::read_terms(mandate->terms_json));
    return terms.listing_digest;
}

}  // namespace a2h::consent
