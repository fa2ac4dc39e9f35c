#include "daemon/reading/subject.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "daemon/reading/alternatives.h"
#include "daemon/reading/knowledge.h"
#include "daemon/reading/listed_words.h"
#include "daemon/reading/listing_index.h"
#include "daemon/reading/meant_listings.h"
#include "daemon/reading/quantities.h"

namespace a2h::reading {
namespace {

/// States in which a post is not public. All other states of the platform mean that it is.
constexpr std::array<std::string_view, 8> kHiddenStates = {
    "deleted", "rejected", "closed", "draft", "pending", "offline", "removed", "archived"};

/// Whether `clause` asks nothing of its own: "does that fit?", 对吧.
bool is_tag(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
            const Vocabulary& vocabulary) {
    const RoleLists& known = vocabulary.known;
    const std::string_view text =
        trim(std::string_view(reading.text).substr(clause.begin, clause.end - clause.begin));
    const bool asks = clause.is_question || vocabulary.cues[Cue::Suggests].ends(text);
    return asks &&
           (clause.lists & (vocabulary.fact_lists | known[Role::Outside] | known[Role::Wants])) ==
               0 &&
           words_of_nobody(reading, clause, knowledge).empty();
}

/// "I've got 12 slides, does that fit?", 一对一，对吧: the clause before it is the question.
void join_tags(Reading& reading, const Knowledge& knowledge, const Vocabulary& vocabulary) {
    const RoleLists& known = vocabulary.known;
    for (std::size_t k = 1; k < reading.clauses.size(); ++k) {
        Clause& tag = reading.clauses[k];
        const bool may_be_tag = !reading.clauses[k - 1].is_question;
        if (!may_be_tag || !is_tag(reading, tag, knowledge, vocabulary)) continue;
        std::size_t before = k - 1;
        // "16 slides, that's not too many, is it?"
        while (before > 0 && is_covered_by(reading, reading.clauses[before],
                                           known[Role::Plain] | known[Role::Filler] |
                                               known[Role::Acknowledgement])) {
            --before;
        }
        Clause& said = reading.clauses[before];
        const bool names_stated_number =
            std::any_of(reading.numbers.begin(), reading.numbers.end(), [&](const auto& number) {
                return number.begin >= said.begin && number.end <= said.end && number.unit != 0 &&
                       knowledge.states_unit(number.unit);
            });
        if (said.is_question || (!names_stated_number && (tag.lists & known[Role::Confirms]) == 0))
            continue;
        said.is_question = true;
        if (said.facts == 0 && !asks_about_listing(reading, said, knowledge, vocabulary)) {
            // "We've got three hours off everyone's phones": the quantity is known.
            if (!said.is_statement || said.is_wish || !names_stated_number) continue;
            said.is_question = false;
            tag.facts |= bit(Fact::Overview);
            reading.facts |= tag.facts;
            continue;
        }
        said.facts |= bit(Fact::Overview);
        tag.facts |= said.facts;
        reading.facts |= said.facts;
    }
}

/// True if the clause only tells about the peer. Other words that nobody understood may be a wish
/// or an instruction.
bool is_context(const Reading& reading, const Clause& clause, const Vocabulary& vocabulary) {
    const RoleLists& known = vocabulary.known;
    if (clause.is_own_life && (clause.lists & known[Role::Outside]) != 0) return false;
    if (clause.is_aside) return true;
    if (reading.refers_back) return false;
    if (clause.is_statement && !clause.is_wish) return true;
    const auto first = std::find_if(
        reading.clauses.begin(), reading.clauses.end(),
        [&](const Clause& candidate) { return candidate.sentence == clause.sentence; });
    ListSet opening = 0;
    for (const WordMatch& word : reading.words) {
        if (word.begin >= first->begin && word.begin <= first->begin + 1) opening |= word.lists;
    }
    return (opening & known[Role::TellsOfSelf]) != 0 && (clause.lists & known[Role::Wants]) == 0;
}

/// Words of a fact ask for it, unless they say where somebody lives beside a question: "Which city
/// are you in? My sister lives in Suzhou."
bool asks_something(const Reading& reading, const Clause& clause, const Vocabulary& vocabulary) {
    if (clause.is_question || clause.facts == 0) return clause.is_question;
    const bool is_asked_elsewhere =
        std::any_of(reading.clauses.begin(), reading.clauses.end(),
                    [](const Clause& other) { return other.is_question && other.facts != 0; });
    return !is_asked_elsewhere || !is_context(reading, clause, vocabulary);
}

bool has_unknown_words(const Reading& reading, const Knowledge& knowledge,
                       const Vocabulary& vocabulary) {
    return std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        const bool matters = asks_something(reading, clause, vocabulary) ||
                             (reading.facts != 0 && !is_context(reading, clause, vocabulary));
        return matters && says_unknown(reading, known_side(reading, clause, knowledge, vocabulary),
                                       knowledge, vocabulary);
    });
}

