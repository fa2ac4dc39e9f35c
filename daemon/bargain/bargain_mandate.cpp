#include "daemon/bargain/bargain_mandate.h"

#include "core/store/mandate_store.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/mandates.h"
#include "daemon/consent/recorded.h"
#include "daemon/consent/terms.h"

namespace a2h::bargain {
namespace {

/// The messages of these errors do not contain the limit.
Result<void> check(const MandateTerms& terms) {
    if (terms.works_id.empty()) return invalid("a mandate for haggling is for one listing");
    if (terms.side != "sell" && terms.side != "buy") return invalid("side must be sell or buy");
    if (terms.strategy != "hold_back" && terms.strategy != "to_limit") {
        return invalid("strategy must be hold_back or to_limit");
    }
    const auto strategy = strategy_of(terms);
    if (!strategy) {
        return invalid(
            "a seller needs a lowest amount and a buyer a highest one; the opening must not be "
            "worse than that amount, and rounds must be from 1 to " +
            std::to_string(kBargainRoundsMax));
    }
    return {};
}

Result<store::MandateUsage> usage(store::Database& db, std::string_view mandate_id,
                                  UnixMs since_ms) {
    return store::bargain_usage(db, mandate_id, since_ms, 0);
}

constexpr consent::MandateKind kKinds[] = {{mandate_kind(kBargain), check, usage}};
constexpr consent::ActionRow kActions[] = {{.action = kBargain, .mandates = kKinds}};

bool is_for(const MandateTerms& terms, const Bargain& bargain, UnixMs now_ms) {
    return terms.agent_id == bargain.agent_id && terms.works_id == bargain.works_id &&
           (terms.peer_id.empty() || terms.peer_id == bargain.peer_id) &&
           now_ms >= terms.starts_ms && now_ms < terms.ends_ms;
}

/// Whether a mandate that may be about the bargain is suspended. Then none is used, as for any
/// other action (R48).
Result<bool> rests(store::Database& db, const std::vector<Mandate>& mandates,
                   const Bargain& bargain, UnixMs now_ms) {
    const UnixMs since_ms = now_ms - std::chrono::milliseconds(mandates::kRest).count();
    for (const Mandate& mandate : mandates) {
        const auto terms = mandates::read_terms(mandate.terms_json);
        if (!terms || !is_for(*terms, bargain, now_ms)) continue;
        A2H_ASSIGN_OR_RETURN(const auto failed, store::has_failed_use(db, mandate.id, since_ms));
        if (failed) return true;
    }
    return false;
}

}  // namespace

std::optional<Strategy> strategy_of(const MandateTerms& terms) {
    const bool sells = terms.side == "sell";
    const auto& limit = sells ? terms.amount_from_minor : terms.amount_to_minor;
    const auto& other = sells ? terms.amount_to_minor : terms.amount_from_minor;
    if (terms.action != kBargain || !limit || !terms.opening_minor || !terms.rounds || other ||
        *terms.rounds < 1 || *terms.rounds > kBargainRoundsMax) {
        return std::nullopt;
    }
    const Strategy strategy{.side = sells ? Side::Sell : Side::Buy,
                            .currency = terms.currency,
                            .limit_minor = *limit,
                            .opening_minor = *terms.opening_minor,
                            .rounds = static_cast<int>(*terms.rounds),
                            .reaches_limit = terms.strategy == "to_limit"};
    return is_sound(strategy) ? std::optional(strategy) : std::nullopt;
}

Result<std::optional<BargainMandate>> find_mandate(store::Database& db, const Bargain& bargain,
                                                   UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto mandates, mandates::in_force(db, bargain.agent_id, kBargain));
    A2H_ASSIGN_OR_RETURN(const bool is_suspended, rests(db, mandates, bargain, now_ms));
    if (is_suspended) return std::optional<BargainMandate>();
    for (const Mandate& mandate : mandates) {
        if (!bargain.mandate_id.empty() && bargain.mandate_id != mandate.id) continue;
        const auto terms = mandates::read_terms(mandate.terms_json);
        if (!terms || !is_for(*terms, bargain, now_ms)) continue;
        A2H_ASSIGN_OR_RETURN(const auto same, mandates::says_the_same(db, *terms));
        const auto strategy = strategy_of(*terms);
        if (same && strategy) return std::optional(BargainMandate{mandate.id, *terms, *strategy});
    }
    return std::optional<BargainMandate>();
}

Result<bool> may_offer(store::Database& db, const BargainMandate& mandate,
                       std::int64_t amount_minor, std::int64_t bargain_id, UnixMs now_ms) {
    const auto used = [&](const std::string& id, UnixMs since_ms) {
        return store::bargain_usage(db, id, since_ms, bargain_id);
    };
    return mandates::has_room(db, mandate.id, amount_minor, used, now_ms);
}

void register_actions() {
    consent::register_actions(kActions);
}

}  // namespace a2h::bargain
