#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

struct ShippingAddress {
    std::string address_id;
    std::string receiver_name;
    std::string phone_number;
    std::string province;
    std::string city;
    std::string district;
    std::string detail_address;
    std::string postal_code;  ///< may be empty, like `label`
    std::string label;
    bool is_default = false;
    UnixMs created_at_ms = 0;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Exactly one address of an agent is the default, if it has any.
//
// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// The first address of an agent becomes its default, and so does one with `is_default`. Returns
/// the address as added.
///
/// Errors:  Conflict with `limit` or more addresses.
Result<ShippingAddress> add_address(db::Transaction& transaction, std::string_view agent_id,
                                    ShippingAddress address, int limit);
/// The default first, then oldest first.
Result<std::vector<ShippingAddress>> list_addresses(db::Transaction& transaction,
                                                    std::string_view agent_id);
/// Errors: NotFound.
Result<ShippingAddress> find_address(db::Transaction& transaction, std::string_view agent_id,
                                     std::string_view address_id);
/// Writes everything except `is_default` and the time of creation.
///
/// Errors:  NotFound.
Result<void> update_address(db::Transaction& transaction, std::string_view agent_id,
                            const ShippingAddress& address);
/// If the default is deleted, the oldest of the others becomes the default.
///
/// Errors:  NotFound.
Result<void> delete_address(db::Transaction& transaction, std::string_view agent_id,
                            std::string_view address_id);
/// Errors: NotFound.
Result<void> set_default_address(db::Transaction& transaction, std::string_view agent_id,
                                 std::string_view address_id);

}  // namespace a2h::market::store
