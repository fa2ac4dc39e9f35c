#include <nlohmann/json.hpp>

#include "core/base/local_time.h"
#include "core/base/money.h"
#include "core/base/time_text.h"
#include "core/domain/message.h"
#include "core/store/contact_store.h"
#include "core/wire/json_member.h"
#include "daemon/consent/action.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/limits.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/recorded.h"
#include "daemon/consent/terms.h"

namespace a2h::mandates {
namespace {

using nlohmann::json;
using Words = consent::MandateKind::Words;

/// The commitment that a yes would make.
struct Claim {
    const consent::MandateKind* kind = nullptr;
    std::string action;
    std::string peer_id;
    std::string works_id;
    std::int64_t amount_minor = 0;  ///< 0: free for the other side
    std::string currency;
    bool has_own_listing = false;
    std::string listing_digest;
    UnixMs binds_until_ms = 0;  ///< when an offer ends that the peer may still accept
};

/// When the offer ends that a yes would make; 0 if it makes none. nullopt: never, or in too long a
/// time.
std::optional<UnixMs> offer_ends_ms(const consent::MandateKind& kind, const Approval& approval,
                                    UnixMs now_ms) {
    if (!kind.makes_offer) return 0;
    const json action = json::parse(approval.action_json, nullptr, false);
    const json& payload = wire::member(wire::member(action, "request"), "payload");
    const auto ends_ms = parse_time(wire::text_member(payload, "valid_until"));
    const UnixMs latest_ms = now_ms + std::chrono::milliseconds(consent::kMandatedOfferMax).count();
    return ends_ms && *ends_ms <= latest_ms ? std::optional(*ends_ms) : std::nullopt;
}

/// The market says who is the other side of an order. A message is attributed only by the key of
/// its sender (R49). A peer that came with a second key does not count until a human has checked
/// it.
Result<bool> is_peer_verified(store::Database& db, const Approval& approval) {
    if (approval.peer_id.empty()) return false;
    const auto provenance = parse_provenance(approval.provenance);
    const bool from_message =
        consent::row_of(approval.action).answers_peer || !approval.provenance.empty();
    if (from_message && provenance != Provenance::Verified) return false;
    A2H_ASSIGN_OR_RETURN(const auto contact,
                         store::get_contact(db, approval.agent_id, approval.peer_id));
    return !contact || !contact->key_changed;
}

bool is_amount_within(const MandateTerms& terms, const Claim& claim) {
    if (claim.amount_minor == 0) return !terms.amount_from_minor && !terms.amount_to_minor;
    return (terms.amount_from_minor || terms.amount_to_minor) &&
           protects_owner(terms, *claim.kind) && terms.currency == claim.currency &&
           claim.amount_minor >= terms.amount_from_minor.value_or(1) &&
           claim.amount_minor <= terms.amount_to_minor.value_or(kMoneyMinorMax);
}

/// The author of both listing and order could change what they say, so what a human has seen of the
/// listing counts (R48).
bool is_listing_known(const MandateTerms& terms, const Claim& claim) {
    switch (claim.kind->words) {
        case Words::None:
            return true;
        case Words::Named:
            if (claim.works_id.empty() || claim.has_own_listing) return true;
            break;
        case Words::Listing:
            if (claim.has_own_listing) return true;
            break;
        case Words::Request:
            break;
    }
    return !terms.listing_digest.empty() && terms.listing_digest == claim.listing_digest;
}

/// The id that a mandate may name: of the listing, or of the request that is answered.
std::string subject_of(const Approval& approval) {
    const std::string_view subject = consent::row_of(approval.action).subject;
    if (subject.empty()) return consent::ids_of_action(approval.action_json).works_id;
    const json action = json::parse(approval.action_json, nullptr, false);
    return wire::text_member(wire::member(action, "request"), subject);
}

/// All terms except those about amount and listing.
bool is_about(const MandateTerms& terms, const Claim& claim, UnixMs now_ms) {
    return now_ms >= terms.starts_ms && now_ms < terms.ends_ms && terms.action == claim.action &&
           (terms.peer_id.empty() || terms.peer_id == claim.peer_id) &&
           (terms.works_id.empty() || terms.works_id == claim.works_id) &&
           claim.binds_until_ms <= terms.ends_ms;
}

Result<std::optional<std::string>> resting_of(store::Database& db,
                                              const std::vector<Mandate>& mandates,
                                              const Claim& claim, UnixMs now_ms) {
    const UnixMs since_ms = now_ms - std::chrono::milliseconds(kRest).count();
    for (const Mandate& mandate : mandates) {
        const auto terms = read_terms(mandate.terms_json);
        if (!terms || !is_about(*terms, claim, now_ms)) continue;
        A2H_ASSIGN_OR_RETURN(const auto failed, store::has_failed_use(db, mandate.id, since_ms));
        if (failed) return std::optional(mandate.id);
    }
    return std::optional<std::string>();
}

bool is_within(const MandateTerms& terms, const Claim& claim, UnixMs now_ms) {
    return is_about(terms, claim, now_ms) && is_listing_known(terms, claim) &&
           is_amount_within(terms, claim);
}

/// Returns what a yes to `approval` would commit to; nullopt if that is not exact.
std::optional<Claim> claim_of(const Approval& approval, UnixMs now_ms) {
    if (!approval.is_bounded || !approval.voters.empty()) return std::nullopt;
    const consent::MandateKind* kind = consent::mandate_kind_of(approval);
    if (kind == nullptr) return std::nullopt;
    const auto binds_until_ms = offer_ends_ms(*kind, approval, now_ms);
    if (!binds_until_ms) return std::nullopt;
    Claim claim{kind,
                std::string(kind->name),
                approval.peer_id,
                subject_of(approval),
                approval.amount_minor.value_or(0),
                approval.currency,
                approval.has_own_listing,
                approval.listing_digest,
                *binds_until_ms};
    if (kind->may_be_free && !approval.amount_minor) return claim;
    const bool is_exact = claim.amount_minor >= 1 && claim.amount_minor <= kMoneyMinorMax &&
                          is_currency_code(claim.currency);
    return is_exact ? std::optional(std::move(claim)) : std::nullopt;
}

/// True if another `amount_minor` stays within both limits.
bool has_room(const store::MandateUsage& used, std::int64_t amount_minor,
              const std::optional<std::int64_t>& count_max,
              const std::optional<std::int64_t>& sum_max) {
    if (count_max && used.count >= *count_max) return false;
    std::int64_t sum = 0;
    if (__builtin_add_overflow(used.sum_minor, amount_minor, &sum)) return !sum_max;
    return !sum_max || sum <= *sum_max;
}

Result<bool> has_room(const std::string& id, const MandateTerms& terms, std::int64_t amount_minor,
                      const Usage& used, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto today, used(id, start_of_local_day(now_ms)));
    A2H_ASSIGN_OR_RETURN(const auto week, used(id, start_of_local_week(now_ms)));
    return has_room(today, amount_minor, terms.count_per_day, terms.sum_per_day_minor) &&
           has_room(week, amount_minor, terms.count_per_week, terms.sum_per_week_minor);
}

/// The usage of a mandate that says yes to questions: what it has approved.
Usage approved(store::Database& db) {
    return [&db](const std::string& id, UnixMs since_ms) {
        return store::mandate_usage(db, id, since_ms);
    };
}

/// Calls the check for the mandate and for each mandate above that it is a share of. Terms that
/// cannot be read cover nothing.
template <typename Check>
Result<bool> holds_up_the_chain(store::Database& db, std::string id, Check check) {
    while (!id.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto mandate, find_in_force(db, id));
        if (!mandate) return false;
        const auto terms = read_terms(mandate->terms_json);
        if (!terms) return false;
        const Result<bool> holds = check(id, *terms);
        if (!holds || !*holds) return holds;
        id = mandate->parent_mandate_id;
    }
    return true;
}

