#include "market/store/payment_store.h"

#include <nlohmann/json.hpp>

#include "market/store/event_store.h"
#include "market/store/order_store.h"

namespace a2h::market::store {
namespace {

using nlohmann::json;

constexpr auto kPayment = sql::table<Payment>(
    "payment", A2H_COLUMNS(Payment, order_id, payment_id, provider, checkout_url, paid_at_ms));

Result<void> notify_both(db::Transaction& transaction, const Order& order, UnixMs now_ms) {
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
    static const std::string kSql = kPayment.select("where order_id = $1");
    return transaction.statement(kSql).first(kPayment, order_id);
}

Result<std::optional<Payment>> find_payment(db::Transaction& transaction,
                                            std::string_view payment_id) {
    static const std::string kSql = kPayment.select("where payment_id = $1");
    return transaction.statement(kSql).first(kPayment, payment_id);
}

Result<Payment> add_payment(db::Transaction& transaction, const Payment& payment, UnixMs now_ms) {
    static constexpr auto kNew = sql::without<kPayment, &Payment::paid_at_ms>();
    static const std::string kSql =
        kNew.insert("on conflict (order_id) do nothing", "created_at_ms");
    A2H_TRY(transaction.statement(kSql).put(kNew, payment, now_ms));
    A2H_ASSIGN_OR_RETURN(auto present, find_payment_of_order(transaction, payment.order_id));
    if (!present) return fail(ErrorCode::Internal, "database: the payment was not stored");
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
        return fail(ErrorCode::Conflict, "the order is no longer waiting for payment");
    }
    A2H_TRY(transaction.statement(kSettle).run(now_ms, payment_id));
    return notify_both(transaction, *order, now_ms);
}

}  // namespace a2h::market::store
