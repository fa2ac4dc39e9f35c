#include "daemon/consent/recorded.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/domain/audit.h"
#include "core/store/approval_store.h"
#include "core/store/mandate_store.h"
#include "core/store/vote_store.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "daemon/consent/action.h"

namespace a2h {
namespace {

using nlohmann::json;

json detail_of(const AuditRow& row) {
    return json::parse(row.detail_json, nullptr, false);
}

bool says(const json& detail, const char* name, std::string_view text) {
    return wire::text_member(detail, name) == text;
}

/// The last row of one of the kinds `what`; null if there is none.
const AuditRow* last_of(const std::vector<AuditRow>& rows,
                        std::initializer_list<std::string_view> what) {
    const auto last = std::find_if(rows.rbegin(), rows.rend(), [&](const AuditRow& row) {
        return std::find(what.begin(), what.end(), row.what) != what.end();
    });
    return last == rows.rend() ? nullptr : &*last;
}

/// A question of an older version was asked without its number of votes in the audit.
bool names_votes(const AuditRow& asked, const Approval& question) {
    const json detail = detail_of(asked);
    return wire::member(detail, "votes").is_null() ||
           says(detail, "votes", std::to_string(question.votes_needed));
}

bool holds_answer(const std::vector<AuditRow>& rows, const Approval& answered) {
    const AuditRow* answer = last_of(rows, {audit::kAnswered});
    if (answer == nullptr || !consent::is_intact(answered)) return false;
    const json detail = detail_of(*answer);
    return says(detail, "status", to_string(answered.status)) &&
           says(detail, "by", answered.answered_by) && says(detail, "digest", answered.digest);
}

}  // namespace

namespace consent {

Result<bool> was_asked_so(store::Database& db, const Approval& question) {
    if (!is_intact(question)) return false;
    A2H_ASSIGN_OR_RETURN(const auto rows, store::audit_rows(db, question.id));
    const AuditRow* asked = last_of(rows, {audit::kAsked});
    const AuditRow* worded = last_of(rows, {audit::kAsked, audit::kEdited});
    if (asked == nullptr) return false;
    const bool counts_anew = !wire::member(detail_of(*worded), "votes").is_null();
    return names_votes(counts_anew ? *worded : *asked, question) &&
           says(detail_of(*worded), "digest", question.digest);
}

Result<bool> was_answered_so(store::Database& db, const Approval& answered) {
    A2H_ASSIGN_OR_RETURN(const auto rows, store::audit_rows(db, answered.id));
    return holds_answer(rows, answered);
}

Result<bool> awaits_outcome(store::Database& db, const Approval& answered) {
    A2H_ASSIGN_OR_RETURN(const auto rows, store::audit_rows(db, answered.id));
    const bool has_outcome =
        last_of(rows, {audit::kConsumed, to_string(ApprovalOutcome::Executed),
                       to_string(ApprovalOutcome::Failed), to_string(ApprovalOutcome::Unknown),
                       to_string(ApprovalOutcome::Expired)}) != nullptr;
    return holds_answer(rows, answered) && !has_outcome;
}

Result<std::vector<std::string>> recorded_votes(store::Database& db, const Approval& question) {
    A2H_ASSIGN_OR_RETURN(const auto votes, store::votes_for(db, question.id, question.digest));
    A2H_ASSIGN_OR_RETURN(const auto rows, store::audit_rows(db, question.id));
    std::vector<std::string> people;
    for (const store::Vote& vote : votes) {
        std::vector<AuditRow> own = rows;
        std::erase_if(
            own, [&](const AuditRow& row) { return !says(detail_of(row), "by", vote.person); });
        const AuditRow* last = last_of(own, {audit::kVoted, audit::kVoteWithdrawn});
        const bool stands = last != nullptr && last->what == audit::kVoted &&
                            says(detail_of(*last), "digest", vote.digest);
        if (stands) people.push_back(vote.person);
    }
    return people;
}

}  // namespace consent

namespace mandates {
namespace {

/// A share of an older version was recorded without the hash of its terms; the mandate that it was
/// cut from limits it as well.
bool names_terms(const AuditRow& given, const Mandate& mandate) {
    const json detail = detail_of(given);
    const bool is_old_share =
        given.what == audit::kMandateShared && wire::member(detail, "terms_digest").is_null();
    return is_old_share || says(detail, "terms_digest", wire::sha256_hex(mandate.terms_json));
}

Result<bool> is_in_force(store::Database& db, const Mandate& mandate) {
    if (mandate.revoked_at_ms != 0) return false;
    A2H_ASSIGN_OR_RETURN(const auto rows, store::audit_of_mandate(db, mandate.id));
    const AuditRow* given = last_of(rows, {audit::kMandateGiven, audit::kMandateShared});
    const bool was_revoked = last_of(rows, {audit::kMandateRevoked}) != nullptr;
    return given != nullptr && !was_revoked && names_terms(*given, mandate);
}

}  // namespace

Result<std::optional<Mandate>> find_in_force(store::Database& db, std::string_view id) {
    A2H_ASSIGN_OR_RETURN(auto mandate, store::get_mandate(db, id));
    if (!mandate) return mandate;
    A2H_ASSIGN_OR_RETURN(const bool stands, is_in_force(db, *mandate));
    return stands ? mandate : std::nullopt;
}

Result<std::vector<Mandate>> in_force(store::Database& db, std::string_view agent_id,
                                      std::string_view action) {
    A2H_ASSIGN_OR_RETURN(auto live, store::live_mandates(db, agent_id, action));
    std::vector<Mandate> standing;
    for (Mandate& mandate : live) {
        A2H_ASSIGN_OR_RETURN(const bool stands, is_in_force(db, mandate));
        if (stands) standing.push_back(std::move(mandate));
    }
    return standing;
}

}  // namespace mandates
}  // namespace a2h
