#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Callers kMandateCallers{.assistant = false, .human = true};
constexpr Hints kReadsMandates{
    .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
constexpr Hints kRevokesMandates{
    .read_only = false, .destructive = true, .idempotent = true, .open_world = false};

constexpr Operation kMandateRows[] = {
    {
        .action = "mandate.give",
        .tool = {},
        .title = "Give a mandate",
        .summary = "Sets a limit within which a2hd approves without asking. The PIN proves that "
                   "a human sets it. It needs a lowest or highest amount, and a count or a sum; "
                   "demand.join needs a count, and a lowest amount if it is for a price.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "action": {"type": "string",
      "enum": ["reply.send", "message.offer", "message.accept", "order.create", "order.confirm",
        "proposal.submit", "proposal.accept", "demand.join", "negotiation"],
      "description": "The action; reply.send accepts a plain offer"},
    "peer_id": {"type": "string", "minLength": 4, "maxLength": 51,
      "pattern": "^ag_[0-9A-Za-z]+$", "description": "Only with this agent; default: any verified one"},
    "works_id": {"type": "string", "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$",
      "description": "Only for this listing; default: any, for orders any of your own. proposal.submit needs the id of the request"},
    "listing_digest": {"type": "string", "minLength": 64, "maxLength": 64, "pattern": "^[0-9a-f]+$",
      "description": "Orders of somebody else's listing, and proposals: the listing or request as the human saw it, SHA-256 of the canonical JSON of its members without name, state, times and counters"},
    "currency": {"type": "string", "maxLength": 3, "pattern": "^[A-Z]{3}$",
      "description": "ISO 4217 code; other currencies are always asked about"},
    "amount_from_minor": {"type": "integer", "minimum": 1, "maximum": 9007199254740991,
      "description": "Lowest amount, minor units"},
    "amount_to_minor": {"type": "integer", "minimum": 1, "maximum": 9007199254740991,
      "description": "Highest amount, minor units"},
    "count_per_day": {"type": "integer", "minimum": 1, "maximum": 1000000,
      "description": "Times a day, of the machine's time zone"},
    "count_per_week": {"type": "integer", "minimum": 1, "maximum": 1000000,
      "description": "Times a week, which begins on Monday"},
    "sum_per_day_minor": {"type": "integer", "minimum": 1, "maximum": 9007199254740991,
      "description": "Sum a day, minor units"},
    "sum_per_week_minor": {"type": "integer", "minimum": 1, "maximum": 9007199254740991,
      "description": "Sum a week, minor units"},
    "side": {"type": "string", "enum": ["sell", "buy"],
      "description": "negotiation: our side; the lowest amount is then the seller's floor, the highest the buyer's ceiling"},
    "opening_minor": {"type": "integer", "minimum": 1, "maximum": 9007199254740991,
      "description": "negotiation: the first offer, minor units"},
    "rounds": {"type": "integer", "minimum": 1, "maximum": 10,
      "description": "negotiation: maximum number of our offers; default: 4"},
    "strategy": {"type": "string", "enum": ["hold_back", "to_limit"],
      "description": "negotiation: to_limit may name the limit itself in the last round; default: hold_back"},
    "from": {"type": "string", "maxLength": 40,
      "description": "ISO 8601 time with zone; default: now"},
    "until": {"type": "string", "maxLength": 40,
      "description": "ISO 8601 time with zone; default: in 30 days"},
    "pin": {"type": "string", "minLength": 1, "maxLength": 64, "description": "The human's PIN"}
  },
  "required": ["action", "currency", "pin"],
  "additionalProperties": false
})",
        .output_schema = {},
        .toolset = "approvals",
        .hints =
            {.read_only = false, .destructive = true, .idempotent = false, .open_world = false},
        .callers = kMandateCallers,
    },
    {
        .action = "negotiation.start",
        .tool = {},
        .title = "Start haggling",
        .summary =
            "Sends the opening offer of a mandate for haggling; the rest follows automatically.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "peer_id": {"type": "string", "minLength": 4, "maxLength": 51,
      "pattern": "^ag_[0-9A-Za-z]+$", "description": "The other agent"},
    "works_id": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$",
      "description": "The listing of the mandate"}
  },
  "required": ["peer_id", "works_id"],
  "additionalProperties": false
})",
        .output_schema = {},
        .toolset = "approvals",
        .hints = {.read_only = false, .destructive = true, .idempotent = false, .open_world = true},
        .callers = kMandateCallers,
    },
    {
        .action = "mandate.list",
        .tool = {},
        .title = "Mandates",
        .summary = "Returns the mandates, newest first, and what was agreed to under them. Their "
                   "amounts are returned only with the PIN.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "all": {"type": "boolean", "default": false, "description": "Include revoked ones"},
    "mandate_id": {"type": "string", "maxLength": 64, "pattern": "^mdt_[0-9a-f]+$",
      "description": "Only what was agreed to under this one"},
    "pin": {"type": "string", "minLength": 1, "maxLength": 64,
      "description": "The human's PIN; without it no amounts"}
  },
  "additionalProperties": false
})",
        .output_schema = {},
        .toolset = "approvals",
        .hints = kReadsMandates,
        .callers = kMandateCallers,
    },
    {
        .action = "mandate.revoke",
        .tool = {},
        .title = "Revoke a mandate",
        .summary = "Ends a mandate at once. Needs no PIN, because it only leads to more questions.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "mandate_id": {"type": "string", "maxLength": 64, "pattern": "^mdt_[0-9a-f]+$",
      "description": "Id of the mandate, mdt_…"}
  },
  "required": ["mandate_id"],
  "additionalProperties": false
})",
        .output_schema = {},
        .toolset = "approvals",
        .hints = kRevokesMandates,
        .callers = kMandateCallers,
    },
    {
        .action = "mandate.revoke_all",
        .tool = {},
        .title = "Revoke all mandates",
        .summary = "Ends every mandate of the agent at once. Needs no PIN.",
        .input_schema = kNoArguments,
        .output_schema = {},
        .toolset = "approvals",
        .hints = kRevokesMandates,
        .callers = kMandateCallers,
    },
};

}  // namespace

std::span<const Operation> mandate_rows() {
    return kMandateRows;
}

}  // namespace a2h::catalogue
