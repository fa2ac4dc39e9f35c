#include "daemon/decide/draft_sources.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "daemon/decide/draft_text.h"
#include "daemon/decide/draft_words.h"

namespace a2h::decide {
namespace {

/// Shorter texts are words that anybody uses.
constexpr std::size_t kQuotedBytesMin = 8;

/// True if `text` names a secret amount, or an amount in words, which cannot be compared with it.
/// Then nothing of it may be repeated.
bool may_name_secret(std::string_view text, const std::vector<Money>& secrets,
                     const Vocabulary& vocabulary) {
    if (secrets.empty()) return false;
    const auto words = vocabulary.lexicon.find(text);
    const bool is_spelled = std::any_of(words.begin(), words.end(), [&](const WordMatch& word) {
        return (word.lists & vocabulary.known[Role::AmountInWords]) != 0;
    });
    if (is_spelled) return true;
    const auto numbers = find_numbers(text, vocabulary);
    return std::any_of(numbers.begin(), numbers.end(), [&](const NumberMention& number) {
        return std::any_of(secrets.begin(), secrets.end(), [&](const Money& secret) {
            const auto money = parse_money(number.digits, secret.currency);
            return money && *money == secret;
        });
    });
}

std::vector<Listing> all_texts(const DraftFacts& facts, const Vocabulary& vocabulary) {
    std::vector<Listing> texts = facts.listings;
    for (const std::string& stated : facts.stated) {
        if (may_name_secret(vocabulary.lexicon.comparable(stated), facts.secret_amounts,
                            vocabulary)) {
            continue;
        }
        Listing listing;
        listing.content = stated;
        texts.push_back(std::move(listing));
    }
    return texts;
}

/// True for words that agree to something. If repeated, they would agree to something else.
bool agrees(std::string_view text, const Vocabulary& vocabulary) {
    const RoleLists& known = vocabulary.known;
    const auto has = [](const std::vector<WordMatch>& words, ListSet lists) {
        return std::any_of(words.begin(), words.end(),
                           [&](const WordMatch& word) { return (word.lists & lists) != 0; });
    };
    return has(vocabulary.lexicon.find(text), known[Role::Deal] | known[Role::Assent] |
                                                  known[Role::Claim] | known[Role::Payment] |
                                                  known[Role::Paid]) ||
           has(draft_lexicon().find(text),
               bit(DraftList::Agreement) | bit(DraftList::Approval) | bit(DraftList::Payment));
}

/// The position of comparable `words` in `text` as whole words.
std::size_t find_words(std::string_view text, std::string_view words) {
    for (auto at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
        if (is_word_boundary(text, at) && is_word_boundary(text, at + words.size())) return at;
    }
    return std::string_view::npos;
}

void add_sentences(std::string_view field, std::vector<std::string>& out) {
    constexpr std::array<std::string_view, 6> kMarks = {";", "。", "\n", ". ", "!", "?"};
    for (std::size_t begin = 0; begin < field.size();) {
        std::size_t end = field.size();
        std::size_t next = end;
        for (const std::string_view mark : kMarks) {
            const std::size_t at = field.find(mark, begin);
            if (at >= end) continue;
            end = at;
            next = at + mark.size();
        }
        std::string_view sentence = trim(field.substr(begin, end - begin));
        if (sentence.ends_with('.')) sentence.remove_suffix(1);
        if (sentence.size() >= kQuotedBytesMin) out.emplace_back(sentence);
        begin = next;
    }
}

void sort_longest_first(std::vector<std::string>& texts) {
    std::sort(texts.begin(), texts.end(),
              [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

/// The length of the longest of `quotations` at `position`, 0 if there is none.
std::size_t quotation_at(std::string_view text, std::size_t position,
                         const std::vector<std::string>& quotations) {
    if (!is_word_boundary(text, position)) return 0;
    for (const std::string& quotation : quotations) {
        if (text.substr(position).starts_with(quotation) &&
            is_word_boundary(text, position + quotation.size())) {
            return quotation.size();
        }
    }
    return 0;
}

std::string without(std::string_view text, const std::vector<std::string>& quotations) {
    std::string rest;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = quotation_at(text, i, quotations);
        if (length > 0) {
            rest += kQuotedMark;
            i += length;
            continue;
        }
        const std::size_t step = code_point_length(text, i);
        rest += text.substr(i, step);
        i += step;
    }
    return rest;
}

}  // namespace

DraftSources::DraftSources(const DraftFacts& facts, const Vocabulary& vocabulary)
    : texts_(all_texts(facts, vocabulary)), knowledge_(texts_, vocabulary) {
    for (std::size_t k = 0; k < texts_.size(); ++k) {
        const Listing& text = texts_[k];
        const bool is_listing = k < facts.listings.size();
        for (const std::string* field : {&text.title, &text.content, &text.expected_price,
                                         &text.service_method, &text.service_location}) {
            if (trim(*field).empty()) continue;
            raw_ += *field;
            fields_.push_back(vocabulary.lexicon.comparable(trim(*field)));
            for (NumberMention& number : find_numbers(fields_.back(), vocabulary))
                numbers_.push_back(std::move(number));
            add_quotations(*field, is_listing, vocabulary);
        }
    }
    sort_longest_first(quotations_);
}

/// Of the last of `fields_`, which is `field` in comparable form.
void DraftSources::add_quotations(const std::string& field, bool is_listing,
                                  const Vocabulary& vocabulary) {
    std::vector<std::string> sentences;
    const std::string& whole = fields_.back();
    if (whole.size() >= kQuotedBytesMin) sentences.push_back(whole);
    add_sentences(whole, sentences);
    for (std::string& sentence : sentences) {
        if (is_listing || !agrees(sentence, vocabulary)) quotations_.push_back(std::move(sentence));
    }
    for (const std::string_view link : links_in(field)) {
        links_.emplace_back(link);
        quotations_.push_back(vocabulary.lexicon.comparable(link));
    }
}

bool DraftSources::has_link(std::string_view raw) const {
    return std::find(links_.begin(), links_.end(), raw) != links_.end();
}

bool DraftSources::says(std::string_view words) const {
    return std::any_of(fields_.begin(), fields_.end(), [&](const std::string& field) {
        return find_words(field, words) != std::string_view::npos;
    });
}

bool DraftSources::has_character(std::string_view raw) const {
    return raw_.find(raw) != std::string::npos;
}

bool DraftSources::states(const NumberMention& number) const {
    const auto is_same = [&](const NumberMention& own) {
        if (number.digits.empty() || own.digits != number.digits) return false;
        if (number.kind == NumberKind::Money) {
            return own.kind == NumberKind::Money && own.currency == number.currency &&
                   own.money == number.money;
        }
        // "280" may stand for 280 CNY, but never for 280 pages.
        if (number.kind == NumberKind::Bare) {
            return own.kind == NumberKind::Bare || (own.kind == NumberKind::Money && own.money);
        }
        if (number.kind == NumberKind::Discount) return own.kind == NumberKind::Discount;
        return own.kind == NumberKind::Quantity && (own.unit & number.unit) != 0;
    };
    return std::any_of(numbers_.begin(), numbers_.end(), is_same);
}

std::string DraftSources::without_quotations(std::string_view text) const {
    return without(text, quotations_);
}

}  // namespace a2h::decide
