#pragma once

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/domain/message.h"
#include "daemon/decide/amounts.h"
#include "daemon/decide/decision.h"
#include "daemon/decide/lexicon.h"
#include "daemon/decide/rules.h"

namespace a2h::decide {

/// What a peer may ask that a listing states. Their names in rules.toml are those of the fields of
/// `kFactNames`.
enum class Fact { Price, Method, Location, Availability, Overview };
constexpr std::array<std::string_view, 5> kFactNames = {"price", "method", "location",
                                                        "availability", "overview"};
using FactSet = unsigned;
constexpr FactSet bit(Fact fact) {
    return 1U << static_cast<unsigned>(fact);
}

/// Parts of a payload that a rule can demand or exclude, by name.
enum class Part { Text, PaymentQr, OrderId, WorksId, Attachment, Offer };
constexpr std::array<std::string_view, 6> kPartNames = {"text",     "payment_qr", "order_id",
                                                        "works_id", "attachment", "offer"};
using PartSet = unsigned;
constexpr PartSet bit(Part part) {
    return 1U << static_cast<unsigned>(part);
}

/// Which of our listings a message is about.
enum class ListingMatch { None, One, Several };
constexpr std::array<std::string_view, 3> kListingMatchNames = {"none", "one", "several"};

constexpr std::array<std::string_view, 2> kLanguageNames = {"en", "zh"};
constexpr std::array<std::string_view, 5> kContactStateNames = {"new", "met", "introduced", "known",
                                                                "key_changed"};

/// What a text says about money. Exact: one amount, its currency known.
enum class AmountReading { None, Exact, Unclear };
constexpr std::array<std::string_view, 3> kAmountReadingNames = {"none", "exact", "unclear"};

constexpr std::array<std::string_view, 3> kMandateFitNames = {"none", "within", "outside"};

/// The conditions of a rule: all that are set must hold; a default one holds always.
struct Conditions {
    std::vector<std::string> message_type;
    std::vector<std::string> message_type_not;
    std::vector<std::string> payload_type;
    std::vector<std::string> payload_type_not;
    std::vector<Provenance> provenance;
    std::vector<SourceClass> source;
    std::vector<ContactState> contact;
    std::vector<i18n::Language> language;
    std::vector<ListingMatch> listing;
    std::vector<AmountReading> amount;
    std::vector<MandateFit> mandate;
    PartSet has = 0;
    PartSet lacks = 0;
    unsigned phrases = 0;     ///< one of this set of `RuleSet::Impl::phrases`, counted from 1
    ListSet says = 0;         ///< at least one of these lists
    ListSet says_not = 0;     ///< none of these
    ListSet says_only = 0;    ///< these, fillers and punctuation, and nothing else
    ListSet says_mainly = 0;  ///< one of these in each clause that says anything; besides them only
                              ///< plain and unknown words
    std::optional<bool> repeated;
    std::optional<bool> asks_fact;         ///< asks what a listing can state
    std::optional<bool> facts_stated;      ///< the listings meant state all that is asked
    std::optional<bool> open_question;     ///< asks something that is no such fact
    std::optional<bool> quantity;          ///< names a number that no listing names
    std::optional<bool> after_commitment;  ///< our last message went beyond the listings or
                                           ///< asked something
    std::optional<bool> readable;          ///< Chinese or English
    std::optional<bool> question;          ///< asks anything at all
    std::optional<bool> echo;              ///< repeats what we sent, and that bound us to nothing
    std::optional<bool> repeats_listing;   ///< takes note of what the listings state
    std::optional<bool> tells_only;        ///< tells of its life and wants nothing
    int rounds_at_least = 0;               ///< automatic replies to this peer within 24 h
    int per_minute_at_least = 0;           ///< messages of this peer within a minute
    std::size_t longer_than = 0;           ///< code points of text
};

/// A text in both languages: a locale key, or the words themselves.
struct OwnerText {
    std::string key;
    std::string en;
    std::string zh;
};

struct ConditionField;  // conditions.h

/// A condition that a rule sets, and what the file demands, for people.
struct SetCondition {
    const ConditionField* field;
    std::string wanted;
};

struct Rule {
    std::string id;
    Conditions when;
    std::vector<SetCondition>
        set;  ///< what of `when` is set, in the order in which it is looked at
    Kind action = Kind::Ask;
    std::string topic;             ///< Ask: which texts of locales/decide.*.json word it
    bool at_listed_price = false;  ///< Ask: a yes agrees to the listing's price, when it is exact
    bool holding = false;          ///< Ask: tell the peer that it is passed on
    bool draft = false;            ///< Ask: a drafter may try a reply first
    bool is_owners = false;        ///< from the owner's file
    OwnerText why;
};

/// Lists with a meaning for the code, by their names in rules.toml.
struct KnownLists {
    ListSet filler = 0;          ///< carries no meaning: "please", 请问
    ListSet question = 0;        ///< makes a clause a question: "how", 吗
    ListSet claim = 0;           ///< pretends to be an approval or the system
    ListSet offer = 0;           ///< names or asks for a price of the peer's own
    ListSet haggle = 0;          ///< wants it cheaper
    ListSet deal = 0;            ///< concludes, in whatever sentence
    ListSet assent = 0;          ///< agrees outside a question
    ListSet promise = 0;         ///< promises outside a question
    ListSet payment = 0;         ///< speaks of paying
    ListSet paid = 0;            ///< says that a payment was made
    ListSet delivered = 0;       ///< says that something was delivered or accepted
    ListSet terms = 0;           ///< conditions that listings do not state
    ListSet approximate = 0;     ///< "around", 左右: no amount beside it is exact
    ListSet spelled_amount = 0;  ///< numbers in English words
    ListSet link = 0;            ///< points out of the conversation
    ListSet first_person = 0;    ///< speaks of the speaker
    ListSet counter_offer = 0;   ///< how people instruct a counter-offer
    ListSet limit = 0;           ///< makes a number a limit: "up to", 以内
    ListSet particular = 0;      ///< asks for something particular: "who", 几; or for leave
    ListSet context = 0;         ///< begins what a peer tells about itself: "my", 我
    ListSet outside = 0;         ///< topics of which listings say nothing
    ListSet plain = 0;           ///< ordinary words that ask for nothing outside a listing
    ListSet request = 0;         ///< wants or orders something: "need", 需要
    ListSet holding = 0;         ///< ours: "I will get back to you"
    ListSet closing = 0;         ///< ours: "anything else?"
    ListSet refusal = 0;         ///< says no
    ListSet leaving = 0;         ///< takes leave, whatever it was about
    ListSet alternative = 0;     ///< parts what may be chosen: "or", 还是
    ListSet waived = 0;          ///< "no need for", 都不用: what stands beside it is not wanted
    ListSet reason = 0;          ///< "because", 因为: why somebody asks, not what
    ListSet others = 0;      ///< begins what a peer tells of others: "last designer", 上次找的
    ListSet trouble = 0;     ///< something went wrong
    ListSet steering = 0;    ///< tells a program what to do
    ListSet calendar = 0;    ///< days, which bind only where something is due then
    ListSet pondering = 0;   ///< puts a decision off: "I'll see whether", 我看看
    ListSet correction = 0;  ///< takes back what was said before: "no wait", 不对
    ListSet confirm = 0;     ///< wants to hear that it understood: "correct?", 对吧
    ListSet aside = 0;       ///< goes with a courtesy: "your message", 主人
    ListSet fact_noun = 0;   ///< names of what listings state: "price", 价格
    ListSet greeting = 0;
    ListSet thanks = 0;
    ListSet acknowledgement = 0;
    ListSet farewell = 0;
    ListSet noted = 0;  ///< says that an answer was understood
    ListSet small_talk = 0;
    ListSet receipt = 0;  ///< says that a message arrived and who reads it
};

/// Corrects a letter that is missing, doubled or swapped in the words that ask for facts. Letters
/// are never exchanged for others: "remove" is no "remote".
class Spelling {
  public:
    void add(std::string_view word);
    /// The one word meant by `word`, empty when there is none.
    std::string correct(std::string_view word) const;

