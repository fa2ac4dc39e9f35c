#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/domain/person.h"

namespace a2h {

/// The human's answer to a question. Expired is set by the clock and is never called a rejection.
enum class ApprovalStatus { Pending, Approved, Rejected, Instructed, Expired, Cancelled };
std::string_view to_string(ApprovalStatus value);
std::optional<ApprovalStatus> parse_approval_status(std::string_view text);

/// The result of an approved action. Unknown: the request was sent and the answer was lost; people
/// see it and settle it. Expired: approved, but its act-by time passed first.
enum class ApprovalOutcome { None, Executing, Executed, Failed, Unknown, Expired };
std::string_view to_string(ApprovalOutcome value);
std::optional<ApprovalOutcome> parse_approval_outcome(std::string_view text);

/// The cause that closed an unanswered question. Renewed: the same question is asked again together
/// with what the peer has written since.
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

/// The subject of a message about which a rule asks the human, by the rule's topic. Terms: terms
/// that the peer offers, accepts or refuses. Facts: something that no listing states.
enum class About { Other, Terms, Facts };
std::string_view to_string(About value);
std::optional<About> parse_about(std::string_view text);

/// Where an answer came from. Button: in a message on the human's own channel. Mandate: nobody was
/// asked, because a limit set by a human covers it. Relayed answers (an assistant without the code)
/// cannot approve.
enum class AnswerSurface { Page, Terminal, Code, Button, Mandate, Relayed, Clock, System };
std::string_view to_string(AnswerSurface value);
std::optional<AnswerSurface> parse_answer_surface(std::string_view text);

/// How the words of an answer are understood (R10). Words that are none of these are Instruct.
/// Withdraw withdraws one's own yes if several people are needed.
enum class AnswerKind { Approve, Reject, Option, Instruct, Withdraw };
std::string_view to_string(AnswerKind value);

/// How `requested_by` begins if somebody at the terminal asked who proved nothing. They count no
/// more than an assistant (R59), but are not called one.
inline constexpr std::string_view kTerminalCause = "tool:terminal/";

/// What answering with an option does. Yes and No are the yes and the no to the question, with all
/// that they need. Close ends it without an answer. Counter and Answer stand for words that the
/// person still has to say: a price, or a text. The label of an Other option is itself the words.
enum class OptionKind { Other, Yes, No, Close, Counter, Answer };
std::string_view to_string(OptionKind value);
std::optional<OptionKind> parse_option_kind(std::string_view text);

/// A suggested answer. A text alone is one of the kind Other.
struct AnswerOption {
    std::string label;
    OptionKind kind = OptionKind::Other;

