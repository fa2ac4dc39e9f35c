#include "daemon/reading/clause_roles.h"

#include <algorithm>

#include "core/base/text.h"

namespace a2h::reading {
namespace {

bool is_english_at(std::string_view text, std::size_t i) {
    return i < text.size() && static_cast<unsigned char>(text[i]) < 0x80;
}

class RoleFinder {
  public:
    RoleFinder(Reading& reading, const Vocabulary& vocabulary)
        : reading_(reading),
          vocabulary_(vocabulary),
          known_(vocabulary.known),
          cues_(vocabulary.cues) {}

    void find() {
        for (const Clause& clause : reading_.clauses)
            speaks_to_us_.push_back(has_us(clause));
        if (reading_.clauses.size() > 1) {
            reading_.refers_back =
                std::any_of(reading_.clauses.begin(), reading_.clauses.end(),
                            [&](const Clause& clause) { return refers_back(clause); });
            take_back_relayed();
        }
        for (std::size_t k = 0; k < reading_.clauses.size(); ++k) {
            Clause& clause = reading_.clauses[k];
            state(clause);
            suppose(clause);
            note(clause);
            follow(clause);
            if (is_pondering(clause)) {
                ponder(clause);
            } else if (tells(clause, k)) {
                tell(clause);
            }
            if (blames_others_) blame(clause);
        }
        drop_corrected();
        drop_signature();
        sum_up();
    }

  private:
    std::string_view text_of(const Clause& clause) const {
        return trim(
            std::string_view(reading_.text).substr(clause.begin, clause.end - clause.begin));
    }

    /// "Do you teach that?", 能做吗: refers to what was told before, which therefore counts.
    bool refers_back(const Clause& clause) const {
        const std::string_view text = text_of(clause);
        if (!clause.is_question && (clause.lists & known_[Role::AsksParticular]) == 0 &&
            clause.facts == 0) {
            return false;
        }
        if (has_object(text, Cue::BackReference, Cue::ObjectVerb) ||
            has_object(text, Cue::WeakBackReference, Cue::WeakObjectVerb)) {
            return true;
        }
        // 你教不教: too short to name a thing itself.
        constexpr std::size_t kBytesMax = 15;
        return !text.empty() && !is_english_at(text, 0) && text.size() <= kBytesMax &&
               (clause.facts & ~bit(Fact::Overview)) == 0 &&
               (clause.lists & (vocabulary_.needs_evidence | known_[Role::Confirms])) == 0 &&
               !cues_[Cue::NamesAskedThing].is_in(text);
    }

    /// Whether a word of `reference` follows a verb of `verb`: "do that".
    bool has_object(std::string_view text, Cue reference, Cue verb) const {
        for (const std::string_view word : cues_[reference].all()) {
            for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
                const bool is_word =
                    at > 0 && text[at - 1] == ' ' && is_word_boundary(text, at + word.size());
                if (is_word && cues_[verb].ends_word(text.substr(0, at - 1))) return true;
            }
        }
        return false;
    }

    /// 领导让我问能不能优惠，我懒得问: a question on behalf of somebody else is withdrawn.
    void take_back_relayed() {
        auto& clauses = reading_.clauses;
        for (std::size_t k = 1; k < clauses.size(); ++k) {
            Clause& relayed = clauses[k - 1];
            const bool takes_back = (clauses[k].lists & known_[Role::Waives]) != 0 &&
                                    clauses[k].facts == 0 && !clauses[k].is_question &&
                                    clauses[k].sentence == relayed.sentence;
            const ListSet opening = lists_at(relayed, opening_of(relayed));
            const bool is_others = (opening & known_[Role::TellsOfSelf]) != 0 &&
                                   (opening & (known_[Role::Speaker] | known_[Role::Filler])) == 0;
            if (!takes_back || !is_others || speaks_to_us(relayed)) continue;
            drop(relayed, 0,
                 known_[Role::Haggle] | known_[Role::Payment] | known_[Role::Terms] |
                     known_[Role::Outside] | known_[Role::Asks] | known_[Role::AsksParticular]);
            relayed.is_question = false;
            relayed.is_aside = relayed.is_statement = true;
        }
    }

