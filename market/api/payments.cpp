// Paying an order: a checkout link, its state, and the page of the sandbox.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/i18n/messages.h"
#include "market/api/answer.h"
#include "market/api/base_url.h"
#include "market/api/body.h"
#include "market/api/resources.h"
#include "market/api/write_once.h"
#include "market/payment/payment_provider.h"
#include "market/store/order_store.h"
#include "market/store/payment_store.h"

namespace a2h::market {
namespace {

using i18n::Language;
using nlohmann::json;

/// The facts that the caller may know about an order and its payment.
struct Bill {
    Order order;
    std::optional<Payment> payment;
};

Result<Bill> find_bill(ApiParts& parts, const std::string& order_id, const Agent& caller) {
    return parts.database.read_as<Bill>([&](db::Transaction& transaction) -> Result<Bill> {
        A2H_ASSIGN_OR_RETURN(auto order, store::find_order(transaction, order_id, caller.agent_id));
        if (!order) return fail(ErrorCode::NotFound, "there is no such order of yours");
        A2H_ASSIGN_OR_RETURN(auto payment, store::find_payment_of_order(transaction, order_id));
        return Bill{std::move(*order), std::move(payment)};
    });
}

/// An order that the seller has marked as paid also counts as paid.
std::string_view payment_status(const Bill& bill) {
    const bool received =
        bill.order.state == OrderState::Paid || bill.order.state == OrderState::Completed;
    if (received || (bill.payment && bill.payment->paid_at_ms)) return "PAID";
    return bill.payment ? "PENDING" : "UNPAID";
}

/// The market's own pages are stored without their host, so that no request decides where the buyer
/// is sent.
std::string checkout_link(const ApiParts& parts, const http::Request& request,
                          const Payment& payment) {
    const bool is_own_page = payment.checkout_url.starts_with('/');
    return (is_own_page ? base_url(parts, request) : std::string()) + payment.checkout_url;
}

json bill_row(const ApiParts& parts, const http::Request& request, const Bill& bill) {
    json row{{"orderId", bill.order.order_id},         {"orderStatus", to_string(bill.order.state)},
             {"status", payment_status(bill)},         {"price", bill.order.price.minor},
             {"currency", bill.order.price.currency},  {"provider", parts.payments.name()},
             {"sandbox", parts.payments.is_sandbox()}, {"notice", parts.payments.notice()}};
    if (!bill.payment) return row;
    row["paymentId"] = bill.payment->payment_id;
    row["checkoutUrl"] = checkout_link(parts, request, *bill.payment);
    if (bill.payment->paid_at_ms) row["paidAt"] = to_utc_time(*bill.payment->paid_at_ms);
    return row;
}

Result<json> create_checkout(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto bill,
                         find_bill(parts, text_or(call.body, "orderId"), call.caller));
    if (bill.order.state != OrderState::Confirmed) {
        return fail(ErrorCode::Conflict, "only a CONFIRMED order can be paid; this one is " +
                                             std::string(to_string(bill.order.state)));
    }
    if (bill.payment) {
        return write_once(parts, call, [&](db::Transaction&) -> Result<json> {
            return bill_row(parts, call.request, bill);
        });
    }
    A2H_ASSIGN_OR_RETURN(const auto checkout, parts.payments.create_checkout(bill.order));
    const Payment payment{bill.order.order_id, checkout.payment_id,
                          std::string(parts.payments.name()), checkout.url, std::nullopt};
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(auto present,
                             store::add_payment(transaction, payment, parts.clock.now_ms()));
        return bill_row(parts, call.request, {bill.order, std::move(present)});
    });
}

Result<json> show_payment(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto bill, find_bill(parts, call.arguments[0], call.caller));
    return bill_row(parts, call.request, bill);
}

/// In both languages, because the reader's language is unknown. It contains no text of agents.
std::string words(std::string_view key) {
    return i18n::text(Language::Chinese, key) + "<br>" + i18n::text(Language::English, key);
}

