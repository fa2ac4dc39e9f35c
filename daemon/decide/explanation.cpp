#include "daemon/decide/explanation.h"

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "daemon/decide/playbook.h"

namespace a2h::decide {

nlohmann::json to_json(const Explanation& explanation, const RuleSet& rules) {
    nlohmann::json passed = nlohmann::json::array();
    for (const PassedRule& rule : explanation.passed) {
        passed.push_back({{"rule_id", rule.rule_id},
                          {"condition", rule.condition},
                          {"wanted", rule.wanted},
                          {"found", rule.found}});
    }
    const ReadingNames& reading = explanation.reading;
    const Decision& decision = explanation.decision;
    return {{"playbook", rules.version()},
            {"reading",
             {{"language", reading.language},
              {"lists", reading.lists},
              {"asks", reading.asks},
              {"listings", reading.listings},
              {"amount", reading.amount},
              {"unknown", reading.unknown}}},
            {"looked_at", std::move(passed)},
            {"decision", to_string(decision.kind)},
            {"rule_id", decision.rule_id},
            {"why", decision.why},
            {"reply", decision.reply_text},
            {"question", decision.question}};
}

std::string basis_json(const Input& input, const Decision& decision, const RuleSet& rules,
                       const Limits& limits) {
    const Basis& basis = decision.basis;
    nlohmann::json kept{
        {"playbook", rules.version()},
        {"policy",
         {{"rounds_per_day", limits.rounds_per_day},
          {"messages_per_minute", limits.messages_per_minute}}},
        {"rounds", input.answers_last_day},
        {"per_minute", input.messages_last_minute},
        {"repeated", input.same_payload_count},
        {"language", kLanguageNames[static_cast<std::size_t>(basis.language)]},
        {"amount", kAmountReadingNames[basis.amount]},
        {"asks", names_in(basis.facts, kFactNames)},
        {"lists", names_in(basis.lists, rules.impl().vocabulary->list_names)},
        {"listings", basis.works_ids},
    };
    if (decision.takes_back) kept["takes_back"] = true;
    if (rules.needs_contact()) kept["contact"] = to_string(input.contact);
    if (basis.mandate != MandateFit::None) {
        kept["mandate"] = kMandateFitNames[static_cast<std::size_t>(basis.mandate)];
    }
    return wire::canonical_json(kept);
}

}  // namespace a2h::decide