/// Asks for or wants something that listings do not cover. What peers tell about themselves does
/// not count.
bool speaks_of_outside(const Reading& reading, const Knowledge& knowledge,
                       const Vocabulary& vocabulary) {
    const ListSet outside = vocabulary.known[Role::Outside];
    return std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        if ((clause.lists & outside) == 0) return false;
        const Clause part =
            asked_part(reading, known_side(reading, clause, knowledge, vocabulary), vocabulary);
        const auto words = words_in(reading, part);
        const bool is_here = std::any_of(words.begin(), words.end(), [&](const WordMatch& word) {
            return is_of(word, outside);
        });
        return is_here && (asks_something(reading, clause, vocabulary) ||
                           !is_context(reading, clause, vocabulary));
    });
}

/// Collects the lists of message and clauses again after words have lost theirs.
void collect_lists(Reading& reading) {
    reading.lists = 0;
    for (const WordMatch& word : reading.words)
        reading.lists |= word.lists;
    for (Clause& clause : reading.clauses) {
        clause.lists = 0;
        for (const WordMatch& word : words_in(reading, clause))
            clause.lists |= word.lists;
    }
}

/// The position from which a clause describes a plan with what is listed: "I'm thinking of a deck
/// with charts".
std::size_t plan_in(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                    const Vocabulary& vocabulary) {
    const std::string_view text = std::string_view(reading.text).substr(0, clause.end);
    for (const std::string_view plan : vocabulary.cues[Cue::Plan].all()) {
        const std::size_t at = text.find(plan, clause.begin);
        if (at != text.npos && !knowledge.topics_in(text.substr(at)).empty()) return at;
    }
    return clause.end;
}

/// What a peer tells about its own life does not count as outside, unless it is a plan with what is
/// listed.
void drop_stated_topics(Reading& reading, const Knowledge& knowledge,
                        const Vocabulary& vocabulary) {
    for (const Clause& clause : reading.clauses) {
        if (!clause.is_opened || (clause.lists & vocabulary.known[Role::Outside]) == 0) continue;
        const std::size_t plan = plan_in(reading, clause, knowledge, vocabulary);
        for (WordMatch& word : words_in(reading, clause)) {
            if (word.begin >= plan) break;
            word.lists &= ~vocabulary.known[Role::Outside];
            if (word.lists == 0) word.lists = vocabulary.known[Role::Plain];
        }
    }
}

/// Topics that a listing itself mentions are not outside of it.
void drop_known_topics(Reading& reading, const Knowledge& knowledge, const Vocabulary& vocabulary) {
    if ((reading.lists & vocabulary.known[Role::Outside]) == 0) return;
    for (WordMatch& word : reading.words) {
        const std::string_view text =
            std::string_view(reading.text).substr(word.begin, word.end - word.begin);
        const bool is_outside = (word.lists & vocabulary.known[Role::Outside]) != 0;
        if (is_outside && knowledge.knows_all(text)) word.lists &= ~vocabulary.known[Role::Outside];
    }
    drop_stated_topics(reading, knowledge, vocabulary);
    collect_lists(reading);
}

bool needs_knowledge(const Reading& reading, const Vocabulary& vocabulary) {
    const RoleLists& known = vocabulary.known;
    const bool may_be_settled = (reading.lists & known[Role::Alternative]) != 0 &&
                                (reading.lists & known[Role::Terms]) != 0;
    return !reading.numbers.empty() || (reading.lists & known[Role::Outside]) != 0 ||
           may_be_settled ||
           std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
               return !unknown_words(reading, clause).empty();
           });
}

