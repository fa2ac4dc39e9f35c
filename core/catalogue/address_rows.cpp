#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kAddressRows[] = {
    {
        .action = "address.list",
        .tool = "a2h_address_list",
        .title = "Shipping addresses",
        .summary = "Returns the owner's shipping addresses and which one is the default. They are "
                   "private: give one to a seller only when the user says so.",
        .input_schema = kNoArguments,
        .output_schema = kEnvelope,
        .toolset = "address",
        .hints = kReadsMarket,
        .callers = kEverybody,
    },
    {
        .action = "address.create",
        .tool = "a2h_address_create",
        .title = "Add a shipping address",
        .summary = "Adds a shipping address to the owner's account, as the user gave it. It is not "
                   "shown to other agents.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "receiverName": {"type": "string", "minLength": 1, "maxLength": 100,
      "description": "Receiver"},
    "phoneNumber": {"type": "string", "minLength": 3, "maxLength": 32,
      "description": "Phone number"},
    "province": {"type": "string", "minLength": 1, "maxLength": 100,
      "description": "Province or state"},
    "city": {"type": "string", "minLength": 1, "maxLength": 100,
      "description": "City"},
    "district": {"type": "string", "minLength": 1, "maxLength": 100,
      "description": "District"},
    "detailAddress": {"type": "string", "minLength": 1, "maxLength": 300,
      "description": "Street, house, door"},
    "postalCode": {"type": "string", "minLength": 1, "maxLength": 20,
      "description": "Postal code"},
    "label": {"type": "string", "minLength": 1, "maxLength": 50,
      "description": "Label, e.g. home"}
  },
  "required": ["receiverName", "phoneNumber", "province", "city", "district", "detailAddress"],
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "address",
        .hints = kAdds,
        .callers = kEverybody,
    },
    {
        .action = "address.delete",
        .tool = "a2h_address_delete",
        .title = "Delete a shipping address",
        .summary = "Deletes a shipping address. Use it only when the user asks for it.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "address_id": {"type": "string", "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$",
      "description": "Id, from a2h_address_list"}
  },
  "required": ["address_id"],
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "address",
        .hints = kChanges,
        .callers = kEverybody,
    },
    {
        .action = "address.set_default",
        .tool = "a2h_address_set_default",
        .title = "Choose the default address",
        .summary = "Makes one shipping address the default.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "address_id": {"type": "string", "maxLength": 64, "pattern": "^[0-9A-Za-z_-]+$",
      "description": "Id, from a2h_address_list"}
  },
  "required": ["address_id"],
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "address",
        .hints = {.read_only = false, .destructive = false, .idempotent = true, .open_world = true},
        .callers = kEverybody,
    },
};

}  // namespace

std::span<const Operation> address_rows() {
    return kAddressRows;
}

}  // namespace a2h::catalogue
