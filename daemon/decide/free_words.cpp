#include "daemon/decide/free_words.h"

#include <algorithm>
#include <array>
#include <string>

#include <toml++/toml.h>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "daemon/decide/draft_sources.h"
#include "daemon/decide/draft_text.h"
#include "daemon/decide/draft_words.h"
#include "daemon/decide/free_forms.h"
#include "daemon/decide/playbook.h"
#include "daemon/reading/subject.h"
#include "embedded/playbooks.h"

namespace a2h::decide {
namespace {

/// The lists of playbooks/free_words.toml, by these names.
enum class FreeList {
    Courtesy,
    WithCourtesy,
    AsksWhat,
    AsksWhether,
    Lead,
    AsksToTell,
    Joins,
    BeforeNoun,
    Asked,
    AskedOfWhat,
    Wishes,
    NeedsSubject,
    Subject,
    Never,
    EndsAsking,
    Action,
    Determiner,
    BeforeObject
};
constexpr std::array<std::string_view, 18> kFreeListNames = {
    "courtesy", "with_courtesy", "asks_what",   "asks_whether",  "lead",       "asks_to_tell",
    "joins",    "before_noun",   "asked",       "asked_of_what", "wishes",     "needs_subject",
    "subject",  "never",         "ends_asking", "action",        "determiner", "before_object"};
constexpr ListSet bit(FreeList list) {
    return ListSet{1} << static_cast<unsigned>(list);
}

/// The side that asks. A question of ours may be about anything on the list of subjects and may ask
/// what the peer wants. A peer's question may only ask for facts: "Do you want it?" is an offer.
enum class Asker { We, Peer };
/// Shorter words of a listing are too ambiguous to be its subject.
constexpr std::size_t kListedLettersMin = 3;

/// The file is part of the program, so an error in it is our bug; a test reads it.
Lexicon read_free_lexicon() {
    const auto file = embedded::playbooks("free_words.toml");
    A2H_CHECK(file.has_value());
    const toml::table table = toml::parse(*file);
    A2H_CHECK(table.size() == kFreeListNames.size());
    Lexicon lexicon;
    for (std::size_t list = 0; list < kFreeListNames.size(); ++list) {
        const auto* languages = table[kFreeListNames[list]].as_table();
        A2H_CHECK(languages != nullptr);
        for (const auto& [language, words] : *languages) {
            A2H_CHECK(words.is_array());
            for (const auto& word : *words.as_array()) {
                const auto text = word.value_exact<std::string>();
                A2H_CHECK(text.has_value());
                lexicon.add(built_in_vocabulary().lexicon.comparable(*text), ListSet{1} << list);
            }
        }
    }
    return lexicon;
}

const Lexicon& free_lexicon() {
    static const Lexicon lexicon = read_free_lexicon();
    return lexicon;
}

struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
};
/// A sentence with its final mark, and the clauses between the marks inside it.
struct Sentence {
    Stretch whole;
    std::vector<Stretch> clauses;
    bool has_question_mark = false;
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// In Chinese a space between two words stands for a comma.
bool is_space_in_han(std::string_view text, std::size_t at) {
    if (text[at] != ' ' || at < 3 || at + 1 >= text.size()) return false;
    return is_han(code_point_at(text, at - 3)) && is_han(code_point_at(text, at + 1));
}

/// The number of bytes of the mark at `at`, 0 if there is none. A point or comma within a number is
/// not a mark.
std::size_t mark_at(std::string_view text, std::size_t at, bool& ends_sentence) {
    ends_sentence = false;
    for (const std::string_view mark : {"。", "、", "–", "—", "¿", "¡"}) {
        if (!text.substr(at).starts_with(mark)) continue;
        ends_sentence = mark == "。";
        return mark.size();
    }
    if (is_space_in_han(text, at)) return 1;
    const char c = text[at];
    const bool is_in_number =
        at > 0 && at + 1 < text.size() && is_digit(text[at - 1]) && is_digit(text[at + 1]);
    if ((c == '.' || c == ',' || c == ':') && is_in_number) return 0;
    ends_sentence = c == '.' || c == '!' || c == '?' || c == ';' || c == '\n';
    return ends_sentence || c == ',' || c == ':' ? 1 : 0;
}

std::vector<Sentence> sentences_in(std::string_view text) {
    std::vector<Sentence> sentences;
    Sentence sentence;
    std::size_t begin = 0;
    const auto end_clause = [&](std::size_t end) {
        if (!trim(text.substr(begin, end - begin)).empty())
            sentence.clauses.push_back({begin, end});
    };
    const auto end_sentence = [&](std::size_t end) {
        sentence.whole.end = end;
        if (!sentence.clauses.empty()) sentences.push_back(sentence);
        sentence = Sentence{{end, end}, {}, false};
    };
    for (std::size_t i = 0; i < text.size();) {
        bool ends_sentence = false;
        const std::size_t length = mark_at(text, i, ends_sentence);
        if (length == 0) {
            i += code_point_length(text, i);
            continue;
        }
        end_clause(i);
        sentence.has_question_mark = sentence.has_question_mark || text[i] == '?';
        begin = i + length;
        if (ends_sentence) end_sentence(begin);
        i = begin;
    }
    end_clause(text.size());
    end_sentence(text.size());
    return sentences;
}

enum class Courtesy { No, Beside, Yes };

/// Whether the whole clause is a courtesy, or consists of words that may stand beside one.
Courtesy courtesy_of(std::string_view clause) {
    bool has_courtesy = false;
    for (std::size_t i = 0; i < clause.size();) {
        if (clause[i] == ' ' || clause[i] == '\n') {
            ++i;
            continue;
        }
        const WordMatch word = free_lexicon().longest_at(clause, i);
        if ((word.lists & (bit(FreeList::Courtesy) | bit(FreeList::WithCourtesy))) == 0)
            return Courtesy::No;
        has_courtesy = has_courtesy || (word.lists & bit(FreeList::Courtesy)) != 0;
        i = word.end;
    }
    return has_courtesy ? Courtesy::Yes : Courtesy::Beside;
}

/// A courtesy by its words or, if it is ours and therefore short, as a whole.
bool is_courtesy(std::string_view clause, Asker asker) {
    return courtesy_of(clause) == Courtesy::Yes ||
           (asker == Asker::We && is_free_form(clause, FreeForm::Courtesy));
}

/// "One moment, please": the first clause is a courtesy.
bool is_courtesy_sentence(std::string_view text, const Sentence& sentence, Asker asker) {
    const auto clause = [&](const Stretch& part) {
        return trim(text.substr(part.begin, part.end - part.begin));
    };
    return is_courtesy(clause(sentence.clauses.front()), asker) &&
           std::all_of(sentence.clauses.begin(), sentence.clauses.end(), [&](const Stretch& part) {
               return courtesy_of(clause(part)) != Courtesy::No || is_courtesy(clause(part), asker);
           });
}

/// Words that would make a question state something, as positions in `text`.
std::vector<WordMatch> refused_words(std::string_view text, const Vocabulary& vocabulary) {
    constexpr ListSet kRefused =
        bit(DraftList::Discount) | bit(DraftList::Date) | bit(DraftList::Promise) |
        bit(DraftList::Agreement) | bit(DraftList::Payment) | bit(DraftList::Contact) |
        bit(DraftList::Link) | bit(DraftList::Human) | bit(DraftList::Limit) |
        bit(DraftList::Approval) | bit(DraftList::Number) | bit(DraftList::Tag);
    const RoleLists& known = vocabulary.known;
    const ListSet of_rules =
        known[Role::Deal] | known[Role::Assent] | known[Role::Promise] | known[Role::Terms] |
        known[Role::Payment] | known[Role::Paid] | known[Role::Delivered] | known[Role::Haggle] |
        known[Role::Claim] | known[Role::Link] | known[Role::AmountInWords] |
        known[Role::CounterOffer] | known[Role::Speaker] | known[Role::Refusal] |
        known[Role::Leaving] | known[Role::Steering] | known[Role::Waives];
    std::vector<WordMatch> refused;
    for (const WordMatch& word : draft_lexicon().find(text))
        if ((word.lists & kRefused) != 0) refused.push_back(word);
    for (const WordMatch& word : vocabulary.lexicon.find(text))
        if ((word.lists & of_rules) != 0) refused.push_back(word);
    return refused;
}

std::size_t end_of_latin(std::string_view text, std::size_t at) {
    while (at < text.size() && (is_ascii_letter(text[at]) || text[at] == '\''))
        ++at;
    return at;
}

/// Judges the words of one question.
class QuestionJudge {
  public:
    QuestionJudge(std::string_view clause, const DraftSources& sources,
                  const Vocabulary& vocabulary, Asker asker)
        : clause_(clause), sources_(sources), vocabulary_(vocabulary), asker_(asker) {}

