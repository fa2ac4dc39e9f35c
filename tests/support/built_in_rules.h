#pragma once

#include "core/base/check.h"
#include "daemon/decide/rules.h"

namespace a2h::decide {

/// The built-in rules with the words of all trades.
inline const RuleSet& built_in_rules() {
    static const RuleSet rules = [] {
        auto parsed = RuleSet::load({});
        A2H_CHECK(parsed.has_value());
        return std::move(parsed).value();
    }();
    return rules;
}

}  // namespace a2h::decide