  private:
    std::unordered_map<std::string, std::string> words_;  ///< with one letter missing -> word
    std::unordered_set<std::string> right_;
};

/// Phrases that single rules look for, each in texts of some languages.
class Phrases {
  public:
    /// `text` is comparable; `languages` has a bit for each `i18n::Language`.
    void add(unsigned set, std::string_view text, unsigned languages);
    unsigned new_set() { return ++sets_; }
    /// The sets of which `text` has a phrase, in ascending order.
    std::vector<unsigned> found_in(std::string_view text, i18n::Language language) const;

  private:
    struct Use {
        unsigned set;
        unsigned languages;
    };
    unsigned sets_ = 0;
    Lexicon words_;                       ///< `lists` is a place in `uses_`, counted from 1
    std::vector<std::vector<Use>> uses_;  ///< by word
};

struct RuleSet::Impl {
    Lexicon lexicon;
    MoneyWords money;
    Lexicon plain_offer;         ///< all that may stand around the one amount of a plain offer
    Lexicon plain_deal;          ///< as above, where a person says yes: adds no condition
    Lexicon withdrawal;          ///< takes back what was offered
    Lexicon topics;              ///< words that mean the same; `lists` is the number of their group
    ListSet topic_count = 0;     ///< groups of `topics`
    Lexicon evidence;            ///< words by which a listing states what a list asks, by its bit
    ListSet needs_evidence = 0;  ///< lists of which `evidence` has words
    Spelling spelling;
    std::vector<std::string> list_names;
    std::vector<FactSet> list_facts;  ///< by list: the fact that its words ask for
    ListSet fact_lists = 0;           ///< lists with a fact
    ListSet years = 0;                ///< the unit `year`
    ListSet hours = 0;                ///< the unit `hour`
    ListSet minutes = 0;              ///< the unit `minute`
    KnownLists known;
    Phrases phrases;
    std::vector<Rule> rules;      ///< in the order in which they are looked at
    std::string version;          ///< of all that was read
    bool needs_contact = false;   ///< a rule looks at it
    bool needs_mandates = false;  ///< as above
};

/// The names of the bits in `set`.
template <typename Names>
std::vector<std::string> names_in(std::uint64_t set, const Names& names) {
    std::vector<std::string> found;
    for (std::size_t k = 0; k < names.size(); ++k) {
        if ((set >> k & 1U) != 0) found.emplace_back(names[k]);
    }
    return found;
}

}  // namespace a2h::decide
