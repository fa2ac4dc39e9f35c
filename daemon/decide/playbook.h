#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/domain/message.h"
#include "daemon/decide/decision.h"
#include "daemon/decide/rules.h"
#include "daemon/reading/meant_amount.h"
#include "daemon/reading/vocabulary.h"

namespace a2h::decide {

/// Rules use the terms of `reading`.
using namespace reading;

/// Parts of a payload that a rule can require or exclude, by name.
/// KnownOrder: an order of which the market has told.
enum class Part { Text, PaymentQr, OrderId, WorksId, Attachment, Offer, KnownOrder };
constexpr std::array<std::string_view, 7> kPartNames = {
    "text", "payment_qr", "order_id", "works_id", "attachment", "offer", "known_order"};
using PartSet = unsigned;
constexpr PartSet bit(Part part) {
    return 1U << static_cast<unsigned>(part);
}

/// How many of our listings a message is about.
enum class ListingMatch { None, One, Several };
constexpr std::array<std::string_view, 3> kListingMatchNames = {"none", "one", "several"};

constexpr std::array<std::string_view, 5> kContactStateNames = {"new", "met", "introduced", "known",
                                                                "key_changed"};

constexpr std::array<std::string_view, 3> kMandateFitNames = {"none", "within", "outside"};

/// The conditions of a rule. All that are set must hold; a default value always holds.
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
    unsigned phrases = 0;     ///< a phrase of this set of `RuleSet::Impl::phrases`, counted from 1
    ListSet says = 0;         ///< a word of at least one of these lists
    ListSet says_not = 0;     ///< no word of these lists
    ListSet says_only = 0;    ///< words of these lists, fillers and punctuation, and nothing else
    ListSet says_mainly = 0;  ///< a word of these lists in each clause that states something;
                              ///< otherwise only plain and unknown words
    std::optional<bool> repeated;
    std::optional<bool> asks_fact;         ///< asks for what a listing can state
    std::optional<bool> facts_stated;      ///< the listings it is about state everything asked for
    std::optional<bool> open_question;     ///< asks for something else
    std::optional<bool> quantity;          ///< names a number that no listing contains
    std::optional<bool> takes_back;        ///< withdraws, declines or takes leave
    std::optional<bool> after_commitment;  ///< our last message went beyond the listings or
                                           ///< asked something
    std::optional<bool> readable;          ///< Chinese or English
    std::optional<bool> question;          ///< asks anything at all
    std::optional<bool> echo;              ///< repeats what we sent, if that did not bind us
    std::optional<bool> repeats_listing;   ///< acknowledges what the listings state
    std::optional<bool> tells_only;        ///< tells about the peer's life and wants nothing
    int rounds_at_least = 0;               ///< automatic replies to this peer within 24 h
    int per_minute_at_least = 0;           ///< messages of this peer within a minute
    std::size_t longer_than = 0;           ///< code points of the text
};

/// A text in both languages: a locale key or the words themselves.
struct OwnerText {
    std::string key;
    std::string en;
    std::string zh;
};

struct ConditionField;  // see conditions.h

/// A condition that a rule sets, and the required value in words for people.
struct SetCondition {
    const ConditionField* field;
    std::string wanted;
};

struct Rule {
    std::string id;
    Conditions when;
    std::vector<SetCondition>
        set;  ///< the conditions of `when` that are set, in the order of evaluation
    Kind action = Kind::Ask;
    std::string topic;             ///< Ask: the texts of the locale area `decide` that word it
    bool at_listed_price = false;  ///< Ask: a yes agrees to the price of the listing if it is exact
    bool holding = false;          ///< Ask: tell the peer that the message was passed on
    bool draft = false;            ///< Ask: a drafter may first try a reply
    bool is_owners = false;        ///< from the owner's file
    OwnerText why;
};

/// Phrases that single rules search for, each in texts of some languages.
class Phrases {
  public:
    /// `text` is comparable; `languages` has one bit for each `i18n::Language`.
    void add(unsigned set, std::string_view text, unsigned languages);
    unsigned new_set() { return ++sets_; }
    /// The sets with a phrase in `text`, in ascending order.
    std::vector<unsigned> found_in(std::string_view text, i18n::Language language) const;

  private:
    struct Use {
        unsigned set;
        unsigned languages;
    };
    unsigned sets_ = 0;
    Lexicon words_;                       ///< `lists` is a position in `uses_`, counted from 1
    std::vector<std::vector<Use>> uses_;  ///< by word
};

struct RuleSet::Impl {
    std::shared_ptr<const Vocabulary> vocabulary;  ///< never nullptr after reading
    Phrases phrases;
    std::vector<Rule> rules;      ///< in the order of evaluation
    std::string version;          ///< of everything that was read
    bool needs_contact = false;   ///< a rule uses the contact state
    bool needs_mandates = false;  ///< a rule uses the mandates
};

}  // namespace a2h::decide
