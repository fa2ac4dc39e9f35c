#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kMandateRows[] = {
    {
        .action = "mandate.give",
        .title = "Give a mandate",
        .summary = "Sets a limit within which a2hd approves without asking. The PIN proves that "
                   "a human sets it. It needs the amount that protects the owner: the lowest for "
                   "a seller (reply.send, order.create, proposal.submit), the highest for a buyer "
                   "(order.confirm, proposal.accept), both for message.offer and message.accept. "
                   "It also needs a count or a sum. demand.join needs a count, and a lowest "
                   "amount if it is for a price.",
        .arguments = R"(
  "action!": ["one of reply.send message.offer message.accept order.create order.confirm proposal.submit proposal.accept demand.join bargain",
    "The action; reply.send accepts a plain offer"],
  "peer_id": ["agent", "Only with this agent; default: any verified one"],
  "works_id": ["id",
    "Only for this listing; default: any of your own. proposal.submit needs the id of the request"],
  "listing_digest": {"type": "string", "minLength": 64, "maxLength": 64, "pattern": "^[0-9a-f]+$",
    "description": "Orders of somebody else's listing, haggling about one, and proposals: the listing or request as the human saw it, SHA-256 of the canonical JSON of its members without name, state, times and counters"},
  "currency": ["currency", "ISO 4217 code; other currencies are always asked about. Only demand.join without amounts may leave it out"],
  "amount_from_minor": ["integer 1-9007199254740991", "Lowest amount, minor units"],
  "amount_to_minor": ["integer 1-9007199254740991", "Highest amount, minor units"],
  "count_per_day": ["integer 1-1000000", "Times a day, of the machine's time zone"],
  "count_per_week": ["integer 1-1000000", "Times a week, which begins on Monday"],
  "sum_per_day_minor": ["integer 1-9007199254740991", "Sum a day, minor units"],
  "sum_per_week_minor": ["integer 1-9007199254740991", "Sum a week, minor units"],
  "side": ["one of sell buy",
    "bargain: our side; the lowest amount is then the seller's floor, the highest the buyer's ceiling"],
  "opening_minor": ["integer 1-9007199254740991", "bargain: the first offer, minor units"],
  "rounds": ["integer 1-10", "bargain: maximum number of our offers; default: 4"],
  "strategy": ["one of hold_back to_limit",
    "bargain: to_limit may name the limit itself in the last round; default: hold_back"],
  "from": ["text 40", "ISO 8601 time with zone; default: now"],
  "until": ["text 40", "ISO 8601 time with zone; default: in 30 days"],
  "pin!": ["text 1-64", "The human's PIN"]
)",
        .hints =
            {.read_only = false, .destructive = true, .idempotent = false, .open_world = false},
    },
    {
        .action = "bargain.start",
        .title = "Start haggling",
        .summary =
            "Sends the opening offer of a mandate for haggling; the rest follows automatically.",
        .arguments = R"(
  "peer_id!": ["agent", "The other agent"],
  "works_id!": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$",
    "description": "The listing of the mandate"}
)",
        .hints = {.read_only = false, .destructive = true, .idempotent = false, .open_world = true},
        .needs_proof = true,
    },
    {
        .action = "mandate.list",
        .title = "Mandates",
        .summary = "Returns the mandates, newest first, and what was agreed to under them. Their "
                   "amounts are returned only with the PIN.",
        .arguments = R"(
  "all": ["flag = false", "Include revoked ones"],
  "mandate_id": ["mandate", "Only what was agreed to under this one"],
  "pin": ["text 1-64", "The human's PIN; without it no amounts"]
)",
        .hints = kReadsHome,
    },
    {
        .action = "mandate.revoke",
        .title = "Revoke a mandate",
        .summary = "Ends a mandate at once. Needs no PIN, because it only leads to more questions.",
        .arguments = R"(
  "mandate_id!": ["mandate", "Id of the mandate, mdt_…"]
)",
        .hints = kChangesHome,
    },
    {
        .action = "mandate.revoke_all",
        .title = "Revoke all mandates",
        .summary = "Ends every mandate of the agent at once. Needs no PIN.",
        .hints = kChangesHome,
    },
};

}  // namespace

std::span<const Operation> mandate_rows() {
    return kMandateRows;
}

}  // namespace a2h::catalogue
