#include "daemon/decide/conditions.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace a2h::decide {
namespace {

constexpr std::array<std::string_view, 4> kProvenanceNames = {"verified", "vouched", "unverified",
                                                              "forged"};
constexpr std::array<std::string_view, 3> kSourceNames = {"peer", "platform", "owner"};
constexpr std::size_t kEntriesRead = 6;  // looked at for our last message

/// Asks something besides facts: by its words, or by its mark about something unknown.
bool is_open_question(const Situation& situation, const Clause& clause) {
    const Reading& reading = situation.reading;
    if (!clause.is_question || clause.facts != 0) return false;
    const KnownLists& known = situation.playbook.known;
    const bool goes_with_a_fact = std::any_of(
        reading.clauses.begin(), reading.clauses.end(),
        [&](const Clause& other) { return other.sentence == clause.sentence && other.facts != 0; });
    // "Could you tell me, please, how much it is?" asks once.
    const bool says_nothing = unknown_words(reading, clause).empty();
    if ((clause.lists & known.question) != 0) {
        return (clause.lists & known.particular) != 0 || !says_nothing || !goes_with_a_fact;
    }
    return !says_nothing && !goes_with_a_fact;
}

bool asks_anything(const Reading& reading) {
    return std::any_of(reading.clauses.begin(), reading.clauses.end(),
                       [](const Clause& clause) { return clause.is_question; });
}

bool has_open_question(const Situation& situation) {
    const auto& clauses = situation.reading.clauses;
    const bool is_outside = (situation.reading.lists & situation.playbook.known.outside) != 0;
    return situation.subject.has_unknown_words || is_outside ||
           std::any_of(clauses.begin(), clauses.end(),
                       [&](const Clause& clause) { return is_open_question(situation, clause); });
}

/// A number that is not itself a word of `lists`, as 88 is a farewell; alone it is a number.
bool has_number_beside(const Reading& reading, ListSet lists) {
    if (!reading.numbers.empty() && reading.words.size() < 2) return true;
    return std::any_of(
        reading.numbers.begin(), reading.numbers.end(), [&](const NumberMention& number) {
            return std::none_of(reading.words.begin(), reading.words.end(),
                                [&](const WordMatch& word) {
                                    return (word.lists & lists) != 0 &&
                                           word.begin <= number.begin && number.end <= word.end;
                                });
        });
}

/// No word of `clause` that the rules know belongs to other lists alone.
bool has_only_words_of(const Reading& reading, const Clause& clause, ListSet lists) {
    return std::all_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
        const bool is_here = word.begin < clause.end && word.end > clause.begin;
        return !is_here || (word.lists & lists) != 0;
    });
}

/// Only words of `lists` and fillers, or nothing but emoji and full stops. Who takes leave or
/// reports that something arrived may name what the listings are about.
bool says_only(const Situation& situation, ListSet lists) {
    const Reading& reading = situation.reading;
    const KnownLists& known = situation.playbook.known;
    if (situation.is_cut || has_number_beside(reading, lists)) return false;
    const bool says_any = (reading.lists & lists) != 0;
    const ListSet allowed = says_any ? lists | known.filler : 0;
    const bool may_name_listing = (reading.lists & lists & (known.leaving | known.receipt)) != 0;
    return std::all_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        const bool is_bare_mark = clause.ends_with_mark && (clause.lists & lists) == 0;
        if (is_bare_mark) return false;
        if (is_covered_by(reading, clause, allowed)) return true;
        return may_name_listing && !situation.subject.has_unknown_statement &&
               has_only_words_of(reading, clause, allowed | known.plain);
    });
}

/// "Thanks for clearing that up": a word that sets the tone of a clause carries those that nobody
/// knows, while any word that means something else to the rules does not belong there.
bool says_mainly(const Situation& situation, ListSet lists) {
    const Reading& reading = situation.reading;
    const KnownLists& known = situation.playbook.known;
    if (situation.is_cut || has_number_beside(reading, lists)) return false;
    const ListSet plain = lists | known.assent | known.filler | known.plain | known.context |
                          known.first_person | known.promise | known.holding | known.counter_offer;
    return std::all_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        if (!has_only_words_of(reading, clause, plain)) return false;
        return (clause.lists & lists) != 0 ||
               is_covered_by(reading, clause, known.filler | known.plain | known.assent);
    });
}

