#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "daemon/decide/decision.h"

namespace a2h::decide {

/// A rule that did not decide, with the first condition that did not hold.
struct PassedRule {
    std::string rule_id;
    std::string condition;  ///< empty: all conditions held, but code does not let this rule decide
                            ///< about the message (`may_decide` in decide.cpp)
    std::string wanted;     ///< as written in the file; several values with commas
    std::string found;
};

/// How a text was read, in the names of rules.toml.
struct ReadingNames {
    std::string language;
    std::vector<std::string> lists;     ///< lists whose words the text contains
    std::vector<std::string> asks;      ///< facts: price, method, …
    std::vector<std::string> listings;  ///< ids of the listings that it is about
    std::string amount;                 ///< none, exact or unclear
    std::vector<std::string> unknown;   ///< words that neither the rules nor the listings contain
};

struct Explanation {
    Decision decision;  ///< what `decide` returns
    ReadingNames reading;
    std::vector<PassedRule> passed;  ///< in the order of evaluation
};

/// Decides like `decide` and says how the decision was reached. Pure. For people, not for the
/// processing of messages.
Explanation explain(const Input& input, const RuleSet& rules, const Limits& limits);
/// The answer of the daemon and `a2h`: `playbook`, `reading`, `looked_at`, `decision`, `rule_id`,
/// `why`, `reply`, `question`.
nlohmann::json to_json(const Explanation& explanation, const RuleSet& rules);

/// The basis of a decision, which is stored with it: a JSON object with the counts and contact
/// state used, what was read, and the version of the rules and limits.
///
/// Source:  docs/playbooks.md.
std::string basis_json(const Input& input, const Decision& decision, const RuleSet& rules,
                       const Limits& limits);

}  // namespace a2h::decide
