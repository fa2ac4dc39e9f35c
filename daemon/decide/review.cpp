#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "daemon/decide/situation.h"

namespace a2h::decide {
namespace {

/// Numbers and amounts of the listings, as written and as money.
struct Stated {
    std::vector<Money> amounts;
    std::vector<std::string> digits;

    bool has(const NumberMention& number) const {
        if (number.money) {
            return std::find(amounts.begin(), amounts.end(), *number.money) != amounts.end();
        }
        return number.kind == NumberKind::Bare && !number.digits.empty() &&
               std::find(digits.begin(), digits.end(), number.digits) != digits.end();
    }
};

Stated stated_in(const std::vector<Listing>& listings, const Vocabulary& vocabulary) {
    Stated stated;
    for (const Listing& listing : listings) {
        for (const NumberMention& number : numbers_of(listing, vocabulary)) {
            if (number.money) stated.amounts.push_back(*number.money);
            if (!number.digits.empty()) stated.digits.push_back(number.digits);
        }
    }
    return stated;
}

/// The shortest copied piece of a listing, in bytes, that counts as a quotation if it is not a
/// whole field: enough for a sentence, too long for an accidental "I agree".
constexpr std::size_t kQuotationBytesMin = 40;

bool begins_code_point(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

/// Blanks out quotations of `field` from its beginning to its end or to the end of a word, so that
/// our own published words raise no objection.
void blank_quotations(std::string& text, std::string_view field) {
    const std::string_view start = field.substr(0, kQuotationBytesMin);
    if (trim(start).empty()) return;
    for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
        std::size_t length = start.size();
        while (length < field.size() && at + length < text.size() &&
               text[at + length] == field[length]) {
            ++length;
        }
        while (at + length < text.size() && !begins_code_point(text[at + length])) {
            --length;
        }
        const bool is_quotation = is_word_boundary(text, at) && is_word_boundary(text, at + length);
        if (is_quotation) text.replace(at, length, length, ' ');
        at += std::max<std::size_t>(length, 1);
    }
}

/// Like `blank_quotations`, for whole clauses from the middle of a listing. They may be shorter,
/// because they end where a clause of the listing ends.
void blank_clauses(std::string& text, std::string_view content) {
    constexpr std::size_t kClauseBytesMin = 24;
    constexpr std::array<std::string_view, 6> kMarks = {",", ";", "。", "、", "\n", ". "};
    for (std::size_t begin = 0; begin < content.size();) {
        std::size_t end = content.size();
        std::size_t next = end;
        for (const std::string_view mark : kMarks) {
            const std::size_t at = content.find(mark, begin);
            if (at >= end) continue;
            end = at;
            next = at + mark.size();
        }
        const std::string_view clause = trim(content.substr(begin, end - begin));
        if (clause.size() >= kClauseBytesMin) blank_quotations(text, clause);
        begin = next;
    }
}

std::string without_quotations(std::string text, const std::vector<Listing>& listings,
                               const Vocabulary& vocabulary) {
    for (const Listing& listing : listings) {
        for (const std::string* field : {&listing.content, &listing.title, &listing.expected_price,
                                         &listing.service_location, &listing.service_method}) {
            blank_quotations(text, vocabulary.lexicon.comparable(trim(*field)));
        }
        blank_clauses(text, vocabulary.lexicon.comparable(listing.content));
    }
    return text;
}

/// "Will you deliver on Friday?" promises nothing; "We will deliver, ok?" does.
bool asks_the_other(const Clause& clause, const RoleLists& known) {
    return clause.is_question && (clause.lists & known[Role::Speaker]) == 0;
}

bool is_long_number(std::string_view text, const NumberMention& number) {
    constexpr std::size_t kDigitsMin = 8;
    const bool is_in_digits = text[number.begin] >= '0' && text[number.begin] <= '9';
    return is_in_digits && number.kind == NumberKind::Quantity &&
           number.end - number.begin >= kDigitsMin;
}

bool is_english_or_chinese(const Reading& reading) {
    if (!reading.is_readable) return false;
    const bool has_no_words =
        std::all_of(reading.clauses.begin(), reading.clauses.end(),
                    [&](const Clause& clause) { return is_covered_by(reading, clause, 0); });
    if (has_no_words) return true;
    if (reading.language == i18n::Language::Chinese) return true;
    return reading.lists != 0;
}

}  // namespace

Review review_reading(const Reading& reading, const std::vector<Listing>& listings,
                      const Vocabulary& vocabulary) {
    const RoleLists& known = vocabulary.known;
    Review review;
    const auto object = [&](bool when, std::string_view reason) {
        if (when) review.reasons.emplace_back(reason);
    };
    const bool has_numbers =
        std::any_of(reading.numbers.begin(), reading.numbers.end(),
                    [](const auto& number) { return number.kind != NumberKind::Quantity; });
    if (has_numbers) {
        const Stated stated = stated_in(listings, vocabulary);
        object(std::any_of(reading.numbers.begin(), reading.numbers.end(),
                           [&](const NumberMention& number) {
                               return number.kind != NumberKind::Quantity && !stated.has(number);
                           }),
               "It names an amount or number that no listing states.");
    }
    object(std::any_of(
               reading.numbers.begin(), reading.numbers.end(),
               [&](const NumberMention& number) { return is_long_number(reading.text, number); }),
           "It holds a telephone, account or similar number.");
    const ListSet harmless_in_questions =
        known[Role::Assent] | known[Role::Promise] | known[Role::Terms];
    ListSet said = reading.lists & ~harmless_in_questions;
    for (const Clause& clause : reading.clauses) {
        if (!asks_the_other(clause, known)) said |= clause.lists & harmless_in_questions;
    }
    object((said & (known[Role::Deal] | known[Role::Assent])) != 0, "It agrees to something.");
    object((said & known[Role::Promise]) != 0, "It promises something.");
    object((said & known[Role::Terms]) != 0, "It speaks of terms that no listing states.");
    object((said & known[Role::AmountInWords]) != 0, "It names an amount in words.");
    object((said & (known[Role::Payment] | known[Role::Paid])) != 0, "It speaks of payment.");
    object((said & known[Role::Delivered]) != 0, "It speaks of delivery or acceptance.");
    object((said & known[Role::Haggle]) != 0, "It speaks of a change of price.");
    object((said & known[Role::Link]) != 0,
           "It holds a link, a code to scan or an address elsewhere.");
    object(!is_english_or_chinese(reading), "It is in a language that cannot be judged here.");
    review.free = review.reasons.empty();
    return review;
}

Review review_text(std::string_view text, const std::vector<Listing>& listings) {
    if (!is_utf8(text)) return {false, {"It is not readable text."}};
    const Vocabulary& vocabulary = built_in_vocabulary();
    const std::string rest =
        without_quotations(vocabulary.lexicon.comparable(text), listings, vocabulary);
    return review_reading(read_text(rest, vocabulary), listings, vocabulary);
}

}  // namespace a2h::decide