    /// A state that lasts until the end of a sentence is reset for the next one.
    void follow(const Clause& clause) {
        if (clause.sentence != sentence_) tells_own_life_ = blames_others_ = false;
        sentence_ = clause.sentence;
        if ((clause.lists & known_[Role::TellsOfOthers]) != 0) blames_others_ = true;
        if (clause.is_question || speaks_to_us(clause)) blames_others_ = false;
    }

    bool speaks_to_us(const Clause& clause) const {
        return speaks_to_us_[static_cast<std::size_t>(&clause - reading_.clauses.data())];
    }

    /// "You" and 你, except in "thank you" and "I saw your answer".
    bool has_us(const Clause& clause) const {
        const ListSet harmless = (known_[Role::Courtesy] & ~known_[Role::Farewell]) |
                                 known_[Role::Greeting] | known_[Role::Aside];
        const std::string_view text = std::string_view(reading_.text).substr(0, clause.end);
        const auto words = words_in(reading_, clause);
        for (const std::string_view word : cues_[Cue::SecondPerson].all()) {
            for (std::size_t at = text.find(word, clause.begin); at != text.npos;
                 at = text.find(word, at + 1)) {
                const std::size_t end = at + word.size();
                if (!is_word_boundary(text, at) || !is_word_boundary(text, end)) continue;
                const bool is_harmless =
                    std::any_of(words.begin(), words.end(), [&](const WordMatch& match) {
                        return match.begin <= at && end <= match.end &&
                               match.end - match.begin > word.size() &&
                               (match.lists & harmless) != 0;
                    });
                if (!is_harmless) return true;
            }
        }
        return false;
    }

    bool asks_us(const Clause& clause) const {
        return clause.is_question || clause.facts != 0 || speaks_to_us(clause);
    }

    /// "Finally somebody who does this.": an English question word within a statement asks nothing,
    /// unless it follows words such as "I wonder".
    void state(Clause& clause) {
        if (!clause.ends_with_stop || !clause.is_question || clause.facts != 0) return;
        const std::size_t at = opening_of(clause);
        if (at >= clause.end || !is_english_at(reading_.text, at)) return;
        const std::string_view text = text_of(clause);
        if (cues_[Cue::WantsToKnow].is_in(text)) return;
        const bool asks_first =
            (lists_at(clause, at) & (known_[Role::Asks] | known_[Role::AsksParticular])) != 0;
        if (asks_first || is_wish(clause) || speaks_to_us(clause)) return;
        drop(clause, 0, known_[Role::Asks] | known_[Role::AsksParticular]);
        clause.is_question = false;
    }

    /// "If I'm unhappy with it", 不满意的话: nothing has gone wrong yet.
    void suppose(Clause& clause) {
        if ((clause.lists & known_[Role::Trouble]) == 0) return;
        const std::string_view text = text_of(clause);
        const bool supposes =
            cues_[Cue::SupposesBefore].begins(text) || cues_[Cue::SupposesBehind].is_in(text);
        const bool threatens = cues_[Cue::Threat].is_in(text);
        if (supposes && !threatens) drop(clause, 0, known_[Role::Trouble]);
    }

    /// "I know the price now", 价格心里有数了: names a fact without asking for it.
    void note(Clause& clause) {
        const bool takes_note =
            (clause.lists & (known_[Role::Understood] | known_[Role::Receipt])) != 0;
        if (!takes_note || clause.facts == 0 || clause.is_question) return;
        const auto words = words_in(reading_, clause);
        const bool is_receipt = cues_[Cue::ReceiptOpening].begins(text_of(clause)) &&
                                (clause.lists & known_[Role::Receipt]) != 0;
        const bool only_names =
            is_receipt || std::all_of(words.begin(), words.end(), [&](const WordMatch& word) {
                return (word.lists & vocabulary_.fact_lists) == 0 ||
                       (word.lists & known_[Role::NamesFact]) != 0;
            });
        if (!only_names) return;
        drop(clause, 0, vocabulary_.fact_lists);
        clause.facts = 0;
    }

    void blame(Clause& clause) {
        drop(clause, 0,
             known_[Role::Trouble] | known_[Role::Paid] | known_[Role::Payment] |
                 known_[Role::Haggle] | known_[Role::Delivered] | known_[Role::Terms] |
                 known_[Role::Outside] | vocabulary_.fact_lists);
        clause.facts = 0;
        clause.is_aside = clause.is_statement = clause.is_own_life = true;
    }

