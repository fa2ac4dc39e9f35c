#pragma once

#include <array>
#include <string_view>

#include "daemon/reading/lexicon.h"

namespace a2h::reading {

/// What the words of a list do in a text. A list says its roles in the data (`role = "wants"`);
/// code asks for the words of a role and knows no list by its name. Several lists may have one
/// role, and one list several.
enum class Role {
    // Grammar
    Filler,          ///< carries no meaning: "please", 请问
    Plain,           ///< ordinary words that ask for nothing outside a listing
    Asks,            ///< makes a clause a question: "how", 吗
    AsksParticular,  ///< asks for something particular: "who", 几; or for leave
    Confirms,        ///< wants to hear that it understood: "correct?", 对吧
    Alternative,     ///< parts what may be chosen: "or", 还是
    Reason,          ///< "because", 因为: why somebody asks, not what
    Speaker,         ///< speaks of the speaker: "I", 我们
    TellsOfSelf,     ///< begins what a peer tells about itself: "my", 我
    TellsOfOthers,   ///< begins what a peer tells of others: "last designer", 上次找的
    Wants,           ///< wants or orders something: "need", 需要
    Waives,          ///< "no need for", 都不用: what stands beside it is not wanted
    Ponders,         ///< puts a decision off: "I'll see whether", 我看看
    Corrects,        ///< takes back what was said before: "no wait", 不对
    NamesFact,       ///< names of what listings state: "price", 价格
    // Numbers and days
    Limit,          ///< makes a number a limit: "up to", 以内
    Approximate,    ///< "around", 左右: no amount beside it is exact
    AmountInWords,  ///< numbers in English words
    Calendar,       ///< days, which bind only where something is due then
    // Courtesy
    Courtesy,  ///< any courtesy that wants nothing; the next ones say more of some of them
    Greeting,
    Thanks,
    Acknowledgement,
    Farewell,
    Leaving,     ///< takes leave, whatever it was about
    Understood,  ///< says that an answer was understood
    Receipt,     ///< says that a message arrived and who reads it
    Aside,       ///< goes with a courtesy: "your message", 主人
    Assent,      ///< agrees outside a question
    Refusal,     ///< says no
    // Business
    Offer,      ///< names or asks for a price of the peer's own
    Haggle,     ///< wants it cheaper
    Deal,       ///< concludes, in whatever sentence
    Promise,    ///< promises outside a question
    Payment,    ///< speaks of paying
    Paid,       ///< says that a payment was made
    Delivered,  ///< says that something was delivered or accepted
    Terms,      ///< conditions that listings do not state
    Outside,    ///< topics of which listings say nothing
    Trouble,    ///< something went wrong
    // What only our own guards look for
    Claim,         ///< pretends to be an approval or the system
    Steering,      ///< tells a program what to do
    Link,          ///< points out of the conversation
    Holding,       ///< ours: "I will get back to you"
    Closing,       ///< ours: "anything else?"
    CounterOffer,  ///< how people instruct a counter-offer
    kCount
};

/// As the data names them.
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
