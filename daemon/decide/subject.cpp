#include "daemon/decide/subject.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "daemon/decide/knowledge.h"

namespace a2h::decide {
namespace {

constexpr std::size_t kWorksIdHistory = 6;  // entries of the conversation looked at for a works id

/// States in which a post is not public. The platform's other words all mean that it is.
constexpr std::array<std::string_view, 8> kHiddenStates = {
    "deleted", "rejected", "closed", "draft", "pending", "offline", "removed", "archived"};

const Listing* by_id(const std::vector<const Listing*>& offered, std::string_view works_id) {
    if (works_id.empty()) return nullptr;
    const auto found = std::find_if(offered.begin(), offered.end(), [&](const Listing* listing) {
        return listing->works_id == works_id;
    });
    return found == offered.end() ? nullptr : *found;
}

/// True when `text` has `word` as a whole word, in this form or in one with another ending.
bool has_word(std::string_view text, std::string_view word) {
    const std::string_view stem = stem_of(word);
    for (std::size_t at = text.find(stem); at != std::string_view::npos;
         at = text.find(stem, at + 1)) {
        if (!is_word_boundary(text, at)) continue;
        std::size_t end = at + stem.size();
        while (!is_word_boundary(text, end)) {
            ++end;
        }
        if (stem_of(text.substr(at, end - at)) == stem) return true;
    }
    return false;
}

/// How much `text` says in words that mean what words of the title mean.
std::size_t topic_score(std::string_view title, std::string_view text,
                        const RuleSet::Impl& playbook) {
    constexpr std::size_t kScorePerTopic = 4;
    const std::vector<WordMatch> said = playbook.topics.find(text);
    std::size_t score = 0;
    for (const WordMatch& topic : playbook.topics.find(title)) {
        const bool is_said = std::any_of(said.begin(), said.end(), [&](const WordMatch& match) {
            return match.lists == topic.lists;
        });
        if (is_said) score += kScorePerTopic;
    }
    return score;
}

/// How much of a title a text repeats: Latin words and pairs of Han characters.
std::size_t title_score(std::string_view title, const Reading& reading,
                        const RuleSet::Impl& playbook) {
    const std::string_view text = reading.text;
    std::size_t score = topic_score(title, text, playbook);
    for (std::size_t i = 0; i < title.size();) {
        const std::size_t length = code_point_length(title, i);
        const char32_t c = code_point_at(title, i);
        if (is_han(c)) {
            const std::size_t next = i + length;
            if (next < title.size() && is_han(code_point_at(title, next))) {
                const std::size_t pair = length + code_point_length(title, next);
                if (text.find(title.substr(i, pair)) != std::string_view::npos) score += 2;
            }
            i = next;
            continue;
        }
        std::size_t end = i + length;
        while (end < title.size() && !is_word_boundary(title, end)) {
            end += code_point_length(title, end);
        }
        const std::string_view word = title.substr(i, end - i);
        const WordMatch known = playbook.lexicon.longest_at(word, 0);
        const bool is_filler = known.end == word.size() && known.lists == playbook.known.filler;
        if (word.size() >= 2 && !is_filler && has_word(text, word)) score += word.size();
        i = end;
    }
    return score;
}

std::vector<const Listing*> by_title(const std::vector<const Listing*>& offered,
                                     const Reading& reading, const RuleSet::Impl& playbook) {
    std::vector<const Listing*> best;
    std::size_t best_score = 0;
    for (const Listing* listing : offered) {
        const std::string title = playbook.lexicon.comparable(listing->title);
        const std::size_t score = title_score(title, reading, playbook);
        if (score > best_score) best.clear();
        best_score = std::max(best_score, score);
        if (score != 0 && score == best_score) best.push_back(listing);
    }
    return best;
}

const Listing* by_conversation(const std::vector<const Listing*>& offered, const Input& input) {
    const std::size_t count = std::min(input.recent.size(), kWorksIdHistory);
    for (std::size_t k = 0; k < count; ++k) {
        const std::string& payload = input.recent[k].payload_json;
        if (payload.find("worksId") == std::string::npos) continue;
        if (const Listing* listing = by_id(offered, wire::view_payload(payload).works_id)) {
            return listing;
        }
    }
    return nullptr;
}

std::vector<const Listing*> meant_listings(const Input& input, const Reading& reading,
                                           const RuleSet::Impl& playbook) {
    std::vector<const Listing*> offered;
    for (const Listing& listing : input.listings) {
        if (is_offered(listing)) offered.push_back(&listing);
    }
    if (!input.payload.works_id.empty()) {
        const Listing* listing = by_id(offered, input.payload.works_id);
        return listing == nullptr ? std::vector<const Listing*>{} : std::vector{listing};
    }
    if (offered.size() < 2) return offered;
    auto titled = by_title(offered, reading, playbook);
    if (titled.size() == 1) return titled;
    if (const Listing* listing = by_conversation(titled.empty() ? offered : titled, input)) {
        return {listing};
    }
    return titled.empty() ? offered : titled;
}

/// What `clause` says besides the words of the rules and the listings.
bool says_unknown(const Reading& reading, const Clause& clause, const Knowledge& knowledge) {
    const auto words = unknown_words(reading, clause);
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

/// Peers tell of themselves what they like; anything else that nobody understood may be a wish or
/// an instruction.
bool is_context(const Reading& reading, const Clause& clause, const RuleSet::Impl& playbook) {
    const KnownLists& known = playbook.known;
    const auto first = std::find_if(
        reading.clauses.begin(), reading.clauses.end(),
        [&](const Clause& candidate) { return candidate.sentence == clause.sentence; });
    ListSet opening = 0;
    for (const WordMatch& word : reading.words) {
        if (word.begin >= first->begin && word.begin <= first->begin + 1) opening |= word.lists;
    }
    return (opening & known.context) != 0 && (clause.lists & known.request) == 0;
}

bool has_unknown_words(const Reading& reading, const Knowledge& knowledge,
                       const RuleSet::Impl& playbook) {
    return std::any_of(reading.clauses.begin(), reading.clauses.end(), [&](const Clause& clause) {
        const bool asks = clause.facts != 0 || clause.is_question;
        const bool matters = asks || (reading.facts != 0 && !is_context(reading, clause, playbook));
        return matters && says_unknown(reading, clause, knowledge);
    });
}

/// Numbers that are an amount of money, slang (88) or within what a listing states are known.
bool is_unknown_quantity(const Reading& reading, const NumberMention& number,
                         const Knowledge& knowledge) {
    if (number.kind == NumberKind::Money) return false;
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

void read_price(Subject& subject, const RuleSet::Impl& playbook) {
    const Listing* listing = subject.only();
    if (listing == nullptr) return;
    const std::string text = playbook.lexicon.comparable(listing->expected_price);
    std::size_t amounts = 0;
    for (const NumberMention& number : find_numbers(text, playbook.money)) {
        if (number.kind == NumberKind::Quantity) continue;
        ++amounts;
        if (!number.currency.empty()) subject.listed_currency = number.currency;
        subject.listed_price = number.money;
    }
    if (amounts != 1) subject.listed_price.reset();
}

/// The lists whose questions `listing` answers in its own words.
ListSet evidence_of(const Listing& listing, const RuleSet::Impl& playbook) {
    ListSet lists = 0;
    const std::string text = playbook.lexicon.comparable(listing.title + "\n" + listing.content);
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        lists |= playbook.evidence.longest_at(text, i).lists;
    }
    return lists;
}

/// A term that every listing meant states is a fact like others: "how many revisions?".
void drop_stated_terms(const Subject& subject, Reading& reading, const RuleSet::Impl& playbook) {
    if (subject.listings.empty()) return;
    ListSet stated = playbook.needs_evidence;
    for (const Listing* listing : subject.listings) {
        stated &= evidence_of(*listing, playbook);
    }
    reading.lists = 0;
    for (WordMatch& word : reading.words) {
        if ((word.lists & stated) != 0) word.lists &= ~playbook.known.terms;
        reading.lists |= word.lists;
    }
}

bool states(const Listing& listing, Fact fact) {
    switch (fact) {
        case Fact::Price:
            return !trim(listing.expected_price).empty();
        case Fact::Method:
            return !trim(listing.service_method).empty();
        case Fact::Location:
            return !trim(listing.service_location).empty();
        case Fact::Availability:
        case Fact::Overview:
            return !trim(listing.title).empty();
    }
    A2H_CHECK(false);
}

}  // namespace

bool is_offered(const Listing& listing) {
    if (listing.type == ListingType::Discussion) return false;
    std::string state = listing.status;
    std::transform(state.begin(), state.end(), state.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c; });
    return std::find(kHiddenStates.begin(), kHiddenStates.end(), state) == kHiddenStates.end();
}

bool states_facts(const std::vector<const Listing*>& listings, const Reading& reading,
                  const RuleSet::Impl& playbook) {
    const FactSet facts = reading.facts;
    const ListSet details = reading.lists & playbook.needs_evidence;
    for (const Listing* listing : listings) {
        if (details != 0 && (details & ~evidence_of(*listing, playbook)) != 0) return false;
        for (unsigned k = 0; k < kFactNames.size(); ++k) {
            const auto fact = static_cast<Fact>(k);
            if ((facts & bit(fact)) != 0 && !states(*listing, fact)) return false;
        }
    }
    return !listings.empty();
}

std::vector<NumberMention> numbers_of(const Listing& listing, const RuleSet::Impl& playbook) {
    const std::string text = playbook.lexicon.comparable(listing.title + "\n" + listing.content +
                                                         "\n" + listing.expected_price);
    return find_numbers(text, playbook.money);
}

Subject find_subject(const Input& input, Reading& reading, const RuleSet::Impl& playbook) {
    Subject subject;
    subject.listings = meant_listings(input, reading, playbook);
    read_price(subject, playbook);
    if (reading.lists & playbook.needs_evidence) drop_stated_terms(subject, reading, playbook);
    if (!needs_knowledge(reading, playbook)) return subject;
    const Knowledge knowledge(subject.listings, playbook, !reading.numbers.empty());
    drop_known_topics(reading, knowledge, playbook);
    for (Clause& clause : reading.clauses) {
        if (clause.facts != 0 || !asks_about_listing(reading, clause, knowledge, playbook))
            continue;
        clause.facts = bit(Fact::Overview);
        reading.facts |= clause.facts;
    }
    subject.has_unknown_words = has_unknown_words(reading, knowledge, playbook);
    subject.has_unknown_statement =
        std::any_of(reading.clauses.begin(), reading.clauses.end(),
                    [&](const Clause& clause) { return says_unknown(reading, clause, knowledge); });
    subject.has_unknown_quantity = std::any_of(
        reading.numbers.begin(), reading.numbers.end(),
        [&](const auto& number) { return is_unknown_quantity(reading, number, knowledge); });
    return subject;
}

}  // namespace a2h::decide
