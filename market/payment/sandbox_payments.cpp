#include "core/base/ids.h"
#include "market/payment/payment_provider.h"

namespace a2h::market {
namespace {

constexpr std::size_t kPaymentIdBytes = 16;
/// The rule of published clients: PayPal for USD, a payment code for all other currencies.
constexpr std::string_view kCurrency = "USD";

}  // namespace

Result<Checkout> SandboxPayments::create_checkout(const Order& order) {
    if (order.price.currency != kCurrency) {
        return fail(ErrorCode::InvalidArgument,
                    "a checkout link is for orders in USD, this one is in " + order.price.currency +
                        "; send the buyer a payment code instead");
    }
    // Anybody who knows the id can press the button, so it must be hard to guess.
    const std::string id = random_hex(kPaymentIdBytes);
    return Checkout{id, std::string(kSandboxPath) + id};
}

}  // namespace a2h::market
