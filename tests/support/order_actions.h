#pragma once

#include <array>

#include "core/domain/order.h"

namespace a2h::test {

/// All actions of orders.
inline constexpr std::array kOrderActions{OrderAction::Confirm, OrderAction::Reject,
                                          OrderAction::Cancel, OrderAction::ConfirmReceived,
                                          OrderAction::ConfirmServiceCompleted};

}  // namespace a2h::test