/// A term that all listings in question state is a fact like others: "how many revisions?".
void drop_stated_terms(const Subject& subject, Reading& reading, const Vocabulary& vocabulary) {
    if (subject.listings.empty()) return;
    ListSet stated = vocabulary.needs_evidence;
    for (const ReadListing* listing : subject.read)
        stated &= listing->evidence;
    reading.lists = 0;
    for (WordMatch& word : reading.words) {
        if ((word.lists & stated) != 0) word.lists &= ~vocabulary.known[Role::Terms];
        reading.lists |= word.lists;
    }
}

}  // namespace

bool is_offered(const Listing& listing) {
    if (listing.type == ListingType::Discussion) return false;
    std::string state = listing.status;
    std::transform(state.begin(), state.end(), state.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c; });
    return std::find(kHiddenStates.begin(), kHiddenStates.end(), state) == kHiddenStates.end();
}

bool states_facts(const Subject& subject, const Reading& reading, const Vocabulary& vocabulary) {
    const ListSet details = reading.lists & vocabulary.needs_evidence;
    return !subject.read.empty() &&
           std::all_of(subject.read.begin(), subject.read.end(), [&](const ReadListing* listing) {
               return (details & ~listing->evidence) == 0 && (reading.facts & ~listing->facts) == 0;
           });
}

std::vector<NumberMention> numbers_of(const Listing& listing, const Vocabulary& vocabulary) {
    const std::string text = vocabulary.lexicon.comparable(listing.title + "\n" + listing.content +
                                                           "\n" + listing.expected_price);
    return find_numbers(text, vocabulary);
}

Subject find_subject(const MessageContext& context, Reading& reading,
                     const Vocabulary& vocabulary) {
    Subject subject;
    subject.index = context.index != nullptr && context.index->is_made_with(vocabulary)
                        ? context.index
                        : ListingIndex::of(context.listings, vocabulary);
    for (const std::size_t place : meant_listings(context, *subject.index, reading, vocabulary)) {
        subject.listings.push_back(&context.listings[place]);
        subject.read.push_back(&subject.index->listings()[place]);
    }
    if (subject.read.size() == 1) subject.listed_price = subject.read.front()->exact_price;
    if (reading.lists & vocabulary.needs_evidence) drop_stated_terms(subject, reading, vocabulary);
    if (!needs_knowledge(reading, vocabulary)) return subject;
    const Knowledge knowledge(subject.read, vocabulary);
    drop_known_topics(reading, knowledge, vocabulary);
    settle_alternatives(reading, knowledge, vocabulary);
    join_tags(reading, knowledge, vocabulary);
    for (Clause& clause : reading.clauses) {
        const Clause side = known_side(reading, clause, knowledge, vocabulary);
        const bool is_cut = side.begin != clause.begin || side.end != clause.end;
        if (is_cut) drop_unchosen(reading, clause, side, vocabulary);
        const bool is_asked = (is_cut && names_something(reading, side, knowledge, vocabulary)) ||
                              asks_about_listing(reading, side, knowledge, vocabulary);
        if (clause.facts != 0 || !is_asked) continue;
        clause.facts = bit(Fact::Overview);
        reading.facts |= clause.facts;
    }
    collect_lists(reading);
    subject.speaks_of_outside = speaks_of_outside(reading, knowledge, vocabulary);
    subject.has_unknown_words = has_unknown_words(reading, knowledge, vocabulary);
    const bool may_say_more =
        (reading.lists & (vocabulary.known[Role::Leaving] | vocabulary.known[Role::Receipt])) != 0;
    subject.has_unknown_statement =
        may_say_more &&
        std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
            return says_unknown(reading, clause, knowledge, vocabulary);
        });
    subject.has_unknown_quantity =
        std::any_of(reading.numbers.begin(), reading.numbers.end(), [&](const auto& number) {
            return is_unknown_quantity(reading, number, knowledge, vocabulary);
        });
    return subject;
}

}  // namespace a2h::reading
