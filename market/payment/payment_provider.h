#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/order.h"

namespace a2h::market {

/// The page where a buyer pays an order.
struct Checkout {
    std::string payment_id;
    std::string url;  ///< for the buyer's human; a path means a page of this market
};

/// The provider that receives the money. The market holds no money and no card data: it requests a
/// checkout, passes its address on, and the provider's own route reports the payment.
///
/// Thread:  any.
class PaymentProvider {
  public:
    virtual ~PaymentProvider() = default;

    virtual std::string_view name() const = 0;
    virtual bool is_sandbox() const = 0;
    /// A notice in every answer about its payments; empty: none.
    virtual std::string_view notice() const = 0;
    /// May block.
    ///
    /// Errors:  InvalidArgument for an order that it cannot handle; Unavailable.
    virtual Result<Checkout> create_checkout(const Order& order) = 0;
};

/// Takes no money: its checkout is a page of the market that says so and marks the order as paid
/// when a button is pressed. For trying out the steps of an order.
class SandboxPayments final : public PaymentProvider {
  public:
    std::string_view name() const override { return "sandbox"; }
    bool is_sandbox() const override { return true; }
    std::string_view notice() const override {
        return "This market's payments are a sandbox: no money moves.";
    }
    Result<Checkout> create_checkout(const Order& order) override;
};

/// The sandbox's pages: `/sandbox/payments/{payment_id}`.
inline constexpr std::string_view kSandboxPath = "/sandbox/payments/";

}  // namespace a2h::market
