#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/domain/person.h"

namespace a2h {

/// What the human said. Expired is the clock's doing and is never called a rejection.
enum class ApprovalStatus { Pending, Approved, Rejected, Instructed, Expired, Cancelled };
std::string_view to_string(ApprovalStatus value);
std::optional<ApprovalStatus> parse_approval_status(std::string_view text);

/// What became of an approved action. Unknown: the request went out and the answer was lost;
/// people see it and settle it. Expired: approved, but its act-by time passed first.
enum class ApprovalOutcome { None, Executing, Executed, Failed, Unknown, Expired };
std::string_view to_string(ApprovalOutcome value);
std::optional<ApprovalOutcome> parse_approval_outcome(std::string_view text);

/// What took the place of a question that nobody has answered.
/// Renewed: the same is asked once more, beside what the peer has written since.
enum class ClosedBy {
    NewerMessage,
    Renewed,
    Withdrawal,
    UnreadMessage,
    Agreement,
    OwnAnswer,
    Order,
    Market
};
std::string_view to_string(ClosedBy value);
std::optional<ClosedBy> parse_closed_by(std::string_view text);

/// Where an answer came from. Button: of a message on the human's own channel. Mandate: nobody was
/// asked, because a limit that a human set covers it. Relayed answers (an assistant without the
/// code) cannot approve.
enum class AnswerSurface { Page, Terminal, Code, Button, Mandate, Relayed, Clock, System };
std::string_view to_string(AnswerSurface value);
std::optional<AnswerSurface> parse_answer_surface(std::string_view text);

/// How an answer's words are understood (R10). Words that are none of these are Instruct. Withdraw
/// takes back one's own yes where several people are needed.
enum class AnswerKind { Approve, Reject, Option, Instruct, Withdraw };
std::string_view to_string(AnswerKind value);

/// One question to a human, bound by `digest` to exactly one action.
///
/// `action_json` is the canonical JSON of everything the yes covers:
///   {"action": "reply.send" | "works.publish" | …, "peer_id", "text", "reject_text", "order_id",
///   "works_id",
///    "amount_minor", "currency", "request": {…}, "question", "policy_version"}
/// with absent members left out; "question" is there when nothing is sent or done. `digest` is the
/// hex SHA-256 of it: another amount, order or text is another digest and needs another yes.
struct Approval {
    std::string id;           ///< apr_…
    std::int64_t number = 0;  ///< the order of asking; 0 until stored
    std::string agent_id;
    std::string peer_id;      ///< empty when no peer is concerned
    std::int64_t job_id = 0;  ///< 0 when no inbound message caused it
    std::string action;       ///< noun.verb
    std::string action_json;  ///< canonical; see above
    std::string digest;       ///< hex SHA-256 of `action_json`
    std::string question;     ///< what the human is asked, in the owner's language
    std::string context;      ///< last messages, plain text, fenced by the caller
    std::string peer_text;    ///< all that the message in question says; empty when none is
    std::string since_text;   ///< what the peer has written since it was first asked
    std::string also_text;    ///< older questions of the peer that this one has closed unanswered
    /// The newest message of the peer that the card shows or that was there when it was asked.
    std::int64_t seen_inbox_id = 0;
    std::vector<std::string> options;
    std::string reply_text;   ///< what will be sent on a yes; empty when nothing will
    std::string reject_text;  ///< what will be sent on a no; empty when nothing will
    std::optional<std::int64_t> amount_minor;
    std::string currency;
    std::string provenance;    ///< of the message that caused it; empty when none did
    std::string requested_by;  ///< "rule:<id>" or "tool:<name>"
    std::string asked_by;      ///< name of the person who asks or chose the words; empty: nobody
    /// Whoever asks vouches that action, peer, listing and amount are all that a yes commits to, so
    /// that a mandate may give it. Not stored: it only counts at the moment of asking.
    bool is_bounded = false;
    /// Of an order: whether the listing is the agent's own, else what it says now
    /// (`wire::listing_digest`). Not stored, as above.
    bool has_own_listing = false;
    std::string listing_digest;
    /// The mandate that has said yes to the same terms before, when they were offered: it may say
    /// so again, and that is one use of it. Not stored, as above.
    std::string continues_mandate;

    /// The inbox row of the offer that a yes would accept; 0: none. A newer message of the peer
    /// keeps mandates from accepting it. Not stored, as above.
    std::int64_t accepts_inbox_id = 0;

    ApprovalStatus status = ApprovalStatus::Pending;
    ApprovalOutcome outcome = ApprovalOutcome::None;
    std::string outcome_detail;
    std::string answer_text;  ///< the human's own words, as given
    std::string answered_by;  ///< name of a person, "assistant", "clock" or "mandate:<id>"
    std::optional<ClosedBy> closed_by;  ///< Cancelled, because something newer took its place
    std::string next_id;                ///< then: the question that stands instead; may be empty
    std::optional<AnswerSurface> surface;

    Priority priority = Priority::Normal;
    int votes_needed = 1;             ///< yes of so many different people
    std::vector<std::string> voters;  ///< whose yes counts; empty: anybody's
    UnixMs escalated_at_ms = 0;       ///< when the substitutes were told; 0: not yet
    int code_failures = 0;            ///< three void the six-digit code
    UnixMs created_at_ms = 0;
    UnixMs answer_by_ms = 0;
    UnixMs act_by_ms = 0;
    UnixMs answered_at_ms = 0;  ///< 0 while pending
};

/// One hash-linked line of an approval's history.
struct AuditRow {
    std::int64_t id = 0;
    std::string approval_id;  ///< may be empty for rows about a message only
    std::string what;         ///< "asked", "notified", "answered", "consumed", "executed", …
    std::string detail_json;  ///< canonical
    std::string previous_hash;
    std::string hash;  ///< hex SHA-256 of previous_hash, approval_id, what, detail_json and
                       ///< created_at_ms in decimal, each followed by LF
    UnixMs created_at_ms = 0;
};

/// What the hash of `row` is the SHA-256 of. LF separates without doubt: ids and `what` are single
/// words, canonical JSON holds no raw LF.
std::string linked_text(const AuditRow& row);

}  // namespace a2h
