#include "daemon/consent/terms.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/money.h"
#include "core/wire/canonical.h"
#include "core/wire/json_text.h"
#include "daemon/consent/actions.h"

namespace a2h::mandates {
namespace {

using nlohmann::json;
using Words = consent::MandateKind::Words;
using Side = consent::MandateKind::Side;

constexpr std::size_t kSaltBytes = 16;
constexpr std::string_view kSalt = "salt";
constexpr std::int64_t kLongestMs = std::chrono::milliseconds(std::chrono::hours(24) * 366).count();

struct TextField {
    std::string_view name;
    std::string MandateTerms::*member;
};
constexpr TextField kTexts[] = {{"agent_id", &MandateTerms::agent_id},
                                {"action", &MandateTerms::action},
                                {"peer_id", &MandateTerms::peer_id},
                                {"works_id", &MandateTerms::works_id},
                                {"currency", &MandateTerms::currency}};

/// Left out if empty, so that the terms of older mandates and their hashes do not change.
constexpr TextField kLaterTexts[] = {{"side", &MandateTerms::side},
                                     {"strategy", &MandateTerms::strategy},
                                     {"listing_title", &MandateTerms::listing_title},
                                     {"listing_digest", &MandateTerms::listing_digest},
                                     {"own_listing_hash", &MandateTerms::own_listing_hash}};

using Wider = Limit::Wider;
constexpr Limit kLimits[] = {
    {.name = "amount_from_minor",
     .member = &MandateTerms::amount_from_minor,
     .wider = Wider::Lower},
    {.name = "amount_to_minor", .member = &MandateTerms::amount_to_minor, .wider = Wider::Higher},
    {.name = "count_per_day",
     .member = &MandateTerms::count_per_day,
     .wider = Wider::Higher,
     .is_money = false,
     .limits_uses = true},
    {.name = "count_per_week",
     .member = &MandateTerms::count_per_week,
     .wider = Wider::Higher,
     .is_money = false,
     .limits_uses = true},
    {.name = "sum_per_day_minor",
     .member = &MandateTerms::sum_per_day_minor,
     .wider = Wider::Higher,
     .limits_uses = true},
    {.name = "sum_per_week_minor",
     .member = &MandateTerms::sum_per_week_minor,
     .wider = Wider::Higher,
     .limits_uses = true},
    {.name = "opening_minor", .member = &MandateTerms::opening_minor, .wider = Wider::Opening},
    {.name = "rounds", .member = &MandateTerms::rounds, .wider = Wider::Higher, .is_money = false}};
static_assert(std::all_of(std::begin(kLimits), std::end(kLimits),
                          [](const Limit& limit) { return limit.wider != Wider::Unsaid; }),
              "a share could exceed a limit that is not compared");

struct TimeField {
    std::string_view name;
    UnixMs MandateTerms::*member;
};
constexpr TimeField kTimes[] = {{"starts_ms", &MandateTerms::starts_ms},
                                {"ends_ms", &MandateTerms::ends_ms}};

template <typename... Members>
struct MembersOf {
    template <typename Wanted>
    static constexpr std::size_t kCount = (std::size_t{std::is_same_v<Members, Wanted>} + ...);
    static constexpr bool are_in_tables() {
        return kCount<std::string> == std::size(kTexts) + std::size(kLaterTexts) &&
               kCount<std::optional<std::int64_t>> == std::size(kLimits) &&
               kCount<UnixMs> == std::size(kTimes);
    }
};
template <typename... Members>
MembersOf<Members...> members_of(const Members&... members);

/// Compiles only if the tables above have all members of the terms: one that is in none of them
/// would be lost when they are stored, and a limit would not be compared with that of a share.
[[maybe_unused]] void check_tables(const MandateTerms& terms) {
    const auto& [agent, action, peer, works, currency, from, to, day, week, day_sum, week_sum,
                 starts, ends, side, strategy, opening, rounds, title, digest, own_hash] = terms;
    static_assert(decltype(members_of(agent, action, peer, works, currency, from, to, day, week,
                                      day_sum, week_sum, starts, ends, side, strategy, opening,
                                      rounds, title, digest, own_hash))::are_in_tables());
}

/// Work for nothing adds up to no sum, so only a count limits it.
Result<void> check_free(const MandateTerms& terms) {
    if (!terms.count_per_day && !terms.count_per_week) {
        return invalid("a mandate for " + terms.action + " needs a count per day or per week");
    }
    if (!terms.works_id.empty()) {
        return invalid("a mandate for " + terms.action + " cannot name a listing");
    }
    if (terms.amount_to_minor && !terms.amount_from_minor) {
        return invalid("a mandate for " + terms.action + " needs a lowest amount");
    }
    return {};
}

bool lacks_lowest(const MandateTerms& terms, const consent::MandateKind& kind) {
    return (kind.side == Side::Sells || kind.side == Side::Either) && !terms.amount_from_minor;
}

bool lacks_highest(const MandateTerms& terms, const consent::MandateKind& kind) {
    return (kind.side == Side::Buys || kind.side == Side::Either) && !terms.amount_to_minor;
}

std::string needs_limit(const MandateTerms& terms, std::string_view limit, std::string_view why) {
    return "a mandate for " + terms.action + " needs a " + std::string(limit) +
           " amount, because its owner " + std::string(why);
}

Result<void> check_limits(const MandateTerms& terms, const consent::MandateKind& kind) {
    for (const Limit& field : kLimits) {
        const auto& value = terms.*field.member;
        if (!value) continue;
        if (*value < 1 || *value > kMoneyMinorMax) {
            return invalid(std::string(field.name) + " must be from 1 to 9007199254740991");
        }
    }
    if (!limits_uses(terms)) return invalid("a mandate needs a count or a sum per day or per week");
    if (kind.may_be_free) {
        A2H_TRY(check_free(terms));
    } else if (!terms.amount_from_minor && !terms.amount_to_minor) {
        return invalid("a mandate needs a lowest or a highest amount");
    }
    if (terms.amount_from_minor && terms.amount_to_minor &&
        *terms.amount_from_minor > *terms.amount_to_minor) {
        return invalid("the lowest amount is above the highest");
    }
    const bool is_either = kind.side == Side::Either;
    if (lacks_lowest(terms, kind))
        return invalid(needs_limit(terms, "lowest", is_either ? "may sell" : "sells"));
    if (lacks_highest(terms, kind))
        return invalid(needs_limit(terms, "highest", is_either ? "may buy" : "buys"));
    return {};
}

/// The terms of one kind of mandate are refused for every other.
Result<void> check_own_terms(const MandateTerms& terms, const consent::MandateKind& kind) {
    if (kind.check != nullptr) A2H_TRY(kind.check(terms));
    const bool has_any =
        !terms.side.empty() || !terms.strategy.empty() || terms.opening_minor || terms.rounds;
    return has_any && !kind.haggles
               ? invalid("side, strategy, opening and rounds belong to a mandate for haggling only")
               : Result<void>();
}

Result<void> check_listing(const MandateTerms& terms, const consent::MandateKind& kind) {
    const bool is_request = kind.words == Words::Request;
    if (is_request && (terms.works_id.empty() || terms.listing_digest.empty())) {
        return invalid("a mandate for " + terms.action +
                       " must name one request, which the human has seen");
    }
    if (terms.listing_digest.empty() && terms.listing_title.empty()) return {};
    if (!pins_words(terms.action)) {
        return invalid(
            "listing_digest is allowed only where the words of a listing or request count");
    }
    return terms.works_id.empty() ? invalid("listing_digest needs the listing's id")
                                  : Result<void>();
}

/// True if mandates have this member and `value` has its type. Stores it in `terms`.
bool read_member(MandateTerms& terms, const std::string& name, const json& value) {
    if (name == kSalt) return value.is_string();
    for (const TextField& field : kTexts) {
        if (field.name != name) continue;
        if (value.is_string()) terms.*field.member = value.get<std::string>();
        return value.is_string();
    }
    for (const TextField& field : kLaterTexts) {
        if (field.name != name) continue;
        if (value.is_string()) terms.*field.member = value.get<std::string>();
        return value.is_string();
    }
    if (!value.is_number_integer()) return false;
    for (const Limit& field : kLimits) {
        if (field.name == name) terms.*field.member = value.get<std::int64_t>();
        if (field.name == name) return true;
    }
    for (const TimeField& field : kTimes) {
        if (field.name == name) terms.*field.member = value.get<std::int64_t>();
        if (field.name == name) return true;
    }
    return false;
}

}  // namespace

std::span<const Limit> limits() {
    return kLimits;
}

bool protects_owner(const MandateTerms& terms, const consent::MandateKind& kind) {
    return !lacks_lowest(terms, kind) && !lacks_highest(terms, kind);
}

bool protects_owner(const MandateTerms& terms) {
    const consent::MandateKind* kind = consent::find_mandate_kind(terms.action);
    return kind != nullptr && protects_owner(terms, *kind);
}

bool limits_uses(const MandateTerms& terms) {
    return std::any_of(std::begin(kLimits), std::end(kLimits), [&](const Limit& limit) {
        return limit.limits_uses && terms.*limit.member;
    });
}

bool pins_words(std::string_view action) {
    const consent::MandateKind* kind = consent::find_mandate_kind(action);
    return kind != nullptr && kind->pins_words();
}

bool pins_listing(std::string_view action) {
    const consent::MandateKind* kind = consent::find_mandate_kind(action);
    return kind != nullptr && kind->words == Words::Listing;
}

bool pins_request(std::string_view action) {
    const consent::MandateKind* kind = consent::find_mandate_kind(action);
    return kind != nullptr && kind->words == Words::Request;
}

Result<void> check_bounds(const MandateTerms& terms, UnixMs now_ms) {
    const consent::MandateKind* kind = consent::find_mandate_kind(terms.action);
    if (kind == nullptr) {
        return invalid("there are no mandates for " + terms.action.substr(0, 40));
    }
    const bool has_amount = terms.amount_from_minor || terms.amount_to_minor ||
                            terms.sum_per_day_minor || terms.sum_per_week_minor;
    const bool needs_none = kind->may_be_free && !has_amount && terms.currency.empty();
    if (!needs_none && !is_currency_code(terms.currency)) {
        return invalid("currency must be an ISO 4217 code like CNY");
    }
    A2H_TRY(check_limits(terms, *kind));
    A2H_TRY(check_own_terms(terms, *kind));
    if (terms.ends_ms <= now_ms) return invalid("the mandate would already have ended");
    if (terms.ends_ms <= terms.starts_ms) return invalid("the mandate ends before it begins");
    if (terms.ends_ms > now_ms + kLongestMs)
        return invalid("a mandate is valid for at most one year");
    return {};
}

Result<void> check_terms(const MandateTerms& terms, UnixMs now_ms) {
    A2H_TRY(check_bounds(terms, now_ms));
    return check_listing(terms, *consent::find_mandate_kind(terms.action));
}

std::string write_terms(const MandateTerms& terms) {
    json object{{kSalt, random_hex(kSaltBytes)}};
    for (const TextField& field : kTexts)
        object[std::string(field.name)] = terms.*field.member;
    for (const TextField& field : kLaterTexts) {
        if (!(terms.*field.member).empty()) object[std::string(field.name)] = terms.*field.member;
    }
    for (const Limit& field : kLimits) {
        if (const auto& value = terms.*field.member) object[std::string(field.name)] = *value;
    }
    for (const TimeField& field : kTimes)
        object[std::string(field.name)] = terms.*field.member;
    return wire::canonical_json(object);
}

Result<MandateTerms> read_terms(std::string_view terms_json) {
    const auto object = wire::parse_json(terms_json);
    if (!object || !object->is_object()) {
        return fail(ErrorCode::Unsupported, "the terms of a mandate cannot be read");
    }
    MandateTerms terms;
    for (const auto& [name, value] : object->items()) {
        if (read_member(terms, name, value)) continue;
        return fail(ErrorCode::Unsupported, "a mandate has a condition that is not known here");
    }
    terms.action = present_name(kFormerMandateKinds, terms.action);
    return terms;
}

}  // namespace a2h::mandates
