#include "daemon/decide/subject.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

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

/// How much of a title a text repeats: Latin words and pairs of Han characters.
std::size_t title_score(std::string_view title, const Reading& reading,
                        const RuleSet::Impl& playbook) {
    std::size_t score = 0;
    const std::string_view text = reading.text;
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
        if (word.size() >= 2 && !is_filler) {
            const std::size_t at = text.find(word);
            const bool found = at != std::string_view::npos && is_word_boundary(text, at) &&
                               is_word_boundary(text, at + word.size());
            if (found) score += word.size();
        }
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

std::string known_text(const Subject& subject, const RuleSet::Impl& playbook) {
    std::string all;
    for (const Listing* listing : subject.listings) {
        for (const std::string* part :
             {&listing->title, &listing->content, &listing->expected_price,
              &listing->service_method, &listing->service_location}) {
            all += playbook.lexicon.comparable(*part);
            all += '\n';
        }
    }
    return all;
}

/// A Latin word is known when the listing has it; a run of Han when every pair of it is there. One
/// Han character alone is a particle more often than a topic.
bool is_known(std::string_view word, std::string_view known) {
    if (!is_han(code_point_at(word, 0))) {
        for (std::size_t at = known.find(word); at != std::string_view::npos;
             at = known.find(word, at + 1)) {
            if (is_word_boundary(known, at) && is_word_boundary(known, at + word.size())) {
                return true;
            }
        }
        return word.size() < 2;
    }
    for (std::size_t i = 0; i < word.size();) {
        const std::size_t next = i + code_point_length(word, i);
        if (next >= word.size()) break;
        const std::size_t end = next + code_point_length(word, next);
        if (known.find(word.substr(i, end - i)) == std::string_view::npos) return false;
        i = next;
    }
    return true;
}

bool has_unknown_words(const Reading& reading, const Subject& subject,
                       const RuleSet::Impl& playbook) {
    constexpr std::size_t kUnknownWordsRead = 20;  // more of them settle the matter
    std::vector<std::string_view> unknown;
    for (const Clause& clause : reading.clauses) {
        if (clause.facts == 0 && !clause.is_question) continue;
        for (const std::string_view word : unknown_words(reading, clause)) {
            unknown.push_back(word);
        }
        if (unknown.size() > kUnknownWordsRead) return true;
    }
    if (unknown.empty()) return false;
    const std::string known = known_text(subject, playbook);
    return std::any_of(unknown.begin(), unknown.end(),
                       [&](std::string_view word) { return !is_known(word, known); });
}

bool has_unknown_quantity(const Reading& reading, const Subject& subject,
                          const RuleSet::Impl& playbook) {
    std::vector<std::string> known;
    bool is_listed = false;
    for (const NumberMention& number : reading.numbers) {
        if (number.kind == NumberKind::Money) continue;
        if (!is_listed) {
            is_listed = true;
            const std::string text = known_text(subject, playbook);
            for (const NumberMention& own : find_numbers(text, playbook.money)) {
                known.push_back(text.substr(own.begin, own.end - own.begin));
            }
        }
        const std::string written = reading.text.substr(number.begin, number.end - number.begin);
        if (std::find(known.begin(), known.end(), written) == known.end()) return true;
    }
    return false;
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

bool states_facts(const std::vector<const Listing*>& listings, FactSet facts) {
    for (const Listing* listing : listings) {
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

Subject find_subject(const Input& input, const Reading& reading, const RuleSet::Impl& playbook) {
    Subject subject;
    subject.listings = meant_listings(input, reading, playbook);
    read_price(subject, playbook);
    subject.has_unknown_words = has_unknown_words(reading, subject, playbook);
    subject.has_unknown_quantity = has_unknown_quantity(reading, subject, playbook);
    return subject;
}

}  // namespace a2h::decide
