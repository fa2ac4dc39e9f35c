#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kPlanRows[] = {
    {
        .action = "negotiation.apply",
        .tool = "a2h_negotiation_apply",
        .title = "Carry out an agreed plan",
        .summary =
            "Turns the plan of a finalised negotiation into actions: an offer of exactly the "
            "agreed price to each participant who accepted and named one (from which the seller "
            "creates the order), a brief, which is a task, to each other who accepted, and a "
            "request for proposals for each gap. A silence counted as a yes leads to nothing. "
            "`deeds` of a2h_negotiation_get shows them before.\n"
            "The human is asked about each: its item has an approval_id with status and outcome, "
            "and it is done automatically after the yes. Calling again repeats nothing; only what "
            "was not answered in time, or failed, is asked again.",
        .arguments = R"(
  "demand_id!": ["text 1-100", "d-…, or the channel_id"],
  "as": ["one of briefs offers rfps",
    "Only one kind: offers for those with a price, briefs for all, or rfps for the gaps; left out: all, as above"]
)",
        .hints = kAsks,
        .takes_long = true,
    },
};

}  // namespace

std::span<const Operation> plan_rows() {
    return kPlanRows;
}

}  // namespace a2h::catalogue