    /// True if the clause asks, or `continues` a question, and contains no word that states
    /// something or asks for more than an answer.
    bool is_harmless(bool continues) {
        if (mixes_scripts()) return false;
        for (std::size_t i = 0; i < clause_.size();) {
            const std::size_t end = end_of_known(i);
            if (end == i) return false;
            i = end;
        }
        if (needs_what_ && !asks_what_) return false;
        if (lead_.end > 0 && (known_.empty() || !known_.front().has(FreeList::AsksWhat)))
            return false;
        if (continues && !continues_question()) return false;
        if (may_order_something() || only_names_something()) return false;
        if (needs_subject_ && !has_subject_) return false;
        const auto refused = refused_words(clause_, vocabulary_);
        return std::all_of(refused.begin(), refused.end(),
                           [&](const WordMatch& word) { return is_allowed(word); });
    }
    /// An English question begins with such a word; a Chinese one contains it.
    bool asks() const { return asks_; }
    /// True for "Could you describe …": nothing may follow in the same sentence.
    bool asks_to_tell() const { return asks_to_tell_; }

  private:
    struct Known {
        Stretch place;
        ListSet lists = 0;
        bool has(FreeList list) const { return (lists & bit(list)) != 0; }
        bool leads_to_noun() const { return (lists & (bit(FreeList::BeforeNoun) | kAsks)) != 0; }
    };
    std::string_view text_of(const Known& word) const {
        return clause_.substr(word.place.begin, word.place.end - word.place.begin);
    }

