#pragma once

#include <array>
#include <string_view>

#include "daemon/reading/lexicon.h"

namespace a2h::reading {

/// The role of a list's words in a text. A list states its roles in the data (`role = "wants"`).
/// Code asks for the words of a role and knows no list by name. Several lists may share a role, and
/// a list may have several.
enum class Role {
    // Grammar
    Filler,          ///< no meaning: "please", 请问
    Plain,           ///< ordinary words that ask for nothing outside a listing
    Asks,            ///< makes a clause a question: "how", 吗
    AsksParticular,  ///< asks for something specific ("who", 几), or for permission
    Confirms,        ///< asks for confirmation: "correct?", 对吧
    Alternative,     ///< separates alternatives: "or", 还是
    Reason,          ///< "because", 因为: gives a reason, not the subject
    Speaker,         ///< refers to the speaker: "I", 我们
    TellsOfSelf,     ///< begins what a peer tells about itself: "my", 我
    TellsOfOthers,   ///< begins what a peer tells about others: "last designer", 上次找的
    Wants,           ///< wants or orders something: "need", 需要
    Waives,          ///< "no need for", 都不用: the thing beside it is not wanted
    Ponders,         ///< postpones a decision: "I'll see whether", 我看看
    Corrects,        ///< withdraws what was said before: "no wait", 不对
    NamesFact,       ///< a name of what listings state: "price", 价格
    // Numbers and days
    Limit,          ///< makes a number a limit: "up to", 以内
    Approximate,    ///< "around", 左右: an amount beside it is not exact
    AmountInWords,  ///< numbers in English words
    Calendar,       ///< days, which bind only if something is due then
    // Courtesy
    Courtesy,  ///< any courtesy without a request; the next ones describe some of them
    Greeting,
    Thanks,
    Acknowledgement,
    Farewell,
    Leaving,     ///< says farewell, whatever the matter
    Understood,  ///< says that an answer was understood
    Receipt,     ///< confirms that a message has arrived, and who reads it
    Aside,       ///< goes with a courtesy: "your message", 主人
    Assent,      ///< agrees outside a question
    Refusal,     ///< says no
    // Business
    Offer,      ///< names or requests a price of the peer
    Haggle,     ///< asks for a lower price
    Deal,       ///< agrees, in any sentence
    Promise,    ///< promises outside a question
    Payment,    ///< mentions payment
    Paid,       ///< says that a payment was made
    Delivered,  ///< says that something was delivered or accepted
    Terms,      ///< conditions that listings do not contain
    Outside,    ///< topics that listings do not cover
    Trouble,    ///< a problem
    // For our own guards only
    Claim,         ///< claims to be an approval or the system
    Steering,      ///< gives instructions to a program
    Link,          ///< refers to something outside the conversation
    Holding,       ///< our own: "I will get back to you"
    Closing,       ///< our own: "anything else?"
    CounterOffer,  ///< how people request a counter-offer
    kCount
};

/// The names in the data.
constexpr std::array<std::string_view, static_cast<std::size_t>(Role::kCount)> kRoleNames = {
    "filler",
    "plain",
    "asks",
    "asks_particular",
    "confirms",
    "alternative",
    "reason",
    "speaker",
    "tells_of_self",
    "tells_of_others",
    "wants",
    "waives",
    "ponders",
    "corrects",
    "names_fact",
    "limit",
    "approximate",
    "amount_in_words",
    "calendar",
    "courtesy",
    "greeting",
    "thanks",
    "acknowledgement",
    "farewell",
    "leaving",
    "understood",
    "receipt",
    "aside",
    "assent",
    "refusal",
    "offer",
    "haggle",
    "deal",
    "promise",
    "payment",
    "paid",
    "delivered",
    "terms",
    "outside",
    "trouble",
    "claim",
    "steering",
    "link",
    "holding",
    "closing",
    "counter_offer"};

/// The lists of each role.
class RoleLists {
  public:
    ListSet operator[](Role role) const { return lists_[static_cast<std::size_t>(role)]; }
    void add(Role role, ListSet lists) { lists_[static_cast<std::size_t>(role)] |= lists; }

  private:
    std::array<ListSet, static_cast<std::size_t>(Role::kCount)> lists_ = {};
};

}  // namespace a2h::reading
