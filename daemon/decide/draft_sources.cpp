#include "daemon/decide/draft_sources.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace a2h::decide {
namespace {

/// Fewer bytes are words that anybody uses.
constexpr std::size_t kQuotedBytesMin = 8;

std::vector<Listing> all_texts(const DraftFacts& facts) {
    std::vector<Listing> texts = facts.listings;
    for (const std::string& stated : facts.stated) {
        Listing listing;
        listing.content = stated;
        texts.push_back(std::move(listing));
    }
    return texts;
}

/// Where comparable `words` stand in `text` as whole words.
std::size_t find_words(std::string_view text, std::string_view words) {
    for (auto at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
        if (is_word_boundary(text, at) && is_word_boundary(text, at + words.size())) return at;
    }
    return std::string_view::npos;
}

void add_clauses(std::string_view field, std::vector<std::string>& out) {
    constexpr std::array<std::string_view, 9> kMarks = {",",  ";", "。", "、", "\n",
                                                        ". ", "!", "?",  ":"};
    for (std::size_t begin = 0; begin < field.size();) {
        std::size_t end = field.size();
        std::size_t next = end;
        for (const std::string_view mark : kMarks) {
            const std::size_t at = field.find(mark, begin);
            if (at >= end) continue;
            end = at;
            next = at + mark.size();
        }
        std::string_view clause = trim(field.substr(begin, end - begin));
        if (clause.ends_with('.')) clause.remove_suffix(1);
        if (clause.size() >= kQuotedBytesMin) out.emplace_back(clause);
        begin = next;
    }
}

}  // namespace

DraftSources::DraftSources(const DraftFacts& facts, const RuleSet::Impl& playbook)
    : texts_(all_texts(facts)), knowledge_(texts_, playbook) {
    for (const Listing& text : texts_) {
        for (const std::string* field : {&text.title, &text.content, &text.expected_price,
                                         &text.service_method, &text.service_location}) {
            if (trim(*field).empty()) continue;
            raw_ += *field;
            fields_.push_back(playbook.lexicon.comparable(trim(*field)));
            for (NumberMention& number : find_numbers(fields_.back(), playbook.money))
                numbers_.push_back(std::move(number));
            if (fields_.back().size() >= kQuotedBytesMin) quotations_.push_back(fields_.back());
            add_clauses(fields_.back(), quotations_);
        }
    }
    std::sort(quotations_.begin(), quotations_.end(),
              [](const auto& a, const auto& b) { return a.size() > b.size(); });
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
        // "280" for 280 CNY, but never for 280 pages.
        if (number.kind == NumberKind::Bare) {
            return own.kind == NumberKind::Bare || (own.kind == NumberKind::Money && own.money);
        }
        if (number.kind == NumberKind::Discount) return own.kind == NumberKind::Discount;
        return own.kind == NumberKind::Quantity && (own.unit & number.unit) != 0;
    };
    return std::any_of(numbers_.begin(), numbers_.end(), is_same);
}

std::size_t DraftSources::quotation_at(std::string_view text, std::size_t position) const {
    if (!is_word_boundary(text, position)) return 0;
    for (const std::string& quotation : quotations_) {
        if (text.substr(position).starts_with(quotation) &&
            is_word_boundary(text, position + quotation.size())) {
            return quotation.size();
        }
    }
    return 0;
}

std::string DraftSources::without_quotations(std::string_view text) const {
    std::string rest;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = quotation_at(text, i);
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

}  // namespace a2h::decide