    AnswerOption(std::string text, OptionKind what = OptionKind::Other)
        : label(std::move(text)), kind(what) {}
    AnswerOption(const char* text) : label(text) {}
    bool operator==(const AnswerOption&) const = default;
};

/// The action of a question about a reply: a yes sends a text to the peer that wrote. Most other
/// actions are operations of the catalogue.
inline constexpr std::string_view kReplyAction = "reply.send";

/// One question to a human, bound by `digest` to exactly one action.
///
/// `action_json` is the canonical JSON of everything the yes covers:
///   {"action": "reply.send" | "works.publish" | …, "peer_id", "text", "reject_text", "order_id",
///   "works_id",
///    "amount_minor", "currency", "options": {…}, "request": {…}, "question", "policy_version"}
/// with absent members left out; "question" is there when nothing is sent or done, and "options"
/// names the kind of each option that has one. `digest` is the
/// hex SHA-256 of it: another amount, order or text is another digest and needs another yes.
struct Approval {
    std::string id;           ///< apr_…
    std::int64_t number = 0;  ///< order of asking; 0 until stored
    std::string agent_id;
    std::string peer_id;                ///< empty if no peer is involved, or several
    std::vector<std::string> peer_ids;  ///< if a yes tells several peers something
    std::int64_t job_id = 0;            ///< 0 if no inbound message caused it
    std::string action;                 ///< in the form noun.verb
    std::string action_json;            ///< canonical; see above
    std::string digest;                 ///< hex SHA-256 of `action_json`
    std::string question;               ///< the question in the owner's language
    std::string context;                ///< last messages as plain text, quoted by the caller
    std::string peer_text;  ///< the complete message in question; empty if there is none
    /// The words of the peer to agents of this home that nobody has answered yet, and those since
    /// the first question, oldest first.
    std::string since_text;
    std::string
        also_text;  ///< older questions of the peer that this one has closed without an answer
    /// The newest message of the peer that the card shows or that had arrived when it was asked.
    std::int64_t seen_inbox_id = 0;
    std::int64_t seen_other_id = 0;  ///< the same for the market's news and for other agents' mail
    UnixMs seen_read_ms = 0;         ///< the same for what was read at the market
    std::vector<std::string> options;  ///< the labels; their kinds are in `action_json`
    std::string reply_text;            ///< text to send after a yes; empty if none
    std::string reject_text;           ///< text to send after a no; empty if none
    std::optional<std::int64_t> amount_minor;
    std::string currency;
    std::string provenance;      ///< provenance of the message that caused it; empty if none did
    std::string requested_by;    ///< "rule:<id>", "tool:<name>" or `kTerminalCause` with a name
    About about = About::Other;  ///< for "rule:<id>"
    std::string asked_by;        ///< person who asks or chose the words; empty: none
    ApprovalStatus status = ApprovalStatus::Pending;
    ApprovalOutcome outcome = ApprovalOutcome::None;
    std::string outcome_detail;
    std::int64_t unsent = 0;  ///< messages of the answer that still wait in the outbox (R75)
    std::string answer_text;  ///< the human's own words, unchanged
    std::string answered_by;  ///< name of a person, "assistant", "clock" or "mandate:<id>"
    std::optional<ClosedBy>
        closed_by;        ///< set if it was cancelled because something newer replaced it
    std::string next_id;  ///< then the question that replaces it; may be empty
    std::optional<AnswerSurface> surface;

    Priority priority = Priority::Normal;
    int votes_needed = 1;  ///< the number of different people who must say yes
    /// The people who may say yes, see `people_who_count`; empty: all. If there are fewer than
    /// `votes_needed`, the words of `asked_by` are the missing yes.
    std::vector<std::string> voters;
    UnixMs escalated_at_ms = 0;  ///< when the substitutes were notified; 0: not yet
    int code_failures = 0;       ///< after three failures the six-digit code is void
    UnixMs created_at_ms = 0;
    UnixMs answer_by_ms = 0;
    UnixMs act_by_ms = 0;
    UnixMs answered_at_ms = 0;  ///< 0 while pending
};

/// Whether the yes is carried out as far as a2hd can, but what it sends has not left yet (R75).
bool waits_to_be_sent(const Approval& approval);

/// Everybody to whom a yes sends something.
std::vector<std::string> peers_of(const Approval& approval);

/// Whether the text is in the words of `asked_by`, and these are that person's yes, because too few
/// others could agree.
bool agrees_by_own_words(const Approval& approval);

/// The people whose yes counts; empty: all. Whoever asked or chose the words is one of them only if
/// the others are fewer than `votes_needed`.
std::vector<std::string> people_who_count(const Approval& approval);

/// One hash-linked entry of an approval's history.
struct AuditRow {
    std::int64_t id = 0;
    std::string approval_id;  ///< may be empty for entries about a message only
    std::string what;         ///< "asked", "notified", "answered", …; see core/domain/audit.h
    std::string detail_json;  ///< canonical
    std::string previous_hash;
    std::string hash;  ///< hex SHA-256 of previous_hash, approval_id, what, detail_json and
                       ///< created_at_ms in decimal, each followed by LF
    UnixMs created_at_ms = 0;
};

/// The text whose SHA-256 is the hash of `row`. LF is an unambiguous separator: ids and `what` are
/// single words, and canonical JSON contains no raw LF.
std::string linked_text(const AuditRow& row);

}  // namespace a2h
