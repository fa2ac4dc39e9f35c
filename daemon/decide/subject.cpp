#include "daemon/decide/subject.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "daemon/decide/knowledge.h"
#include "daemon/decide/listing_index.h"
#include "daemon/decide/meant_listings.h"

namespace a2h::decide {
namespace {

/// States in which a post is not public. The platform's other words all mean that it is.
constexpr std::array<std::string_view, 8> kHiddenStates = {
    "deleted", "rejected", "closed", "draft", "pending", "offline", "removed", "archived"};

/// "Which city is it, since my sister lives in Suzhou?": up to where a reason is given.
Clause without_reason(const Reading& reading, Clause clause, const RuleSet::Impl& playbook) {
    if ((clause.lists & playbook.known.reason) == 0) return clause;
    for (const WordMatch& word : reading.words) {
        const bool is_here = word.begin >= clause.begin && word.begin < clause.end;
        if (!is_here || (word.lists & playbook.known.reason) == 0) continue;
        clause.end = word.begin;
        break;
    }
    return clause;
}

/// What `clause` says besides the words of the rules and the listings.
bool says_unknown(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                  const RuleSet::Impl& playbook) {
    const auto words = unknown_words(reading, without_reason(reading, clause, playbook));
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return !knowledge.knows(word); });
}

/// "Is it for pitches?": asks for yes or no about words of the listing alone, and so for what it
/// says. Who asks for more, or whether something may be done, asks a person; 18页可以吗 is asked of
/// the listing, which states its limit.
bool asks_about_listing(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                        const RuleSet::Impl& playbook) {
    const std::string_view text =
        trim(std::string_view(reading.text).substr(clause.begin, clause.end - clause.begin));
    if (!clause.is_question && !text.ends_with("吧")) return false;
    const bool is_about_number =
        std::any_of(reading.numbers.begin(), reading.numbers.end(), [&](const auto& number) {
            const bool names_listed = number.unit != 0 || number.kind == NumberKind::Bare;
            return names_listed && number.begin >= clause.begin && number.end <= clause.end;
        });
    if (!is_about_number && (clause.lists & playbook.known.particular) != 0) return false;
    const auto words = unknown_words(reading, clause);
    return (is_about_number || !words.empty()) &&
           std::all_of(words.begin(), words.end(),
                       [&](std::string_view word) { return knowledge.knows_all(word); });
}

/// True when `part` of a question names something that listings can tell: one of their words, or
/// a fact or detail that is asked for.
bool names_something(const Reading& reading, const Clause& part, const Knowledge& knowledge,
                     const RuleSet::Impl& playbook) {
    const auto words = unknown_words(reading, part);
    if (std::any_of(words.begin(), words.end(),
                    [&](std::string_view word) { return knowledge.knows_all(word); })) {
        return true;
    }
    return std::any_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
        if (word.begin < part.begin || word.end > part.end) return false;
        return (word.lists & (playbook.needs_evidence | playbook.fact_lists)) != 0;
    });
}

/// "Logo or full branding?", 线上还是线下: who asks for one of two things is answered by what the
/// listings say of one of them. The part of `clause` that they know, or all of it.
Clause known_side(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                  const RuleSet::Impl& playbook) {
    if (!clause.is_question || (clause.lists & playbook.known.alternative) == 0) return clause;
    for (const WordMatch& word : reading.words) {
        const bool parts = word.begin >= clause.begin && word.end <= clause.end &&
                           (word.lists & playbook.known.alternative) != 0;
        if (!parts) continue;
        Clause left = clause;
        Clause right = clause;
        left.end = word.begin;
        right.begin = word.end;
        const bool is_left_known = !says_unknown(reading, left, knowledge, playbook);
        if (is_left_known == !says_unknown(reading, right, knowledge, playbook)) continue;
        const Clause& side = is_left_known ? left : right;
        if (names_something(reading, side, knowledge, playbook)) return side;
    }
    return clause;
}

