#include "market/store/payment_store.h"

#include <nlohmann/json.hpp>

#include "market/store/event_store.h"
#include "market/store/order_store.h"

namespace a2h::market::store {
namespace {

using nlohmann::json;

constexpr std::string_view kSelectPayment =
    "select order_id, payment_id, provider, checkout_url, paid_at_ms from payment where ";

Result<std::optional<Payment>> find(db::Transaction& transaction, std::string_view condition,
                                    std::string_view value) {
    A2H_ASSIGN_OR_RETURN(
        const auto row,
        transaction.query_one(std::string(kSelectPayment).append(condition), {std::string(value)}));
    if (!row) return std::optional<Payment>();
    return std::optional(
        Payment{row->text(0), row->text(1), row->text(2), row->text(3), row->optional_integer(4)});
}

Result<void> tell_both(db::Transaction& transaction, const Order& order, UnixMs now_ms) {
    const std::string payload = json{
        {"type", "payment.event"},
        {"text", "The payment provider reports order " + order.order_id + " as paid, " +
                     to_text(order.price) + "."},
        {"orderId", order.order_id},
        {"payment",
         {{"orderId", order.order_id},
          {"status", "PAID"},
          {"price", order.price.minor},
          {"currency",
           order.price.currency}}}}.dump();
    A2H_TRY(announce(transaction, order.provider_id, payload, now_ms));
    return announce(transaction, order.customer_id, payload, now_ms);
}

}  // namespace

Result<std::optional<Payment>> find_payment_of_order(db::Transaction& transaction,
                                                     std::string_view order_id) {
    return find(transaction, "order_id = $1", order_id);
}

Result<std::optional<Payment>> find_payment(db::Transaction& transaction,
                                            std::string_view payment_id) {
    return find(transaction, "payment_id = $1", payment_id);
}

Result<Payment> add_payment(db::Transaction& transaction, const Payment& payment, UnixMs now_ms) {
    static constexpr std::string_view kInsert =
        "insert into payment (order_id, payment_id, provider, checkout_url, created_at_ms)"
        " values ($1, $2, $3, $4, $5) on conflict (order_id) do nothing";
    A2H_TRY(transaction.execute(kInsert, {payment.order_id, payment.payment_id, payment.provider,
                                          payment.checkout_url, now_ms}));
    A2H_ASSIGN_OR_RETURN(auto present, find_payment_of_order(transaction, payment.order_id));
    if (!present) return fail(ErrorCode::Internal, "database: the payment is gone again");
    return std::move(*present);
}

Result<void> settle_payment(db::Transaction& transaction, std::string_view provider,
                            std::string_view payment_id, UnixMs now_ms) {
    static constexpr std::string_view kSettle =
        "update payment set paid_at_ms = $1 where payment_id = $2 and paid_at_ms is null";
    A2H_ASSIGN_OR_RETURN(const auto payment, find_payment(transaction, payment_id));
    if (!payment || payment->provider != provider) {
        return fail(ErrorCode::NotFound, "there is no such payment");
    }
    if (payment->paid_at_ms) return {};
    A2H_ASSIGN_OR_RETURN(const auto order, find_order(transaction, payment->order_id));
    if (!order || order->state != OrderState::Confirmed) {
        return fail(ErrorCode::Conflict, "the order does not wait to be paid any more");
    }
    A2H_TRY(transaction.execute(kSettle, {now_ms, std::string(payment_id)}));
    return tell_both(transaction, *order, now_ms);
}

}  // namespace a2h::market::store
