#include "daemon/decide/rules.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <span>

#include "core/base/text.h"
#include "daemon/decide/playbook.h"
#include "embedded/playbooks.h"

namespace a2h::decide {
namespace {

constexpr std::int64_t kPlaybookVersion = 1;
constexpr std::array<std::string_view, 4> kActionNames = {"silent", "answer", "ask", "draft"};
constexpr std::array<std::string_view, 4> kProvenanceNames = {"verified", "vouched", "unverified",
                                                              "forged"};
constexpr std::array<std::string_view, 3> kSourceNames = {"peer", "platform", "owner"};

struct KnownListName {
    std::string_view name;
    ListSet KnownLists::*member;
};
constexpr std::array<KnownListName, 27> kKnownLists = {{
    {"filler", &KnownLists::filler},
    {"question", &KnownLists::question},
    {"claim", &KnownLists::claim},
    {"offer", &KnownLists::offer},
    {"haggle", &KnownLists::haggle},
    {"deal", &KnownLists::deal},
    {"assent", &KnownLists::assent},
    {"promise", &KnownLists::promise},
    {"payment", &KnownLists::payment},
    {"paid", &KnownLists::paid},
    {"delivered", &KnownLists::delivered},
    {"terms", &KnownLists::terms},
    {"approximate", &KnownLists::approximate},
    {"spelled_amount", &KnownLists::spelled_amount},
    {"link", &KnownLists::link},
    {"first_person", &KnownLists::first_person},
    {"counter_offer", &KnownLists::counter_offer},
    {"limit", &KnownLists::limit},
    {"particular", &KnownLists::particular},
    {"context", &KnownLists::context},
    {"outside", &KnownLists::outside},
    {"plain", &KnownLists::plain},
    {"request", &KnownLists::request},
    {"holding", &KnownLists::holding},
    {"closing", &KnownLists::closing},
    {"leaving", &KnownLists::leaving},
    {"receipt", &KnownLists::receipt},
}};

std::string nearest(std::string_view name, std::span<const std::string_view> known) {
    std::string_view best;
    std::size_t best_distance = 4;
    for (const std::string_view candidate : known) {
        const std::size_t distance = edit_distance(name, candidate);
        if (distance >= best_distance) continue;
        best_distance = distance;
        best = candidate;
    }
    return best.empty() ? std::string() : "; did you mean " + std::string(best) + "?";
}

/// Reads one file. Members that return Result fail with file, line and field.
class Parser {
  public:
    Parser(std::string_view file_name, RuleSet::Impl& out) : file_name_(file_name), out_(out) {}

    Result<void> read(const toml::table& root) {
        constexpr std::array<std::string_view, 10> kKeys = {
            "version",  "variants",    "currency", "measures", "units",
            "numerals", "plain_offer", "same",     "words",    "rule"};
        A2H_TRY(check_keys(root, kKeys, "section"));
        if (root["version"].value_exact<std::int64_t>() != kPlaybookVersion) {
            return error(root, "version must be 1");
        }
        A2H_TRY(read_variants(root));
        A2H_TRY(read_money(root));
        A2H_TRY(read_units(root));
        A2H_TRY(read_same(root));
        A2H_TRY(read_words(root));
        return read_rules(root);
    }

    Unexpected error(const toml::node& node, const std::string& message) const {
        return fail(ErrorCode::InvalidArgument, std::string(file_name_) + ":" +
                                                    std::to_string(node.source().begin.line) +
                                                    ": " + message);
    }

  private:
    Result<void> check_keys(const toml::table& table, std::span<const std::string_view> known,
                            const std::string& what) const {
        for (const auto& [key, node] : table) {
            if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
            return error(
                node, "unknown " + what + " " + std::string(key.str()) + nearest(key.str(), known));
        }
        return {};
    }

    Result<std::string> text(const toml::table& table, std::string_view key) const {
        const toml::node* node = table.get(key);
        if (node == nullptr) return error(table, std::string(key) + " is missing");
        const auto value = node->value_exact<std::string>();
        if (!value || value->empty()) return error(*node, std::string(key) + " must be text");
        return *value;
    }

