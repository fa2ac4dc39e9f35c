#include "daemon/decide/predicates.h"

#include <algorithm>

#include "core/base/text.h"
#include "daemon/reading/knowledge.h"

namespace a2h::decide {
namespace {

constexpr std::size_t kEntriesRead = 6;  // entries searched for our last message

/// Asks for something besides facts: by its words, or by a question mark after something unknown.
bool is_open_question(const Situation& situation, const Clause& clause) {
    const Reading& reading = situation.reading;
    if (!clause.is_question || clause.facts != 0) return false;
    const RoleLists& known = situation.vocabulary.known;
    const bool goes_with_a_fact = std::any_of(
        reading.clauses.begin(), reading.clauses.end(),
        [&](const Clause& other) { return other.sentence == clause.sentence && other.facts != 0; });
    // "Could you tell me, please, how much it is?" is one question.
    const bool says_nothing = unknown_words(reading, clause).empty();
    if ((clause.lists & known[Role::Asks]) != 0) {
        return (clause.lists & known[Role::AsksParticular]) != 0 || !says_nothing ||
               !goes_with_a_fact;
    }
    return !says_nothing && !goes_with_a_fact;
}

bool finds_open_question(const Situation& situation) {
    const auto& clauses = situation.reading.clauses;
    return situation.subject.has_unknown_words || situation.subject.speaks_of_outside ||
           std::any_of(clauses.begin(), clauses.end(),
                       [&](const Clause& clause) { return is_open_question(situation, clause); });
}

/// A number that is not a word of `lists`. 88 is a farewell beside other words, but a number when
/// alone.
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

/// All words of `clause` that the rules know belong to these lists.
bool has_only_words_of(const Reading& reading, const Clause& clause, ListSet lists) {
    return std::all_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
        const bool is_here = word.begin < clause.end && word.end > clause.begin;
        return !is_here || (word.lists & lists) != 0;
    });
}

bool finds_only(const Situation& situation, ListSet lists) {
    const Reading& reading = situation.reading;
    const RoleLists& known = situation.vocabulary.known;
    if (situation.is_cut || has_number_beside(reading, lists)) return false;
    const bool says_any = (reading.lists & lists) != 0;
    const ListSet allowed = says_any ? lists | known[Role::Filler] : 0;
    const bool may_name_listing =
        (reading.lists & lists & (known[Role::Leaving] | known[Role::Receipt])) != 0;
    return std::all_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        const bool is_bare_mark = clause.ends_with_mark && (clause.lists & lists) == 0;
        if (is_bare_mark) return false;
        if (is_covered_by(reading, clause, allowed)) return true;
        return may_name_listing && !situation.subject.has_unknown_statement &&
               has_only_words_of(reading, clause, allowed | known[Role::Plain]);
    });
}

bool finds_mainly(const Situation& situation, ListSet lists) {
    const Reading& reading = situation.reading;
    const RoleLists& known = situation.vocabulary.known;
    if (situation.is_cut || has_number_beside(reading, lists)) return false;
    const ListSet plain = lists | known[Role::Assent] | known[Role::Filler] | known[Role::Plain] |
                          known[Role::TellsOfSelf] | known[Role::Speaker] | known[Role::Promise] |
                          known[Role::Holding] | known[Role::CounterOffer];
    return std::all_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        if (!has_only_words_of(reading, clause, plain)) return false;
        return (clause.lists & lists) != 0 ||
               is_covered_by(reading, clause,
                             known[Role::Filler] | known[Role::Plain] | known[Role::Assent]);
    });
}

/// Whether a clause says something that the listings state: one of their numbers or words. Not if
/// it says something else, or names only what could be asked for, such as 价格.
enum class Saying { Nothing, Listed, Else };

/// "Online then", "two rounds": each word is a filler or a word of the listings.
bool knows_each(const Knowledge& knowledge, std::string_view text, const Vocabulary& vocabulary) {
    if (knowledge.knows_all(text)) return true;
    bool knows_one = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        const WordMatch match = vocabulary.lexicon.longest_at(word, 0);
        const bool is_filler =
            match.end == word.size() && (match.lists & vocabulary.known[Role::Filler]) != 0;
        const bool is_known = knowledge.knows_all(word);
        if (!is_filler && !is_known) return false;
        knows_one = knows_one || is_known;
        begin = end + 1;
    }
    return knows_one;
}

Saying saying_of(const Situation& situation, const Clause& clause, const Knowledge& knowledge) {
    const Reading& reading = situation.reading;
    const Vocabulary& vocabulary = situation.vocabulary;
    Saying saying = Saying::Nothing;
    bool names_fact = false;
    for (const WordMatch& word : words_in(reading, clause)) {
        if ((word.lists & (vocabulary.known[Role::Asks] | vocabulary.known[Role::Alternative])) !=
            0)
            return Saying::Else;
        if ((word.lists & vocabulary.fact_lists) == 0) continue;
        std::string_view text =
            std::string_view(reading.text).substr(word.begin, word.end - word.begin);
        for (const std::string_view particle : vocabulary.cues[Cue::ListedOpening].all())
            if (text.starts_with(particle)) text.remove_prefix(particle.size());
        if (knows_each(knowledge, text, vocabulary)) {
            saying = Saying::Listed;
        } else if ((word.lists & vocabulary.known[Role::NamesFact]) != 0) {
            names_fact = true;
        } else {
            return Saying::Else;
        }
    }
    for (const std::string_view word : unknown_words(reading, clause)) {
        if (!knowledge.knows_all(word)) return Saying::Else;
        saying = Saying::Listed;
    }
    for (const NumberMention& number : reading.numbers)
        if (number.begin >= clause.begin && number.end <= clause.end) saying = Saying::Listed;
    return names_fact && saying == Saying::Nothing ? Saying::Else : saying;
}