Result<bool> has_room_above(store::Database& db, const Mandate& mandate, const Claim& claim,
                            UnixMs now_ms) {
    return holds_up_the_chain(
        db, mandate.parent_mandate_id,
        [&](const std::string& id, const MandateTerms& terms) -> Result<bool> {
            if (!is_within(terms, claim, now_ms)) return false;
            A2H_ASSIGN_OR_RETURN(const auto same, says_the_same(db, terms));
            if (!same) return false;
            return has_room(id, terms, claim.amount_minor, approved(db), now_ms);
        });
}

}  // namespace

std::string action_of(const Approval& approval) {
    const consent::MandateKind* kind = consent::mandate_kind_of(approval);
    return kind == nullptr ? std::string() : std::string(kind->name);
}

Result<std::optional<std::string>> find_cover(store::Database& db, const Approval& approval,
                                              UnixMs now_ms) {
    const std::optional<std::string> none;
    const std::optional<Claim> claimed = claim_of(approval, now_ms);
    if (!claimed) return none;
    const Claim& claim = *claimed;
    A2H_ASSIGN_OR_RETURN(const auto mandates, in_force(db, approval.agent_id, claim.action));
    if (mandates.empty()) return none;
    A2H_ASSIGN_OR_RETURN(const auto verified, is_peer_verified(db, approval));
    if (!verified) return none;
    const auto rests = resting_of(db, mandates, claim, now_ms);
    if (!rests || *rests) return rests ? none : rests;
    A2H_ASSIGN_OR_RETURN(
        const auto still_within,
        holds_up_the_chain(db, approval.continues_mandate,
                           [&](const std::string&, const MandateTerms& terms) -> Result<bool> {
                               if (!is_within(terms, claim, now_ms)) return false;
                               return says_the_same(db, terms);
                           }));
    if (still_within && !approval.continues_mandate.empty()) {
        return std::optional(approval.continues_mandate);
    }
    for (const Mandate& mandate : mandates) {
        const auto terms = read_terms(mandate.terms_json);
        if (!terms || terms->agent_id != approval.agent_id || !is_within(*terms, claim, now_ms)) {
            continue;
        }
        A2H_ASSIGN_OR_RETURN(const auto same, says_the_same(db, *terms));
        if (!same) continue;
        A2H_ASSIGN_OR_RETURN(const auto room, has_room(mandate.id, *terms, claim.amount_minor,
                                                       approved(db), now_ms));
        if (!room) continue;
        A2H_ASSIGN_OR_RETURN(const auto above, has_room_above(db, mandate, claim, now_ms));
        if (above) return std::optional(mandate.id);
    }
    return none;
}

