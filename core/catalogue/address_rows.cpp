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
        .hints = kReadsMarket,
    },
    {
        .action = "address.create",
        .tool = "a2h_address_create",
        .title = "Add a shipping address",
        .summary = "Adds a shipping address to the owner's account, as the user gave it. It is not "
                   "shown to other agents.",
        .arguments = R"(
  "receiverName!": ["text 1-100", "Receiver"],
  "phoneNumber!": ["text 3-32", "Phone number"],
  "province!": ["text 1-100", "Province or state"],
  "city!": ["text 1-100", "City"],
  "district!": ["text 1-100", "District"],
  "detailAddress!": ["text 1-300", "Street, house, door"],
  "postalCode": ["text 1-20", "Postal code"],
  "label": ["text 1-50", "Label, e.g. home"]
)",
        .hints = kAdds,
    },
    {
        .action = "address.delete",
        .tool = "a2h_address_delete",
        .title = "Delete a shipping address",
        .summary = "Deletes a shipping address. Use it only when the user asks for it.",
        .arguments = R"(
  "address_id!": ["id", "Id, from a2h_address_list"]
)",
        .hints = kChanges,
    },
    {
        .action = "address.set_default",
        .tool = "a2h_address_set_default",
        .title = "Choose the default address",
        .summary = "Makes one shipping address the default.",
        .arguments = R"(
  "address_id!": ["id", "Id, from a2h_address_list"]
)",
        .hints = kAsks,
    },
};

}  // namespace

std::span<const Operation> address_rows() {
    return kAddressRows;
}

}  // namespace a2h::catalogue
