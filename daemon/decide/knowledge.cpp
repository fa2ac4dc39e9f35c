#include "daemon/decide/knowledge.h"

#include <algorithm>
#include <charconv>

#include "core/base/text.h"

namespace a2h::decide {
namespace {

constexpr std::size_t kLimitBytesAway = 12;  // "up to 20", 20页以内: limit and number are near

std::string comparable_listing(const Listing& listing, const RuleSet::Impl& playbook) {
    std::string all;
    for (const std::string* part : {&listing.title, &listing.content, &listing.expected_price,
                                    &listing.service_method, &listing.service_location}) {
        all += playbook.lexicon.comparable(*part);
        all += '\n';
    }
    return all;
}

double value_of(const NumberMention& number) {
    double value = 0;
    std::from_chars(number.digits.data(), number.digits.data() + number.digits.size(), value);
    return value;
}

bool is_limited(const NumberMention& number, const std::vector<WordMatch>& words,
                const RuleSet::Impl& playbook) {
    return std::any_of(words.begin(), words.end(), [&](const WordMatch& word) {
        if ((word.lists & playbook.known.limit) == 0) return false;
        const bool is_before =
            word.end <= number.begin && number.begin - word.end <= kLimitBytesAway;
        const bool is_after =
            word.begin >= number.end && word.begin - number.end <= kLimitBytesAway;
        return is_before || is_after;
    });
}

}  // namespace

std::string_view stem_of(std::string_view word) {
    constexpr std::size_t kStemMin = 3;
    const auto cut = [&](std::string_view ending) {
        if (word.size() < ending.size() + kStemMin || !word.ends_with(ending)) return false;
        word.remove_suffix(ending.size());
        return true;
    };
    cut("'s");
    if (!cut("ings") && !cut("ing") && !cut("ies") && !cut("ied") && !cut("ed") && !cut("es")) {
        if (!word.ends_with("ss")) cut("s");
    }
    cut("e");
    if (!cut("y") && word.size() > kStemMin && word[word.size() - 1] == word[word.size() - 2]) {
        word.remove_suffix(1);
    }
    return word;
}

Knowledge::Knowledge(const std::vector<const Listing*>& listings, const RuleSet::Impl& playbook,
                     bool with_numbers)
    : playbook_(playbook) {
    for (const Listing* listing : listings) {
        text_ += comparable_listing(*listing, playbook);
    }
    for (const WordMatch& match : playbook.topics.find(text_)) {
        topics_.push_back(match.lists);
    }
    for (std::size_t i = 0; i < text_.size();) {
        std::size_t end = i + code_point_length(text_, i);
        if (text_[i] >= 'a' && text_[i] <= 'z') {
            while (!is_word_boundary(text_, end)) {
                end += code_point_length(text_, end);
            }
            stems_.emplace_back(stem_of(std::string_view(text_).substr(i, end - i)));
        }
        i = end;
    }
    if (!with_numbers) return;
    const std::vector<WordMatch> words = playbook.lexicon.find(text_);
    for (const NumberMention& number : find_numbers(text_, playbook.money)) {
        numbers_.push_back({number, is_limited(number, words, playbook)});
    }
}

bool Knowledge::has_topic(ListSet topic) const {
    return topic != 0 && std::find(topics_.begin(), topics_.end(), topic) != topics_.end();
}

bool Knowledge::has_latin(std::string_view word) const {
    const std::string_view stem = stem_of(word);
    if (std::find(stems_.begin(), stems_.end(), stem) != stems_.end()) return true;
    const WordMatch topic = playbook_.topics.longest_at(word, 0);
    if (topic.end == word.size() && has_topic(topic.lists)) return true;
    const WordMatch topic_of_stem = playbook_.topics.longest_at(stem, 0);
    return topic_of_stem.end == stem.size() && has_topic(topic_of_stem.lists);
}

bool Knowledge::has_han(std::string_view run, bool also_alone) const {
    std::size_t unknown_from = 0;
    const auto is_known_up_to = [&](std::size_t to) {
        const std::string_view part = run.substr(unknown_from, to - unknown_from);
        if (code_point_count(part) == 1) {
            return !also_alone || text_.find(part) != std::string::npos;
        }
        for (std::size_t i = 0; i < part.size();) {
            const std::size_t next = i + code_point_length(part, i);
            if (next >= part.size()) break;
            const std::size_t end = next + code_point_length(part, next);
            if (text_.find(part.substr(i, end - i)) == std::string::npos) return false;
            i = next;
        }
        return true;
    };
    for (std::size_t i = 0; i < run.size();) {
        const WordMatch topic = playbook_.topics.longest_at(run, i);
        if (topic.end > i && has_topic(topic.lists)) {
            if (i > unknown_from && !is_known_up_to(i)) return false;
            i = unknown_from = topic.end;
        } else {
            i += code_point_length(run, i);
        }
    }
    return unknown_from >= run.size() || is_known_up_to(run.size());
}

bool Knowledge::knows(std::string_view word) const {
    if (is_han(code_point_at(word, 0))) return has_han(word, false);
    return word.size() < 2 || has_latin(word);
}

bool Knowledge::knows_all(std::string_view word) const {
    return is_han(code_point_at(word, 0)) ? has_han(word, true) : has_latin(word);
}

bool Knowledge::covers(const NumberMention& number, std::string_view written) const {
    const double value = value_of(number);
    return std::any_of(numbers_.begin(), numbers_.end(), [&](const Stated& stated) {
        const NumberMention& own = stated.number;
        if (std::string_view(text_).substr(own.begin, own.end - own.begin) == written) return true;
        if (number.digits.empty()) return false;
        if (number.kind == NumberKind::Bare && own.kind == NumberKind::Money) {
            return own.digits == number.digits;
        }
        if ((own.unit & number.unit) == 0) return false;
        return stated.is_limit ? value <= value_of(own) : value == value_of(own);
    });
}

}  // namespace a2h::decide