Result<std::optional<std::string>> find_outdated(store::Database& db, const Approval& approval,
                                                 UnixMs now_ms) {
    const std::optional<std::string> none;
    Claim claim;
    claim.action = action_of(approval);
    claim.peer_id = approval.peer_id;
    if (claim.action.empty()) return none;
    claim.works_id = subject_of(approval);
    A2H_ASSIGN_OR_RETURN(const auto mandates, in_force(db, approval.agent_id, claim.action));
    for (const Mandate& mandate : mandates) {
        const auto terms = read_terms(mandate.terms_json);
        if (!terms || !is_about(*terms, claim, now_ms)) continue;
        A2H_ASSIGN_OR_RETURN(const auto same, says_the_same(db, *terms));
        const bool is_seen = terms->listing_digest.empty() || approval.listing_digest.empty() ||
                             terms->listing_digest == approval.listing_digest;
        if (!same || !is_seen) return std::optional(mandate.id);
    }
    return none;
}

Result<std::optional<std::string>> find_resting(store::Database& db, const Approval& approval,
                                                UnixMs now_ms) {
    Claim claim;
    claim.action = action_of(approval);
    if (claim.action.empty()) return std::optional<std::string>();
    claim.peer_id = approval.peer_id;
    claim.works_id = subject_of(approval);
    A2H_ASSIGN_OR_RETURN(const auto mandates, in_force(db, approval.agent_id, claim.action));
    return resting_of(db, mandates, claim, now_ms);
}

Result<std::vector<decide::MandateRange>> ranges(store::Database& db, std::string_view agent_id,
                                                 UnixMs now_ms) {
    std::vector<decide::MandateRange> all;
    for (const consent::MandateKind* kind : consent::mandate_kinds()) {
        if (!kind->accepts_offer) continue;
        A2H_ASSIGN_OR_RETURN(const auto mandates, in_force(db, agent_id, kind->name));
        for (const Mandate& mandate : mandates) {
            const auto terms = read_terms(mandate.terms_json);
            if (!terms || now_ms < terms->starts_ms || now_ms >= terms->ends_ms) continue;
            all.push_back({terms->peer_id, terms->works_id, terms->currency,
                           terms->amount_from_minor.value_or(1),
                           terms->amount_to_minor.value_or(kMoneyMinorMax)});
        }
    }
    return all;
}

Result<bool> has_room(store::Database& db, std::string_view id, std::int64_t amount_minor,
                      const Usage& used, UnixMs now_ms) {
    return holds_up_the_chain(
        db, std::string(id),
        [&](const std::string& above, const MandateTerms& terms) -> Result<bool> {
            if (amount_minor < terms.amount_from_minor.value_or(1) ||
                amount_minor > terms.amount_to_minor.value_or(kMoneyMinorMax)) {
                return false;
            }
            return has_room(above, terms, amount_minor, used, now_ms);
        });
}

}  // namespace a2h::mandates
