#include "daemon/reading/subject.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "daemon/reading/knowledge.h"
#include "daemon/reading/listing_index.h"
#include "daemon/reading/meant_listings.h"

namespace a2h::reading {
namespace {

/// States in which a post is not public. All other states of the platform mean that it is.
constexpr std::array<std::string_view, 8> kHiddenStates = {
    "deleted", "rejected", "closed", "draft", "pending", "offline", "removed", "archived"};

bool is_of(const WordMatch& word, ListSet lists) {
    return (word.lists & lists) != 0;
}

/// "Which city is it, since my sister lives in Suzhou?": the part before the reason. In "I run a
/// bakery and need slides", the part from the wish on.
Clause asked_part(const Reading& reading, Clause clause, const Vocabulary& vocabulary) {
    const RoleLists& known = vocabulary.known;
    const auto words = words_in(reading, clause);
    if (clause.is_wish && !clause.is_question) {
        const auto wish = std::find_if(words.begin(), words.end(), [&](const WordMatch& word) {
            return is_of(word, known[Role::Wants]);
        });
        clause.begin = wish->begin;
    }
    // "We compare some and would be grateful to know the fee": the question begins at "to know".
    const std::string_view text = std::string_view(reading.text).substr(0, clause.end);
    for (const std::string_view opening : vocabulary.cues[Cue::AskOpening].all()) {
        const std::size_t at = find_apart(text, opening, clause.begin);
        if (at != text.npos) clause.begin = at;
    }
    if ((clause.lists & known[Role::Reason]) == 0) return clause;
    const auto reason = std::find_if(words.begin(), words.end(), [&](const WordMatch& word) {
        return word.begin > clause.begin && is_of(word, known[Role::Reason]);
    });
    if (reason != words.end()) clause.end = reason->begin;
    return clause;
}

/// Whether the pieces of `word` outside `topics` are known, each by the same text.
bool is_known_beside(std::string_view word, const std::vector<WordMatch>& topics,
                     std::string_view text, const Knowledge& knowledge) {
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    const std::size_t end = begin + word.size();
    std::size_t from = begin;
    bool is_parted = false;
    for (const WordMatch& topic : topics) {
        if (topic.end <= from || topic.begin >= end) continue;
        is_parted = true;
        const std::size_t to = std::max(topic.begin, from);
        if (to > from && !knowledge.knows(text.substr(from, to - from))) return false;
        from = std::min(topic.end, end);
    }
    return is_parted && (from >= end || knowledge.knows(text.substr(from, end - from)));
}

/// True if `word` is what the number before it counts: the "p" of "20p".
bool is_unit(const Reading& reading, std::string_view word) {
    const auto begin = static_cast<std::size_t>(word.data() - reading.text.data());
    return std::any_of(reading.numbers.begin(), reading.numbers.end(), [&](const auto& number) {
        return number.unit != 0 && number.end <= begin && begin - number.end <= 1;
    });
}

/// The unknown words of `clause` that are not in any listing either.
std::vector<std::string_view> words_of_nobody(const Reading& reading, const Clause& clause,
                                              const Knowledge& knowledge) {
    auto words = unknown_words(reading, clause);
    std::erase_if(words, [&](std::string_view word) {
        return knowledge.knows(word) || is_unit(reading, word);
    });
    if (words.empty()) return words;
    // A word of the rules may have split a word of a listing.
    const std::string_view text =
        std::string_view(reading.text).substr(clause.begin, clause.end - clause.begin);
    const auto topics = knowledge.topics_in(text);
    std::erase_if(words, [&](std::string_view word) {
        return is_known_beside(word, topics, text, knowledge);
    });
    return words;
}

/// Whether `clause` contains more than words of the rules and the listings.
bool says_unknown(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                  const Vocabulary& vocabulary) {
    if (words_of_nobody(reading, clause, knowledge).empty()) return false;
    const Clause part = asked_part(reading, clause, vocabulary);
    const bool is_all = part.begin == clause.begin && part.end == clause.end;
    return is_all || !words_of_nobody(reading, part, knowledge).empty();
}

/// "Is it for pitches?": a yes/no question with words of the listing only, which the listing
/// answers. A question for more, or for permission, is for a person; 18页可以吗 is answered by the
/// limit in the listing.
bool asks_about_listing(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                        const Vocabulary& vocabulary) {
    const std::string_view text =
        trim(std::string_view(reading.text).substr(clause.begin, clause.end - clause.begin));
    if (!clause.is_question && !vocabulary.cues[Cue::Suggests].ends(text)) return false;
    const bool is_about_number =
        std::any_of(reading.numbers.begin(), reading.numbers.end(), [&](const auto& number) {
            const bool names_listed = number.unit != 0 || number.kind == NumberKind::Bare;
            return names_listed && number.begin >= clause.begin && number.end <= clause.end;
        });
    if (!is_about_number && (clause.lists & vocabulary.known[Role::AsksParticular]) != 0)
        return false;
    const auto words = unknown_words(reading, clause);
    const bool names_topic_alone =
        vocabulary.cues[Cue::TopicParticle].ends(text) && !knowledge.topics_in(text).empty();
    if (!is_about_number && words.empty()) return names_topic_alone;
    const bool is_known = std::all_of(words.begin(), words.end(), [&](std::string_view word) {
        return knowledge.knows_all(word) || is_unit(reading, word);
    });
    return is_known || (!knowledge.topics_in(text).empty() &&
                        words_of_nobody(reading, clause, knowledge).empty());
}

/// True if `part` of a question names something that listings can state: one of their words, or a
/// requested fact or detail.
bool names_something(const Reading& reading, const Clause& part, const Knowledge& knowledge,
                     const Vocabulary& vocabulary) {
    const auto words = unknown_words(reading, part);
    if (std::any_of(words.begin(), words.end(),
                    [&](std::string_view word) { return knowledge.knows_all(word); })) {
        return true;
    }
    const auto said = words_in(reading, part);
    if (std::any_of(said.begin(), said.end(), [&](const WordMatch& word) {
            return is_of(word, vocabulary.needs_evidence | vocabulary.fact_lists);
        })) {
        return true;
    }
    const std::string_view text = reading.text;
    return !knowledge.topics_in(text.substr(part.begin, part.end - part.begin)).empty();
}

/// "Do you want a shop as well": in addition, not instead.
bool adds(const Reading& reading, const Clause& side, const Vocabulary& vocabulary) {
    const std::string_view text =
        std::string_view(reading.text).substr(side.begin, side.end - side.begin);
    return vocabulary.cues[Cue::Adds].is_in(text);
}

/// True if the side contains only what listings state and names something that they can answer: of
/// "unlimited or is there a cap" the second side.
bool is_listed(const Reading& reading, const Clause& side, const Clause& other,
               const Knowledge& knowledge, const Vocabulary& vocabulary) {
    const auto words = words_in(reading, side);
    return !says_unknown(reading, side, knowledge, vocabulary) &&
           std::none_of(words.begin(), words.end(),
                        [&](const WordMatch& word) {
                            return is_of(word, vocabulary.known[Role::Outside] |
                                                   vocabulary.known[Role::Terms]);
                        }) &&
           !adds(reading, other, vocabulary) &&
           (names_something(reading, side, knowledge, vocabulary) ||
            names_something(reading, other, knowledge, vocabulary));
}

/// The byte ranges of "or" and 还是 that separate alternatives.
std::vector<std::pair<std::size_t, std::size_t>> alternatives_in(const Reading& reading,
                                                                 const Clause& clause,
                                                                 const Vocabulary& vocabulary) {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const WordMatch& word : words_in(reading, clause)) {
        if (is_of(word, vocabulary.known[Role::Alternative]) && word.end <= clause.end)
            places.emplace_back(word.begin, word.end);
    }
    // A longer word may contain it: "in a studio or".
    if (!places.empty()) return places;
    const std::string_view text = std::string_view(reading.text).substr(0, clause.end);
    for (const std::string_view word : vocabulary.cues[Cue::Alternative].all()) {
        const std::size_t at = find_apart(text, word, clause.begin);
        if (at != text.npos) places.emplace_back(at, at + word.size());
    }
    return places;
}

/// "Logo or full branding?", 线上还是线下: a question with alternatives is answered by what the
/// listings say about one of them. Returns the part of `clause` that they contain, or all of it.
Clause known_side(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                  const Vocabulary& vocabulary) {
    if (!clause.is_question) return clause;
    for (const auto& [begin, end] : alternatives_in(reading, clause, vocabulary)) {
        Clause left = clause;
        Clause right = clause;
        left.end = begin;
        right.begin = end;
        const bool is_left_listed = is_listed(reading, left, right, knowledge, vocabulary);
        if (is_left_listed == is_listed(reading, right, left, knowledge, vocabulary)) continue;
        return is_left_listed ? left : right;
    }
    return clause;
}

/// Removes binding words of `clause` outside `side`, because they were only an alternative.
void drop_unchosen(Reading& reading, const Clause& clause, const Clause& side,
                   const Vocabulary& vocabulary) {
    for (WordMatch& word : words_in(reading, clause)) {
        if (word.begin >= side.begin && word.end <= side.end) continue;
        word.lists &= ~(vocabulary.known[Role::Terms] | vocabulary.known[Role::Outside]);
        if (word.lists == 0) word.lists = vocabulary.known[Role::Plain];
    }
}

/// The clause asks nothing any more.
void settle(Reading& reading, Clause& clause, const Vocabulary& vocabulary) {
    drop_unchosen(reading, clause, Clause(), vocabulary);
    clause.is_question = false;
    clause.is_aside = clause.is_told = true;
}

/// "Is it unlimited? Or is there a cap?": the same for alternatives in two clauses. The one that
/// listings do not contain is not asked for, nor is the word that the alternatives explain:
/// 什么风格，简单还是复杂.
void settle_alternatives(Reading& reading, const Knowledge& knowledge,
                         const Vocabulary& vocabulary) {
    if ((reading.lists & vocabulary.known[Role::Alternative]) == 0) return;
    for (std::size_t k = 1; k < reading.clauses.size(); ++k) {
        Clause& right = reading.clauses[k];
        Clause& left = reading.clauses[k - 1];
        const auto words = words_in(reading, right);
        const bool is_asked = right.is_question || right.ends_with_mark;
        if (words.empty() || !is_asked) continue;
        if (!is_of(words.front(), vocabulary.known[Role::Alternative])) {
            const Clause side = known_side(reading, right, knowledge, vocabulary);
            const bool explains = left.sentence == right.sentence &&
                                  side.end - side.begin < right.end - right.begin &&
                                  (left.is_question || left.facts != 0);
            if (!explains) continue;
            settle(reading, left, vocabulary);
            right.facts |= bit(Fact::Overview);
        } else {
            bool is_left_listed = is_listed(reading, left, right, knowledge, vocabulary);
            bool is_right_listed = is_listed(reading, right, left, knowledge, vocabulary);
            if (is_left_listed && is_right_listed) {
                is_left_listed = names_something(reading, left, knowledge, vocabulary);
                is_right_listed = names_something(reading, right, knowledge, vocabulary);
                if (is_left_listed && is_right_listed) is_right_listed = false;
            }
            if (is_left_listed == is_right_listed) continue;
            (is_left_listed ? left : right).facts |= bit(Fact::Overview);
            settle(reading, is_left_listed ? right : left, vocabulary);
        }
        reading.facts |= bit(Fact::Overview);
    }
}

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
            if (!said.is_told || said.is_wish || !names_stated_number) continue;
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
    if (clause.is_told && !clause.is_wish) return true;
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

/// The clause of `number`.
const Clause* clause_of(const Reading& reading, const NumberMention& number) {
    const auto clause =
        std::find_if(reading.clauses.begin(), reading.clauses.end(),
                     [&](const Clause& candidate) { return candidate.end >= number.end; });
    return clause == reading.clauses.end() ? nullptr : &*clause;
}

/// "I'm 34", 30岁生日, "6 years of experience": facts of the peer's life without a question or
/// wish.
bool is_age(const Reading& reading, const NumberMention& number, const Vocabulary& vocabulary) {
    const std::string_view before = std::string_view(reading.text).substr(0, number.begin);
    if (number.kind == NumberKind::Bare && number.digits.size() <= 2) {
        if (before.ends_with(' ') &&
            vocabulary.cues[Cue::AgeOpening].ends_word(before.substr(0, before.size() - 1)))
            return true;
    }
    if ((number.unit & vocabulary.years) == 0) return false;
    const Clause* clause = clause_of(reading, number);
    return clause != nullptr && !clause->is_question && clause->facts == 0 &&
           (clause->lists & vocabulary.known[Role::Wants]) == 0;
}

/// "I have 90 minutes of footage": says how much exists, not how much is wanted.
bool is_told(const Reading& reading, const NumberMention& number) {
    const Clause* clause = clause_of(reading, number);
    return clause != nullptr && !clause->is_wish && (clause->is_told || !clause->is_question);
}

/// "There are three of us": a number that no listing counts, where a peer tells about its life.
bool is_of_own_life(const Reading& reading, const NumberMention& number,
                    const Knowledge& knowledge) {
    const Clause* clause = clause_of(reading, number);
    return clause != nullptr && clause->is_own_life &&
           (number.unit == 0 || !knowledge.states_unit(number.unit));
}

/// Numbers that are an amount of money, slang (88) or within a limit of a listing are known.
bool is_unknown_quantity(const Reading& reading, const NumberMention& number,
                         const Knowledge& knowledge, const Vocabulary& vocabulary) {
    if (number.kind == NumberKind::Money || is_age(reading, number, vocabulary)) return false;
    if (is_of_own_life(reading, number, knowledge)) return false;
    const bool is_word =
        std::any_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
            return word.begin <= number.begin && number.end <= word.end;
        });
    const bool is_bare = number.kind == NumberKind::Bare;
    if (is_word && is_bare && reading.words.size() > 1) return false;
    // "3Q" is a word.
    const bool is_in_word =
        number.unit == 0 && !is_bare &&
        std::any_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
            return word.begin <= number.begin && number.end < word.end &&
                   is_word_boundary(reading.text, word.end) &&
                   !is_word_boundary(reading.text, number.end);
        });
    if (is_in_word) return false;
    const std::string_view written =
        std::string_view(reading.text).substr(number.begin, number.end - number.begin);
    return !knowledge.covers(number, written) &&
           !(is_told(reading, number) && knowledge.covers_minutes(number));
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
void drop_told_topics(Reading& reading, const Knowledge& knowledge, const Vocabulary& vocabulary) {
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
    drop_told_topics(reading, knowledge, vocabulary);
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
