#include "daemon/decide/clause_roles.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace a2h::decide {
namespace {

/// Who tells begins with these: of itself or those around it, and so of its own life.
constexpr std::array<std::string_view, 24> kOwnLife = {
    "was",   "were",  "i",     "i'm", "im",    "i've",    "ive",     "i'd",
    "we",    "we're", "we've", "my",  "our",   "he",      "she",     "he's",
    "she's", "they",  "his",   "her", "their", "turning", "someone", "somebody"};
/// Begins what is told, be it of our work.
constexpr std::array<std::string_view, 12> kTelling = {
    "there are", "there is", "there's",  "there were", "the",     "it's",
    "it is",     "it was",   "that was", "nothing",    "this is", "a"};
/// "By Friday", 周五前: the day is one by which something is wanted.
constexpr std::array<std::string_view, 4> kDueBefore = {"by", "before", "till", "no later than"};
constexpr std::array<std::string_view, 16> kDueBehind = {"前",   "之前", "以前", "内",   "用", "交",
                                                         "拿",   "出图", "弄",   "完成", "搞", "取",
                                                         "做完", "做好", "给我", "给到"};

/// Whoever writes these speaks to us.
constexpr std::array<std::string_view, 7> kUs = {"你", "您", "you", "your", "yours", "u", "ur"};
/// Single characters that want something wherever they stand; others only where a clause begins.
constexpr std::array<std::string_view, 4> kWishes = {"要", "请", "帮", "求"};

bool is_english_at(std::string_view text, std::size_t i) {
    return i < text.size() && static_cast<unsigned char>(text[i]) < 0x80;
}

template <std::size_t Size>
bool has_word_at(std::string_view text, std::size_t at,
                 const std::array<std::string_view, Size>& words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return text.substr(at).starts_with(word) && is_word_boundary(text, at + word.size());
    });
}

class RoleFinder {
  public:
    RoleFinder(Reading& reading, const RuleSet::Impl& playbook)
        : reading_(reading), playbook_(playbook), known_(playbook.known) {}

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

