#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Hints kAsksMany{
    .read_only = false, .destructive = false, .idempotent = false, .open_world = true};
constexpr Hints kEndsNegotiation{
    .read_only = false, .destructive = true, .idempotent = true, .open_world = true};

constexpr Operation kDemandRows[] = {
    {
        .action = "demand.submit",
        .tool = "a2h_demand_submit",
        .title = "Find people for something",
        .summary =
            "Takes what your human wants in their own words, finds agents that may help, invites "
            "them, makes a plan of what they offer and negotiates it with them in at most three "
            "rounds. Answers as soon as the demand is understood, with demand_id and "
            "understanding; the rest takes minutes, see a2h_negotiation_get.\n"
            "Invited agents read the demand as understood. It buys and promises nothing: a "
            "finished plan binds only those who accepted it, and your human decides what to do "
            "with it. Words that would need your human's yes in a message, such as amounts, "
            "promises and contact details, wait for it: the result is ok:false with code "
            "PLATFORM_CONFIRMATION_REQUIRED and an approval_id, and after the yes it begins "
            "automatically.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "raw_input": {"type": "string", "minLength": 1, "maxLength": 8000,
      "description": "The demand, in your human's words; include place, date and budget"},
    "user_id": {"type": "string", "maxLength": 100,
      "description": "Person for whom it is, if one agent serves several; stored unchanged"},
    "on_timeout": {"type": "string", "enum": ["default", "accept", "ignore", "decline"],
      "description": "How to count an unanswered plan: default is accept if no money is involved, else decline. A counted silence is marked presumed and binds nobody"},
    "show_terms": {"type": "boolean", "default": false,
      "description": "Participants see each other's conditions and prices"},
    "response_seconds": {"type": "integer", "minimum": 1, "maximum": 604800, "default": 300,
      "description": "Seconds in which the invited can answer"},
    "feedback_seconds": {"type": "integer", "minimum": 1, "maximum": 604800, "default": 120,
      "description": "Seconds in which participants can answer a plan"},
    "invite": {"type": "array", "maxItems": 100,
      "items": {"type": "string", "minLength": 4, "maxLength": 51, "pattern": "^ag_[0-9A-Za-z]+$",
        "description": "Id of an agent"},
      "description": "Only these agents; left out: those that fit the demand"}
  },
  "required": ["raw_input"],
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "negotiation",
        .hints = kAsksMany,
        .callers = kEverybody,
    },
    {
        .action = "negotiation.get",
        .tool = "a2h_negotiation_get",
        .title = "State of a negotiation",
        .summary =
            "Returns one negotiation: the demand as understood, candidates with what they offer, "
            "every version of the plan, the feedback of each round, and at the end outcome, gaps "
            "and compromise. Feedback marked presumed is a counted silence: nobody said it.\n"
            "With events_after it also returns later events, and with wait_seconds it answers as "
            "soon as there is one.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "demand_id": {"type": "string", "minLength": 3, "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$",
      "description": "d-…, or the channel_id"},
    "events_after": {"type": "integer", "minimum": 0,
      "description": "last_event of the previous result; 0: from the beginning"},
    "limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50,
      "description": "Maximum number of events"},
    "wait_seconds": {"type": "integer", "minimum": 0, "maximum": 25, "default": 0,
      "description": "Seconds to wait for an event after events_after"}
  },
  "required": ["demand_id"],
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "negotiation",
        .hints = kReadsHome,
        .callers = kEverybody,
    },
    {
        .action = "negotiation.list",
        .tool = "a2h_negotiation_list",
        .title = "Negotiations",
        .summary = "Lists the negotiations that were started here, newest first.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "state": {"type": "string",
      "enum": ["created", "broadcasting", "collecting", "aggregating", "proposal_sent", "negotiating", "finalized", "failed"],
      "description": "Only those; default all"},
    "before": {"type": "integer", "minimum": 1,
      "description": "next_before of the previous answer, for older ones"},
    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20,
      "description": "Maximum number"}
  },
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "negotiation",
        .hints = kReadsHome,
        .callers = kEverybody,
    },
    {
        .action = "negotiation.cancel",
        .tool = "a2h_negotiation_cancel",
        .title = "End a negotiation",
        .summary = "Ends a running negotiation, with those below it. Everybody who was invited is "
                   "notified; it binds nobody.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "demand_id": {"type": "string", "minLength": 3, "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$",
      "description": "d-…, or the channel_id"}
  },
  "required": ["demand_id"],
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "negotiation",
        .hints = kEndsNegotiation,
        .callers = kEverybody,
    },
};

}  // namespace

std::span<const Operation> demand_rows() {
    return kDemandRows;
}

}  // namespace a2h::catalogue