http::Response page(int status, std::string_view key, bool with_button) {
    std::string body =
        "<!doctype html><html lang=\"zh-CN\"><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width\"><title>A2H sandbox</title>"
        "<main><h1>" +
        words("market.sandbox_title") + "</h1><p>" + words(key) + "</p>";
    if (with_button) {
        body += "<form method=\"post\"><button>" + words("market.sandbox_pay") + "</button></form>";
    }
    return {status,
            {{"Content-Type", "text/html; charset=utf-8"},
             {"Cache-Control", "no-store"},
             {"Referrer-Policy", "no-referrer"},
             {"Content-Security-Policy",
              "default-src 'none'; form-action 'self'; frame-ancestors 'none'"}},
            body + "</main></html>\n"};
}

http::Response show_sandbox(ApiParts& parts, const Call& call) {
    const auto payment = parts.database.read_with(store::find_payment, call.arguments[0]);
    if (!payment) return failure(payment.error());
    if (!*payment || (*payment)->provider != SandboxPayments().name()) {
        return page(404, "market.sandbox_unknown", false);
    }
    const bool paid = (*payment)->paid_at_ms.has_value();
    return page(200, paid ? "market.sandbox_paid" : "market.sandbox_text", !paid);
}

http::Response pay_sandbox(ApiParts& parts, const Call& call) {
    const auto settled = parts.database.write_with(store::settle_payment, SandboxPayments().name(),
                                                   call.arguments[0], parts.clock.now_ms());
    if (settled) return page(200, "market.sandbox_paid", false);
    if (settled.error().code == ErrorCode::NotFound) {
        return page(404, "market.sandbox_unknown", false);
    }
    if (settled.error().code == ErrorCode::Conflict) {
        return page(409, "market.sandbox_too_late", false);
    }
    return failure(settled.error());
}

constexpr std::array kPaymentsSchemas{
    NamedSchema{"Payment", R"({"type":"object","required":["orderId","orderStatus","status",
        "price","currency","provider","sandbox","notice"],"properties":{
        "orderId":{"type":"string"},"orderStatus":{"$ref":"#/components/schemas/OrderStatus"},
        "status":{"type":"string","enum":["UNPAID","PENDING","PAID"]},
        "price":{"type":"integer","description":"minor units of currency"},
        "currency":{"type":"string"},"provider":{"type":"string"},
        "sandbox":{"type":"boolean","description":"true: no money moves"},
        "notice":{"type":"string"},"paymentId":{"type":"string"},
        "checkoutUrl":{"type":"string"},"paidAt":{"type":"string"}}})"},
};

constexpr std::array kPaymentsRoutes{
    Route{.method = "POST",
          .path = "/findu-trade/api/v1/payment/paypal/checkout",
          .summary = "Returns a link with which the buyer pays a confirmed order in USD.",
          .body_schema = R"({"type":"object","required":["orderId"],"properties":{
            "orderId":{"type":"string","minLength":1,"maxLength":64}}})",
          .data_schema = R"({"$ref":"#/components/schemas/Payment"})",
          .handler = create_checkout,
          .once = true},
    Route{.method = "GET",
          .path = "/findu-trade/api/v1/payment/status/{order_id}",
          .also_signed_as = "/findu-trade/api/v1/payment/status",
          .summary = "Returns whether an order of the caller is paid.",
          .data_schema = R"({"$ref":"#/components/schemas/Payment"})",
          .handler = show_payment},
    Route{.method = "GET",
          .path = "/sandbox/payments/{payment_id}",
          .access = Access::Public,
          .form = Form::Raw,
          .summary = "Shows the sandbox's checkout page, for a human.",
          .raw_handler = show_sandbox},
    Route{.method = "POST",
          .path = "/sandbox/payments/{payment_id}",
          .access = Access::Public,
          .form = Form::Raw,
          .summary = "Marks the order as paid in the sandbox.",
          .raw_handler = pay_sandbox},
};

}  // namespace

Resource payment_resource() {
    return {"payment", kPaymentsRoutes, kPaymentsSchemas};
}

}  // namespace a2h::market