    /// A list of words; a single word may stand without brackets.
    Result<std::vector<std::string>> texts(const toml::node& node, std::string_view key) const {
        std::vector<std::string> values;
        if (const auto single = node.value_exact<std::string>()) return std::vector{*single};
        const toml::array* array = node.as_array();
        if (array == nullptr) return error(node, std::string(key) + " must be a list of texts");
        for (const toml::node& element : *array) {
            const auto value = element.value_exact<std::string>();
            if (!value || trim(*value).empty()) {
                return error(element, std::string(key) + " must hold texts that are not empty");
            }
            values.push_back(*value);
        }
        return values;
    }

    Result<void> read_variants(const toml::table& root) {
        const toml::table* table = root["variants"].as_table();
        if (table == nullptr) return {};
        constexpr std::array<std::string_view, 2> kKeys = {"from", "to"};
        A2H_TRY(check_keys(*table, kKeys, "field of variants"));
        const auto from = text(*table, "from");
        const auto to = text(*table, "to");
        if (!from) return fail(from.error());
        if (!to) return fail(to.error());
        if (code_point_count(*from) != code_point_count(*to)) {
            return error(*table, "variants.from and variants.to differ in length");
        }
        std::size_t k = 0;
        for (std::size_t i = 0; i < from->size(); i += code_point_length(*from, i)) {
            const std::size_t length = code_point_length(*to, k);
            out_.lexicon.add_variant(code_point_at(*from, i), to->substr(k, length));
            k += length;
        }
        return {};
    }

    Result<void> read_money(const toml::table& root) {
        if (const toml::table* currencies = root["currency"].as_table()) {
            if (currencies->size() > kWordListsMax)
                return error(*currencies, "too many currencies");
            for (const auto& [code, node] : *currencies) {
                if (!is_currency_code(code.str())) {
                    return error(node, "currency." + std::string(code.str()) +
                                           " must be three capital letters");
                }
                auto words = texts(node, code.str());
                if (!words) return fail(std::move(words).error());
                for (const std::string& word : *words) {
                    out_.money.add_currency(out_.lexicon.comparable(word), code.str());
                }
            }
        }
        if (const toml::node* node = root.get("measures")) {
            auto words = texts(*node, "measures");
            if (!words) return fail(std::move(words).error());
            for (const std::string& word : *words) {
                out_.money.add_measure(out_.lexicon.comparable(word));
            }
        }
        if (const toml::node* node = root.get("plain_offer")) {
            auto words = texts(*node, "plain_offer");
            if (!words) return fail(std::move(words).error());
            for (const std::string& word : *words) {
                out_.plain_offer.add(out_.lexicon.comparable(word), 1);
            }
        }
        return {};
    }

    Result<void> read_units(const toml::table& root) {
        constexpr std::size_t kUnitsMax = 63;  // bit 0 means any measure
        const toml::table* units = root["units"].as_table();
        if (units != nullptr && units->size() > kUnitsMax) return error(*units, "too many units");
        ListSet unit = 1;
        for (const auto& [name, node] : units == nullptr ? toml::table() : *units) {
            unit <<= 1;
            auto words = texts(node, "units." + std::string(name.str()));
            if (!words) return fail(std::move(words).error());
            for (const std::string& word : *words) {
                out_.money.add_unit(out_.lexicon.comparable(word), unit);
            }
        }
        const toml::table* numerals = root["numerals"].as_table();
        for (const auto& [word, node] : numerals == nullptr ? toml::table() : *numerals) {
            const auto value = node.value_exact<std::int64_t>();
            if (!value || *value < 1 || *value > 1'000'000) {
                return error(node, "numerals." + std::string(word.str()) +
                                       " must be a whole number from 1 to 1000000");
            }
            out_.money.add_numeral(word.str(), static_cast<unsigned>(*value));
        }
        return {};
    }

    Result<void> read_same(const toml::table& root) {
        const toml::node* node = root.get("same");
        if (node == nullptr) return {};
        const toml::array* groups = node->as_array();
        if (groups == nullptr) return error(*node, "same must be a list of lists of texts");
        ListSet number = 0;
        for (const toml::node& group : *groups) {
            ++number;
            auto words = texts(group, "same");
            if (!words) return fail(std::move(words).error());
            for (const std::string& word : *words) {
                const std::string comparable = out_.lexicon.comparable(word);
                const WordMatch earlier = out_.topics.longest_at(comparable, 0);
                if (earlier.end == comparable.size() && earlier.lists != 0) {
                    return error(group, "same has " + word + " twice");
                }
                out_.topics.add(comparable, number);
            }
        }
        return {};
    }

