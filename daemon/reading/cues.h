#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/reading/lexicon.h"

namespace a2h::reading {

/// Cue words. Their meaning depends on their position in a clause, which code checks. They do not
/// hide words of lists and do not make a word known. The data states the purpose of each list
/// (`[cues.x] role = "second_person"`); several lists may have the same purpose.
enum class Cue {
    // Sentences and questions
    Abbreviation,    ///< "etc", "e.g": their full stop ends no sentence
    EndsQuestion,    ///< 不, 没: a final character that makes a question
    EndsNoQuestion,  ///< 还没: an end that makes no question
    Negation,        ///< 不, 没: makes a question between two equal characters
    NoChoiceBefore,  ///< 现在: a negation after it offers no choice (现在不在)
    QuestionVerb,    ///< "is", "do": makes a question before `QuestionSubject`
    QuestionSubject,
    QuestionOpening,  ///< "what is", "where"
    FinalParticle,    ///< 呢, 呀: meaningless at the end
    HowMuch,          ///< 多少
    AskOpening,       ///< "to know", 想问: the question begins here
    WantsToKnow,      ///< "wonder": a statement with it is a question
    TopicParticle,    ///< 呢: asks about the words before it
    Suggests,         ///< 吧: asks whether what was said is right
    Alternative,      ///< "or" inside of a longer word
    Adds,             ///< "as well": in addition, not instead
    // Persons and references
    SecondPerson,       ///< the clause addresses us: "you", 您
    OwnLife,            ///< begins what a peer tells about its own life
    OwnLifeEnd,         ///< "here": a clause with this end tells about it, too
    Telling,            ///< begins a story, possibly about our work
    Connective,         ///< "and", "so": the content of a clause begins after it
    BackReference,      ///< "that": as the object of `ObjectVerb` refers to something before
    ObjectVerb,         ///< "do", "offer"
    WeakBackReference,  ///< "it", as the object of `WeakObjectVerb` alone
    WeakObjectVerb,
    NamesAskedThing,  ///< 什么, 哪: names what is asked for, so a short question is complete
    ReceiptOpening,   ///< 已: begins an acknowledgement of receipt
    ListedOpening,    ///< 就是, 在: before something that a listing states
    AgeOpening,       ///< "I'm": before somebody's age
    // Cues for what is past, assumed, wished for or due
    Past,            ///< 了, 过: something past
    Over,            ///< 了, 着: praises something that exists
    PastOpening,     ///< "built", "about": continues a story
    PastEnding,      ///< "ed", "ing"
    SupposesBefore,  ///< "if I": what follows has not happened
    SupposesBehind,  ///< 的话: the same, in any position
    OpenCondition,   ///< "if", "whether": what follows is not decided
    Threat,          ///< 我就: the consequence is a threat
    PlainWish,       ///< 要, 请: single characters that want something in any position
    Obligation,      ///< 要: after a day it only says what has to be done
    Plan,            ///< "thinking of", 打算
    DueBefore,       ///< "by": something is wanted by the day that follows
    DueBehind,       ///< 前: something is wanted by the day before it
    DueParticle,     ///< 就, 得: between a day and `DueBehind`
    CalendarUnit,    ///< 月, "pm": makes a number a date or time
    // Beside numbers and amounts
    Vague,              ///< 多: makes the number before it inexact
    MoreThan,           ///< 个多: a good many, before what is counted
    AndHalf,            ///< 个半: and a half, before what is counted
    DiscountUnit,       ///< 折
    Percent,            ///< "percent"
    RangeJoin,          ///< "to", 到: between the ends of a range
    UnlikeCurrency,     ///< "pound", "won": words that are not a currency beside a number
    Piece,              ///< 块: counts things as well
    NotBeforeNumber,    ///< 元: never written before a number
    MayBeginWord,       ///< 元: begins other words
    GoesOn,             ///< 旦: continues such a word
    AfterAmount,        ///< 吗: follows an amount and is not something counted
    YearlyEvent,        ///< "CNY": after a year, the name of a holiday
    ReducedBy,          ///< 便宜, "minus": the amount of a reduction, not a price
    NoReduction,        ///< 至少: ends like such a word but is not one
    TakenOff,           ///< "off": the same, after the amount
    RaisedBy,           ///< 再加, "another": the amount of an increase, not a price
    NoIncrease,         ///< 参加: ends like such a word but is not one
    OnTop,              ///< "more": the same, after the amount
    Negative,           ///< 负, "negative": makes the amount behind it none
    NamesReducedPrice,  ///< 价: after `TakenOff`, the amount is the remaining price
    // Whole phrases
    BareCourtesy,  ///< greets or thanks and leaves nothing open
    PlainOffer,    ///< permitted words around the one amount of a plain offer
    PlainDeal,   ///< permitted words around it for a yes of a person, because they add no condition
    Withdrawal,  ///< withdraws an offer
    // What a message does in a deal
    Agrees,         ///< to the terms of the other side
    Refuses,        ///< the terms of the other side
    TakesBack,      ///< its own terms, or its interest
    AddsCondition,  ///< "if", "including", 的话
    AsksPayment,
    TellsReceipt,
    TellsPayment,
    TellsDelivery,
    AgreesBeside,   ///< words that may stand beside a yes
    Arranges,       ///< when and how it is carried out
    HoldsPrice,     ///< "last word": stays with its price
    SaysNo,         ///< "no", if a clause says nothing else
    Denies,         ///< "not", "once": what the clause tells has not happened
    TellsPrices,    ///< of others
    PartOfPrice,    ///< "deposit": the amount beside it is not the price
    AddedBefore,    ///< "plus", 加: the amount behind it is added
    AddedBehind,    ///< "on top"
    Below,          ///< "under": an amount behind it is a limit
    Roughly,        ///< amounts of the clause are not exact
    InAll,          ///< the amount behind it is the whole price
    EachBehind,     ///< the amount before it is the price of one
    AsksToConfirm,  ///< "is it", 对吗: asks whether an amount is right
    Proposes,       ///< "would you do": an amount in a question is an offer
    Splits,         ///< "split the difference"
    LabelBefore,    ///< "flat", 单元: the number behind it is a name
    NamesYear,      ///< "since": a number like a year behind it is one
    CountedBehind,  ///< 款, "guests": the number before it is no money
    Negates,        ///< "without", 不: makes an offer of something one of nothing
    Mocks,          ///< "yeah right", 呵呵: no yes is meant
    FindsWrong,     ///< "a bit much": refuses if no other amount is named
    SlangNumber,    ///< 666: a number that says something else
    NamesMoney,     ///< "the deposit", 钱: what was sent is a payment
    TellsSending,   ///< "sent", 转了: of money a payment
    BeginsOwnPart,  ///< "I'll": begins what its author does itself
    Demands,        ///< "want", "only": asks for something of the other side
    Steers,         ///< gives instructions to a program, or alleges an agreement
    Depends,        ///< "if", "only": no agreement holds it, unless the offer does
    AsksSomething,  ///< 怎么: makes a clause a question, also without a mark
    SpeaksOfPrice,  ///< "total", "would be": a number with a doubtful currency is money
    BeginsRequest,  ///< "please", "with": begins what the other side is to do
    BeforeTime,     ///< "at": a small number behind it is an hour or a day
    HidesCue,       ///< 预算: no other cue begins inside
    Cannot,         ///< "can't", "not": refuses a price beside it
    PriceMatter,    ///< "that low": what such a refusal is about
    Definite,       ///< "the": a thing that both know of follows
    AddsBeside,     ///< "too", "and": adds a thing to another one
    EachBefore,     ///< the amount behind it is the price of one
    Weight,         ///< pounds in the clause are no money
    PieceThings,    ///< 砖: things counted like 块
    BeforePrice,    ///< 给: before a number without a currency that is a price
    Predicates,     ///< "is": something is said about the amount before it
    Requests,       ///< "could you": makes a question a request
    Answers,        ///< 可以: a yes that may only answer a question
    kCount
};

/// The names in the data, in the order of `Cue`.
extern const std::array<std::string_view, static_cast<std::size_t>(Cue::kCount)> kCueNames;

/// The comparable words of one cue. `text` arguments are comparable as well.
///
/// Thread:  any.
class CueWords {
  public:
    void add(std::string_view word);

    const std::vector<std::string>& all() const { return words_; }
    bool is(std::string_view text) const;
    bool begins(std::string_view text) const;
    bool ends(std::string_view text) const;
    bool is_in(std::string_view text) const;
    /// Whether `text` begins or ends with one of them as a whole word, with no letter beside it.
    bool begins_word(std::string_view text) const;
    bool ends_word(std::string_view text) const;
    /// The number of bytes of the first word with which `text` begins; 0 if there is none.
    std::size_t length_at(std::string_view text) const;
    /// The position of a word in `text` from `from` on, between spaces if it is Latin; npos if
    /// there is none. Searches the words in the order of the list.
    std::size_t find_apart(std::string_view text, std::size_t from) const;
    /// `Lexicon::longest_at` of these words.
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

/// The position of comparable `word` in `text` from `from` on: a Latin word between spaces, any
/// other in any place; npos if there is none.
std::size_t find_apart(std::string_view text, std::string_view word, std::size_t from);

}  // namespace a2h::reading
