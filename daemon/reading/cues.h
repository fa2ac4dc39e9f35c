#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/reading/lexicon.h"

namespace a2h::reading {

/// Cue words: what one of them means depends on its place in a clause, which code looks at. They
/// hide no word of a list and make none known. The data says what each list of them is for
/// (`[cues.x] role = "second_person"`); several lists may be for the same.
enum class Cue {
    // Where sentences and questions are
    Abbreviation,    ///< "etc", "e.g": their full stop ends no sentence
    EndsQuestion,    ///< 不, 没: the last character asks
    EndsNoQuestion,  ///< 还没: it does not
    Negation,        ///< 不, 没: the same character on both sides of it asks
    NoChoiceBefore,  ///< 现在: before a negation no choice (现在不在)
    QuestionVerb,    ///< "is", "do": asks where `QuestionSubject` follows
    QuestionSubject,
    QuestionOpening,  ///< "what is", "where"
    FinalParticle,    ///< 呢, 呀: says nothing at the end
    HowMuch,          ///< 多少
    AskOpening,       ///< "to know", 想问: what is asked begins there
    WantsToKnow,      ///< "wonder": a statement with it asks all the same
    TopicParticle,    ///< 呢: asks about the words before it
    Suggests,         ///< 吧: asks whether what was said is right
    Alternative,      ///< "or", where a longer word hides it
    Adds,             ///< "as well": more, and not instead
    // Who speaks of whom
    SecondPerson,       ///< the clause addresses us: "you", 您
    OwnLife,            ///< begins what a peer tells of its own life
    OwnLifeEnd,         ///< "here": a clause that ends with it does
    Telling,            ///< begins what is told, be it of our work
    Connective,         ///< "and", "so": what a clause says begins behind it
    BackReference,      ///< "that": as the object of `ObjectVerb` refers to what was told
    ObjectVerb,         ///< "do", "offer"
    WeakBackReference,  ///< "it", as the object of `WeakObjectVerb` alone
    WeakObjectVerb,
    NamesAskedThing,  ///< 什么, 哪: a short question with it refers to nothing before
    ReceiptOpening,   ///< 已: begins a receipt
    ListedOpening,    ///< 就是, 在: before what a listing states
    AgeOpening,       ///< "I'm": before how old somebody is
    // What is over, supposed, wanted, due
    Past,            ///< 了, 过: tells of what is over
    Over,            ///< 了, 着: praises what is there
    PastOpening,     ///< "built", "about": goes on with what was told
    PastEnding,      ///< "ed", "ing"
    SupposesBefore,  ///< "if I": nothing of it has happened yet
    SupposesBehind,  ///< 的话: the same, wherever it stands
    OpenCondition,   ///< "if", "whether": behind it nothing is concluded
    Threat,          ///< 我就: what is supposed is a threat
    PlainWish,       ///< 要, 请: single characters that want something wherever they stand
    Obligation,      ///< 要: behind a day it only tells what is to be done
    Plan,            ///< "thinking of", 打算
    DueBefore,       ///< "by": the day behind it is one by which something is wanted
    DueBehind,       ///< 前: the day before it is
    DueParticle,     ///< 就, 得: between a day and `DueBehind`
    CalendarUnit,    ///< 月, "pm": makes a number a date or time
    // Around numbers and amounts
    Vague,              ///< 多: makes the number before it inexact
    MoreThan,           ///< 个多: a good many, before what is counted
    AndHalf,            ///< 个半: and a half, before what is counted
    DiscountUnit,       ///< 折
    Percent,            ///< "percent"
    RangeJoin,          ///< "to", 到: between the ends of a range
    UnlikeCurrency,     ///< "pound", "won": words that are no currency beside a number
    Piece,              ///< 块: counts things as well
    NotBeforeNumber,    ///< 元: nobody writes it before a number
    MayBeginWord,       ///< 元: begins other words
    GoesOn,             ///< 旦: goes on such a word
    AfterAmount,        ///< 吗: follows an amount and begins no thing that could be counted
    YearlyEvent,        ///< "CNY": behind a year the name of a feast
    ReducedBy,          ///< 便宜, "minus": how much less, and not how much
    NoReduction,        ///< 至少: ends like such a word and is none
    TakenOff,           ///< "off": the same behind the amount
    NamesReducedPrice,  ///< 价: behind `TakenOff` it names what is left
    // Whole phrases
    PlainOffer,  ///< all that may stand around the one amount of a plain offer
    PlainDeal,   ///< as above, where a person says yes: adds no condition
    Withdrawal,  ///< takes back what was offered
    kCount
};

/// As the data names them, in the order of `Cue`.
extern const std::array<std::string_view, static_cast<std::size_t>(Cue::kCount)> kCueNames;

/// The words for one cue, comparable. `text` is comparable, too. Thread: any.
class CueWords {
  public:
    void add(std::string_view word);

    const std::vector<std::string>& all() const { return words_; }
    bool is(std::string_view text) const;
    bool begins(std::string_view text) const;
    bool ends(std::string_view text) const;
    bool is_in(std::string_view text) const;
    /// As a whole word: letters before or behind it make it another one.
    bool begins_word(std::string_view text) const;
    bool ends_word(std::string_view text) const;
    /// The bytes of the first word that `text` begins with; 0 for none.
    std::size_t length_at(std::string_view text) const;
    /// Where a word stands in `text` from `from` on, with a space on both sides if it is Latin;
    /// npos for none. The first word of the list that is there, not the first in the text.
    std::size_t find_apart(std::string_view text, std::size_t from) const;
    /// As `Lexicon::longest_at`.
    WordMatch longest_at(std::string_view text, std::size_t position) const {
        return lexicon_.longest_at(text, position);
    }

  private:
    std::vector<std::string> words_;
    Lexicon lexicon_;
};

/// All cues.
class Cues {
  public:
    const CueWords& operator[](Cue cue) const { return words_[static_cast<std::size_t>(cue)]; }
    CueWords& operator[](Cue cue) { return words_[static_cast<std::size_t>(cue)]; }

  private:
    std::array<CueWords, static_cast<std::size_t>(Cue::kCount)> words_;
};

/// Where comparable `word` stands in `text` from `from` on: a Latin one between spaces, any other
/// anywhere; npos for nowhere.
std::size_t find_apart(std::string_view text, std::string_view word, std::size_t from);

}  // namespace a2h::reading