    /// "Which 要": a word of another language answers what the question only seems to ask.
    bool mixes_scripts() const {
        return !clause_.empty() && is_ascii_letter(clause_.front()) && han_count(clause_) > 0;
    }
    /// A clause behind a comma: "in Berlin", "or a larger one", "please". A Chinese one must ask.
    bool continues_question() const {
        if (known_.empty()) return false;
        if (is_han(code_point_at(clause_, known_.front().place.begin))) return asks_;
        if (known_.size() == 1 && is(0, "please")) return true;
        if (is(known_.size() - 1, "please")) return asks_;
        const std::size_t first = is(0, "or") ? 1 : 0;
        if (first >= known_.size() || !known_[first].leads_to_noun()) return false;
        return asks_ || first > 0 || !known_[first].has(FreeList::Determiner);
    }
    bool is(std::size_t k, std::string_view text) const {
        return k < known_.size() && text_of(known_[k]) == text;
    }
    bool is_last(std::size_t k) const { return k + 1 == known_.size(); }
    bool has_at(std::size_t k, FreeList list) const {
        return k < known_.size() && known_[k].has(list);
    }

    /// True where the peer may be told to do something: a verb with an object that it would carry
    /// out, or a day or place that would suit. Such a question orders or presumes an order.
    bool may_order_something() const {
        for (std::size_t k = 0; k < known_.size(); ++k) {
            if (is(k, "please") && k > 0 && !is_last(k)) return true;
            if (known_[k].has(FreeList::Wishes) && needs_subject_) return true;
            if (is_han(code_point_at(clause_, known_[k].place.begin))) {
                if (known_[k].has(FreeList::Action) && !is_done_object(k)) return true;
            } else if (joins_verb(k) || has_verb_with_object(k)) {
                return true;
            }
            if (asks_to_tell_ && k > 1 && tells_more(k)) return true;
        }
        return false;
    }
    /// 一个蛋糕吗 orders one; whether there is one, 有 asks.
    bool only_names_something() const {
        if (asks_what_ || known_.empty()) return false;
        const auto states = [](const Known& word) { return word.has(FreeList::BeforeObject); };
        return is_han(code_point_at(clause_, known_.back().place.begin)) &&
               std::none_of(known_.begin(), known_.end(), states);
    }
    /// "explain and bake", "it is and a cake", "to cook", "How about a cake", "repair the roof".
    bool joins_verb(std::size_t k) const {
        const Known& word = known_[k];
        const bool joins_more = word.has(FreeList::Joins) && k + 2 < known_.size();
        if (joins_more && !known_[k + 1].leads_to_noun()) return true;
        if (is(k, "and") && has_at(k + 1, FreeList::Determiner)) return true;
        if (is(k, "to") && !is_last(k) && !known_[k + 1].has(FreeList::BeforeNoun)) return true;
        if (word.has(FreeList::AsksWhat) && is(k + 1, "about")) return true;
        return k > 0 && word.has(FreeList::Determiner) && !may_precede_object(known_[k - 1]);
    }
    bool may_precede_object(const Known& word) const {
        constexpr ListSet kMay = kAsks | bit(FreeList::AsksToTell) | bit(FreeList::BeforeNoun) |
                                 bit(FreeList::BeforeObject) | bit(FreeList::Wishes);
        return (word.lists & kMay) != 0;
    }
    bool has_verb_with_object(std::size_t k) const {
        const std::string_view word = text_of(known_[k]);
        const bool is_gerund = word.ends_with("ing") && word != "wedding";
        if ((!known_[k].has(FreeList::Action) && !is_gerund) || is_last(k)) return false;
        const auto behind = known_.begin() + static_cast<std::ptrdiff_t>(k) + 1;
        return needs_subject_ || std::any_of(behind, known_.end(), [](const Known& other) {
                   return other.has(FreeList::Determiner);
               });
    }
    /// "the piano with the wine": only "the condition of the piano" is still one thing.
    bool tells_more(std::size_t k) const {
        const bool is_of = is(k, "of") || is(k - 1, "of");
        return known_[k].has(FreeList::Joins) || is(k, "to") ||
               (known_[k].leads_to_noun() && !is_of);
    }
    /// In Chinese only the word behind the verb shows that nothing is ordered: 拍什么风格,
    /// 翻译多少钱, 做的蛋糕.
    bool is_done_object(std::size_t k) const {
        const auto asks_price = [&](const Known& word) { return text_of(word) == "多少钱"; };
        if (is(k + 1, "的") || std::any_of(known_.begin(), known_.end(), asks_price)) return true;
        if (!asks_what_ || needs_subject_) return false;
        return is_last(k) || has_at(k + 1, FreeList::AsksWhat) ||
               has_at(k + 1, FreeList::AskedOfWhat) || is(k + 1, "是") || is(k + 1, "需要");
    }

