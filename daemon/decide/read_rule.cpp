#include "daemon/decide/rules_parts.h"

#include <algorithm>
#include <array>

#include "daemon/decide/conditions.h"

namespace a2h::decide {
namespace {

constexpr std::array<std::string_view, 3> kActionNames = {"silent", "answer", "ask"};

Result<void> read_action(const TomlFile& file, const TomlNode& table, Rule& rule) {
    A2H_ASSIGN_OR_RETURN(auto action, file.text(table, "action"));
    const auto found = std::find(kActionNames.begin(), kActionNames.end(), action);
    if (found == kActionNames.end()) {
        return file.error(*table.find("action"),
                          "unknown action " + action + did_you_mean(action, kActionNames));
    }
    rule.action = static_cast<Kind>(found - kActionNames.begin());
    A2H_TRY(file.read_flag(table, "holding", rule.holding));
    A2H_TRY(file.read_flag(table, "at_listed_price", rule.at_listed_price));
    A2H_TRY(file.read_flag(table, "draft", rule.draft));
    if (rule.action != Kind::Ask) {
        const TomlNode* draft = table.find("draft");
        if (draft != nullptr) return file.error(*draft, "draft is allowed only in rules that ask");
        return {};
    }
    A2H_ASSIGN_OR_RETURN(auto topic, file.text(table, "ask"));
    rule.topic = topic;
    if (!i18n::has_key(i18n::Language::English, "decide." + rule.topic + ".question")) {
        return file.error(*table.find("ask"), "ask names an unknown topic: " + rule.topic);
    }
    return {};
}

Result<void> read_why(const TomlFile& file, const TomlNode& table, Rule& rule) {
    const TomlNode* node = table.find("why");
    if (node == nullptr) return file.error(table, "why is missing");
    if (node->kind == TomlNode::Kind::Table) {
        constexpr std::array<std::string_view, 2> kKeys = {"en", "zh"};
        A2H_TRY(file.check_keys(*node, kKeys, "field of why"));
        auto en = file.text(*node, "en");
        auto zh = file.text(*node, "zh");
        if (!en) return fail(std::move(en).error());
        if (!zh) return fail(std::move(zh).error());
        rule.why.en = *en;
        rule.why.zh = *zh;
        return {};
    }
    A2H_ASSIGN_OR_RETURN(auto key, file.text(table, "why"));
    if (!i18n::has_key(i18n::Language::English, key)) {
        return file.error(*node, "why names an unknown text: " + key);
    }
    rule.why.key = key;
    return {};
}

/// Returns what a condition requires, in words for people; several texts are separated by commas.
std::string wanted_text(const TomlNode& node) {
    switch (node.kind) {
        case TomlNode::Kind::Text:
            return node.text;
        case TomlNode::Kind::Integer:
            return std::to_string(node.integer);
        case TomlNode::Kind::Flag:
            return node.flag ? "true" : "false";
        case TomlNode::Kind::List:
        case TomlNode::Kind::Table:
        case TomlNode::Kind::Other:
            break;
    }
    std::string all;
    const auto add = [&](const TomlNode& part) {
        if (!all.empty()) all += ", ";
        all += wanted_text(part);
    };
    std::for_each(node.items.begin(), node.items.end(), add);
    for (const TomlMember& member : node.members)
        add(member.value);
    return all;
}

/// Reads the conditions of `when` into `rule`, in the order of evaluation.
Result<void> read_conditions(const TomlFile& file, const TomlNode& when, RuleSet::Impl& rules,
                             Rule& rule) {
    std::vector<std::string_view> names;
    for (const ConditionField& field : condition_fields()) {
        names.push_back(field.name);
        const TomlNode* node = when.find(field.name);
        if (node == nullptr) continue;
        A2H_TRY(field.read({file, field.name, *node, rules}, rule.when));
        rule.set.push_back({&field, wanted_text(*node)});
    }
    return file.check_keys(when, names, "condition");
}

}  // namespace

Result<Rule> read_rule(const TomlFile& file, const TomlNode& table, RuleSet::Impl& rules) {
    constexpr std::array<std::string_view, 8> kKeys = {
        "id", "when", "action", "ask", "at_listed_price", "holding", "draft", "why"};
    A2H_TRY(file.check_keys(table, kKeys, "field of a rule"));
    Rule rule;
    A2H_ASSIGN_OR_RETURN(auto id, file.text(table, "id"));
    rule.id = id;
    A2H_TRY(read_action(file, table, rule));
    A2H_TRY(read_why(file, table, rule));
    if (const TomlNode* when = table.find("when")) {
        if (when->kind != TomlNode::Kind::Table) {
            return file.error(*when, "when must be a table of conditions");
        }
        A2H_TRY(read_conditions(file, *when, rules, rule));
        // A peer must not be able to find out a limit from the answers to its offers.
        const bool shows = rule.action != Kind::Ask || rule.holding || rule.draft;
        if (!rule.when.mandate.empty() && shows) {
            return file.error(*when->find("mandate"),
                              "mandate is allowed only in rules that ask and have neither holding "
                              "nor draft: the peer would learn the limit");
        }
    }
    return rule;
}

}  // namespace a2h::decide