/// Peers tell of themselves what they like; anything else that nobody understood may be a wish or
/// an instruction.
bool is_context(const Reading& reading, const Clause& clause, const RuleSet::Impl& playbook) {
    const KnownLists& known = playbook.known;
    if (clause.is_aside) return true;
    const auto first = std::find_if(
        reading.clauses.begin(), reading.clauses.end(),
        [&](const Clause& candidate) { return candidate.sentence == clause.sentence; });
    ListSet opening = 0;
    for (const WordMatch& word : reading.words) {
        if (word.begin >= first->begin && word.begin <= first->begin + 1) opening |= word.lists;
    }
    return (opening & known.context) != 0 && (clause.lists & known.request) == 0;
}

/// Words of a fact ask for it, unless they tell where somebody lives while a question stands
/// beside them: "Which city are you in? My sister lives in Suzhou."
bool asks_something(const Reading& reading, const Clause& clause, const RuleSet::Impl& playbook) {
    if (clause.is_question || clause.facts == 0) return clause.is_question;
    const bool is_asked_elsewhere =
        std::any_of(reading.clauses.begin(), reading.clauses.end(),
                    [](const Clause& other) { return other.is_question && other.facts != 0; });
    return !is_asked_elsewhere || !is_context(reading, clause, playbook);
}

bool has_unknown_words(const Reading& reading, const Knowledge& knowledge,
                       const RuleSet::Impl& playbook) {
    return std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        const bool matters = asks_something(reading, clause, playbook) ||
                             (reading.facts != 0 && !is_context(reading, clause, playbook));
        return matters && says_unknown(reading, known_side(reading, clause, knowledge, playbook),
                                       knowledge, playbook);
    });
}

/// Asks or wants something of which listings say nothing. What peers tell of themselves is neither.
bool speaks_of_outside(const Reading& reading, const RuleSet::Impl& playbook) {
    const ListSet outside = playbook.known.outside;
    return std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        const bool is_here =
            std::any_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
                return word.begin >= clause.begin && word.begin < clause.end &&
                       (word.lists & outside) != 0;
            });
        return is_here && (asks_something(reading, clause, playbook) ||
                           !is_context(reading, clause, playbook));
    });
}

/// "I'm 34", 30岁生日, "6 years of experience": what somebody tells of their life, where nothing is
/// asked or wanted.
bool is_age(const Reading& reading, const NumberMention& number, const RuleSet::Impl& playbook) {
    const std::string_view before = std::string_view(reading.text).substr(0, number.begin);
    if (number.kind == NumberKind::Bare && number.digits.size() <= 2) {
        for (const std::string_view self : {"i'm ", "i am ", "im ", "aged ", "turning "}) {
            if (before.ends_with(self) && is_word_boundary(before, before.size() - self.size()))
                return true;
        }
    }
    if ((number.unit & playbook.years) == 0) return false;
    const auto clause =
        std::find_if(reading.clauses.begin(), reading.clauses.end(),
                     [&](const Clause& candidate) { return candidate.end >= number.end; });
    return clause != reading.clauses.end() && !clause->is_question && clause->facts == 0 &&
           (clause->lists & playbook.known.request) == 0;
}

/// Numbers that are an amount of money, slang (88) or within what a listing states are known.
bool is_unknown_quantity(const Reading& reading, const NumberMention& number,
                         const Knowledge& knowledge, const RuleSet::Impl& playbook) {
    if (number.kind == NumberKind::Money || is_age(reading, number, playbook)) return false;
    const bool is_word =
        std::any_of(reading.words.begin(), reading.words.end(), [&](const WordMatch& word) {
            return word.begin <= number.begin && number.end <= word.end;
        });
    const bool is_bare = number.kind == NumberKind::Bare;
    if (is_word && is_bare && reading.words.size() > 1) return false;
    return !knowledge.covers(
        number, std::string_view(reading.text).substr(number.begin, number.end - number.begin));
}

