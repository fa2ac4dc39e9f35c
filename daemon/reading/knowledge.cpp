#include "daemon/reading/knowledge.h"

#include <algorithm>
#include <charconv>

#include "core/base/text.h"

namespace a2h::reading {
namespace {

double value_of(const NumberMention& number) {
    double value = 0;
    std::from_chars(number.digits.data(), number.digits.data() + number.digits.size(), value);
    return value;
}

/// True if the number `stated` covers the `written` one.
bool answers_for(const ReadListing::Stated& stated, const NumberMention& number,
                 std::string_view written) {
    const NumberMention& own = stated.number;
    const bool counts_same = own.unit == 0 || number.unit == 0 || (own.unit & number.unit) != 0;
    if (stated.written == written && counts_same) return true;
    if (number.digits.empty()) return false;
    if (number.kind == NumberKind::Bare && own.kind == NumberKind::Money) {
        return own.digits == number.digits;
    }
    if ((own.unit & number.unit) == 0) return false;
    const double value = value_of(number);
    return stated.is_limit ? value <= value_of(own) : value == value_of(own);
}

}  // namespace

Knowledge::Knowledge(const std::vector<Listing>& listings, const Vocabulary& vocabulary)
    : index_(ListingIndex::of(listings, vocabulary)), vocabulary_(vocabulary) {
    for (const ReadListing& listing : index_->listings())
        listings_.push_back(&listing);
}

bool Knowledge::has_text(std::string_view part) const {
    return std::any_of(listings_.begin(), listings_.end(), [&](const ReadListing* listing) {
        return listing->text.find(part) != std::string::npos;
    });
}

bool Knowledge::has_topic(ListSet topic) const {
    return topic != 0 &&
           std::any_of(listings_.begin(), listings_.end(), [&](const ReadListing* listing) {
               const auto& topics = listing->topics;
               return std::find(topics.begin(), topics.end(), topic) != topics.end();
           });
}

/// "Yuan" is known if a listing states its price in that currency.
bool Knowledge::is_currency(std::string_view word) const {
    const MoneyWords::Found found = vocabulary_.money.currency_at(word, 0);
    return found.length == word.size() && !found.currency.empty() &&
           std::any_of(listings_.begin(), listings_.end(), [&](const ReadListing* listing) {
               return listing->currency == found.currency;
           });
}

bool Knowledge::has_latin(std::string_view word) const {
    const std::string_view stem = stem_of(word);
    const bool is_there =
        std::any_of(listings_.begin(), listings_.end(), [&](const ReadListing* listing) {
            return std::binary_search(listing->stems.begin(), listing->stems.end(), stem);
        });
    if (is_there || is_currency(word)) return true;
    const WordMatch topic = vocabulary_.topics.longest_at(word, 0);
    if (topic.end == word.size() && has_topic(topic.lists)) return true;
    const WordMatch topic_of_stem = vocabulary_.topics.longest_at(stem, 0);
    return topic_of_stem.end == stem.size() && has_topic(topic_of_stem.lists);
}

bool Knowledge::has_han(std::string_view run, bool also_alone) const {
    std::size_t unknown_from = 0;
    const auto is_known_up_to = [&](std::size_t to) {
        const std::string_view part = run.substr(unknown_from, to - unknown_from);
        if (code_point_count(part) == 1) {
            return !also_alone || has_text(part);
        }
        for (std::size_t i = 0; i < part.size();) {
            const std::size_t next = i + code_point_length(part, i);
            if (next >= part.size()) break;
            const std::size_t end = next + code_point_length(part, next);
            if (!has_text(part.substr(i, end - i))) return false;
            i = next;
        }
        return true;
    };
    for (std::size_t i = 0; i < run.size();) {
        const WordMatch topic = vocabulary_.topics.longest_at(run, i);
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

std::vector<WordMatch> Knowledge::topics_in(std::string_view text) const {
    std::vector<WordMatch> topics = vocabulary_.topics.find(text);
    std::erase_if(topics, [&](const WordMatch& topic) { return !has_topic(topic.lists); });
    return topics;
}

bool Knowledge::states_unit(ListSet unit) const {
    return std::any_of(listings_.begin(), listings_.end(), [&](const ReadListing* listing) {
        return std::any_of(
            listing->numbers.begin(), listing->numbers.end(),
            [&](const ReadListing::Stated& stated) { return (stated.number.unit & unit) != 0; });
    });
}

bool Knowledge::covers(const NumberMention& number, std::string_view written) const {
    return std::any_of(listings_.begin(), listings_.end(), [&](const ReadListing* listing) {
        return std::any_of(
            listing->numbers.begin(), listing->numbers.end(),
            [&](const auto& stated) { return answers_for(stated, number, written); });
    });
}

bool Knowledge::covers_minutes(const NumberMention& number) const {
    constexpr double kMinutesPerHour = 60;
    if ((number.unit & vocabulary_.minutes) == 0 || value_of(number) < kMinutesPerHour)
        return false;
    const double hours = value_of(number) / kMinutesPerHour;
    return std::any_of(listings_.begin(), listings_.end(), [&](const ReadListing* listing) {
        return std::any_of(listing->numbers.begin(), listing->numbers.end(),
                           [&](const ReadListing::Stated& stated) {
                               return stated.is_limit &&
                                      (stated.number.unit & vocabulary_.hours) != 0 &&
                                      hours <= value_of(stated.number);
                           });
    });
}

}  // namespace a2h::reading
