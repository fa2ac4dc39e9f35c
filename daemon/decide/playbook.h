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

/// Rules speak of what was read in the words of those who read it.
using namespace reading;

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

constexpr std::array<std::string_view, 5> kContactStateNames = {"new", "met", "introduced", "known",
                                                                "key_changed"};

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
    std::shared_ptr<const Vocabulary> vocabulary;  ///< never nullptr once it was read
    Phrases phrases;
    std::vector<Rule> rules;      ///< in the order in which they are looked at
    std::string version;          ///< of all that was read
    bool needs_contact = false;   ///< a rule looks at it
    bool needs_mandates = false;  ///< as above
};

}  // namespace a2h::decide