/// What a listing itself speaks of is not outside of it.
void drop_known_topics(Reading& reading, const Knowledge& knowledge,
                       const RuleSet::Impl& playbook) {
    if ((reading.lists & playbook.known.outside) == 0) return;
    reading.lists = 0;
    for (WordMatch& word : reading.words) {
        const std::string_view text =
            std::string_view(reading.text).substr(word.begin, word.end - word.begin);
        const bool is_outside = (word.lists & playbook.known.outside) != 0;
        if (is_outside && knowledge.knows_all(text)) word.lists &= ~playbook.known.outside;
        reading.lists |= word.lists;
    }
}

bool needs_knowledge(const Reading& reading, const RuleSet::Impl& playbook) {
    return !reading.numbers.empty() || (reading.lists & playbook.known.outside) != 0 ||
           std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
               return !unknown_words(reading, clause).empty();
           });
}

/// A term that every listing meant states is a fact like others: "how many revisions?".
void drop_stated_terms(const Subject& subject, Reading& reading, const RuleSet::Impl& playbook) {
    if (subject.listings.empty()) return;
    ListSet stated = playbook.needs_evidence;
    for (const ReadListing* listing : subject.read)
        stated &= listing->evidence;
    reading.lists = 0;
    for (WordMatch& word : reading.words) {
        if ((word.lists & stated) != 0) word.lists &= ~playbook.known.terms;
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

bool states_facts(const Subject& subject, const Reading& reading, const RuleSet::Impl& playbook) {
    const ListSet details = reading.lists & playbook.needs_evidence;
    return !subject.read.empty() &&
           std::all_of(subject.read.begin(), subject.read.end(), [&](const ReadListing* listing) {
               return (details & ~listing->evidence) == 0 && (reading.facts & ~listing->facts) == 0;
           });
}

std::vector<NumberMention> numbers_of(const Listing& listing, const RuleSet::Impl& playbook) {
    const std::string text = playbook.lexicon.comparable(listing.title + "\n" + listing.content +
                                                         "\n" + listing.expected_price);
    return find_numbers(text, playbook.money);
}

Subject find_subject(const Input& input, Reading& reading, const RuleSet::Impl& playbook) {
    Subject subject;
    subject.index = input.index != nullptr && input.index->is_made_with(playbook)
                        ? input.index
                        : ListingIndex::of(input.listings, playbook);
    for (const std::size_t place : meant_listings(input, *subject.index, reading, playbook)) {
        subject.listings.push_back(&input.listings[place]);
        subject.read.push_back(&subject.index->listings()[place]);
    }
    if (subject.read.size() == 1) {
        subject.listed_price = subject.read.front()->exact_price;
        subject.listed_currency = subject.read.front()->currency;
    }
    if (reading.lists & playbook.needs_evidence) drop_stated_terms(subject, reading, playbook);
    if (!needs_knowledge(reading, playbook)) return subject;
    const Knowledge knowledge(subject.read, playbook);
    drop_known_topics(reading, knowledge, playbook);
    for (Clause& clause : reading.clauses) {
        const Clause side = known_side(reading, clause, knowledge, playbook);
        if (clause.facts != 0 || !asks_about_listing(reading, side, knowledge, playbook)) continue;
        clause.facts = bit(Fact::Overview);
        reading.facts |= clause.facts;
    }
    subject.speaks_of_outside = speaks_of_outside(reading, playbook);
    subject.has_unknown_words = has_unknown_words(reading, knowledge, playbook);
    subject.has_unknown_statement = std::any_of(
        reading.clauses.begin(), reading.clauses.end(),
        [&](const Clause& clause) { return says_unknown(reading, clause, knowledge, playbook); });
    subject.has_unknown_quantity =
        std::any_of(reading.numbers.begin(), reading.numbers.end(), [&](const auto& number) {
            return is_unknown_quantity(reading, number, knowledge, playbook);
        });
    return subject;
}

}  // namespace a2h::decide
