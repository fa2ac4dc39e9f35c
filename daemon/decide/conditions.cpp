#include "daemon/decide/conditions.h"

#include <algorithm>
#include <array>

#include "daemon/decide/predicates.h"

namespace a2h::decide {
namespace {

constexpr std::array<std::string_view, 4> kProvenanceNames = {"verified", "vouched", "unverified",
                                                              "forged"};
constexpr std::array<std::string_view, 3> kSourceNames = {"peer", "platform", "owner"};

// ---- How conditions are read ----------------------------------------------------------------

template <auto Member>
Result<void> read_texts(const ConditionSource& source, Conditions& when) {
    A2H_ASSIGN_OR_RETURN(auto values, source.file.texts(source.node, source.key));
    when.*Member = std::move(values);
    return {};
}

/// Names from a closed set, as positions in `names`.
Result<std::vector<std::size_t>> positions(const ConditionSource& source,
                                           std::span<const std::string_view> names) {
    A2H_ASSIGN_OR_RETURN(auto values, source.file.texts(source.node, source.key));
    std::vector<std::size_t> found;
    for (const std::string& value : values) {
        const auto at = std::find(names.begin(), names.end(), value);
        if (at == names.end()) {
            return source.file.error(source.node, std::string(source.key) +
                                                      " has the unknown value " + value +
                                                      did_you_mean(value, names));
        }
        found.push_back(static_cast<std::size_t>(at - names.begin()));
    }
    return found;
}

template <auto Member, auto& Names>
Result<void> read_enums(const ConditionSource& source, Conditions& when) {
    A2H_ASSIGN_OR_RETURN(auto found, positions(source, Names));
    for (const std::size_t position : found) {
        using Value = typename std::remove_reference_t<decltype(when.*Member)>::value_type;
        (when.*Member).push_back(static_cast<Value>(position));
    }
    return {};
}

template <auto Member>
Result<void> read_parts(const ConditionSource& source, Conditions& when) {
    A2H_ASSIGN_OR_RETURN(auto found, positions(source, kPartNames));
    for (const std::size_t position : found)
        when.*Member |= 1U << position;
    return {};
}

template <auto Member>
Result<void> read_lists(const ConditionSource& source, Conditions& when) {
    const auto& lists = source.rules.vocabulary->list_names;
    const std::vector<std::string_view> names(lists.begin(), lists.end());
    A2H_ASSIGN_OR_RETURN(auto found, positions(source, names));
    for (const std::size_t position : found)
        when.*Member |= ListSet{1} << position;
    return {};
}

template <auto Member>
Result<void> read_flag(const ConditionSource& source, Conditions& when) {
    if (source.node.kind != TomlNode::Kind::Flag) {
        return source.file.error(source.node, std::string(source.key) + " must be true or false");
    }
    when.*Member = source.node.flag;
    return {};
}

template <auto Member>
Result<void> read_count(const ConditionSource& source, Conditions& when) {
    const bool is_number = source.node.kind == TomlNode::Kind::Integer;
    if (!is_number || source.node.integer < 1 || source.node.integer > 1'000'000) {
        return source.file.error(
            source.node, std::string(source.key) + " must be a whole number from 1 to 1000000");
    }
    using Count = std::remove_reference_t<decltype(when.*Member)>;
    when.*Member = static_cast<Count>(source.node.integer);
    return {};
}

/// `["a", "b"]` for any text, or `{ en = ["a"], zh = ["b"] }` for texts of one language each.
Result<void> read_phrases(const ConditionSource& source, Conditions& when) {
    constexpr unsigned kAllLanguages = 3;
    Phrases& phrases = source.rules.phrases;
    when.phrases = phrases.new_set();
    const auto add = [&](const TomlNode& node, unsigned languages) -> Result<void> {
        A2H_ASSIGN_OR_RETURN(auto texts, source.file.texts(node, source.key));
        for (const std::string& text : texts) {
            phrases.add(when.phrases, source.rules.vocabulary->lexicon.comparable(text), languages);
        }
        return {};
    };
    if (source.node.kind != TomlNode::Kind::Table) return add(source.node, kAllLanguages);
    A2H_TRY(source.file.check_keys(source.node, kLanguageNames, "language of phrases"));
    for (std::size_t k = 0; k < kLanguageNames.size(); ++k) {
        const TomlNode* node = source.node.find(kLanguageNames[k]);
        if (node != nullptr) A2H_TRY(add(*node, 1U << k));
    }
    return {};
}

Result<void> read_contact(const ConditionSource& source, Conditions& when) {
    source.rules.needs_contact = true;
    return read_enums<&Conditions::contact, kContactStateNames>(source, when);
}

Result<void> read_mandate(const ConditionSource& source, Conditions& when) {
    source.rules.needs_mandates = true;
    return read_enums<&Conditions::mandate, kMandateFitNames>(source, when);
}

// ---- Whether they hold, and what is the case ------------------------------------------------

template <typename Value>
bool has_value(const std::vector<Value>& values, const Value& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

std::string flag(bool value) {
    return value ? "true" : "false";
}

template <typename Value, std::size_t Size>
std::string name_of(Value value, const std::array<std::string_view, Size>& names) {
    return std::string(names.at(static_cast<std::size_t>(value)));
}

/// The names of the bits in `set`, with commas.
template <typename Names>
std::string joined_names(std::uint64_t set, const Names& names) {
    std::string all;
    for (const std::string& name : names_in(set, names)) {
        if (!all.empty()) all += ", ";
        all += name;
    }
    return all;
}

std::string lists_of(const Situation& situation) {
    return joined_names(situation.reading.lists, situation.vocabulary.list_names);
}

using C = Conditions;
using S = Situation;

constexpr std::array<ConditionField, 33> kFields = {{
    {"repeated", read_flag<&C::repeated>,
     [](const C& c, const S& s) { return *c.repeated == (s.input.same_payload_count > 0); },
     [](const S& s) { return flag(s.input.same_payload_count > 0); }},
    {"rounds_at_least", read_count<&C::rounds_at_least>,
     [](const C& c, const S& s) { return s.input.answers_last_day >= c.rounds_at_least; },
     [](const S& s) { return std::to_string(s.input.answers_last_day); }},
    {"per_minute_at_least", read_count<&C::per_minute_at_least>,
     [](const C& c, const S& s) { return s.input.messages_last_minute >= c.per_minute_at_least; },
     [](const S& s) { return std::to_string(s.input.messages_last_minute); }},
    {"has", read_parts<&C::has>, [](const C& c, const S& s) { return (s.parts & c.has) == c.has; },
     [](const S& s) { return joined_names(s.parts, kPartNames); }},
    {"lacks", read_parts<&C::lacks>,
     [](const C& c, const S& s) { return (s.parts & c.lacks) == 0; },
     [](const S& s) { return joined_names(s.parts, kPartNames); }},
    {"says", read_lists<&C::says>,
     [](const C& c, const S& s) { return (s.reading.lists & c.says) != 0; },
     [](const S& s) { return lists_of(s); }},
    {"says_not", read_lists<&C::says_not>,
     [](const C& c, const S& s) { return (s.reading.lists & c.says_not) == 0; },
     [](const S& s) { return lists_of(s); }},
    {"amount", read_enums<&C::amount, kAmountReadingNames>,
     [](const C& c, const S& s) { return has_value(c.amount, s.amount.reading); },
     [](const S& s) { return name_of(s.amount.reading, kAmountReadingNames); }},
    {"mandate", read_mandate,
     [](const C& c, const S& s) { return has_value(c.mandate, mandate_fit(s)); },
     [](const S& s) { return name_of(mandate_fit(s), kMandateFitNames); }},
    {"listing", read_enums<&C::listing, kListingMatchNames>,
     [](const C& c, const S& s) { return has_value(c.listing, s.match); },
     [](const S& s) { return name_of(s.match, kListingMatchNames); }},
    {"provenance", read_enums<&C::provenance, kProvenanceNames>,
     [](const C& c, const S& s) { return has_value(c.provenance, s.input.message.provenance); },
     [](const S& s) { return name_of(s.input.message.provenance, kProvenanceNames); }},
    {"contact", read_contact,
     [](const C& c, const S& s) { return has_value(c.contact, s.input.contact); },
     [](const S& s) { return name_of(s.input.contact, kContactStateNames); }},
    {"source", read_enums<&C::source, kSourceNames>,
     [](const C& c, const S& s) { return has_value(c.source, s.input.message.source); },
     [](const S& s) { return name_of(s.input.message.source, kSourceNames); }},
    {"language", read_enums<&C::language, kLanguageNames>,
     [](const C& c, const S& s) { return has_value(c.language, s.reading.language); },
     [](const S& s) { return name_of(s.reading.language, kLanguageNames); }},
    {"readable", read_flag<&C::readable>,
     [](const C& c, const S& s) { return *c.readable == s.reading.is_readable; },
     [](const S& s) { return flag(s.reading.is_readable); }},
    {"asks_fact", read_flag<&C::asks_fact>,
     [](const C& c, const S& s) { return *c.asks_fact == (s.reading.facts != 0); },
     [](const S& s) { return flag(s.reading.facts != 0); }},
    {"quantity", read_flag<&C::quantity>,
     [](const C& c, const S& s) { return *c.quantity == s.subject.has_unknown_quantity; },
     [](const S& s) { return flag(s.subject.has_unknown_quantity); }},
    {"question", read_flag<&C::question>,
     [](const C& c, const S& s) { return *c.question == s.asks_anything; },
     [](const S& s) { return flag(s.asks_anything); }},
    {"longer_than", read_count<&C::longer_than>,
     [](const C& c, const S& s) { return s.length > c.longer_than; },
     [](const S& s) { return std::to_string(s.length); }},
    {"message_type", read_texts<&C::message_type>,
     [](const C& c, const S& s) { return has_value(c.message_type, s.input.message.message_type); },
     [](const S& s) { return s.input.message.message_type; }},
    {"message_type_not", read_texts<&C::message_type_not>,
     [](const C& c, const S& s) {
         return !has_value(c.message_type_not, s.input.message.message_type);
     },
     [](const S& s) { return s.input.message.message_type; }},
    {"payload_type", read_texts<&C::payload_type>,
     [](const C& c, const S& s) { return has_value(c.payload_type, s.input.payload.type); },
     [](const S& s) { return s.input.payload.type; }},
    {"payload_type_not", read_texts<&C::payload_type_not>,
     [](const C& c, const S& s) { return !has_value(c.payload_type_not, s.input.payload.type); },
     [](const S& s) { return s.input.payload.type; }},
    {"phrases", read_phrases, [](const C& c, const S& s) { return has_phrase_of(s, c.phrases); },
     [](const S&) { return std::string(); }},
    {"says_only", read_lists<&C::says_only>,
     [](const C& c, const S& s) { return says_only(s, c.says_only); },
     [](const S& s) { return lists_of(s); }},
    {"says_mainly", read_lists<&C::says_mainly>,
     [](const C& c, const S& s) { return says_mainly(s, c.says_mainly); },
     [](const S& s) { return lists_of(s); }},
    {"open_question", read_flag<&C::open_question>,
     [](const C& c, const S& s) { return *c.open_question == has_open_question(s); },
     [](const S& s) { return flag(has_open_question(s)); }},
    {"facts_stated", read_flag<&C::facts_stated>,
     [](const C& c, const S& s) { return *c.facts_stated == facts_are_stated(s); },
     [](const S& s) { return flag(facts_are_stated(s)); }},
    {"echo", read_flag<&C::echo>, [](const C& c, const S& s) { return *c.echo == is_echo(s); },
     [](const S& s) { return flag(is_echo(s)); }},
    {"repeats_listing", read_flag<&C::repeats_listing>,
     [](const C& c, const S& s) { return *c.repeats_listing == repeats_listing(s); },
     [](const S& s) { return flag(repeats_listing(s)); }},
    {"tells_only", read_flag<&C::tells_only>,
     [](const C& c, const S& s) { return *c.tells_only == tells_only(s); },
     [](const S& s) { return flag(tells_only(s)); }},
    {"takes_back", read_flag<&C::takes_back>,
     [](const C& c, const S& s) { return *c.takes_back == takes_back(s); },
     [](const S& s) { return flag(takes_back(s)); }},
    {"after_commitment", read_flag<&C::after_commitment>,
     [](const C& c, const S& s) { return *c.after_commitment == is_after_commitment(s); },
     [](const S& s) { return flag(is_after_commitment(s)); }},
}};

}  // namespace

std::span<const ConditionField> condition_fields() {
    return kFields;
}

}  // namespace a2h::decide