    /// "I'll see whether my team is free", 我看看团队有没有空: they ask themselves.
    bool is_pondering(const Clause& clause) const {
        if ((clause.lists & known_[Role::Ponders]) == 0 || clause.ends_with_mark) return false;
        const bool wants = !is_english_at(reading_.text, clause.begin) && is_wish(clause);
        return !wants && !speaks_to_us(clause);
    }

    void ponder(Clause& clause) {
        clause.is_question = false;
        drop(clause, 0,
             known_[Role::Asks] | known_[Role::AsksParticular] | known_[Role::Outside] |
                 known_[Role::Calendar] | known_[Role::Promise] | vocabulary_.fact_lists);
        clause.facts = 0;
        // "If we decide to go ahead" concludes nothing.
        for (const std::string_view word : cues_[Cue::OpenCondition].all()) {
            const std::size_t at = find_apart(reading_.text, word, clause.begin);
            if (at < clause.end) drop(clause, at, known_[Role::Deal]);
        }
        if (cues_[Cue::SupposesBehind].is_in(text_of(clause))) drop(clause, 0, known_[Role::Deal]);
        clause.is_aside = clause.is_statement = true;
    }

    std::string_view text_of(const WordMatch& word) const {
        return std::string_view(reading_.text).substr(word.begin, word.end - word.begin);
    }

    /// The start of `clause` after "hello", "thanks", "ok" and the like.
    std::size_t opening_of(const Clause& clause) const {
        const ListSet courtesy = known_[Role::Greeting] | known_[Role::Thanks] |
                                 known_[Role::Acknowledgement] | known_[Role::Assent] |
                                 known_[Role::Leaving];
        std::size_t at = clause.begin;
        const std::string_view text = reading_.text;
        const auto skip_space = [&] {
            while (at < clause.end && text[at] == ' ')
                ++at;
        };
        skip_space();
        for (const WordMatch& word : words_in(reading_, clause)) {
            const bool is_skipped = word.begin == at && (word.lists & courtesy) != 0 &&
                                    (word.lists & known_[Role::Speaker]) == 0;
            const bool is_and = cues_[Cue::Connective].is(text_of(word));
            if (word.begin != at || (!is_skipped && !is_and)) break;
            at = word.end;
            skip_space();
        }
        return at;
    }

    /// 照 and 换 are parts of many words, and 下周要答辩 only tells about next week.
    bool is_wish(const Clause& clause) const {
        if ((clause.lists & known_[Role::Wants]) == 0) return false;
        const auto words = words_in(reading_, clause);
        for (std::size_t k = 0; k < words.size(); ++k) {
            const WordMatch& word = words[k];
            if ((word.lists & known_[Role::Wants]) == 0) continue;
            const std::string_view said = text_of(word);
            const bool is_behind_day = k > 0 && words[k - 1].end == word.begin &&
                                       (words[k - 1].lists & known_[Role::Calendar]) != 0;
            if (is_behind_day && cues_[Cue::Obligation].is(said)) continue;
            const bool is_one_character = said.size() == 3 && !is_english_at(said, 0);
            const bool is_plain_wish = cues_[Cue::PlainWish].is(said);
            if (!is_one_character || is_plain_wish || word.begin == clause.begin) return true;
        }
        return false;
    }

    /// 逛了一圈就你家看着顺眼: praises us and wants nothing.
    bool praises(const Clause& clause) const {
        if (reading_.refers_back || clause.is_question || clause.facts != 0 || is_wish(clause))
            return false;
        const std::string_view text = text_of(clause);
        return !is_english_at(text, 0) && cues_[Cue::Over].is_in(text) &&
               !cues_[Cue::Suggests].is_in(text);
    }

    /// Names a fact that another clause asks for: 下个月要给客户讲公司介绍，你这边都包含啥.
    bool is_asked_elsewhere(const Clause& clause) const {
        if (clause.is_question || speaks_to_us(clause)) return false;
        return std::any_of(reading_.clauses.begin(), reading_.clauses.end(),
                           [&](const Clause& other) {
                               return &other != &clause && other.facts != 0 &&
                                      (other.is_question || speaks_to_us(other));
                           });
    }

