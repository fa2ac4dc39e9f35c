#include "daemon/reading/listing_index.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/text.h"
#include "daemon/reading/subject.h"

namespace a2h::reading {
namespace {

constexpr std::size_t kLimitBytesAway =
    12;  // largest distance of limit and number in "up to 20", 20页以内

bool is_limited(const NumberMention& number, const std::vector<WordMatch>& words,
                const Vocabulary& vocabulary) {
    return std::any_of(words.begin(), words.end(), [&](const WordMatch& word) {
        if ((word.lists & vocabulary.known[Role::Limit]) == 0) return false;
        const bool is_before =
            word.end <= number.begin && number.begin - word.end <= kLimitBytesAway;
        const bool is_after =
            word.begin >= number.end && word.begin - number.end <= kLimitBytesAway;
        return is_before || is_after;
    });
}

std::vector<ListSet> topics_of(std::string_view text, const Vocabulary& vocabulary) {
    std::vector<ListSet> topics;
    for (const WordMatch& match : vocabulary.topics.find(text))
        topics.push_back(match.lists);
    return topics;
}

void read_title(std::string_view title, const Vocabulary& vocabulary, ReadListing& read) {
    read.title_topics = topics_of(title, vocabulary);
    for (std::size_t i = 0; i < title.size();) {
        const std::size_t length = code_point_length(title, i);
        if (is_han(code_point_at(title, i))) {
            const std::size_t next = i + length;
            if (next < title.size() && is_han(code_point_at(title, next))) {
                const std::size_t pair = length + code_point_length(title, next);
                read.title_pairs.emplace_back(title.substr(i, pair));
            }
            i = next;
            continue;
        }
        std::size_t end = i + length;
        while (end < title.size() && !is_word_boundary(title, end))
            end += code_point_length(title, end);
        const std::string_view word = title.substr(i, end - i);
        const WordMatch known = vocabulary.lexicon.longest_at(word, 0);
        const bool is_filler =
            known.end == word.size() && known.lists == vocabulary.known[Role::Filler];
        if (word.size() >= 2 && !is_filler) {
            read.title_words.push_back({std::string(stem_of(word)), word.size()});
        }
        i = end;
    }
}

std::vector<std::string> stems_in(std::string_view text) {
    std::vector<std::string> stems;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + code_point_length(text, i);
        if (text[i] >= 'a' && text[i] <= 'z') {
            while (!is_word_boundary(text, end))
                end += code_point_length(text, end);
            stems.emplace_back(stem_of(text.substr(i, end - i)));
        }
        i = end;
    }
    std::sort(stems.begin(), stems.end());
    stems.erase(std::unique(stems.begin(), stems.end()), stems.end());
    return stems;
}

FactSet facts_of(const Listing& listing) {
    FactSet facts = 0;
    const auto add = [&](Fact fact, const std::string& field) {
        if (!trim(field).empty()) facts |= bit(fact);
    };
    add(Fact::Price, listing.expected_price);
    add(Fact::Method, listing.service_method);
    add(Fact::Location, listing.service_location);
    add(Fact::Availability, listing.title);
    add(Fact::Overview, listing.title);
    return facts;
}

void read_price(const std::string& price, const Vocabulary& vocabulary, ReadListing& read) {
    std::size_t amounts = 0;
    for (const NumberMention& number : find_numbers(price, vocabulary)) {
        if (number.kind == NumberKind::Quantity) continue;
        ++amounts;
        if (!number.currency.empty()) read.currency = number.currency;
        read.exact_price = number.money;
    }
    if (amounts != 1) read.exact_price.reset();
}

/// The lists for which the listing's own words answer questions about details.
ListSet evidence_in(std::string_view text, const Vocabulary& vocabulary) {
    ListSet lists = 0;
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i))
        lists |= vocabulary.evidence.longest_at(text, i).lists;
    return lists;
}

ReadListing read_listing(const Listing& listing, const Vocabulary& vocabulary) {
    ReadListing read;
    read.is_offered = is_offered(listing);
    const std::string title = vocabulary.lexicon.comparable(listing.title);
    const std::string content = vocabulary.lexicon.comparable(listing.content);
    const std::string price = vocabulary.lexicon.comparable(listing.expected_price);
    read_title(title, vocabulary, read);
    read_price(price, vocabulary, read);
    read.evidence = evidence_in(title + "\n" + content, vocabulary);
    read.text = title + "\n" + content + "\n" + price + "\n" +
                vocabulary.lexicon.comparable(listing.service_method) + "\n" +
                vocabulary.lexicon.comparable(listing.service_location) + "\n";
    // "edited pictures" also stand for pictures.
    for (std::size_t i = 0; i < read.text.size(); i += code_point_length(read.text, i))
        for (const ListSet topic : vocabulary.topics.all_at(read.text, i))
            read.topics.push_back(topic);
    read.stems = stems_in(read.text);
    read.facts = facts_of(listing);
    const std::vector<WordMatch> words = vocabulary.lexicon.find(read.text);
    for (NumberMention& number : find_numbers(read.text, vocabulary)) {
        const std::string written = read.text.substr(number.begin, number.end - number.begin);
        const bool is_limit = is_limited(number, words, vocabulary);
        read.numbers.push_back({std::move(number), written, is_limit});
    }
    return read;
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

std::shared_ptr<const ListingIndex> ListingIndex::of(const std::vector<Listing>& listings,
                                                     const Vocabulary& vocabulary) {
    auto index = std::make_shared<ListingIndex>();
    index->version_ = vocabulary.version;
    index->listings_ = listings;
    for (const Listing& listing : listings)
        index->read_.push_back(read_listing(listing, vocabulary));
    return index;
}

bool ListingIndex::is_of(const std::vector<Listing>& listings, const Vocabulary& vocabulary) const {
    return is_made_with(vocabulary) && listings_ == listings;
}

}  // namespace a2h::reading
