#include "daemon/decide/agreeing.h"

#include <algorithm>
#include <array>
#include <string>

namespace a2h::decide {
namespace {

class AssentFinder {
  public:
    AssentFinder(const Said& said, const std::vector<NamedAmount>& amounts)
        : said_(said), amounts_(amounts), offered_(offered_words()) {}

    Assent find() const {
        if (!said_.other || names_other_amount() || refuses()) return Assent::None;
        bool agrees = false;
        bool agrees_partly = false;
        bool is_whole = true;
        for (const Clause& clause : said_.reading.clauses) {
            const bool holds_yes = !asks(clause) && (says_yes(clause) || names_amount(clause));
            const bool is_covered = holds_yes && is_covered_by_yes(clause);
            agrees = agrees || is_covered;
            agrees_partly = agrees_partly || (holds_yes && names_amount(clause));
            is_whole = is_whole && (is_covered || is_harmless(clause));
        }
        if (agrees && is_whole) return Assent::Whole;
        return agrees || agrees_partly ? Assent::WithCondition : Assent::None;
    }

  private:
    /// The text of the other side's offer.
    std::string offered_words() const {
        std::string words;
        if (!said_.other) return words;
        for (const std::string& condition : said_.other->terms.conditions)
            words += said_.vocabulary.lexicon.comparable(condition) + "\n";
        return words;
    }

    bool names_other_amount() const {
        return std::any_of(amounts_.begin(), amounts_.end(), [&](const NamedAmount& amount) {
            return !is_price_of(said_.other, amount.money);
        });
    }

    bool refuses() const {
        const auto& clauses = said_.reading.clauses;
        return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
            return contains(said_, Cue::Refuses, clause) ||
                   contains(said_, Cue::TakesBack, clause) ||
                   contains(said_, Cue::Withdrawal, clause);
        });
    }

    bool says_yes(const Clause& clause) const { return contains(said_, Cue::Agrees, clause); }

    bool names_amount(const Clause& clause) const {
        return std::any_of(amounts_.begin(), amounts_.end(), [&](const NamedAmount& amount) {
            return amount.begin >= clause.begin && amount.begin < clause.end && !amount.is_asked;
        });
    }

    /// A clause beside the agreeing one that changes nothing.
    bool is_harmless(const Clause& clause) const {
        if (names_amount(clause)) return false;
        if (asks(clause)) return !contains(said_, Cue::AddsCondition, clause);
        return is_covered(
            clause,
            {Cue::BareCourtesy, Cue::AgreesBeside, Cue::Arranges, Cue::Agrees, Cue::AsksPayment},
            true);
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
        for (std::size_t i = clause.begin; i < clause.end;) {
            std::size_t end =
                std::max({end_of_amount(i, any_number), end_of_courtesy(i), end_of_offered(i)});
            for (const Cue cue : cues)
                end = std::max(end, end_of_cue(said_, cue, i));
            if (end == i && !is_mark(i)) return false;
            i = end > i ? end : i + code_point_length(text, i);
        }
        return true;
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

    /// A word of the other side's offer; of Chinese at least two characters.
    std::size_t end_of_offered(std::size_t i) const {
        const std::string_view text = said_.reading.text;
        if (is_han(code_point_at(text, i))) return end_of_offered_han(i);
        if (!begins_latin(text[i]) || !is_word_boundary(text, i)) return i;
        std::size_t end = i + 1;
        while (end < text.size() && !is_word_boundary(text, end))
            ++end;
        const std::string_view word = text.substr(i, end - i);
        for (std::size_t at = offered_.find(word); at != std::string::npos;
             at = offered_.find(word, at + 1)) {
            if (is_word_boundary(offered_, at) && is_word_boundary(offered_, at + word.size()))
                return end;
        }
        return i;
    }

    std::size_t end_of_offered_han(std::size_t i) const {
        const std::string_view text = said_.reading.text;
        std::size_t end = i;
        std::size_t characters = 0;
        while (end < text.size() && is_han(code_point_at(text, end))) {
            const std::size_t next = end + code_point_length(text, end);
            if (offered_.find(text.substr(i, next - i)) == std::string::npos) break;
            end = next;
            ++characters;
        }
        return characters >= 2 ? end : i;
    }

    const Said& said_;
    const std::vector<NamedAmount>& amounts_;
    std::string offered_;
};

}  // namespace

Assent assent_of(const Said& said, const std::vector<NamedAmount>& amounts) {
    return AssentFinder(said, amounts).find();
}

}  // namespace a2h::decide