    bool tells(Clause& clause, std::size_t k) {
        const bool only_names = clause.facts != 0 && is_asked_elsewhere(clause);
        if (reading_.refers_back || (asks_us(clause) && !only_names)) {
            tells_own_life_ = false;
            return praises(clause);
        }
        const std::size_t at = opening_of(clause);
        if (at >= clause.end) return false;
        const ListSet lists = lists_at(clause, at);
        const bool is_courtesy =
            (lists & (known_[Role::Greeting] | known_[Role::Thanks] | known_[Role::Assent])) != 0;
        if (is_english_at(reading_.text, at)) {
            const bool opens = cues_[Cue::OwnLife].begins_word(text_from(at)) ||
                               ends_own_life(text_of(clause)) || is_past_at(at) ||
                               ((clause.lists & known_[Role::Speaker]) != 0 && !is_wish(clause));
            const bool goes_on = tells_own_life_ && (!names_topic(clause) || begins_with_past(at));
            tells_own_life_ = opens || goes_on;
            opens_ = tells_own_life_;
            return tells_own_life_ || cues_[Cue::Telling].begins_word(text_from(at));
        }
        const bool opens = (lists & (known_[Role::Speaker] | known_[Role::TellsOfSelf] |
                                     known_[Role::Calendar] | known_[Role::TellsOfOthers])) != 0 &&
                           !is_courtesy;
        const bool is_past = cues_[Cue::Past].is_in(text_of(clause));
        const bool goes_on = tells_own_life_ && k > 0 && (is_past || !names_topic(clause));
        tells_own_life_ = opens || goes_on;
        opens_ = opens || (goes_on && is_past);
        return tells_own_life_ || is_past;
    }

    /// "Filmed it on two phones", "about 90 minutes", "5 years".
    bool begins_with_past(std::size_t at) const {
        const std::string_view text = reading_.text;
        if (text[at] >= '0' && text[at] <= '9') return true;
        return is_past_at(at) || cues_[Cue::PastOpening].begins_word(text_from(at));
    }

    std::string_view text_from(std::size_t at) const {
        return std::string_view(reading_.text).substr(at);
    }

    /// "Procurement here".
    bool ends_own_life(std::string_view text) const {
        const CueWords& ends = cues_[Cue::OwnLifeEnd];
        return std::any_of(ends.all().begin(), ends.all().end(), [&](const std::string& end) {
            return text.ends_with(end) && text.size() > end.size() &&
                   text[text.size() - end.size() - 1] == ' ';
        });
    }

    bool is_past_at(std::size_t at) const {
        const std::string_view text = reading_.text;
        std::size_t end = at + 1;
        while (end < text.size() && !is_word_boundary(text, end))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        return word.size() > 4 && cues_[Cue::PastEnding].ends(word) && lists_of_word_at(at) == 0;
    }

    /// The lists with a meaning.
    ListSet lists_of_word_at(std::size_t at) const {
        for (const WordMatch& word : reading_.words)
            if (word.begin == at) return word.lists & ~(known_[Role::Plain] | known_[Role::Filler]);
        return 0;
    }

    ListSet lists_at(const Clause& clause, std::size_t at) const {
        for (const WordMatch& word : words_in(reading_, clause))
            if (word.begin == at) return word.lists;
        return 0;
    }

    /// Mentions something that listings are about, possibly ours.
    bool names_topic(const Clause& clause) const {
        return !vocabulary_.topics.find(text_of(clause)).empty();
    }

    void tell(Clause& clause) {
        clause.is_statement = true;
        clause.is_wish = is_wish(clause);
        if (clause.is_wish) {
            drop_before_wish(clause);
            return;
        }
        clause.is_aside = true;
        if (!tells_own_life_) return;
        clause.is_own_life = true;
        drop(clause, 0, known_[Role::Wants] | vocabulary_.fact_lists);
        clause.facts = 0;
        clause.is_opened = opens_;
        if (!is_due(clause)) drop_calendar(clause);
    }

    /// "My husband wants a film": the person before the verb is not what is wanted.
    void drop_before_wish(Clause& clause) {
        for (WordMatch& word : words_in(reading_, clause)) {
            if ((word.lists & known_[Role::Wants]) != 0) break;
            take(word, known_[Role::Outside]);
        }
        collect(clause);
    }

