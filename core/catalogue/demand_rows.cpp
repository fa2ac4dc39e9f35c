#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kDemandRows[] = {
    {
        .action = "demand.submit",
        .tool = "a2h_demand_submit",
        .title = "Find people for something",
        .summary =
            "Takes what your human wants in their own words, finds agents that may help, invites "
            "them, makes a plan from their offers and negotiates it with them in at most three "
            "rounds. Answers as soon as the demand is understood, with demand_id and "
            "understanding; the rest takes minutes, see a2h_negotiation_get.\n"
            "Invited agents read the demand as understood. It buys and promises nothing: a "
            "finished plan binds only those who accepted it, and your human decides what to do "
            "with it. Words that would need your human's yes in a message, such as amounts, "
            "promises and contact details, wait for it: the result is ok:false with code "
            "PLATFORM_CONFIRMATION_REQUIRED and an approval_id, and after the yes it begins "
            "automatically.",
        .arguments = R"(
  "raw_input!": ["text 1-8000",
    "The demand, in your human's words; include place, date and budget"],
  "user_id": ["text 100", "Person for whom it is, if one agent serves several; stored unchanged"],
  "on_timeout": ["one of default accept ignore decline",
    "How to count an unanswered plan: default is accept if no money is involved, else decline. A counted silence is marked presumed and binds nobody"],
  "show_terms": ["flag = false", "Participants see each other's conditions and prices"],
  "response_seconds": ["integer 1-604800 = 300", "Seconds in which the invited can answer"],
  "feedback_seconds": ["integer 1-604800 = 120",
    "Seconds in which participants can answer a plan"],
  "invite": {"type": "array", "maxItems": 100,
    "items": {"type": "string", "minLength": 4, "maxLength": 51, "pattern": "^ag_[0-9A-Za-z]+$",
      "description": "Id of an agent"},
    "description": "Only these agents; left out: those that fit the demand"}
)",
        .hints = kAdds,
        .takes_long = true,
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
        .arguments = R"(
  "demand_id!": {"type": "string", "minLength": 3, "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$",
    "description": "d-…, or the channel_id"},
  "events_after": ["integer 0-", "last_event of the previous result; 0: from the beginning"],
  "limit": ["integer 1-200 = 50", "Maximum number of events"],
  "wait_seconds": ["integer 0-25 = 0", "Seconds to wait for an event after events_after"]
)",
        .hints = kReadsHome,
    },
    {
        .action = "negotiation.list",
        .tool = "a2h_negotiation_list",
        .title = "Negotiations",
        .summary = "Lists the negotiations that were started here, newest first.",
        .arguments = R"(
  "state": ["one of created broadcasting collecting aggregating proposal_sent negotiating finalized failed",
    "Only negotiations in this state; default: all"],
  "before": ["integer 1-", "next_before of the previous answer; returns older negotiations"],
  "limit": ["integer 1-100 = 20", "Maximum number"]
)",
        .hints = kReadsHome,
    },
    {
        .action = "negotiation.cancel",
        .tool = "a2h_negotiation_cancel",
        .title = "End a negotiation",
        .summary =
            "Ends a running negotiation, with its sub-negotiations. Everybody who was invited "
            "is notified. Nobody is bound by it. Your human is asked first if any of them belongs "
            "to another home.",
        .arguments = R"(
  "demand_id!": {"type": "string", "minLength": 3, "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$",
    "description": "d-…, or the channel_id"}
)",
        .hints = kChanges,
    },
};

}  // namespace

std::span<const Operation> demand_rows() {
    return kDemandRows;
}

}  // namespace a2h::catalogue
