#include "daemon/decide/agreeing.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::decide {
namespace {

constexpr std::size_t kOfferedBytesMax = 8 * 1024;

/// Whether two English words are forms of one: "waived" and "waive".
bool are_alike(std::string_view one, std::string_view other) {
    constexpr std::size_t kLettersMin = 4;
    constexpr std::size_t kEndingMax = 3;
    if (one == other) return true;
    const auto differ = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
    const auto same = static_cast<std::size_t>(differ.first - one.begin());
    return same >= kLettersMin && std::max(one.size(), other.size()) - same <= kEndingMax;
}

bool has_word(const Said& said, Cue cue, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); i += code_point_length(text, i)) {
        if (is_word_boundary(text, i) && said.vocabulary.cues[cue].longest_at(text, i).end > i)
            return true;
    }
    return false;
}

std::size_t end_of_latin(std::string_view text, std::size_t i) {
    std::size_t end = i + 1;
    while (end < text.size() && !is_word_boundary(text, end))
        ++end;
    return end;
}

/// The words of the other side's offer. A part that negates covers no words without a negation: "no
/// delivery" is not "delivery".
///
/// Words behind the limit cover nothing, so that long offers cost no time.
class Offered {
  public:
    explicit Offered(const Said& said) : said_(said) {
        if (!said.other) return;
        split(said.vocabulary.lexicon.comparable(said.title));
        std::size_t bytes = 0;
        for (const std::string& condition : said.other->terms.conditions) {
            bytes += condition.size();
            if (bytes > kOfferedBytesMax) return;
            split(said.vocabulary.lexicon.comparable(condition));
        }
    }

    /// The end of the words at `i` of `text` that are the offer's; `i` if there are none.
    std::size_t end_at(std::string_view text, std::size_t i, bool negates) const {
        std::size_t end = i;
        for (const Part& part : parts_) {
            if (part.negates && !negates) continue;
            end = std::max(end, is_han(code_point_at(text, i)) ? end_of_han(part.text, text, i)
                                                               : end_of_word(part.text, text, i));
        }
        return end;
    }

  private:
    struct Part {
        std::string text;
        bool negates = false;
    };

    void split(std::string_view text) {
        constexpr std::string_view kMarks = ",.;!?\n";
        while (!text.empty()) {
            const std::size_t end = std::min(text.find_first_of(kMarks), text.size());
            const std::string part(text.substr(0, end));
            parts_.push_back({part, has_word(said_, Cue::Negates, part)});
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    std::size_t end_of_word(std::string_view part, std::string_view text, std::size_t i) const {
        if (!begins_latin(text[i]) || !is_word_boundary(text, i)) return i;
        const std::size_t end = end_of_latin(text, i);
        const std::string_view word = text.substr(i, end - i);
        const bool is_exact = has_word(said_, Cue::Negates, word);  // "without" is not "with"
        for (std::size_t k = 0; k < part.size(); k += code_point_length(part, k)) {
            if (!begins_latin(part[k]) || !is_word_boundary(part, k)) continue;
            const std::string_view offered = part.substr(k, end_of_latin(part, k) - k);
            if (is_exact ? offered == word : are_alike(offered, word)) return end;
        }
        return i;
    }

    /// At least two characters: one says too little.
    static std::size_t end_of_han(std::string_view part, std::string_view text, std::size_t i) {
        std::size_t end = i;
        std::size_t characters = 0;
        while (end < text.size() && is_han(code_point_at(text, end))) {
            const std::size_t next = end + code_point_length(text, end);
            if (part.find(text.substr(i, next - i)) == std::string_view::npos) break;
            end = next;
            ++characters;
        }
        return characters > 1 ? end : i;
    }

    const Said& said_;
    std::vector<Part> parts_;
};

class AssentFinder {
  public:
    AssentFinder(const Said& said, const std::vector<NamedAmount>& amounts)
        : said_(said), amounts_(amounts), offered_(said) {}

    Assent find() const {
        if (!said_.other || names_other_amount() || refuses() || only_answers())
            return Assent::None;
        bool agrees = false;
        bool agrees_partly = false;
        bool is_whole = true;
        for (const Clause& clause : said_.reading.clauses) {
            const bool holds_yes =
                !asks(said_, clause) && (says_yes(clause) || names_amount(clause));
            const bool is_covered = holds_yes && is_covered_by_yes(clause);
            agrees = agrees || is_covered;
            agrees_partly = agrees_partly || (holds_yes && repeats_amount(clause));
            is_whole = is_whole && (is_covered || is_harmless(clause));
        }
        if (agrees && is_whole) return Assent::Whole;
        return agrees || agrees_partly ? Assent::WithCondition : Assent::None;
    }

  private:
    bool names_other_amount() const {
        return std::any_of(amounts_.begin(), amounts_.end(), [&](const NamedAmount& amount) {
            return !is_price_of(said_.other, amount.money) && !is_multiple(amount.money);
        });
    }

    /// "20 each, 8 of them, 160 in all": the price times a number of the message.
    bool is_multiple(const Money& money) const {
        const auto& price = said_.other->terms.price;
        if (!price || price->minor == 0 || money.minor % price->minor != 0) return false;
        const std::string times = std::to_string(money.minor / price->minor);
        const auto& numbers = said_.reading.numbers;
        return price->currency == money.currency &&
               std::any_of(numbers.begin(), numbers.end(), [&](const NumberMention& number) {
                   return number.kind != NumberKind::Money && number.digits == times;
               });
    }

    /// 可以 behind a question of the other side that names no price answers that question.
    bool only_answers() const {
        const auto& clauses = said_.reading.clauses;
        const bool is_bare = std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
            return says_only(said_, Cue::Answers, clause);
        });
        if (!is_bare || said_.recent.empty()) return false;
        const HistoryEntry& last = said_.recent.front();
        if (last.incoming != (said_.by == ActBy::Us)) return false;
        const Reading before =
            read_text(wire::view_payload(last.payload_json).text, said_.vocabulary);
        const bool asked = std::any_of(before.clauses.begin(), before.clauses.end(),
                                       [](const Clause& clause) { return clause.is_question; });
        return asked && std::none_of(before.numbers.begin(), before.numbers.end(),
                                     [](const NumberMention& number) {
                                         return number.kind == NumberKind::Money ||
                                                number.kind == NumberKind::Bare;
                                     });
    }

