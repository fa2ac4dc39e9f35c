#include "daemon/consent/mandates.h"

#include "core/base/ids.h"
#include "core/base/local_time.h"
#include "core/domain/audit.h"
#include "core/store/approval_store.h"
#include "core/store/event_store.h"
#include "core/store/listing_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/listing_digest.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/recorded.h"
#include "daemon/consent/terms.h"
#include "daemon/effects/rows.h"

namespace a2h::mandates {
namespace {

constexpr int kMandatesMax = 1'000;
constexpr std::size_t kIdBytes = 10;

/// Without the terms, because readers of audit and events must not learn an amount.
Result<void> record(store::Database& db, const Mandate& mandate, std::string_view what,
                    const Giver& giver, UnixMs now_ms) {
    const std::string detail =
        wire::text_object({{"mandate", mandate.id},
                           {"action", mandate.action},
                           {"terms_digest", wire::sha256_hex(mandate.terms_json)},
                           {"by", giver.person},
                           {"surface", to_string(giver.surface)}});
    A2H_TRY(store::append_audit(db, "", what, detail, now_ms));
    const Event event = effects::new_event(mandate.agent_id, what, mandate.id, detail, now_ms);
    const auto inserted = store::insert_event(db, event);
    return inserted ? Result<void>() : fail(inserted.error());
}

/// Gives up what the mandate has approved and nothing has used yet.
Result<void> give_up_unused(store::Database& db, std::string_view id, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto unused, store::unused_approvals(db));
    for (const Approval& approval : unused) {
        if (approval.answered_by != "mandate:" + std::string(id)) continue;
        constexpr std::string_view kWhy = "its mandate was revoked before anything was done";
        A2H_TRY(store::consume_approval(db, approval.id, now_ms));
        A2H_TRY(store::finish_approval(db, approval.id, ApprovalOutcome::Failed, kWhy, now_ms));
        A2H_TRY(store::append_audit(
            db, approval.id, to_string(ApprovalOutcome::Failed),
            wire::text_object({{"outcome", to_string(ApprovalOutcome::Failed)}, {"detail", kWhy}}),
            now_ms));
    }
    return {};
}

Result<store::MandateUsage> used_since(store::Database& db, const Mandate& mandate,
                                       UnixMs since_ms) {
    const consent::MandateKind* kind = consent::find_mandate_kind(mandate.action);
    if (kind != nullptr && kind->usage != nullptr) return kind->usage(db, mandate.id, since_ms);
    return store::mandate_usage(db, mandate.id, since_ms);
}

/// Empty if the mandate names no listing of the owner's own.
Result<std::string> own_listing_hash(store::Database& db, const MandateTerms& terms) {
    if (terms.works_id.empty()) return std::string();
    A2H_ASSIGN_OR_RETURN(const auto own, store::find_listing(db, terms.agent_id, terms.works_id));
    return own ? wire::own_listing_hash(*own) : std::string();
}

}  // namespace

Result<bool> says_the_same(store::Database& db, const MandateTerms& terms) {
    if (terms.own_listing_hash.empty()) return true;
    A2H_ASSIGN_OR_RETURN(const auto now, own_listing_hash(db, terms));
    return now == terms.own_listing_hash;
}

Result<Mandate> give(store::Database& db, const MandateTerms& asked, const Giver& giver,
                     UnixMs now_ms) {
    A2H_TRY(check_terms(asked, now_ms));
    MandateTerms terms = asked;
    A2H_ASSIGN_OR_RETURN(terms.own_listing_hash, own_listing_hash(db, terms));
    Mandate mandate;
    mandate.id = "mdt_" + random_hex(kIdBytes);
    mandate.agent_id = terms.agent_id;
    mandate.action = terms.action;
    mandate.terms_json = write_terms(terms);
    mandate.given_by = giver.person;
    mandate.surface = to_string(giver.surface);
    mandate.given_at_ms = now_ms;
    A2H_TRY(store::insert_mandate(db, mandate));
    A2H_TRY(record(db, mandate, audit::kMandateGiven, giver, now_ms));
    return mandate;
}

Result<void> revoke(store::Database& db, std::string_view agent_id, std::string_view id,
                    const Giver& giver, UnixMs now_ms) {
    A2H_TRY(store::revoke_mandate(db, agent_id, id, giver.person, now_ms));
    A2H_ASSIGN_OR_RETURN(const auto mandate, store::get_mandate(db, id));
    A2H_TRY(give_up_unused(db, id, now_ms));
    A2H_TRY(record(db, *mandate, audit::kMandateRevoked, giver, now_ms));
    A2H_ASSIGN_OR_RETURN(const auto shares, store::live_shares(db, id));
    for (const Mandate& share : shares)
        A2H_TRY(revoke(db, share.agent_id, share.id, giver, now_ms));
    return {};
}

Result<int> revoke_all(store::Database& db, std::string_view agent_id, const Giver& giver,
                       UnixMs now_ms) {
    int revoked = 0;
    while (true) {
        A2H_ASSIGN_OR_RETURN(const auto mandates,
                             store::list_mandates(db, agent_id, false, kMandatesMax));
        if (mandates.empty()) return revoked;
        for (const Mandate& mandate : mandates) {
            A2H_TRY(revoke(db, agent_id, mandate.id, giver, now_ms));
            ++revoked;
        }
    }
}

Result<std::vector<Standing>> list(store::Database& db, std::string_view agent_id,
                                   bool with_revoked, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto mandates,
                         store::list_mandates(db, agent_id, with_revoked, kMandatesMax));
    std::vector<Standing> all;
    for (Mandate& mandate : mandates) {
        A2H_ASSIGN_OR_RETURN(const auto today, used_since(db, mandate, start_of_local_day(now_ms)));
        A2H_ASSIGN_OR_RETURN(const auto week, used_since(db, mandate, start_of_local_week(now_ms)));
        Standing standing{std::move(mandate), std::nullopt, today, week, false};
        A2H_ASSIGN_OR_RETURN(const auto in_force, find_in_force(db, standing.mandate.id));
        auto terms = read_terms(standing.mandate.terms_json);
        if (terms && (in_force || standing.mandate.revoked_at_ms != 0)) standing.terms = *terms;
        if (standing.terms) {
            A2H_ASSIGN_OR_RETURN(const auto same, says_the_same(db, *standing.terms));
            standing.is_outdated = !same;
        }
        all.push_back(std::move(standing));
    }
    return all;
}

}  // namespace a2h::mandates