/// A text of ours to which a mere "ok" would agree: it asks something or goes beyond the listings.
/// "Anything else?" and "I will get back to you" do neither.
bool binds(std::string_view text, const Situation& situation) {
    const KnownLists& known = situation.playbook.known;
    const Reading reading = read_text(text, situation.playbook);
    const bool asked =
        std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
            return clause.is_question && (clause.lists & known.closing) == 0;
        });
    if (asked) return true;
    constexpr ListSet kNone = 0;
    const bool is_harmless =
        (reading.lists & (known.closing | known.holding)) != kNone && reading.numbers.empty() &&
        (reading.lists & (known.deal | known.haggle | known.payment | known.paid | known.terms |
                          known.delivered | known.spelled_amount)) == kNone;
    return !is_harmless && !review_text(text, situation.input.listings).free;
}

/// Our last message went beyond the listings or asked something, so that a mere "ok" agrees to it.
bool is_after_commitment(const Situation& situation) {
    const auto& recent = situation.input.recent;
    const auto end =
        recent.begin() + static_cast<std::ptrdiff_t>(std::min(recent.size(), kEntriesRead));
    const auto ours =
        std::find_if(recent.begin(), end, [](const auto& entry) { return !entry.incoming; });
    if (ours == end) return false;
    return binds(wire::view_payload(ours->payload_json).text, situation);
}

/// The peer's words are the last that we sent: two programs that copy each other. Short ones and
/// those that bound us to something may be meant.
bool is_echo(const Situation& situation) {
    constexpr std::size_t kEchoBytesMin = 16;
    const auto& recent = situation.input.recent;
    const auto ours = std::find_if(recent.begin(), recent.end(),
                                   [](const auto& entry) { return !entry.incoming; });
    const std::string_view said = trim(situation.input.payload.text);
    if (ours == recent.end() || said.size() < kEchoBytesMin) return false;
    const std::string text = wire::view_payload(ours->payload_json).text;
    return trim(text) == said && !binds(text, situation);
}

// ---- How conditions are read ----------------------------------------------------------------

template <auto Member>
Result<void> read_texts(const ConditionSource& source, Conditions& when) {
    auto values = source.file.texts(source.node, source.key);
    if (!values) return fail(std::move(values).error());
    when.*Member = std::move(*values);
    return {};
}

/// Names out of a closed set, by position in `names`.
Result<std::vector<std::size_t>> positions(const ConditionSource& source,
                                           std::span<const std::string_view> names) {
    auto values = source.file.texts(source.node, source.key);
    if (!values) return fail(std::move(values).error());
    std::vector<std::size_t> found;
    for (const std::string& value : *values) {
        const auto at = std::find(names.begin(), names.end(), value);
        if (at == names.end()) {
            return source.file.error(source.node, std::string(source.key) + " does not know " +
                                                      value + did_you_mean(value, names));
        }
        found.push_back(static_cast<std::size_t>(at - names.begin()));
    }
    return found;
}

template <auto Member, auto& Names>
Result<void> read_enums(const ConditionSource& source, Conditions& when) {
    auto found = positions(source, Names);
    if (!found) return fail(std::move(found).error());
    for (const std::size_t position : *found) {
        using Value = typename std::remove_reference_t<decltype(when.*Member)>::value_type;
        (when.*Member).push_back(static_cast<Value>(position));
    }
    return {};
}

template <auto Member>
Result<void> read_parts(const ConditionSource& source, Conditions& when) {
    auto found = positions(source, kPartNames);
    if (!found) return fail(std::move(found).error());
    for (const std::size_t position : *found)
        when.*Member |= 1U << position;
    return {};
}

