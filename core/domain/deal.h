#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/domain/order.h"

namespace a2h {

// What one agent of ours and one peer are about, as a table of the terms to which each of them
// stands. Everything here is pure.
//
// Source:  docs/architecture.md, "Deals".

/// Enquiry: nobody stands to terms. Offered: at least one of both does. Agreed: both have said yes
/// to the same terms. Ordered, Paid, Delivered and Done are those of the order at the market.
/// Closed: the order was rejected or cancelled.
enum class DealPhase {
    Enquiry,
    Offered,
    Agreed,
    Ordered,
    Paid,
    Delivered,
    Done,
    Declined,
    Withdrawn,
    Lapsed,
    Closed
};
std::string_view to_string(DealPhase value);
std::optional<DealPhase> parse_deal_phase(std::string_view text);

/// What a message, or the market's news, does in a deal.
enum class ActKind {
    Asks,            ///< asks for information
    Offers,          ///< names terms to which its author stands from now on; also a counter-offer
    Accepts,         ///< agrees to the terms to which the other one stands
    Declines,        ///< refuses them, or the whole matter
    Withdraws,       ///< takes back its author's own terms, or its interest
    Conditions,      ///< adds a condition to its author's terms, or to what was agreed
    AsksPayment,     ///< asks for the payment or shows a payment code
    ClaimsPayment,   ///< says that it has paid
    ClaimsDelivery,  ///< says that it has delivered
    ClaimsReceipt,   ///< says that it has received what was delivered
    OrderNews,       ///< the market says in which state the order is
    DealNews,        ///< the market says that it has made a deal of an offer
    RefusalNews,     ///< the market says that it has not taken the answer to an offer
    Courtesy,        ///< binds nobody to anything
    Other            ///< anything else, also what could not be understood
};
std::string_view to_string(ActKind value);
std::optional<ActKind> parse_act_kind(std::string_view text);

enum class ActBy { Us, Peer, Market };
std::string_view to_string(ActBy value);
std::optional<ActBy> parse_act_by(std::string_view text);

/// The terms of an offer. What the price does not say is in `conditions`, word for word.
struct Terms {
    std::optional<Money> price;           ///< in all; nullopt: none was named, or not exactly one
    std::vector<std::string> conditions;  ///< each as its author wrote it

    bool operator==(const Terms&) const = default;
};

/// In place of the hash of an offer over HTTP: no mail accepts it.
inline constexpr std::string_view kOverHttp = "http";

/// Terms to which somebody stands until the other one answers, or until `valid_until_ms`.
struct StandingOffer {
    Terms terms;
    std::string message_id;
    /// Hex SHA-256 of a typed offer's payload, or `kOverHttp`; empty: offered in words.
    std::string payload_hash;
    UnixMs valid_until_ms = 0;  ///< 0: no end was named
    UnixMs made_at_ms = 0;

    bool operator==(const StandingOffer&) const = default;
};

/// The terms to which both have said yes.
struct Agreement {
    Terms terms;
    ActBy offered_by = ActBy::Peer;
    std::string offer_message_id;
    std::string accept_message_id;
    std::string market_deal_id;  ///< the deal that the market has made of it; empty: none
    UnixMs agreed_at_ms = 0;
    bool was_taken_back = false;  ///< one of both has withdrawn or refused afterwards

    bool operator==(const Agreement&) const = default;
};

/// The order that carries a deal out, as the market last told it.
struct DealOrder {
    std::string order_id;
    OrderState state = OrderState::PendingConfirm;
    bool is_delivered = false;  ///< somebody says so; the market has no such state

