#include "daemon/config/approval_rules.h"

#include "daemon/config/reading.h"

namespace a2h::config {
namespace {

using consent::ApprovalRule;

Result<ApprovalRule> read_rule(const Config& config, const ListedTable& table,
                               const Source& source) {
    ApprovalRule rule;
    for (const Entry& entry : table.entries)
        A2H_TRY(read_entry(rule, rule_options(), entry, source));
    const auto wrong = [&](const std::string& message) {
        return source.error_at(table.line, "approval_rule: " + message);
    };
    if ((rule.amount_from_minor > 0) == rule.currency.empty()) {
        return wrong("amount_from_minor and currency belong together");
    }
    if (rule.people.empty()) return wrong("people is missing");
    if (static_cast<int>(rule.people.size()) < rule.votes) {
        return wrong("there are fewer people than votes");
    }
    for (const std::string& name : rule.people) {
        if (!is_person(config.approval.people, name))
            return wrong("there is no person \"" + name + "\"");
    }
    return rule;
}

}  // namespace

Result<void> read_approval_rules(Config& config, const Source& source) {
    const auto rules = source.lists.find("approval_rule");
    if (rules == source.lists.end()) return {};
    for (const ListedTable& table : rules->second) {
        A2H_ASSIGN_OR_RETURN(auto rule, read_rule(config, table, source));
        config.approval.rules.push_back(std::move(rule));
    }
    return {};
}

}  // namespace a2h::config
