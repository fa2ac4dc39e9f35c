#include "daemon/decide/rules.h"

#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "daemon/decide/playbook.h"
#include "daemon/decide/rules_parts.h"
#include "embedded/playbooks.h"

namespace a2h::decide {
namespace {

constexpr std::int64_t kPlaybookVersion = 1;

Result<void> read_rules(const TomlFile& file, const TomlNode& root, RuleSet::Impl& out) {
    const TomlNode* rules = root.find("rule");
    if (rules == nullptr || rules->items.empty()) return file.error(root, "no [[rule]] is given");
    for (const TomlNode& node : rules->items) {
        if (node.kind != TomlNode::Kind::Table) {
            return file.error(node, "rule must be [[rule]] sections");
        }
        auto rule = read_rule(file, node, out);
        if (!rule) return fail(std::move(rule).error());
        for (const Rule& earlier : out.rules) {
            if (earlier.id == rule->id) {
                return file.error(node, "rule " + rule->id + " is there twice");
            }
        }
        out.rules.push_back(std::move(*rule));
    }
    return {};
}

Result<void> read_all(const TomlFile& file, const TomlNode& root, RuleSet::Impl& out) {
    constexpr std::array<std::string_view, 10> kKeys = {
        "version",  "variants",    "currency", "measures", "units",
        "numerals", "plain_offer", "same",     "words",    "rule"};
    A2H_TRY(file.check_keys(root, kKeys, "section"));
    const TomlNode* version = root.find("version");
    if (version == nullptr || version->kind != TomlNode::Kind::Integer ||
        version->integer != kPlaybookVersion) {
        return file.error(root, "version must be 1");
    }
    A2H_TRY(read_vocabulary(file, root, out));
    return read_rules(file, root, out);
}

}  // namespace

RuleSet::RuleSet(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RuleSet::~RuleSet() = default;
RuleSet::RuleSet(RuleSet&&) noexcept = default;
RuleSet& RuleSet::operator=(RuleSet&&) noexcept = default;

Result<RuleSet> RuleSet::parse(std::string_view toml, std::string_view file_name) {
    const TomlFile file(file_name);
    const auto root = file.parse(toml);
    if (!root) return fail(root.error());
    auto impl = std::make_unique<Impl>();
    A2H_TRY(read_all(file, *root, *impl));
    return RuleSet(std::move(impl));
}

const RuleSet& built_in_rules() {
    static const RuleSet rules = [] {
        constexpr std::string_view kFileName = "rules.toml";
        auto parsed = RuleSet::parse(embedded::playbooks(kFileName).value_or(""), kFileName);
        A2H_CHECK(parsed.has_value());
        return std::move(parsed).value();
    }();
    return rules;
}

}  // namespace a2h::decide