    bool operator==(const DealOrder&) const = default;
};

/// One step of a deal. `source` names the message or news from which it was read, so that it counts
/// once however often it arrives.
struct Act {
    std::string
        source;  ///< "inbox:<id>:<n>" or "outbox:<id>:<n>", n counting the acts of a message
    ActKind kind = ActKind::Other;
    ActBy by = ActBy::Peer;
    Terms terms;                       ///< Offers; Accepts: those that it repeats; Conditions
    std::string message_id;            ///< RefusalNews: of the answer that was not taken
    std::string payload_hash;          ///< typed offers: of its payload
    std::string offer_message_id;      ///< the offer that is answered; empty: the standing one
    std::string offer_payload_hash;    ///< the same, so that another offer of this id is not meant
    std::string replaces_message_id;   ///< own offer that ends with this act
    std::string market_deal_id;        ///< DealNews
    std::optional<ActBy> offered_by;   ///< DealNews: the author of an offer that may have ended
    UnixMs valid_until_ms = 0;         ///< Offers; 0: without end
    UnixMs at_ms = 0;                  ///< when it arrived or left, by our clock
    UnixMs sent_at_ms = 0;             ///< what its author says when it was sent; own acts: `at_ms`
    std::int64_t outbox_id = 0;        ///< own acts: the message, without which they do not count
    int sureness = 0;                  ///< how certain its author is; only comparisons count
    std::optional<DealOrder> order{};  ///< OrderNews
};

/// The kind of a deal about a listing.
inline constexpr std::string_view kListingSubject = "listing";

/// What a deal is about. An empty `id` stands for something that nobody has named yet.
struct DealSubject {
    std::string kind;  ///< "listing", "order", "rfp" or empty
    std::string id;

    bool operator==(const DealSubject&) const = default;
};

/// One row. All of it but the identity follows from its acts in their order (`fold`).
struct Deal {
    std::string id;  ///< deal_…
    std::string agent_id;
    std::string peer_id;
    DealSubject subject;
    /// Counts the acts that a person has to know before a yes. A yes is for one version.
    std::int64_t version = 0;
    std::optional<StandingOffer> ours;
    std::optional<StandingOffer> theirs;
    /// Our newest offer of its own type that the market could still make a deal of. What is said in
    /// words, or refused by mail that the market does not take, does not end it there.
    std::optional<StandingOffer> open_at_market;
    std::optional<Agreement> agreed;
    /// Ids of the deals that the market has made of earlier agreements, which `agreed` does not
    /// end.
    std::vector<std::string> earlier_market_deals;
    std::optional<DealOrder> order;
    /// Follows from the order, the table and the agreement, in this order, and at last from
    /// `ended`.
    DealPhase phase = DealPhase::Enquiry;
    /// How the last terms ended if nobody stands to any: Declined, Withdrawn, Lapsed or Enquiry.
    DealPhase ended = DealPhase::Enquiry;
    int sureness = 0;       ///< that of the most certain act of the peer
    bool is_stale = false;  ///< as stored: an act counts no longer, so it has to be folded again
    UnixMs newest_sent_ms = 0;  ///< the newest time at which the peer says to have sent an act
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

/// What one act did. Besides None each is something that the owner must be told or asked about.
enum class Step {
    None,
    Offered,          ///< somebody stands to new terms
    Agreed,           ///< both stand to the same terms now
    Countered,        ///< an acceptance that names other terms, which are an offer now
    AcceptedTooLate,  ///< it accepts terms that had ended, or others than those that stand
    Declined,
    Withdrawn,
    ConditionAdded,
    OrderMoved,
    OrderEnded,
    Recorded,  ///< the market has made a deal of what was agreed already
    Refused    ///< the market has made no deal of what seemed to be agreed
};

struct Advanced {
    Deal deal;
    Step step = Step::None;
};

/// Whether both still stand to what was agreed. A deal of the market does not end by words.
bool stands(const Agreement& agreed);

/// True if a new act about the same subject begins another deal.
bool is_over(const Deal& deal);

/// Applies one act. Terms that have lapsed when it arrives end first. An act in the peer's name
/// that is less certain than an earlier one changes nothing but the version.
Advanced advance(Deal deal, const Act& act);

/// Ends the terms whose time is over at `now_ms`.
Deal lapse(Deal deal, UnixMs now_ms);

/// `acts`, which are in the order of recording, without repetitions and so that what the peer says
/// to have sent earlier comes before what it sent later. An acceptance stays behind everything that
/// we had said when it arrived, so that nobody accepts in the past what has been replaced since.
std::vector<Act> in_order(const std::vector<Act>& acts);

/// `deal`, of which only the identity counts, after `acts` in the order of recording.
Deal fold(const Deal& deal, const std::vector<Act>& acts);

}  // namespace a2h
