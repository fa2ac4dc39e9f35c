#pragma once

namespace a2h::trade {

/// Registers what the market's news of an order does to the questions about it: once the order has
/// ended, all of them are out of date. While it continues, those about an offer are that name no
/// order. Once it is paid, only those are that ask whether to send a payment code. Also registers
/// what waits at the market: orders, proposals, requests and sessions.
///
/// Source:  docs/rulings.md, R45 and R46.
void register_order_news();

}  // namespace a2h::trade