    /// "Do you teach that?", 能做吗: asks about what was told before, which therefore counts.
    bool refers_back(const Clause& clause) const {
        const std::string_view text = text_of(clause);
        if (!clause.is_question && (clause.lists & known_.particular) == 0 && clause.facts == 0) {
            return false;
        }
        for (const std::string_view word : {"that", "this", "those", "these", "it"}) {
            for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
                const std::size_t end = at + word.size();
                const bool is_word =
                    at > 0 && is_word_boundary(text, at) && is_word_boundary(text, end);
                const std::string_view before = text.substr(0, at);
                const bool is_object = before.ends_with("do ") || before.ends_with("teach ") ||
                                       before.ends_with("make ") || before.ends_with("handle ") ||
                                       before.ends_with("with ") || before.ends_with("for ") ||
                                       before.ends_with("offer ") || before.ends_with("cover ") ||
                                       before.ends_with("know ");
                if (is_word && is_object && word != "it") return true;
                if (is_word && word == "it" && before.ends_with("do ")) return true;
            }
        }
        // 你教不教: too short to name anything itself.
        constexpr std::size_t kBytesMax = 15;
        return !text.empty() && !is_english_at(text, 0) && text.size() <= kBytesMax &&
               (clause.facts & ~bit(Fact::Overview)) == 0 &&
               (clause.lists & (playbook_.needs_evidence | known_.confirm)) == 0 &&
               text.find("什么") == text.npos && text.find("啥") == text.npos &&
               text.find("哪") == text.npos && text.find("在") == text.npos &&
               text.find("呢") == text.npos && text.find("多少") == text.npos;
    }

    /// 领导让我问能不能优惠，我懒得问: what somebody else wanted asked is taken back.
    void take_back_relayed() {
        auto& clauses = reading_.clauses;
        for (std::size_t k = 1; k < clauses.size(); ++k) {
            Clause& relayed = clauses[k - 1];
            const bool takes_back = (clauses[k].lists & known_.waived) != 0 &&
                                    clauses[k].facts == 0 && !clauses[k].is_question &&
                                    clauses[k].sentence == relayed.sentence;
            const ListSet opening = lists_at(relayed, opening_of(relayed));
            const bool is_others = (opening & known_.context) != 0 &&
                                   (opening & (known_.first_person | known_.filler)) == 0;
            if (!takes_back || !is_others || speaks_to_us(relayed)) continue;
            drop(relayed, 0,
                 known_.haggle | known_.payment | known_.terms | known_.outside | known_.question |
                     known_.particular);
            relayed.is_question = false;
            relayed.is_aside = relayed.is_told = true;
        }
    }

    /// What holds on to the end of a sentence begins anew with the next.
    void follow(const Clause& clause) {
        if (clause.sentence != sentence_) tells_own_life_ = blames_others_ = false;
        sentence_ = clause.sentence;
        if ((clause.lists & known_.others) != 0) blames_others_ = true;
        if (clause.is_question || speaks_to_us(clause)) blames_others_ = false;
    }

    bool speaks_to_us(const Clause& clause) const {
        return speaks_to_us_[static_cast<std::size_t>(&clause - reading_.clauses.data())];
    }

    /// "You" and 你, but for "thank you" and "I saw your answer".
    bool has_us(const Clause& clause) const {
        const ListSet harmless = known_.thanks | known_.greeting | known_.leaving |
                                 known_.acknowledgement | known_.receipt | known_.noted |
                                 known_.small_talk | known_.aside | known_.pondering;
        const std::string_view text = std::string_view(reading_.text).substr(0, clause.end);
        const auto words = words_in(reading_, clause);
        for (const std::string_view word : kUs) {
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

    /// "Finally somebody who does this.": in English a question word within a statement asks
    /// nothing, unless somebody wants to know.
    void state(Clause& clause) {
        if (!clause.ends_with_stop || !clause.is_question || clause.facts != 0) return;
        const std::size_t at = opening_of(clause);
        if (at >= clause.end || !is_english_at(reading_.text, at)) return;
        const std::string_view text = text_of(clause);
        for (const std::string_view word : {"know", "wonder", "ask", "question", "tell", "curious"})
            if (text.find(word) != text.npos) return;
        const bool asks_first = (lists_at(clause, at) & (known_.question | known_.particular)) != 0;
        if (asks_first || is_wish(clause) || speaks_to_us(clause)) return;
        drop(clause, 0, known_.question | known_.particular);
        clause.is_question = false;
    }

    /// "If I'm unhappy with it", 不满意的话: nothing went wrong yet.
    void suppose(Clause& clause) {
        if ((clause.lists & known_.trouble) == 0) return;
        const std::string_view text = text_of(clause);
        const bool supposes = text.starts_with("if i") || text.starts_with("if we") ||
                              text.starts_with("if the") || text.starts_with("if it") ||
                              text.starts_with("suppose") || text.starts_with("in case") ||
                              text.starts_with("如果") || text.starts_with("要是") ||
                              text.starts_with("万一") || text.find("的话") != text.npos;
        const bool threatens = text.find("你") != text.npos || text.find("您") != text.npos ||
                               text.find("我就") != text.npos;
        if (supposes && !threatens) drop(clause, 0, known_.trouble);
    }

    /// "I know the price now", 价格心里有数了: names a fact and has understood it.
    void note(Clause& clause) {
        const bool takes_note = (clause.lists & (known_.noted | known_.receipt)) != 0;
        if (!takes_note || clause.facts == 0 || clause.is_question) return;
        const auto words = words_in(reading_, clause);
        const bool is_receipt =
            text_of(clause).starts_with("已") && (clause.lists & known_.receipt) != 0;
        const bool only_names =
            is_receipt || std::all_of(words.begin(), words.end(), [&](const WordMatch& word) {
                return (word.lists & playbook_.fact_lists) == 0 ||
                       (word.lists & known_.fact_noun) != 0;
            });
        if (!only_names) return;
        drop(clause, 0, playbook_.fact_lists);
        clause.facts = 0;
    }

    void blame(Clause& clause) {
        drop(clause, 0,
             known_.trouble | known_.paid | known_.payment | known_.haggle | known_.delivered |
                 known_.terms | known_.outside | playbook_.fact_lists);
        clause.facts = 0;
        clause.is_aside = clause.is_told = clause.is_own_life = true;
    }

    /// "I'll see whether my team is free", 我看看团队有没有空: they ask themselves.
    bool is_pondering(const Clause& clause) const {
        if ((clause.lists & known_.pondering) == 0 || clause.ends_with_mark) return false;
        const bool wants = !is_english_at(reading_.text, clause.begin) && is_wish(clause);
        return !wants && !speaks_to_us(clause);
    }

    void ponder(Clause& clause) {
        clause.is_question = false;
        drop(clause, 0,
             known_.question | known_.particular | known_.outside | known_.calendar |
                 known_.promise | playbook_.fact_lists);
        clause.facts = 0;
        // "If we decide to go ahead" concludes nothing.
        for (const std::string_view word : {" if ", " whether ", "如果", "要是", "的话"}) {
            const std::size_t at = reading_.text.find(word, clause.begin);
            if (at < clause.end) drop(clause, word == "的话" ? 0 : at, known_.deal);
        }
        clause.is_aside = clause.is_told = true;
    }

    std::string_view text_of(const WordMatch& word) const {
        return std::string_view(reading_.text).substr(word.begin, word.end - word.begin);
    }

    /// Where `clause` begins behind "hello", "thanks", "ok" and the like.
    std::size_t opening_of(const Clause& clause) const {
        const ListSet courtesy = known_.greeting | known_.thanks | known_.acknowledgement |
                                 known_.assent | known_.leaving;
        std::size_t at = clause.begin;
        const std::string_view text = reading_.text;
        const auto skip_space = [&] {
            while (at < clause.end && text[at] == ' ')
                ++at;
        };
        skip_space();
        for (const WordMatch& word : words_in(reading_, clause)) {
            const bool is_skipped = word.begin == at && (word.lists & courtesy) != 0 &&
                                    (word.lists & known_.first_person) == 0;
            const bool is_and = text_of(word) == "and" || text_of(word) == "but" ||
                                text_of(word) == "so" || text_of(word) == "well";
            if (word.begin != at || (!is_skipped && !is_and)) break;
            at = word.end;
            skip_space();
        }
        return at;
    }

    /// 照 and 换 are parts of many words, while 下周要答辩 only tells of next week.
    bool is_wish(const Clause& clause) const {
        if ((clause.lists & known_.request) == 0) return false;
        const auto words = words_in(reading_, clause);
        for (std::size_t k = 0; k < words.size(); ++k) {
            const WordMatch& word = words[k];
            if ((word.lists & known_.request) == 0) continue;
            const std::string_view said = text_of(word);
            const bool is_behind_day = k > 0 && words[k - 1].end == word.begin &&
                                       (words[k - 1].lists & known_.calendar) != 0;
            if (said == "要" && is_behind_day) continue;
            const bool is_one_character = said.size() == 3 && !is_english_at(said, 0);
            const bool is_plain_wish =
                std::find(kWishes.begin(), kWishes.end(), said) != kWishes.end();
            if (!is_one_character || is_plain_wish || word.begin == clause.begin) return true;
        }
        return false;
    }

    /// 逛了一圈就你家看着顺眼: speaks of us, of what is over, and wants nothing.
    bool praises(const Clause& clause) const {
        if (reading_.refers_back || clause.is_question || clause.facts != 0 || is_wish(clause))
            return false;
        const std::string_view text = text_of(clause);
        const bool is_over = text.find("了") != text.npos || text.find("着") != text.npos;
        return is_over && !is_english_at(text, 0) && text.find("吧") == text.npos;
    }

    /// Names a fact where another clause asks: 下个月要给客户讲公司介绍，你这边都包含啥.
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
        const bool is_courtesy = (lists & (known_.greeting | known_.thanks | known_.assent)) != 0;
        if (is_english_at(reading_.text, at)) {
            const bool opens = has_word_at(reading_.text, at, kOwnLife) ||
                               text_of(clause).ends_with(" here") || is_past_at(at) ||
                               ((clause.lists & known_.first_person) != 0 && !is_wish(clause));
            const bool goes_on = tells_own_life_ && (!names_topic(clause) || begins_with_past(at));
            tells_own_life_ = opens || goes_on;
            opens_ = tells_own_life_;
            return tells_own_life_ || has_word_at(reading_.text, at, kTelling);
        }
        const bool opens =
            (lists & (known_.first_person | known_.context | known_.calendar | known_.others)) !=
                0 &&
            !is_courtesy;
        const bool is_past = text_of(clause).find("了") != std::string_view::npos ||
                             text_of(clause).find("过") != std::string_view::npos;
        const bool goes_on = tells_own_life_ && k > 0 && (is_past || !names_topic(clause));
        tells_own_life_ = opens || goes_on;
        opens_ = opens || (goes_on && is_past);
        return tells_own_life_ || is_past;
    }

    /// "Filmed it on two phones", "about 90 minutes", "5 years".
    bool begins_with_past(std::size_t at) const {
        const std::string_view text = reading_.text;
        if (text[at] >= '0' && text[at] <= '9') return true;
        constexpr std::array<std::string_view, 14> kOpenings = {
            "about", "built", "made", "did",  "had",   "went",  "got",
            "took",  "ran",   "sold", "shot", "wrote", "found", "bought"};
        return is_past_at(at) || has_word_at(text, at, kOpenings);
    }

    bool is_past_at(std::size_t at) const {
        const std::string_view text = reading_.text;
        std::size_t end = at + 1;
        while (end < text.size() && !is_word_boundary(text, end))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        return word.size() > 4 && (word.ends_with("ed") || word.ends_with("ing")) &&
               lists_of_word_at(at) == 0;
    }

    /// Of lists that mean something.
    ListSet lists_of_word_at(std::size_t at) const {
        for (const WordMatch& word : reading_.words)
            if (word.begin == at) return word.lists & ~(known_.plain | known_.filler);
        return 0;
    }

    ListSet lists_at(const Clause& clause, std::size_t at) const {
        for (const WordMatch& word : words_in(reading_, clause))
            if (word.begin == at) return word.lists;
        return 0;
    }

    /// Speaks of something that listings are about, and perhaps of ours.
    bool names_topic(const Clause& clause) const {
        return !playbook_.topics.find(text_of(clause)).empty();
    }

    void tell(Clause& clause) {
        clause.is_told = true;
        clause.is_wish = is_wish(clause);
        if (clause.is_wish) {
            drop_before_wish(clause);
            return;
        }
        clause.is_aside = true;
        if (!tells_own_life_) return;
        clause.is_own_life = true;
        drop(clause, 0, known_.request | playbook_.fact_lists);
        clause.facts = 0;
        clause.is_opened = opens_;
        if (!is_due(clause)) drop_calendar(clause);
    }

    /// "My husband wants a film": whoever wants it is not asked for.
    void drop_before_wish(Clause& clause) {
        for (WordMatch& word : words_in(reading_, clause)) {
            if ((word.lists & known_.request) != 0) break;
            take(word, known_.outside);
        }
        collect(clause);
    }

    /// Names a day by which something is wanted.
    bool is_due(const Clause& clause) const {
        const std::string_view text = reading_.text;
        for (const WordMatch& word : words_in(reading_, clause)) {
            if ((word.lists & known_.calendar) == 0) continue;
            const std::string_view before =
                trim(text.substr(clause.begin, word.begin - clause.begin));
            std::string_view behind = trim(text.substr(word.end, clause.end - word.end));
            for (const std::string_view particle : {"就", "要", "得"})
                if (behind.starts_with(particle)) behind.remove_prefix(particle.size());
            const bool is_due_before =
                std::any_of(kDueBefore.begin(), kDueBefore.end(), [&](std::string_view due) {
                    return before.ends_with(due) &&
                           is_word_boundary(before, before.size() - due.size());
                });
            const bool is_due_behind =
                std::any_of(kDueBehind.begin(), kDueBehind.end(),
                            [&](std::string_view due) { return behind.starts_with(due); });
            if (is_due_before || is_due_behind) return true;
        }
        return false;
    }

    void drop_calendar(Clause& clause) {
        for (WordMatch& word : words_in(reading_, clause))
            if ((word.lists & known_.calendar) != 0) take(word, known_.terms);
        collect(clause);
    }

    /// Takes `lists` from the words of `clause` from `begin` on.
    void drop(Clause& clause, std::size_t begin, ListSet lists) {
        for (WordMatch& word : words_in(reading_, clause))
            if (word.begin >= begin) take(word, lists);
        collect(clause);
    }

    /// A word that means nothing any more is still one that the rules know.
    void take(WordMatch& word, ListSet lists) const {
        word.lists &= ~lists;
        if (word.lists == 0) word.lists = known_.plain;
    }

    void collect(Clause& clause) {
        clause.lists = 0;
        for (const WordMatch& word : words_in(reading_, clause))
            clause.lists |= word.lists;
    }

    /// "The piano... sorry, the English lessons": what was said before is not meant, unless it
    /// would bind.
    void drop_corrected() {
        const ListSet binding = known_.trouble | known_.paid | known_.payment | known_.haggle |
                                known_.terms | known_.outside | known_.deal | known_.delivered |
                                known_.claim | known_.request;
        auto& clauses = reading_.clauses;
        for (std::size_t k = 1; k < clauses.size(); ++k) {
            if ((clauses[k].lists & known_.correction) == 0) continue;
            for (std::size_t before = 0; before < k; ++before) {
                Clause& clause = clauses[before];
                const bool is_harmless =
                    !clause.is_question && clause.facts == 0 && (clause.lists & binding) == 0;
                if (is_harmless) clause.is_aside = clause.is_told = true;
            }
        }
    }

    /// "Kind regards, Procurement Agent 7": who signs asks nothing.
    void drop_signature() {
        constexpr std::size_t kBytesMax = 40;
        auto& clauses = reading_.clauses;
        const auto farewell =
            std::find_if(clauses.begin(), clauses.end(), [&](const Clause& clause) {
                return (clause.lists & known_.farewell) != 0 &&
                       is_covered_by(reading_, clause, known_.farewell | known_.filler);
            });
        if (farewell == clauses.end()) return;
        std::size_t bytes = 0;
        for (auto clause = farewell + 1; clause != clauses.end(); ++clause) {
            bytes += clause->end - clause->begin;
            if (asks_us(*clause) || is_wish(*clause)) return;
        }
        if (bytes > kBytesMax) return;
        for (auto clause = farewell + 1; clause != clauses.end(); ++clause)
            clause->is_aside = clause->is_told = clause->is_own_life = true;
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
    const RuleSet::Impl& playbook_;
    const KnownLists& known_;
    std::vector<bool> speaks_to_us_;  ///< by clause
    std::size_t sentence_ = 0;
    bool tells_own_life_ = false;
    bool opens_ = false;  ///< the last clause by itself, not as part of its sentence
    bool blames_others_ = false;
};

}  // namespace

void find_roles(Reading& reading, const RuleSet::Impl& playbook) {
    RoleFinder(reading, playbook).find();
}

}  // namespace a2h::decide
