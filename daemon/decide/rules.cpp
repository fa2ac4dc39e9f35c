#include "daemon/decide/rules.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "core/wire/crypto.h"
#include "daemon/decide/playbook.h"
#include "daemon/decide/rules_parts.h"
#include "daemon/reading/read_vocabulary.h"
#include "embedded/playbooks.h"

namespace a2h::decide {
namespace {

constexpr std::string_view kOurFileName = "rules.toml";

/// All `[[rule]]` sections of a file; empty if there are none.
Result<std::vector<Rule>> read_rules(const TomlFile& file, const TomlNode& root,
                                     RuleSet::Impl& out) {
    std::vector<Rule> rules;
    const TomlNode* nodes = root.find("rule");
    if (nodes == nullptr) return rules;
    if (nodes->kind != TomlNode::Kind::List) {
        return file.error(*nodes, "rule must be [[rule]] sections");
    }
    for (const TomlNode& node : nodes->items) {
        if (node.kind != TomlNode::Kind::Table) {
            return file.error(node, "rule must be [[rule]] sections");
        }
        A2H_ASSIGN_OR_RETURN(auto rule, read_rule(file, node, out));
        const bool is_twice = std::any_of(
            rules.begin(), rules.end(), [&](const Rule& earlier) { return earlier.id == rule.id; });
        if (is_twice) return file.error(node, "rule " + rule.id + " occurs twice");
        rules.push_back(std::move(rule));
    }
    return rules;
}

Result<void> read_all(const TomlFile& file, const TomlNode& root, RuleSet::Impl& out) {
    constexpr std::array<std::string_view, 2> kKeys = {"version", "rule"};
    A2H_TRY(file.check_keys(root, kKeys, "section"));
    A2H_TRY(check_version(file, root));
    A2H_ASSIGN_OR_RETURN(auto rules, read_rules(file, root, out));
    if (rules.empty()) return file.error(root, "no [[rule]] is given");
    out.rules = std::move(rules);
    return {};
}

std::vector<Rule>::iterator rule_named(std::vector<Rule>& rules, std::string_view id) {
    return std::find_if(rules.begin(), rules.end(),
                        [&](const Rule& rule) { return rule.id == id; });
}

/// Removes the rules that `off` names.
Result<void> switch_off(const TomlFile& file, const TomlNode& root, std::vector<Rule>& ours) {
    const TomlNode* off = root.find("off");
    if (off == nullptr) return {};
    A2H_ASSIGN_OR_RETURN(auto ids, file.texts(*off, "off"));
    for (const std::string& id : ids) {
        const auto rule = rule_named(ours, id);
        if (rule == ours.end()) {
            std::vector<std::string_view> known;
            for (const Rule& candidate : ours)
                known.push_back(candidate.id);
            return file.error(
                *off, "off names an unknown built-in rule: " + id + did_you_mean(id, known));
        }
        ours.erase(rule);
    }
    return {};
}

/// Equal only for equal texts.
std::string version_of(std::string_view below, std::string_view above) {
    constexpr std::size_t kDigits = 16;
    const std::string all = wire::sha256_hex(below) + wire::sha256_hex(above);
    return wire::sha256_hex(all).substr(0, kDigits);
}

/// Built-in rules that ignore only what leaves nothing open; `core/store/open_matter_store` relies
/// on their names.
constexpr std::array<std::string_view, 9> kLeaveNothingOpen = {
    "courtesy",         "courtesy.automatic", "courtesy.closing",
    "courtesy.leaving", "courtesy.repeated",  "message.holding",
    "message.empty",    "message.echo",       "message.repeated"};

/// The name under which an owner's rule decides, which may ignore anything.
std::string name_of_owners(const std::string& id) {
    const bool is_taken = std::find(kLeaveNothingOpen.begin(), kLeaveNothingOpen.end(), id) !=
                          kLeaveNothingOpen.end();
    return is_taken ? "own." + id : id;
}

/// Applies an owner's file to our rules in `out`.
Result<void> put_over(const TomlFile& file, const TomlNode& root, std::string_view text,
                      RuleSet::Impl& out) {
    constexpr std::array<std::string_view, 5> kKeys = {"version", "off", "same", "words", "rule"};
    A2H_TRY(file.check_keys(root, kKeys, "section"));
    A2H_TRY(check_version(file, root));
    if (root.find("same") != nullptr || root.find("words") != nullptr) {
        auto words = std::make_shared<Vocabulary>(*out.vocabulary);
        A2H_TRY(extend_vocabulary(file, root, *words));
        words->version = version_of(words->version, text);
        out.vocabulary = std::move(words);
    }
    A2H_ASSIGN_OR_RETURN(auto owners, read_rules(file, root, out));
    if (owners.size() > RuleSet::kOwnersRulesMax) {
        return fail(ErrorCode::ResourceExhausted, "more than 5000 rules");
    }
    std::vector<Rule> first;
    std::vector<Rule>& ours = out.rules;
    A2H_TRY(switch_off(file, root, ours));
    for (Rule& rule : owners) {
        rule.is_owners = true;
        const auto replaced = rule_named(ours, rule.id);
        rule.id = name_of_owners(rule.id);
        if (replaced == ours.end()) {
            first.push_back(std::move(rule));
        } else {
            *replaced = std::move(rule);
        }
    }
    ours.insert(ours.begin(), std::make_move_iterator(first.begin()),
                std::make_move_iterator(first.end()));
    return {};
}

std::string_view our_text() {
    return embedded::playbooks(kOurFileName).value_or("");
}

}  // namespace

RuleSet::RuleSet(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RuleSet::~RuleSet() = default;
RuleSet::RuleSet(RuleSet&&) noexcept = default;
RuleSet& RuleSet::operator=(RuleSet&&) noexcept = default;

const std::string& RuleSet::version() const {
    return impl_->version;
}

const Vocabulary& RuleSet::words() const {
    return *impl_->vocabulary;
}

std::size_t RuleSet::rule_count() const {
    return impl_->rules.size();
}

std::size_t RuleSet::owners_rule_count() const {
    const auto& rules = impl_->rules;
    return static_cast<std::size_t>(
        std::count_if(rules.begin(), rules.end(), [](const Rule& rule) { return rule.is_owners; }));
}

bool RuleSet::needs_mandates() const {
    return impl_->needs_mandates;
}

bool RuleSet::needs_contact() const {
    return impl_->needs_contact;
}

Result<RuleSet> RuleSet::parse(std::string_view toml, std::string_view file_name,
                               const Trades& trades) {
    const TomlFile file(file_name);
    A2H_ASSIGN_OR_RETURN(const auto root, file.parse(toml));
    auto impl = std::make_unique<Impl>();
    A2H_ASSIGN_OR_RETURN(impl->vocabulary, words_of(trades));
    A2H_TRY(read_all(file, root, *impl));
    impl->version = version_of(impl->vocabulary->version, toml);
    return RuleSet(std::move(impl));
}

Result<RuleSet> RuleSet::with_owners(std::string_view toml, std::string_view file_name,
                                     const Trades& trades) {
    const TomlFile file(file_name);
    A2H_ASSIGN_OR_RETURN(const auto root, file.parse(toml));
    A2H_ASSIGN_OR_RETURN(auto rules, parse(our_text(), kOurFileName, trades));
    A2H_TRY(put_over(file, root, toml, *rules.impl_));
    rules.impl_->version = version_of(rules.impl_->version, toml);
    return rules;
}

Result<RuleSet> RuleSet::load(const std::filesystem::path& owners_file, const Trades& trades) {
    std::error_code error;
    if (!std::filesystem::exists(owners_file, error))
        return parse(our_text(), kOurFileName, trades);
    std::ifstream in(owners_file, std::ios::binary);
    std::string text(kOwnersFileBytesMax + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad() || !in.eof() || in.gcount() > static_cast<std::streamsize>(kOwnersFileBytesMax)) {
        const bool is_large = in.gcount() > static_cast<std::streamsize>(kOwnersFileBytesMax);
        return fail(
            is_large ? ErrorCode::ResourceExhausted : ErrorCode::Unavailable,
            owners_file.string() + (is_large ? " is larger than 1 MiB" : " cannot be read"));
    }
    text.resize(static_cast<std::size_t>(in.gcount()));
    return with_owners(text, owners_file.string(), trades);
}

}  // namespace a2h::decide
