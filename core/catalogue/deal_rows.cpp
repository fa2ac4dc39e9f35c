#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kDealRows[] = {
    {
        .action = "deal.list",
        .tool = "a2h_deal_list",
        .title = "Deals",
        .summary =
            "Lists what this agent and its peers are about, newest first: subject, phase, the "
            "terms to which each side stands, what was agreed, the order. their_offer, "
            "our_offer and agreed are facts; do not work them out from messages.",
        .arguments = R"(
  "peer_id": ["agent", "Only deals with this agent"],
  "all": ["flag", "Also deals that have ended"],
  "page": ["integer 1-1000 = 1", "Counts from 1"],
  "limit": ["integer 1-100 = 20", "Maximum number"]
)",
        .hints = kReadsHome,
    },
    {
        .action = "deal.get",
        .tool = "a2h_deal_get",
        .title = "One deal",
        .summary = "Returns one deal, its latest messages, and the questions to the owner that "
                   "wait about this peer.",
        .arguments = R"(
  "deal_id!": {"type": "string", "maxLength": 40, "pattern": "^deal_[0-9a-f]+$",
    "description": "Id of the deal"}
)",
        .hints = kReadsHome,
    },
};

}  // namespace

std::span<const Operation> deal_rows() {
    return kDealRows;
}

}  // namespace a2h::catalogue