bool finds_repetition(const Situation& situation) {
    const Reading& reading = situation.reading;
    const RoleLists& known = situation.vocabulary.known;
    if (situation.asks_anything || situation.subject.listings.empty()) return false;
    const ListSet taking_note =
        known[Role::Thanks] | known[Role::Acknowledgement] | known[Role::Understood];
    const bool takes_note =
        std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
            return (clause.lists & taking_note) != 0 ||
                   ((clause.lists & known[Role::Assent]) != 0 &&
                    is_covered_by(reading, clause, known[Role::Assent] | known[Role::Filler]));
        });
    if (!takes_note || situation.is_cut || situation.subject.has_unknown_quantity ||
        (reading.lists & (known[Role::Wants] | known[Role::Promise])) != 0) {
        return false;
    }
    const Knowledge knowledge(situation.subject.read, situation.vocabulary);
    bool says_listed = false;
    for (const Clause& clause : reading.clauses) {
        const Saying saying = saying_of(situation, clause, knowledge);
        if (saying == Saying::Else) return false;
        says_listed = says_listed || saying == Saying::Listed;
    }
    return says_listed;
}

bool has_emoji(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        const char32_t c = code_point_at(text, i);
        if (c >= 0x1F300 && c <= 0x1FAFF) return true;
    }
    return false;
}

bool finds_tale(const Situation& situation) {
    const Reading& reading = situation.reading;
    const RoleLists& known = situation.vocabulary.known;
    const ListSet courtesy = known[Role::Courtesy];
    if (situation.asks_anything || reading.facts != 0) return false;
    const bool is_light = (reading.lists & courtesy) != 0 || has_emoji(reading.text);
    if (!is_light || situation.is_cut || situation.subject.has_unknown_quantity ||
        (reading.lists & (known[Role::Promise] | known[Role::Outside])) != 0) {
        return false;
    }
    const ListSet plain = courtesy | known[Role::Greeting] | known[Role::Assent] |
                          known[Role::Filler] | known[Role::Plain] | known[Role::TellsOfSelf] |
                          known[Role::Receipt] | known[Role::NamesFact] | known[Role::Aside];
    return std::all_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        const bool tells = clause.is_own_life || (clause.lists & known[Role::Ponders]) != 0;
        if (tells && clause.is_statement) return !clause.is_wish;
        return (clause.lists & known[Role::Wants]) == 0 && is_covered_by(reading, clause, plain);
    });
}

/// Whether a mere "ok" would agree to a text of ours, because it asks something or goes beyond the
/// listings. "Anything else?" and "I will get back to you" do neither.
bool binds(std::string_view text, const Situation& situation) {
    const RoleLists& known = situation.vocabulary.known;
    const Reading reading = read_text(text, situation.vocabulary);
    const bool asked =
        std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
            return clause.is_question && (clause.lists & known[Role::Closing]) == 0;
        });
    if (asked) return true;
    constexpr ListSet kNone = 0;
    const bool is_harmless =
        (reading.lists & (known[Role::Closing] | known[Role::Holding])) != kNone &&
        reading.numbers.empty() &&
        (reading.lists &
         (known[Role::Deal] | known[Role::Haggle] | known[Role::Payment] | known[Role::Paid] |
          known[Role::Terms] | known[Role::Delivered] | known[Role::AmountInWords])) == kNone;
    if (is_harmless) return false;
    // "online" is removed if a listing states it; otherwise "the work is done online" would report
    // the end of the work.
    const auto& listings = situation.input.listings;
    return !review_reading(reading, listings, situation.vocabulary).free &&
           !review_text(text, listings).free;
}

bool finds_commitment(const Situation& situation) {
    const auto& recent = situation.input.recent;
    const auto end =
        recent.begin() + static_cast<std::ptrdiff_t>(std::min(recent.size(), kEntriesRead));
    const auto binds_us = [&](const HistoryEntry& entry) {
        return !entry.incoming && binds(wire::view_payload(entry.payload_json).text, situation);
    };
    // A withdrawal may refer to any of our messages; everything else refers to the last one.
    if (takes_back(situation)) return std::any_of(recent.begin(), end, binds_us);
    const auto ours =
        std::find_if(recent.begin(), end, [](const auto& entry) { return !entry.incoming; });
    return ours != end && binds_us(*ours);
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
        return states_facts(situation.subject, situation.reading, situation.vocabulary);
    });
}

bool says_only(const Situation& situation, ListSet lists) {
    return once(situation.findings.says_only, lists, [&] { return finds_only(situation, lists); });
}

bool says_mainly(const Situation& situation, ListSet lists) {
    return once(situation.findings.says_mainly, lists,
                [&] { return finds_mainly(situation, lists); });
}

bool repeats_listing(const Situation& situation) {
    return once(situation.findings.repeats, [&] { return finds_repetition(situation); });
}

bool tells_only(const Situation& situation) {
    return once(situation.findings.tells_only, [&] { return finds_tale(situation); });
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
        sets = situation.rules.phrases.found_in(reading.text, reading.language);
    }
    return std::binary_search(sets->begin(), sets->end(), set);
}

}  // namespace a2h::decide
