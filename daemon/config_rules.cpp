#include "daemon/config_rules.h"

#include <toml++/toml.h>

#include <algorithm>

#include "core/base/money.h"

namespace a2h {
namespace {

using approvals::ApprovalRule;

constexpr std::int64_t kVotesMax = 10;

/// One setting of a rule.
struct RuleOption {
    std::string_view key;
    std::string_view allowed;  ///< completes "must be …"
    bool (*apply)(ApprovalRule&, const toml::node&);
};

bool set_people(ApprovalRule& rule, const toml::node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return false;
    for (const auto& entry : *array) {
        const auto name = entry.value_exact<std::string>().value_or("");
        const bool again =
            std::find(rule.people.begin(), rule.people.end(), name) != rule.people.end();
        if (name.empty() || again) return false;
        rule.people.push_back(name);
    }
    return !rule.people.empty();
}

constexpr RuleOption kRuleOptions[] = {
    {"action", "a text like \"order.create\"",
     [](ApprovalRule& rule, const toml::node& node) {
         rule.action = node.value_exact<std::string>().value_or("");
         return !rule.action.empty();
     }},
    {"amount_from_minor", "an integer from 1 to 9007199254740991",
     [](ApprovalRule& rule, const toml::node& node) {
         rule.amount_from_minor = node.value_exact<std::int64_t>().value_or(0);
         return rule.amount_from_minor > 0 && rule.amount_from_minor <= kMoneyMinorMax;
     }},
    {"currency", "three capital letters like \"CNY\"",
     [](ApprovalRule& rule, const toml::node& node) {
         rule.currency = node.value_exact<std::string>().value_or("");
         return is_currency_code(rule.currency);
     }},
    {"votes", "an integer from 1 to 10",
     [](ApprovalRule& rule, const toml::node& node) {
         const auto votes = node.value_exact<std::int64_t>().value_or(0);
         rule.votes = static_cast<int>(std::clamp<std::int64_t>(votes, 1, kVotesMax));
         return rule.votes == votes;
     }},
    {"people", "a list of names, each once", set_people},
};

class Reader {
  public:
    Reader(const Config& config, std::string_view file_name)
        : config_(config), file_name_(file_name) {}

    Result<ApprovalRule> read(const toml::table& table) const {
        ApprovalRule rule;
        for (const auto& [key, node] : table)
            A2H_TRY(apply(rule, key.str(), node));
        if ((rule.amount_from_minor > 0) == rule.currency.empty()) {
            return error(table, "amount_from_minor and currency belong together");
        }
        if (rule.people.empty()) return error(table, "people is missing");
        if (static_cast<int>(rule.people.size()) < rule.votes) {
            return error(table, "there are fewer people than votes");
        }
        for (const std::string& name : rule.people) {
            if (!is_person(config_.approval.people, name))
                return error(table, "there is no person \"" + name + "\"");
        }
        return rule;
    }

    Unexpected error(const toml::node& node, const std::string& message) const {
        return fail(ErrorCode::InvalidArgument, std::string(file_name_) + ":" +
                                                    std::to_string(node.source().begin.line) +
                                                    ": approval_rule: " + message);
    }

  private:
    Result<void> apply(ApprovalRule& rule, std::string_view key, const toml::node& node) const {
        for (const RuleOption& option : kRuleOptions) {
            if (option.key != key) continue;
            if (option.apply(rule, node)) return {};
            return error(node, std::string(key) + " must be " + std::string(option.allowed));
        }
        return error(node, "unknown setting " + std::string(key) +
                               "; there are action, amount_from_minor, currency, votes, people");
    }

    const Config& config_;
    std::string_view file_name_;
};

}  // namespace

Result<void> read_rules(Config& config, std::string_view toml, std::string_view file_name) try {
    const toml::table table = toml::parse(toml, file_name);
    const Reader reader(config, file_name);
    const toml::node* node = table.get("approval_rule");
    if (node == nullptr) return {};
    const auto* rules = node->as_array();
    if (rules == nullptr || !rules->is_homogeneous<toml::table>()) {
        return reader.error(*node, "write it as [[approval_rule]]");
    }
    for (const auto& entry : *rules) {
        auto rule = reader.read(*entry.as_table());
        if (!rule) return fail(rule.error());
        config.approval.rules.push_back(std::move(*rule));
    }
    return {};
} catch (const toml::parse_error& error) {
    return fail(ErrorCode::InvalidArgument, std::string(error.description()));
}

}  // namespace a2h
