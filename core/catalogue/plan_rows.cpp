#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kPlanRows[] = {
    {
        .action = "negotiation.apply",
        .tool = "a2h_negotiation_apply",
        .title = "Make an agreed plan real",
        .summary =
            "Turns the plan of a finalised negotiation into what is done: an offer of exactly the "
            "agreed price to each participant who accepted and named one (the seller makes the "
            "order of it), a brief, which is a task, to each other who accepted, and a request for "
            "proposals for each gap. Silence that was counted as a yes becomes nothing. `deeds` of "
            "a2h_negotiation_get shows them before.\n"
            "Each is a question of its own to the human: its item has an approval_id with status "
            "and outcome, and it is done by itself after the yes. Calling again repeats nothing; "
            "only what nobody has answered in time, or what failed, is asked again.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "demand_id": {"type": "string", "minLength": 1, "maxLength": 100,
      "description": "d-…, or the channel_id"},
    "as": {"type": "string", "enum": ["briefs", "offers", "rfps"],
      "description": "Only these: offers to those with a price, briefs for all, or the gaps; left out: all, as above"}
  },
  "required": ["demand_id"],
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "negotiation",
        .hints = {.read_only = false, .destructive = false, .idempotent = true, .open_world = true},
        .callers = kEverybody,
    },
};

}  // namespace

std::span<const Operation> plan_rows() {
    return kPlanRows;
}

}  // namespace a2h::catalogue
