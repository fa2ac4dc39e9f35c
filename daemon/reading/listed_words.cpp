#include "daemon/reading/listed_words.h"

#include <algorithm>

#include "core/base/text.h"

namespace a2h::reading {
namespace {

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

}  // namespace

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

bool says_unknown(const Reading& reading, const Clause& clause, const Knowledge& knowledge,
                  const Vocabulary& vocabulary) {
    if (words_of_nobody(reading, clause, knowledge).empty()) return false;
    const Clause part = asked_part(reading, clause, vocabulary);
    const bool is_all = part.begin == clause.begin && part.end == clause.end;
    return is_all || !words_of_nobody(reading, part, knowledge).empty();
}

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

}  // namespace a2h::reading