    std::size_t end_of_known(std::size_t i) {
        if (clause_[i] == ' ' || clause_[i] == '\n') return i + 1;
        const std::string_view mark = trim(kQuotedMark);
        if (clause_.substr(i).starts_with(mark)) {
            has_subject_ = true;
            known_.push_back({{i, i + mark.size()}});
            return i + mark.size();
        }
        const WordMatch word = free_lexicon().longest_at(clause_, i);
        if ((word.lists & bit(FreeList::Lead)) != 0 && known_.empty()) {
            lead_ = {word.begin, word.end};
            return word.end;
        }
        if ((word.lists & allowed_words()) != 0) {
            note(word, i);
            return word.end;
        }
        if ((word.lists & bit(FreeList::Never)) != 0) return i;
        return end_of_listed(i);
    }
    static constexpr ListSet kAsks = bit(FreeList::AsksWhat) | bit(FreeList::AsksWhether);
    static constexpr ListSet kNeedsWhat = bit(FreeList::AskedOfWhat) | bit(FreeList::Wishes);

    /// Behind "how much", "is it" continues a question of a peer and offers nothing.
    ListSet allowed_words() const {
        ListSet words = bit(FreeList::AsksWhat) | bit(FreeList::Asked) | bit(FreeList::AskedOfWhat);
        if (asker_ == Asker::We || asks_what_) words |= bit(FreeList::AsksWhether);
        if (asker_ == Asker::We) words |= bit(FreeList::Wishes) | bit(FreeList::Subject);
        if (known_.empty()) words |= bit(FreeList::AsksToTell);
        return words;
    }
    void note(const WordMatch& word, std::size_t i) {
        const bool may_begin = known_.empty() || is_han(code_point_at(clause_, i));
        asks_to_tell_ = asks_to_tell_ || (word.lists & bit(FreeList::AsksToTell)) != 0;
        asks_ = asks_ || asks_to_tell_ || ((word.lists & kAsks) != 0 && may_begin);
        asks_what_ = asks_what_ || (word.lists & bit(FreeList::AsksWhat)) != 0;
        needs_what_ = needs_what_ || ((word.lists & kNeedsWhat) != 0 &&
                                      (word.lists & (kAsks | bit(FreeList::Asked))) == 0);
        needs_subject_ = needs_subject_ || (word.lists & bit(FreeList::NeedsSubject)) != 0;
        has_subject_ = has_subject_ || (word.lists & bit(FreeList::Subject)) != 0;
        known_.push_back({{word.begin, word.end}, word.lists});
    }
    /// A word of our listings.
    std::size_t end_of_listed(std::size_t i) {
        if (is_han(code_point_at(clause_, i))) return end_of_listed_pair(i);
        const std::size_t end = end_of_latin(clause_, i);
        if (end < i + kListedLettersMin || !is_word_boundary(clause_, end)) return i;
        if (!sources_.knows(clause_.substr(i, end - i))) return i;
        has_subject_ = true;
        known_.push_back({{i, end}});
        return end;
    }

