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
#include "core/domain/contact.h"
#include "core/domain/listing.h"
#include "core/domain/message.h"
#include "core/i18n/messages.h"
#include "core/wire/payload.h"

namespace a2h::reading {
class ListingIndex;  // listing_index.h
}

namespace a2h::decide {

/// What the owner's mandates say to an amount: there is none for it, it lies within one, or outside
/// of all that there are.
enum class MandateFit { None, Within, Outside };

/// The limits of one mandate about what peers offer, minor units, inclusive. Empty: any.
struct MandateRange {
    std::string peer_id;
    std::string works_id;
    std::string currency;
    std::int64_t from_minor = 1;
    std::int64_t to_minor = kMoneyMinorMax;
};

/// Everything a decision may look at: a snapshot, so that the same input always decides the same.
struct Input {
    InboxMessage message;
    wire::PayloadView payload;
    std::vector<Listing> listings;  ///< our own, as last synchronised
    /// Of `listings` and the rules that decide; made on the spot when it is not there or not
    /// theirs.
    std::shared_ptr<const reading::ListingIndex> index;
    std::vector<HistoryEntry> recent;  ///< this conversation, newest first, without `message`
    /// The order that `recent` names is over, as the market told.
    bool order_has_ended = false;
    ContactState contact = ContactState::New;  ///< read only when `RuleSet::needs_contact`
    /// Those that hold now; read only when `RuleSet::needs_mandates`. For rules alone: no text,
    /// prompt or explanation may hold a limit.
    std::vector<MandateRange> mandates;
    std::optional<MandateFit> mandate_fit;  ///< as it was, instead of `mandates`: for replays
    int same_payload_count = 0;    ///< earlier messages of this peer with this payload, 24 h
    int answers_last_day = 0;      ///< automatic replies to this peer in the last 24 h
    int messages_last_minute = 0;  ///< accepted from this peer, `message` included
    /// The peer sent it before messages of its own that came earlier (`store::is_out_of_order`).
    bool is_late = false;
    i18n::Language owner_language = i18n::Language::English;
    UnixMs now_ms = 0;
};

/// Loop guards; reaching one is Silent with the guard's rule id.
struct Limits {
    int rounds_per_day = 30;
    int messages_per_minute = 60;
};

enum class Kind {
    Silent,      ///< nothing leaves; the message stays in the inbox
    Answer,      ///< `reply_text` leaves without asking: only facts of our own listings
    Ask,         ///< `question` goes to the human
    NeedsDraft,  ///< as Ask, but a drafter may try a reply first; without one it is Ask
};
std::string_view to_string(Kind kind);

/// What was read in a message, as places in the tables of the rules that decided.
struct Basis {
    std::uint64_t lists = 0;  ///< words of these lists
    unsigned facts = 0;       ///< asked for
    unsigned amount = 0;      ///< an `AmountReading`
    MandateFit mandate = MandateFit::None;
    std::vector<std::string> works_ids;  ///< of the listings meant, some at most
    i18n::Language language = i18n::Language::English;
};

/// What to do about one message, and the sentence that says why.
struct Decision {
    Kind kind = Kind::Silent;
    std::string rule_id;
    std::string why;  ///< in the owner's language

    std::string reply_text;    ///< Answer: sent now. Ask: sent on a yes; empty when nothing fits
    std::string reject_text;   ///< Ask: sent on a no; empty: nothing is sent
    std::string holding_text;  ///< Ask: sent now, at most once an approval; empty: nothing
    std::string question;      ///< Ask: in the owner's language
    /// Ask: in the owner's language. The first is the yes, the second the no, a third stands for an
    /// instruction in the human's own words. Empty when a yes would release nothing.
    std::vector<std::string> options;
    std::string action = "reply.send";  ///< Ask: what the yes releases
    std::optional<std::int64_t> amount_minor;
    std::string currency;
    std::string order_id;  ///< the message's, else the one open order of the conversation
    std::string works_id;
    Basis basis;  ///< empty when a guard decided
    /// Ask: the yes agrees to `amount_minor` for the listing and to nothing else.
    bool is_plain_offer = false;
    /// The message may take back what the peer offered or asked for before.
    bool takes_back = false;
};

class RuleSet;  // rules.h

/// Pure: no clock, no I/O, no randomness.
Decision decide(const Input& input, const RuleSet& rules, const Limits& limits);

/// Judges text that would leave without a human's yes, whoever wrote it (R19).
struct Review {
    bool free = false;                 ///< may leave without asking
    std::vector<std::string> reasons;  ///< why not, one short sentence each, English
};
Review review_text(std::string_view text, const std::vector<Listing>& listings);

/// True when the rule is about terms that the peer offers, accepts or refuses; asking for a lower
/// price offers none.
bool is_about_terms(std::string_view rule_id);

/// True when `text` greets or thanks in plain letters and holds nothing else: no number, sign or
/// emoji that could change what it means, no leave-taking, no question.
bool is_greeting_or_thanks(std::string_view text);

/// True when `text`, which we send, accepts, declines or counters what the peer has offered.
bool answers_offer(std::string_view text);

/// What an instruction ("还价到 450") becomes: the exact text to be confirmed (R10). Without a
/// model this is a counter-offer sentence when the instruction is nothing but an amount to offer,
/// else the words themselves. `currency` is taken for an amount that names none; it may be empty.
std::string draft_from_instruction(std::string_view instruction, std::string_view currency);

}  // namespace a2h::decide