    bool refuses() const {
        const auto& clauses = said_.reading.clauses;
        return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
            const bool says_no = !asks(said_, clause) && says_only(said_, Cue::SaysNo, clause);
            const bool complains = names_amount(clause) && contains(said_, Cue::FindsWrong, clause);
            return says_no || complains || contains(said_, Cue::Refuses, clause) ||
                   contains(said_, Cue::TakesBack, clause) || contains(said_, Cue::Mocks, clause);
        });
    }

    /// A word of a longer courtesy is no yes: 好 in 您好.
    bool says_yes(const Clause& clause) const {
        for (std::size_t i = clause.begin; i < clause.end;) {
            const std::size_t yes = end_of_cue(said_, Cue::Agrees, i);
            const std::size_t other =
                std::max({i, end_of_cue(said_, Cue::BareCourtesy, i),
                          end_of_cue(said_, Cue::HidesCue, i), end_of_courtesy(i)});
            if (yes > other || (yes == other && yes > i)) return true;
            i = std::max(other, i + code_point_length(said_.reading.text, i));
        }
        return false;
    }

    bool names_amount(const Clause& clause) const {
        return std::any_of(amounts_.begin(), amounts_.end(), [&](const NamedAmount& amount) {
            return amount.begin >= clause.begin && amount.begin < clause.end && !amount.is_asked;
        });
    }

    /// Whether the clause names the amount and says yes, or nothing about it: not "45 is a lot".
    bool repeats_amount(const Clause& clause) const {
        return names_amount(clause) &&
               (says_yes(clause) ||
                std::none_of(amounts_.begin(), amounts_.end(), [&](const NamedAmount& amount) {
                    return begins_behind(said_, Cue::Predicates, amount.end);
                }));
    }

    /// A clause beside the agreeing one that changes nothing.
    bool is_harmless(const Clause& clause) const {
        if (names_amount(clause)) return false;
        if (asks(said_, clause))
            return is_apart(clause) || !contains(said_, Cue::AddsCondition, clause);
        if (is_own_part(clause) || is_remark(clause) || is_complaint(clause)) return true;
        return is_covered(
            clause,
            {Cue::BareCourtesy, Cue::AgreesBeside, Cue::Arranges, Cue::Agrees, Cue::AsksPayment},
            true);
    }

    /// Whether the sentence of the clause agrees to nothing. A question in it depends on nothing.
    bool is_apart(const Clause& other) const {
        const auto& clauses = said_.reading.clauses;
        return std::none_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
            return clause.sentence == other.sentence && !asks(said_, clause) &&
                   (says_yes(clause) || names_amount(clause));
        });
    }

    std::size_t begin_of(const Clause& clause) const {
        std::size_t begin = clause.begin;
        while (begin < clause.end && is_mark(begin))
            begin += code_point_length(said_.reading.text, begin);
        return begin;
    }

    bool begins_with(Cue cue, const Clause& clause) const {
        const std::size_t begin = begin_of(clause);
        return end_of_cue(said_, cue, begin) > begin;
    }

    /// "I'll be there on Monday": what the author does itself asks nothing of the other side.
    bool is_own_part(const Clause& clause) const {
        return begins_with(Cue::BeginsOwnPart, clause) && !contains(said_, Cue::Demands, clause) &&
               numbers_of_money(clause) == 0;
    }

    /// "A bit steep", before a yes.
    bool is_complaint(const Clause& clause) const {
        return contains(said_, Cue::FindsWrong, clause) && numbers_of_money(clause) == 0 &&
               !contains(said_, Cue::AddsCondition, clause) &&
               !contains(said_, Cue::Demands, clause);
    }

    /// A sentence of its own that neither asks for anything nor makes anything depend on it.
    bool is_remark(const Clause& clause) const {
        return is_apart(clause) && !begins_with(Cue::BeginsRequest, clause) &&
               !contains(said_, Cue::AddsCondition, clause) &&
               !contains(said_, Cue::Depends, clause) && !contains(said_, Cue::Demands, clause) &&
               numbers_of_money(clause) == 0;
    }

    std::ptrdiff_t numbers_of_money(const Clause& clause) const {
        const auto numbers = numbers_in(said_, clause);
        return std::count_if(numbers.begin(), numbers.end(), [](const NumberMention& number) {
            return number.kind == NumberKind::Money || number.kind == NumberKind::Discount;
        });
    }

    bool is_covered_by_yes(const Clause& clause) const {
        return is_covered(
            clause,
            {Cue::Agrees, Cue::AgreesBeside, Cue::BareCourtesy, Cue::PlainDeal, Cue::Agrees},
            false);
    }

    /// Whether each word of the clause is one of `cues`, of courtesy, of the other side's offer, or
    /// its amount.
    bool is_covered(const Clause& clause, const std::array<Cue, 5>& cues, bool any_number) const {
        const std::string_view text = said_.reading.text;
        const bool negates = contains(said_, Cue::Negates, clause);
        for (std::size_t i = clause.begin; i < clause.end;) {
            const std::size_t offered = offered_.end_at(text, i, negates);
            if (end_of_cue(said_, Cue::Depends, i) > offered && !is_yes_at(i)) return false;
            std::size_t end = std::max({end_of_amount(i, any_number), end_of_courtesy(i), offered});
            for (const Cue cue : cues)
                end = std::max(end, end_of_cue(said_, cue, i));
            if (end == i && !any_number) end = end_of_known_thing(clause, i);
            if (end == i && !is_mark(i)) return false;
            i = end > i ? end : i + code_point_length(text, i);
        }
        return true;
    }

    /// The end of a word that follows "the" or "your" in a clause that adds nothing: what both know
    /// of already.
    std::size_t end_of_known_thing(const Clause& clause, std::size_t i) const {
        const bool adds =
            contains(said_, Cue::AddsCondition, clause) || contains(said_, Cue::AddsBeside, clause);
        const bool is_word =
            begins_latin(said_.reading.text[i]) && is_word_boundary(said_.reading.text, i);
        if (adds || !is_word || !ends_before(said_, Cue::Definite, i)) return i;
        return end_of_latin(said_.reading.text, i);
    }

    /// "No problem" is a yes, although "no" is in it.
    bool is_yes_at(std::size_t i) const {
        return end_of_cue(said_, Cue::Agrees, i) > end_of_cue(said_, Cue::Depends, i);
    }

    bool is_mark(std::size_t i) const {
        const char32_t c = code_point_at(said_.reading.text, i);
        return !begins_latin(said_.reading.text[i]) && !is_han(c) && c != '%' && c != '/';
    }

    std::size_t end_of_amount(std::size_t i, bool any_number) const {
        for (const NamedAmount& amount : amounts_)
            if (amount.begin == i) return amount.end;
        if (!any_number) return i;
        for (const NumberMention& number : said_.reading.numbers)
            if (number.begin == i && number.kind != NumberKind::Money) return number.end;
        return i;
    }

    std::size_t end_of_courtesy(std::size_t i) const {
        const RoleLists& known = said_.vocabulary.known;
        const ListSet courtesies = known[Role::Greeting] | known[Role::Thanks] |
                                   known[Role::Farewell] | known[Role::Filler];
        for (const WordMatch& word : said_.reading.words) {
            if (word.begin == i && (word.lists & courtesies) != 0) return word.end;
        }
        return i;
    }

    const Said& said_;
    const std::vector<NamedAmount>& amounts_;
    Offered offered_;
};

}  // namespace

Assent assent_of(const Said& said, const std::vector<NamedAmount>& amounts) {
    return AssentFinder(said, amounts).find();
}

}  // namespace a2h::decide
