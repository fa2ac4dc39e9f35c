#include "daemon/decide/predicates.h"

#include <algorithm>

#include "core/base/text.h"

namespace a2h::decide {
namespace {

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

bool finds_open_question(const Situation& situation) {
    const auto& clauses = situation.reading.clauses;
    return situation.subject.has_unknown_words || situation.subject.speaks_of_outside ||
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

bool finds_only(const Situation& situation, ListSet lists) {
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

bool finds_mainly(const Situation& situation, ListSet lists) {
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

bool finds_commitment(const Situation& situation) {
    const auto& recent = situation.input.recent;
    const auto end =
        recent.begin() + static_cast<std::ptrdiff_t>(std::min(recent.size(), kEntriesRead));
    const auto ours =
        std::find_if(recent.begin(), end, [](const auto& entry) { return !entry.incoming; });
    if (ours == end) return false;
    return binds(wire::view_payload(ours->payload_json).text, situation);
}

bool finds_echo(const Situation& situation) {
    constexpr std::size_t kEchoBytesMin = 16;
    const auto& recent = situation.input.recent;
    const auto ours = std::find_if(recent.begin(), recent.end(),
                                   [](const auto& entry) { return !entry.incoming; });
    const std::string_view said = trim(situation.input.payload.text);
    if (ours == recent.end() || said.size() < kEchoBytesMin) return false;
    if (ours->payload_json.size() < said.size()) return false;
    const std::string text = wire::view_payload(ours->payload_json).text;
    return trim(text) == said && !binds(text, situation);
}

template <typename Find>
bool once(std::optional<bool>& finding, Find find) {
    if (!finding) finding = find();
    return *finding;
}

template <typename Find>
bool once(std::vector<std::pair<ListSet, bool>>& findings, ListSet lists, Find find) {
    const auto known = std::find_if(findings.begin(), findings.end(),
                                    [&](const auto& finding) { return finding.first == lists; });
    if (known != findings.end()) return known->second;
    return findings.emplace_back(lists, find()).second;
}

}  // namespace

bool has_open_question(const Situation& situation) {
    return once(situation.findings.open_question, [&] { return finds_open_question(situation); });
}

bool facts_are_stated(const Situation& situation) {
    return once(situation.findings.facts_stated, [&] {
        return states_facts(situation.subject, situation.reading, situation.playbook);
    });
}

bool says_only(const Situation& situation, ListSet lists) {
    return once(situation.findings.says_only, lists, [&] { return finds_only(situation, lists); });
}

bool says_mainly(const Situation& situation, ListSet lists) {
    return once(situation.findings.says_mainly, lists,
                [&] { return finds_mainly(situation, lists); });
}

bool is_after_commitment(const Situation& situation) {
    return once(situation.findings.after_commitment, [&] { return finds_commitment(situation); });
}

bool is_echo(const Situation& situation) {
    return once(situation.findings.echo, [&] { return finds_echo(situation); });
}

MandateFit mandate_fit(const Situation& situation) {
    const Input& input = situation.input;
    if (input.mandate_fit) return *input.mandate_fit;
    const auto& money = situation.amount.money;
    if (situation.amount.reading != AmountReading::Exact || !money) return MandateFit::None;
    const Listing* listing = situation.subject.only();
    const std::string& works_id = listing != nullptr ? listing->works_id : input.payload.works_id;
    MandateFit fit = MandateFit::None;
    for (const MandateRange& mandate : input.mandates) {
        const bool is_about_it =
            mandate.currency == money->currency &&
            (mandate.peer_id.empty() || mandate.peer_id == input.message.sender_id) &&
            (mandate.works_id.empty() || mandate.works_id == works_id);
        if (!is_about_it) continue;
        fit = MandateFit::Outside;
        if (money->minor >= mandate.from_minor && money->minor <= mandate.to_minor) {
            return MandateFit::Within;
        }
    }
    return fit;
}

bool has_phrase_of(const Situation& situation, unsigned set) {
    auto& sets = situation.findings.phrases;
    if (!sets) {
        const Reading& reading = situation.reading;
        sets = situation.playbook.phrases.found_in(reading.text, reading.language);
    }
    return std::binary_search(sets->begin(), sets->end(), set);
}

}  // namespace a2h::decide
