#pragma once

#include <optional>
#include <vector>

#include "core/base/money.h"
#include "daemon/decide/said.h"

namespace a2h::decide {

// Finds the numbers of a message that are amounts that its author would pay or take.
//
// Pure. Thread: any.

/// An amount to which its author may stand.
struct NamedAmount {
    Money money;
    bool has_currency = false;  ///< in words or by a sign, beside it
    bool is_asked = false;      ///< only asks whether it is right: "is it 300 then?"
    bool is_refused = false;    ///< stands in a clause that refuses it
    bool is_each = false;       ///< the price of one
    bool is_in_all = false;     ///< the whole price: "300 in all"
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The amounts of the message in order. Left out are prices of others, parts of the price such as a
/// deposit, what is added, limits, and numbers that are no money. A number without a currency
/// counts if an amount of similar size was named between both before.
std::vector<NamedAmount> amounts_named(const Said& said);

/// The amount to which the author stands from now on, or would: the only one, or the one that is
/// not just mentioned. nullopt: none, or not exactly one.
std::optional<NamedAmount> amount_meant(const Said& said, std::vector<NamedAmount> amounts);

/// The amount that a message means without naming it, from what both stand to: "20 less", "meet in
/// the middle".
std::optional<Money> amount_between(const Said& said);

}  // namespace a2h::decide