    Result<void> read_words(const toml::table& root) {
        const toml::table* lists = root["words"].as_table();
        if (lists == nullptr) return error(root, "section words is missing");
        if (lists->size() > kWordListsMax) return error(*lists, "more than 64 lists of words");
        for (const auto& [name, node] : *lists) {
            const toml::table* list = node.as_table();
            if (list == nullptr) {
                return error(node, "words." + std::string(name.str()) + " must be a section");
            }
            A2H_TRY(read_word_list(std::string(name.str()), *list));
        }
        for (const KnownListName& known : kKnownLists) {
            const auto set = list_set(known.name);
            if (set == 0) return error(*lists, "words." + std::string(known.name) + " is missing");
            out_.known.*known.member = set;
        }
        return {};
    }

    Result<void> read_word_list(const std::string& name, const toml::table& list) {
        constexpr std::array<std::string_view, 4> kKeys = {"en", "zh", "fact", "stated_by"};
        A2H_TRY(check_keys(list, kKeys, "field of words." + name));
        const ListSet set = ListSet{1} << out_.list_names.size();
        out_.list_names.push_back(name);
        out_.list_facts.push_back(0);
        if (const toml::node* fact = list.get("fact")) {
            const auto value = fact->value_exact<std::string>().value_or("");
            const auto found = std::find(kFactNames.begin(), kFactNames.end(), value);
            if (found == kFactNames.end()) {
                return error(*fact, "unknown fact " + value + nearest(value, kFactNames));
            }
            out_.list_facts.back() = 1U << (found - kFactNames.begin());
        }
        if (const toml::node* node = list.get("stated_by")) {
            auto words = texts(*node, "words." + name + ".stated_by");
            if (!words) return fail(std::move(words).error());
            for (const std::string& word : *words) {
                out_.evidence.add(out_.lexicon.comparable(word), set);
            }
            out_.needs_evidence |= set;
        }
        for (const std::string_view language : {"en", "zh"}) {
            const toml::node* node = list.get(language);
            if (node == nullptr) continue;
            auto words = texts(*node, "words." + name + "." + std::string(language));
            if (!words) return fail(std::move(words).error());
            for (const std::string& word : *words) {
                const std::string comparable = out_.lexicon.comparable(word);
                out_.lexicon.add(comparable, set);
                if (out_.list_facts.back() != 0) out_.spelling.add(comparable);
            }
        }
        return {};
    }

    ListSet list_set(std::string_view name) const {
        const auto found = std::find(out_.list_names.begin(), out_.list_names.end(), name);
        if (found == out_.list_names.end()) return 0;
        return ListSet{1} << (found - out_.list_names.begin());
    }

    Result<void> read_rules(const toml::table& root) {
        const toml::array* rules = root["rule"].as_array();
        if (rules == nullptr || rules->empty()) return error(root, "no [[rule]] is given");
        for (const toml::node& node : *rules) {
            const toml::table* table = node.as_table();
            if (table == nullptr) return error(node, "rule must be [[rule]] sections");
            A2H_TRY(read_rule(*table));
        }
        return {};
    }

    Result<void> read_rule(const toml::table& table) {
        constexpr std::array<std::string_view, 7> kKeys = {
            "id", "when", "action", "ask", "at_listed_price", "holding", "why"};
        A2H_TRY(check_keys(table, kKeys, "field of a rule"));
        Rule rule;
        auto id = text(table, "id");
        if (!id) return fail(std::move(id).error());
        rule.id = *id;
        for (const Rule& earlier : out_.rules) {
            if (earlier.id == rule.id) return error(table, "rule " + rule.id + " is there twice");
        }
        A2H_TRY(read_action(table, rule));
        A2H_TRY(read_why(table, rule));
        if (const toml::node* when = table.get("when")) {
            const toml::table* conditions = when->as_table();
            if (conditions == nullptr) return error(*when, "when must be a table of conditions");
            for (const auto& [key, node] : *conditions) {
                A2H_TRY(read_condition(rule.when, key.str(), node));
            }
        }
        out_.rules.push_back(std::move(rule));
        return {};
    }

