#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"

namespace a2h {

// A negotiation about one demand with many agents.
//
// Source:  daemon/collab/README.md.

/// Created: finding agents to invite. Broadcasting: queueing invitations. Collecting: waiting for
/// answers. Aggregating: making a plan. ProposalSent: sending it to the participants. Negotiating:
/// waiting for feedback. Finalized and Failed are final.
enum class NegotiationState {
    Created,
    Broadcasting,
    Collecting,
    Aggregating,
    ProposalSent,
    Negotiating,
    Finalized,
    Failed
};
std::string_view to_string(NegotiationState value);
std::optional<NegotiationState> parse_negotiation_state(std::string_view text);
bool is_final(NegotiationState value);

/// How silence on feedback counts (R31). Default: Accept if the proposal contains no money,
/// otherwise Decline.
enum class OnTimeout { Default, Accept, Ignore, Decline };
std::string_view to_string(OnTimeout value);
std::optional<OnTimeout> parse_on_timeout(std::string_view text);

/// How a negotiation ended.
enum class NegotiationOutcome {
    None,      ///< it has not ended
    Agreed,    ///< enough accepted
    Partial,   ///< more accepts than rejects in the last round; has a compromise
    Failed,    ///< see `Negotiation::reason`
    Cancelled  ///< by the requester
};
std::string_view to_string(NegotiationOutcome value);
std::optional<NegotiationOutcome> parse_negotiation_outcome(std::string_view text);

constexpr int kNegotiationRoundsMax = 3;

/// One demand and its negotiation, on the requester's side.
struct Negotiation {
    std::string negotiation_id;         ///< collab-…
    std::string demand_id;              ///< d-…, with the same ending
    std::string agent_id;               ///< the requester, our agent; coordinator and administrator
    std::string parent_negotiation_id;  ///< for a sub-demand; otherwise empty
    std::string user_id;                ///< as submitted; may be empty
    std::string raw_input;
    std::string understanding_json;  ///< `wire::Understanding`
    NegotiationState state = NegotiationState::Created;
    /// Grows with every change, so that a decision about an older state is discarded.
    std::int64_t revision = 0;
    int round = 0;           ///< version of the newest proposal; 0 before the first
    UnixMs deadline_ms = 0;  ///< of the current wait; 0: none
    OnTimeout on_timeout = OnTimeout::Default;
    bool shows_terms = false;  ///< participants see each other's conditions and prices
    int response_seconds = 300;
    int feedback_seconds = 120;
    NegotiationOutcome outcome = NegotiationOutcome::None;
    std::string reason;           ///< Failed, Cancelled: a code, such as no_candidates
    std::string gaps_json;        ///< array, after the end; otherwise empty
    std::string compromise_json;  ///< object, if there is one; otherwise empty
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

/// Reserve: may be invited as a replacement. Invited: has not answered. Participating: answered
/// participate or conditional. Silent: did not answer in time.
enum class PartyState { Reserve, Invited, Participating, Declined, Silent, Withdrawn };
std::string_view to_string(PartyState value);
std::optional<PartyState> parse_party_state(std::string_view text);

enum class OfferDecision { Participate, Conditional, Decline };
std::string_view to_string(OfferDecision value);
std::optional<OfferDecision> parse_offer_decision(std::string_view text);

/// A price for the requester, in minor units.
struct Price {
    std::int64_t amount_minor = 0;
    std::string currency;
    bool operator==(const Price&) const = default;
};

/// The answer to an invitation.
struct Offer {
    OfferDecision decision = OfferDecision::Decline;
    std::string contribution;
    std::vector<std::string> conditions;
    std::string reasoning;
    std::string decline_reason;
    int confidence = 0;  ///< 0 to 100
    std::optional<Price> price;
};

/// An agent that may take part.
struct Party {
    std::string negotiation_id;
    std::string agent_id;
    int place = 0;  ///< position in the filter's order, best first
    std::string display_name;
    std::vector<std::string> tags;  ///< tags of the demand that it covers
    std::string reason;             ///< why it was chosen; the invited agent may read it
    int match_score = 0;            ///< 0 to 100
    PartyState state = PartyState::Reserve;
    std::string replaces;        ///< the agent that it replaces; may be empty
    UnixMs answer_by_ms = 0;     ///< Invited: afterwards it becomes Silent
    std::optional<Offer> offer;  ///< set once it has answered
    UnixMs answered_at_ms = 0;
    int joined_round = 0;  ///< round in which it answered; later proposals are sent to it
};

enum class FeedbackType { Accept, Negotiate, Withdraw };
std::string_view to_string(FeedbackType value);
std::optional<FeedbackType> parse_feedback_type(std::string_view text);

/// The answer to a proposal.
struct Feedback {
    std::string negotiation_id;
    int round = 0;
    std::string agent_id;
    FeedbackType type = FeedbackType::Negotiate;
    bool is_presumed = false;  ///< counted silence; commits nobody
    std::string reasoning;
    std::string adjustment_request;
    std::optional<Price> wanted_price;  ///< Negotiate: the price it asks for instead
    UnixMs at_ms = 0;
};

/// The part of one participant in a plan ("assignment" on the wire).
struct PlanPart {
    std::string agent_id{};
    std::string display_name{};
    std::string role{};
    std::string responsibility{};
    std::vector<std::string> dependencies{};
    std::string notes{};
    std::optional<Price> price{};
    bool operator==(const PlanPart&) const = default;
};

struct Milestone {
    std::string name;
    std::string date;
    std::string deliverable;
    bool operator==(const Milestone&) const = default;
};

/// One version of the plan.
struct Proposal {
    std::string proposal_id;  ///< prop_…
    std::string demand_id;
    int version = 0;  ///< the round, from 1
    std::string summary;
    std::string objective;
    std::vector<PlanPart> parts;
    std::string start_date;
    std::vector<Milestone> milestones;
    std::string rationale;
    std::vector<std::string> gaps;
    std::string confidence;            ///< high, medium, low
    std::vector<std::string> changes;  ///< compared with the previous version
    std::vector<std::string> requests_granted;
    std::vector<std::string> requests_declined;
    UnixMs created_at_ms = 0;
};

/// Something that is needed and that nobody has agreed to do.
struct Gap {
    std::string gap_type;
    int importance = 0;  ///< 0 to 100
    std::string reason;
    std::vector<std::string> tags;
};

/// One entry of a negotiation's history, as in the events of the specification.
struct NegotiationEvent {
    std::int64_t id = 0;     ///< grows; readers resume from it
    std::string demand_id;   ///< the demand to whose history it belongs
    std::string event_type;  ///< towow.…
    std::string payload_json;
    UnixMs at_ms = 0;
};

}  // namespace a2h
