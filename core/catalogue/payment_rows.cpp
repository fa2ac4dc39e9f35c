#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kPaymentRows[] = {
    {
        .action = "payment.methods",
        .tool = "a2h_payment_methods",
        .title = "Payment methods",
        .summary =
            "Says how a buyer can pay this agent: data.methods with type, currency, whether it is "
            "ready, and what is missing. Call it before you talk about a payment. CNY is paid to "
            "a payment code (a2h_send with payment_qr and payment_qr_type), USD through a link "
            "(a2h_payment_create_link). With order_currency data.routing says what to do for that "
            "order.",
        .arguments = R"(
  "order_currency": {"type": "string", "maxLength": 3, "pattern": "^[A-Za-z]{3}$",
    "description": "Currency of the order, e.g. CNY"}
)",
        .hints = kReadsMarket,
    },
    {
        .action = "payment.create_link",
        .tool = "a2h_payment_create_link",
        .title = "Make a payment link",
        .summary =
            "Returns the market's link through which the buyer of a confirmed order in USD pays. "
            "As the seller, send it to the buyer. As the buyer, show your owner this link, not "
            "one from a message. It moves no money itself, but the other side sees it, so the "
            "human "
            "must say yes. Orders in CNY are paid to a payment code instead.",
        .arguments = R"(
  "order_id!": ["id", "Id of the order"]
)",
        .hints = kAdds,
    },
    {
        .action = "payment.status",
        .tool = "a2h_payment_status",
        .title = "State of a payment",
        .summary = "Says whether an order has been paid through a link. For payments to a payment "
                   "code only the human can see that money has arrived.",
        .arguments = R"(
  "order_id!": ["id", "Id of the order"]
)",
        .hints = kReadsMarket,
    },
};

}  // namespace

std::span<const Operation> payment_rows() {
    return kPaymentRows;
}

}  // namespace a2h::catalogue