    /// Names a day by which something is wanted.
    bool is_due(const Clause& clause) const {
        const std::string_view text = reading_.text;
        for (const WordMatch& word : words_in(reading_, clause)) {
            if ((word.lists & known_[Role::Calendar]) == 0) continue;
            const std::string_view before =
                trim(text.substr(clause.begin, word.begin - clause.begin));
            std::string_view behind = trim(text.substr(word.end, clause.end - word.end));
            for (const std::string_view particle : cues_[Cue::DueParticle].all())
                if (behind.starts_with(particle)) behind.remove_prefix(particle.size());
            const bool is_due_before = cues_[Cue::DueBefore].ends_word(before);
            const bool is_due_behind = cues_[Cue::DueBehind].begins(behind);
            if (is_due_before || is_due_behind) return true;
        }
        return false;
    }

    void drop_calendar(Clause& clause) {
        for (WordMatch& word : words_in(reading_, clause))
            if ((word.lists & known_[Role::Calendar]) != 0) take(word, known_[Role::Terms]);
        collect(clause);
    }

    /// Removes `lists` from the words of `clause` from `begin` on.
    void drop(Clause& clause, std::size_t begin, ListSet lists) {
        for (WordMatch& word : words_in(reading_, clause))
            if (word.begin >= begin) take(word, lists);
        collect(clause);
    }

    /// The word remains known to the rules even if it has no lists left.
    void take(WordMatch& word, ListSet lists) const {
        word.lists &= ~lists;
        if (word.lists == 0) word.lists = known_[Role::Plain];
    }

    void collect(Clause& clause) {
        clause.lists = 0;
        for (const WordMatch& word : words_in(reading_, clause))
            clause.lists |= word.lists;
    }

    /// "The piano... sorry, the English lessons": what was said before is ignored, unless it would
    /// bind.
    void drop_corrected() {
        const ListSet binding = known_[Role::Trouble] | known_[Role::Paid] | known_[Role::Payment] |
                                known_[Role::Haggle] | known_[Role::Terms] | known_[Role::Outside] |
                                known_[Role::Deal] | known_[Role::Delivered] | known_[Role::Claim] |
                                known_[Role::Wants];
        auto& clauses = reading_.clauses;
        for (std::size_t k = 1; k < clauses.size(); ++k) {
            if ((clauses[k].lists & known_[Role::Corrects]) == 0) continue;
            for (std::size_t before = 0; before < k; ++before) {
                Clause& clause = clauses[before];
                const bool is_harmless =
                    !clause.is_question && clause.facts == 0 && (clause.lists & binding) == 0;
                if (is_harmless) clause.is_aside = clause.is_statement = true;
            }
        }
    }

    /// "Kind regards, Procurement Agent 7": a signature asks nothing.
    void drop_signature() {
        constexpr std::size_t kBytesMax = 40;
        auto& clauses = reading_.clauses;
        const auto farewell =
            std::find_if(clauses.begin(), clauses.end(), [&](const Clause& clause) {
                return (clause.lists & known_[Role::Farewell]) != 0 &&
                       is_covered_by(reading_, clause,
                                     known_[Role::Farewell] | known_[Role::Filler]);
            });
        if (farewell == clauses.end()) return;
        std::size_t bytes = 0;
        for (auto clause = farewell + 1; clause != clauses.end(); ++clause) {
            bytes += clause->end - clause->begin;
            if (asks_us(*clause) || is_wish(*clause)) return;
        }
        if (bytes > kBytesMax) return;
        for (auto clause = farewell + 1; clause != clauses.end(); ++clause)
            clause->is_aside = clause->is_statement = clause->is_own_life = true;
    }

    void sum_up() {
        reading_.lists = 0;
        reading_.facts = 0;
        for (const WordMatch& word : reading_.words)
            reading_.lists |= word.lists;
        for (const Clause& clause : reading_.clauses)
            reading_.facts |= clause.facts;
    }

    Reading& reading_;
    const Vocabulary& vocabulary_;
    const RoleLists& known_;
    const Cues& cues_;
    std::vector<bool> speaks_to_us_;  ///< for each clause
    std::size_t sentence_ = 0;
    bool tells_own_life_ = false;
    bool opens_ = false;  ///< the last clause by itself, not as part of its sentence
    bool blames_others_ = false;
};

}  // namespace

void find_roles(Reading& reading, const Vocabulary& vocabulary) {
    RoleFinder(reading, vocabulary).find();
}

}  // namespace a2h::reading
