#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/order.h"

namespace a2h::market {

/// Where a buyer pays an order.
struct Checkout {
    std::string payment_id;
    std::string url;  ///< for the buyer's human; a path means a page of this market
};

/// Who takes the money. The market keeps no money and no card data: it asks for a checkout, hands
/// its address on, and is told by the provider's own route when it was paid.
/// Thread: any.
class PaymentProvider {
  public:
    virtual ~PaymentProvider() = default;

    virtual std::string_view name() const = 0;
    virtual bool is_sandbox() const = 0;
    /// What every answer about its payments says besides; empty: nothing.
    virtual std::string_view notice() const = 0;
    /// May block. Errors: InvalidArgument for an order it cannot take; Unavailable.
    virtual Result<Checkout> create_checkout(const Order& order) = 0;
};

/// Takes no money: its checkout is a page of the market that says so and, when a button is pressed,
/// counts the order as paid. For trying the way of an order out.
class SandboxPayments final : public PaymentProvider {
  public:
    std::string_view name() const override { return "sandbox"; }
    bool is_sandbox() const override { return true; }
    std::string_view notice() const override {
        return "This market's payments are a sandbox: no money moves.";
    }
    Result<Checkout> create_checkout(const Order& order) override;
};

/// Where the sandbox's pages are: `/sandbox/payments/{payment_id}`.
inline constexpr std::string_view kSandboxPath = "/sandbox/payments/";

}  // namespace a2h::market
