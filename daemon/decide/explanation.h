#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "daemon/decide/decision.h"

namespace a2h::decide {

/// A rule that was looked at and did not decide: the first condition that did not hold.
struct PassedRule {
    std::string rule_id;
    std::string condition;  ///< empty: all held, but no rule may decide so about this message
    std::string wanted;     ///< as the file says it; several with commas
    std::string found;
};

/// How a text was read, by the names of rules.toml.
struct ReadingNames {
    std::string language;
    std::vector<std::string> lists;     ///< of which the text has words
    std::vector<std::string> asks;      ///< facts: price, method, …
    std::vector<std::string> listings;  ///< ids of those it is about
    std::string amount;                 ///< none, exact or unclear
    std::vector<std::string> unknown;   ///< words that neither rules nor listings know
};

struct Explanation {
    Decision decision;  ///< what `decide` returns
    ReadingNames reading;
    std::vector<PassedRule> passed;  ///< in the order in which they were looked at
};

/// Decides as `decide` does and tells how it came about. Pure; for people, not for the hot path.
Explanation explain(const Input& input, const RuleSet& rules, const Limits& limits);
/// As the daemon and `a2h` answer it: `playbook`, `reading`, `looked_at`, `decision`, `rule_id`,
/// `why`, `reply`, `question`.
nlohmann::json to_json(const Explanation& explanation, const RuleSet& rules);

/// What a decision went by, to be kept with it: a JSON object with the counts and contact it
/// looked at, what was read, and the version of the rules and limits. Source: docs/playbooks.md.
std::string basis_json(const Input& input, const Decision& decision, const RuleSet& rules,
                       const Limits& limits);

}  // namespace a2h::decide