template <auto Member>
Result<void> read_lists(const ConditionSource& source, Conditions& when) {
    const auto& lists = source.known.list_names;
    const std::vector<std::string_view> names(lists.begin(), lists.end());
    auto found = positions(source, names);
    if (!found) return fail(std::move(found).error());
    for (const std::size_t position : *found)
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

// ---- Whether they hold ----------------------------------------------------------------------

template <typename Value>
bool has_value(const std::vector<Value>& values, const Value& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

using C = Conditions;
using S = Situation;

constexpr std::array<ConditionField, 26> kFields = {{
    {"repeated", read_flag<&C::repeated>,
     [](const C& c, const S& s) { return *c.repeated == (s.input.same_payload_count > 0); }},
    {"rounds_at_least", read_count<&C::rounds_at_least>,
     [](const C& c, const S& s) { return s.input.answers_last_day >= c.rounds_at_least; }},
    {"per_minute_at_least", read_count<&C::per_minute_at_least>,
     [](const C& c, const S& s) { return s.input.messages_last_minute >= c.per_minute_at_least; }},
    {"has", read_parts<&C::has>, [](const C& c, const S& s) { return (s.parts & c.has) == c.has; }},
    {"lacks", read_parts<&C::lacks>,
     [](const C& c, const S& s) { return (s.parts & c.lacks) == 0; }},
    {"says", read_lists<&C::says>,
     [](const C& c, const S& s) { return (s.reading.lists & c.says) != 0; }},
    {"says_not", read_lists<&C::says_not>,
     [](const C& c, const S& s) { return (s.reading.lists & c.says_not) == 0; }},
    {"amount", read_enums<&C::amount, kAmountReadingNames>,
     [](const C& c, const S& s) { return has_value(c.amount, s.amount.reading); }},
    {"listing", read_enums<&C::listing, kListingMatchNames>,
     [](const C& c, const S& s) { return has_value(c.listing, s.subject.match()); }},
    {"provenance", read_enums<&C::provenance, kProvenanceNames>,
     [](const C& c, const S& s) { return has_value(c.provenance, s.input.message.provenance); }},
    {"source", read_enums<&C::source, kSourceNames>,
     [](const C& c, const S& s) { return has_value(c.source, s.input.message.source); }},
    {"readable", read_flag<&C::readable>,
     [](const C& c, const S& s) { return *c.readable == s.reading.is_readable; }},
    {"asks_fact", read_flag<&C::asks_fact>,
     [](const C& c, const S& s) { return *c.asks_fact == (s.reading.facts != 0); }},
    {"quantity", read_flag<&C::quantity>,
     [](const C& c, const S& s) { return *c.quantity == s.subject.has_unknown_quantity; }},
    {"message_type", read_texts<&C::message_type>,
     [](const C& c, const S& s) {
         return has_value(c.message_type, s.input.message.message_type);
     }},
    {"message_type_not", read_texts<&C::message_type_not>,
     [](const C& c, const S& s) {
         return !has_value(c.message_type_not, s.input.message.message_type);
     }},
    {"payload_type", read_texts<&C::payload_type>,
     [](const C& c, const S& s) { return has_value(c.payload_type, s.input.payload.type); }},
    {"payload_type_not", read_texts<&C::payload_type_not>,
     [](const C& c, const S& s) { return !has_value(c.payload_type_not, s.input.payload.type); }},
    {"question", read_flag<&C::question>,
     [](const C& c, const S& s) { return *c.question == asks_anything(s.reading); }},
    {"longer_than", read_count<&C::longer_than>,
     [](const C& c, const S& s) { return code_point_count(s.input.payload.text) > c.longer_than; }},
    {"says_only", read_lists<&C::says_only>,
     [](const C& c, const S& s) { return says_only(s, c.says_only); }},
    {"says_mainly", read_lists<&C::says_mainly>,
     [](const C& c, const S& s) { return says_mainly(s, c.says_mainly); }},
    {"open_question", read_flag<&C::open_question>,
     [](const C& c, const S& s) { return *c.open_question == has_open_question(s); }},
    {"facts_stated", read_flag<&C::facts_stated>,
     [](const C& c, const S& s) {
         return *c.facts_stated == states_facts(s.subject.listings, s.reading, s.playbook);
     }},
    {"echo", read_flag<&C::echo>, [](const C& c, const S& s) { return *c.echo == is_echo(s); }},
    {"after_commitment", read_flag<&C::after_commitment>,
     [](const C& c, const S& s) { return *c.after_commitment == is_after_commitment(s); }},
}};

}  // namespace

std::span<const ConditionField> condition_fields() {
    return kFields;
}

}  // namespace a2h::decide