    Result<void> read_action(const toml::table& table, Rule& rule) {
        auto action = text(table, "action");
        if (!action) return fail(std::move(action).error());
        const auto found = std::find(kActionNames.begin(), kActionNames.end(), *action);
        if (found == kActionNames.end()) {
            return error(*table.get("action"),
                         "unknown action " + *action + nearest(*action, kActionNames));
        }
        rule.action = static_cast<Kind>(found - kActionNames.begin());
        A2H_TRY(read_rule_flag(table, "holding", rule.holding));
        A2H_TRY(read_rule_flag(table, "at_listed_price", rule.at_listed_price));
        if (rule.action != Kind::Ask) return {};
        auto topic = text(table, "ask");
        if (!topic) return fail(std::move(topic).error());
        rule.topic = *topic;
        if (!i18n::has_key(i18n::Language::English, "decide." + rule.topic + ".question")) {
            return error(*table.get("ask"), "ask names no known topic: " + rule.topic);
        }
        return {};
    }

    Result<void> read_rule_flag(const toml::table& table, std::string_view key, bool& flag) const {
        const toml::node* node = table.get(key);
        if (node == nullptr) return {};
        const auto value = node->value_exact<bool>();
        if (!value) return error(*node, std::string(key) + " must be true or false");
        flag = *value;
        return {};
    }

    Result<void> read_why(const toml::table& table, Rule& rule) {
        const toml::node* node = table.get("why");
        if (node == nullptr) return error(table, "why is missing");
        if (const toml::table* words = node->as_table()) {
            constexpr std::array<std::string_view, 2> kKeys = {"en", "zh"};
            A2H_TRY(check_keys(*words, kKeys, "field of why"));
            auto en = text(*words, "en");
            auto zh = text(*words, "zh");
            if (!en) return fail(std::move(en).error());
            if (!zh) return fail(std::move(zh).error());
            rule.why.en = *en;
            rule.why.zh = *zh;
            return {};
        }
        auto key = text(table, "why");
        if (!key) return fail(std::move(key).error());
        if (!i18n::has_key(i18n::Language::English, *key)) {
            return error(*node, "why names no known text: " + *key);
        }
        rule.why.key = *key;
        return {};
    }

    using Read = Result<void> (Parser::*)(Conditions&, std::string_view, const toml::node&) const;
    struct ConditionField {
        std::string_view name;
        Read read;
    };

    Result<void> read_condition(Conditions& when, std::string_view key,
                                const toml::node& node) const;

    template <auto Member>
    Result<void> read_texts(Conditions& when, std::string_view key, const toml::node& node) const {
        auto values = texts(node, key);
        if (!values) return fail(std::move(values).error());
        when.*Member = std::move(*values);
        return {};
    }

    /// Names out of a closed set, by position in `names`.
    Result<std::vector<std::size_t>> positions(std::string_view key, const toml::node& node,
                                               std::span<const std::string_view> names) const {
        auto values = texts(node, key);
        if (!values) return fail(std::move(values).error());
        std::vector<std::size_t> found;
        for (const std::string& value : *values) {
            const auto at = std::find(names.begin(), names.end(), value);
            if (at == names.end()) {
                return error(node,
                             std::string(key) + " does not know " + value + nearest(value, names));
            }
            found.push_back(static_cast<std::size_t>(at - names.begin()));
        }
        return found;
    }

    template <auto Member, auto& Names>
    Result<void> read_enums(Conditions& when, std::string_view key, const toml::node& node) const {
        auto found = positions(key, node, Names);
        if (!found) return fail(std::move(found).error());
        for (const std::size_t position : *found) {
            using Value = typename std::remove_reference_t<decltype(when.*Member)>::value_type;
            (when.*Member).push_back(static_cast<Value>(position));
        }
        return {};
    }

    template <auto Member>
    Result<void> read_parts(Conditions& when, std::string_view key, const toml::node& node) const {
        auto found = positions(key, node, kPartNames);
        if (!found) return fail(std::move(found).error());
        for (const std::size_t position : *found) {
            when.*Member |= 1U << position;
        }
        return {};
    }

