#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/contact.h"
#include "core/domain/deal.h"
#include "core/domain/listing.h"
#include "core/domain/message.h"
#include "core/i18n/messages.h"
#include "core/wire/payload.h"

namespace a2h::reading {
class ListingIndex;  // see listing_index.h
}

namespace a2h::decide {

/// How an amount relates to the owner's mandates: there is none for it, it is within one, or it is
/// outside of all.
enum class MandateFit { None, Within, Outside };

/// The limits of one mandate for offers of peers, in minor units, inclusive. Empty: no limit.
struct MandateRange {
    std::string peer_id;
    std::string works_id;
    std::string currency;
    std::int64_t from_minor = 1;
    std::int64_t to_minor = kMoneyMinorMax;
};

/// Everything on which a decision may depend. It is a snapshot, so the same input always gives the
/// same decision.
struct Input {
    InboxMessage message;
    wire::PayloadView payload;
    std::vector<Listing> listings;  ///< our own, as last synchronised
    /// Index of `listings` for the rules that decide; built when needed if it is missing or belongs
    /// to others.
    std::shared_ptr<const reading::ListingIndex> index;
    std::vector<HistoryEntry> recent;  ///< this conversation, newest first, without `message`
    /// The price, for people, of the own offer of its own type that the message answers; empty: it
    /// answers none.
    std::string answered_offer;
    std::optional<Deal> deal;  ///< to which the message belongs, before it
    /// The order that `recent` names has ended, according to the market.
    bool order_has_ended = false;
    ContactState contact = ContactState::New;  ///< filled only if `RuleSet::needs_contact`
    /// The mandates that are valid now; filled only if `RuleSet::needs_mandates`. Only rules may
    /// use them: no text, prompt or explanation may contain a limit.
    std::vector<MandateRange> mandates;
    std::optional<MandateFit> mandate_fit;  ///< used instead of `mandates` in replays
    int same_payload_count = 0;    ///< earlier messages of this peer with this payload, 24 h
    int answers_last_day = 0;      ///< automatic replies to this peer in the last 24 h
    int messages_last_minute = 0;  ///< accepted from this peer, including `message`
    /// The peer sent it before other messages of its own that arrived earlier
    /// (`store::is_out_of_order`).
    bool is_late = false;
    i18n::Language owner_language = i18n::Language::English;
    UnixMs now_ms = 0;
};

/// Loop guards. When one is reached, the decision is Silent with the id of the guard.
struct Limits {
    int rounds_per_day = 30;
    int messages_per_minute = 60;
};

enum class Kind {
    Silent,  ///< nothing is sent; the message stays in the inbox
    Answer,  ///< `reply_text` is sent without asking; it contains only facts of our own listings
    Ask,     ///< `question` is put to the human
    NeedsDraft,  ///< like Ask, but a drafter may first try a reply; without a drafter it is Ask
};
std::string_view to_string(Kind kind);
std::optional<Kind> parse_kind(std::string_view text);

/// The findings in a message, as positions in the tables of the rules that decided.
struct Basis {
    std::uint64_t lists = 0;  ///< bits of the lists whose words it contains
    unsigned facts = 0;       ///< bits of the facts that it asks for
    unsigned amount = 0;      ///< an `AmountReading`
    MandateFit mandate = MandateFit::None;
    std::vector<std::string> works_ids;  ///< ids of the listings that it is about, up to a limit
    i18n::Language language = i18n::Language::English;
};

/// The decision about one message, and a sentence that says why.
struct Decision {
    Kind kind = Kind::Silent;
    std::string rule_id;
    std::string why;  ///< in the language of the owner

    std::string reply_text;    ///< Answer: sent now. Ask: sent after a yes; empty if nothing fits
    std::string reject_text;   ///< Ask: sent after a no; empty: nothing is sent
    std::string holding_text;  ///< Ask: sent now, at most once for each approval; empty: nothing
    std::string question;      ///< Ask: in the language of the owner
    std::vector<AnswerOption> options;  ///< Ask: in the language of the owner
    std::string action{kReplyAction};   ///< Ask: the action that a yes releases
    About about = About::Other;         ///< Ask: what the rule says that the message is about
    std::optional<std::int64_t> amount_minor;
    std::string currency;
    std::string
        order_id;  ///< named by the message; otherwise the one open order of the conversation
    std::string works_id;
    Basis basis;  ///< empty if a guard decided
    /// Ask: a yes agrees to `amount_minor` for the listing and to nothing else.
    bool is_plain_offer = false;
    /// Ask: `reply_text` agrees to the offer that the message is, so a yes accepts that offer.
    bool accepts_offer = false;
    /// The message may withdraw what the peer offered or asked for earlier.
    bool takes_back = false;
    /// `wire::listing_digest` of the listing that the message names, if it is somebody else's, a
    /// mandate haggles about it, and it was just read at the market; otherwise empty.
    std::string listing_digest{};
    std::vector<Act> acts{};  ///< what the message does in its deal; see acts.h
};

class RuleSet;  // see rules.h

/// Pure: no clock, no I/O, no randomness.
Decision decide(const Input& input, const RuleSet& rules, const Limits& limits);

/// The verdict on text that would be sent without a human's yes (R19).
struct Review {
    bool free = false;                 ///< it may be sent without asking
    std::vector<std::string> reasons;  ///< why it may not, each reason one short English sentence
};
Review review_text(std::string_view text, const std::vector<Listing>& listings);

/// True if `text` greets or thanks in plain letters and contains nothing else: no number, sign or
/// emoji that could change its meaning, no farewell, no question.
bool is_greeting_or_thanks(std::string_view text);

/// True if `text`, which we send, accepts, declines or counters an offer of the peer.
bool answers_offer(std::string_view text);

/// The exact text, to be confirmed, that an instruction such as "还价到 450" becomes (R10). Without
/// a model this is a counter-offer if the instruction is only an amount to offer, and otherwise its
/// own words. `currency` is used for an amount without a currency, and may be empty.
std::string draft_from_instruction(std::string_view instruction, std::string_view currency);

}  // namespace a2h::decide
