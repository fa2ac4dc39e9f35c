#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kPlanRows[] = {
    {
        .action = "negotiation.apply",
        .tool = "a2h_negotiation_apply",
        .title = "Make an agreed plan real",
        .summary =
            "Turns the plan of a finalised negotiation into what is done: briefs (a task for each "
            "participant who accepted), offers (to each who accepted and named a price, an offer "
            "of "
            "exactly that; an accepted offer leads to the order) or rfps (a request for proposals "
            "for each gap). Silence that was counted as a yes becomes nothing.\n"
            "Each of them asks the human for its own yes where it commits or costs something: "
            "items then have ok:false, PLATFORM_CONFIRMATION_REQUIRED and an approval_id, and are "
            "done by themselves after the yes. Calling again repeats nothing: what was asked or "
            "done before is returned.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "demand_id": {"type": "string", "minLength": 1, "maxLength": 100,
      "description": "d-…, or the channel_id"},
    "as": {"type": "string", "enum": ["briefs", "offers", "rfps"],
      "description": "What the plan becomes"}
  },
  "required": ["demand_id", "as"],
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
