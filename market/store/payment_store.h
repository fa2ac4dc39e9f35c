#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/domain/order.h"
#include "market/db/database.h"

namespace a2h::market {

struct Payment {
    std::string order_id;
    std::string payment_id;
    std::string provider;
    std::string checkout_url;
    std::optional<UnixMs> paid_at_ms;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

Result<std::optional<Payment>> find_payment_of_order(db::Transaction& transaction,
                                                     std::string_view order_id);
Result<std::optional<Payment>> find_payment(db::Transaction& transaction,
                                            std::string_view payment_id);
/// Adds `payment`, or returns the one that the order already has.
Result<Payment> add_payment(db::Transaction& transaction, const Payment& payment, UnixMs now_ms);
/// Records that `provider` received the payment, and notifies both sides of the order; the order
/// itself waits for its seller (R13). A repeated call has no effect.
///
/// Errors:  NotFound if `provider` has no such payment; Conflict if the order is not waiting for
///          payment.
Result<void> settle_payment(db::Transaction& transaction, std::string_view provider,
                            std::string_view payment_id, UnixMs now_ms);

}  // namespace a2h::market::store