    /// A word of a listing such as 成都, whose character 成 does not agree to anything.
    std::size_t end_of_listed_pair(std::size_t i) {
        const std::size_t second = i + code_point_length(clause_, i);
        if (second >= clause_.size() || !is_han(code_point_at(clause_, second))) return i;
        const std::size_t end = second + code_point_length(clause_, second);
        if (!sources_.knows(clause_.substr(i, end - i))) return i;
        has_subject_ = true;
        listed_.push_back({i, end});
        return end;
    }
    bool is_allowed(const WordMatch& word) const {
        const auto holds = [&](const Stretch& part) {
            return part.begin <= word.begin && word.end <= part.end;
        };
        const bool is_one_han = han_count(clause_.substr(word.begin, word.end - word.begin)) == 1;
        const auto is_known = [&](const Known& known) {
            return known.lists != 0 && holds(known.place);
        };
        return holds(lead_) || std::any_of(known_.begin(), known_.end(), is_known) ||
               (is_one_han && std::any_of(listed_.begin(), listed_.end(), holds));
    }

    const std::string_view clause_;
    const DraftSources& sources_;
    const Vocabulary& vocabulary_;
    const Asker asker_;
    std::vector<Stretch> listed_;
    std::vector<Known> known_;  ///< all words, in order; no list: of a listing
    Stretch lead_;
    bool asks_to_tell_ = false;
    bool asks_ = false;
    bool asks_what_ = false;
    bool needs_what_ = false;
    bool needs_subject_ = false;
    bool has_subject_ = false;
};

/// True for a Chinese question without a mark whose last character makes it a question.
bool ends_asking(std::string_view clause) {
    std::size_t last = clause.size();
    while (last > 0 && (static_cast<unsigned char>(clause[last - 1]) & 0xC0) == 0x80)
        --last;
    if (last == 0) return false;
    return (free_lexicon().longest_at(clause, last - 1).lists & bit(FreeList::EndsAsking)) != 0;
}

/// True if each clause of the sentence asks, continues a question or is a courtesy, and at least
/// one asks.
bool is_question(std::string_view text, const Sentence& sentence, const DraftSources& sources,
                 const Vocabulary& vocabulary, Asker asker) {
    const Stretch& last = sentence.clauses.back();
    const std::string_view ending = trim(text.substr(last.begin, last.end - last.begin));
    if (!sentence.has_question_mark && !ends_asking(ending)) return false;
    bool has_asked = false;
    bool is_over = false;
    for (const Stretch& part : sentence.clauses) {
        const std::string_view clause = trim(text.substr(part.begin, part.end - part.begin));
        if (is_courtesy(clause, asker)) continue;
        if (asker == Asker::We && !has_asked && is_free_form(clause, FreeForm::Question)) {
            has_asked = is_over = true;
            continue;
        }
        QuestionJudge judge(clause, sources, vocabulary, asker);
        if (is_over || !judge.is_harmless(has_asked)) return false;
        has_asked = has_asked || judge.asks();
        is_over = judge.asks_to_tell();
        if (!has_asked) return false;
    }
    return has_asked;
}

/// Letters whose folding only changes their case or their width.
bool folds_to_its_like(char32_t c) {
    constexpr std::u32string_view kOthers = U"\u00A0\u2026\u3000";
    return c < 0x80 || (c >= 0xC0 && c <= 0x52F) || (c >= 0x1E00 && c <= 0x1FFF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF01 && c <= 0xFFDC) ||
           kOthers.find(c) != std::u32string_view::npos;
}

/// Whether everything looks like the text that is judged: not ② or Ⓨ, which become 2 and y or are
/// taken for marks.
bool looks_as_judged(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = code_point_length(text, i);
        const std::string_view one = text.substr(i, length);
        if (!folds_to_its_like(code_point_at(text, i)) && i18n::fold(one) != one) return false;
        i += length;
    }
    return true;
}

bool is_plain(std::string_view text) {
    if (!is_utf8(text) || has_invisible_characters(text) || !looks_as_judged(text)) return false;
    // Marks of quotations in the text would be taken for words of a listing.
    return text.find(trim(kQuotedMark)) == std::string_view::npos;
}

/// True if each sentence is a courtesy or a question; the words of `listings` are known words.
bool is_courteous_or_asks(std::string_view text, const std::vector<Listing>& listings,
                          Asker asker) {
    if (!is_plain(text)) return false;
    const Vocabulary& vocabulary = built_in_vocabulary();
    const std::string said = vocabulary.lexicon.comparable(text);
    if (!is_plain(said)) return false;
    DraftFacts facts;
    facts.listings = listings;
    const DraftSources sources(facts, vocabulary);
    const auto sentences = sentences_in(said);
    return std::all_of(sentences.begin(), sentences.end(), [&](const Sentence& sentence) {
        return is_courtesy_sentence(said, sentence, asker) ||
               is_question(said, sentence, sources, vocabulary, asker);
    });
}

}  // namespace

bool are_free_words(std::string_view text) {
    constexpr std::size_t kCodePointsMax = 600;
    return !trim(text).empty() && code_point_count(text) <= kCodePointsMax &&
           is_courteous_or_asks(text, {}, Asker::We);
}

bool asks_for_facts_only(std::string_view text, const std::vector<Listing>& listings) {
    return is_courteous_or_asks(text, listings, Asker::Peer);
}

}  // namespace a2h::decide