    template <auto Member>
    Result<void> read_lists(Conditions& when, std::string_view key, const toml::node& node) const {
        const std::vector<std::string_view> names(out_.list_names.begin(), out_.list_names.end());
        auto found = positions(key, node, names);
        if (!found) return fail(std::move(found).error());
        for (const std::size_t position : *found) {
            when.*Member |= ListSet{1} << position;
        }
        return {};
    }

    template <auto Member>
    Result<void> read_flag(Conditions& when, std::string_view key, const toml::node& node) const {
        const auto value = node.value_exact<bool>();
        if (!value) return error(node, std::string(key) + " must be true or false");
        when.*Member = *value;
        return {};
    }

    template <auto Member>
    Result<void> read_count(Conditions& when, std::string_view key, const toml::node& node) const {
        const auto value = node.value_exact<std::int64_t>();
        if (!value || *value < 1 || *value > 1'000'000) {
            return error(node, std::string(key) + " must be a whole number from 1 to 1000000");
        }
        using Count = std::remove_reference_t<decltype(when.*Member)>;
        when.*Member = static_cast<Count>(*value);
        return {};
    }

    std::string_view file_name_;
    RuleSet::Impl& out_;
};

Result<void> Parser::read_condition(Conditions& when, std::string_view key,
                                    const toml::node& node) const {
    using C = Conditions;
    static constexpr std::array<ConditionField, 26> kFields = {{
        {"message_type", &Parser::read_texts<&C::message_type>},
        {"message_type_not", &Parser::read_texts<&C::message_type_not>},
        {"payload_type", &Parser::read_texts<&C::payload_type>},
        {"payload_type_not", &Parser::read_texts<&C::payload_type_not>},
        {"provenance", &Parser::read_enums<&C::provenance, kProvenanceNames>},
        {"source", &Parser::read_enums<&C::source, kSourceNames>},
        {"listing", &Parser::read_enums<&C::listing, kListingMatchNames>},
        {"amount", &Parser::read_enums<&C::amount, kAmountReadingNames>},
        {"has", &Parser::read_parts<&C::has>},
        {"lacks", &Parser::read_parts<&C::lacks>},
        {"says", &Parser::read_lists<&C::says>},
        {"says_not", &Parser::read_lists<&C::says_not>},
        {"says_only", &Parser::read_lists<&C::says_only>},
        {"says_mainly", &Parser::read_lists<&C::says_mainly>},
        {"repeated", &Parser::read_flag<&C::repeated>},
        {"asks_fact", &Parser::read_flag<&C::asks_fact>},
        {"facts_stated", &Parser::read_flag<&C::facts_stated>},
        {"open_question", &Parser::read_flag<&C::open_question>},
        {"quantity", &Parser::read_flag<&C::quantity>},
        {"after_commitment", &Parser::read_flag<&C::after_commitment>},
        {"readable", &Parser::read_flag<&C::readable>},
        {"question", &Parser::read_flag<&C::question>},
        {"echo", &Parser::read_flag<&C::echo>},
        {"rounds_at_least", &Parser::read_count<&C::rounds_at_least>},
        {"per_minute_at_least", &Parser::read_count<&C::per_minute_at_least>},
        {"longer_than", &Parser::read_count<&C::longer_than>},
    }};
    std::vector<std::string_view> names;
    for (const ConditionField& field : kFields) {
        if (field.name == key) return (this->*field.read)(when, key, node);
        names.push_back(field.name);
    }
    return error(node, "unknown condition " + std::string(key) + nearest(key, names));
}

}  // namespace

RuleSet::RuleSet(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RuleSet::~RuleSet() = default;
RuleSet::RuleSet(RuleSet&&) noexcept = default;
RuleSet& RuleSet::operator=(RuleSet&&) noexcept = default;

Result<RuleSet> RuleSet::parse(std::string_view toml, std::string_view file_name) {
    try {
        const toml::table root = toml::parse(toml, file_name);
        auto impl = std::make_unique<Impl>();
        A2H_TRY(Parser(file_name, *impl).read(root));
        return RuleSet(std::move(impl));
    } catch (const toml::parse_error& error) {
        return fail(ErrorCode::InvalidArgument, std::string(file_name) + ":" +
                                                    std::to_string(error.source().begin.line) +
                                                    ": " + std::string(error.description()));
    }
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
