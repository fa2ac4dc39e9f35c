#pragma once

#include <optional>
#include <string_view>

#include "core/domain/order.h"

namespace a2h::cli {

// The steps of an order by the words of `a2h order ID STEP`, which are shorter than those of the
// market.
//
// Pure. Thread: any.

struct OrderStep {
    std::string_view word;
    OrderAction action;
};

/// In the order in which help lists them.
inline constexpr OrderStep kOrderSteps[] = {
    {"confirm", OrderAction::Confirm},
    {"reject", OrderAction::Reject},
    {"cancel", OrderAction::Cancel},
    {"received", OrderAction::ConfirmReceived},
    {"completed", OrderAction::ConfirmServiceCompleted},
};

constexpr std::string_view step_word(OrderAction action) {
    for (const OrderStep& step : kOrderSteps) {
        if (step.action == action) return step.word;
    }
    return {};
}

/// nullopt for an unknown word.
constexpr std::optional<OrderAction> parse_step(std::string_view word) {
    for (const OrderStep& step : kOrderSteps) {
        if (step.word == word) return step.action;
    }
    return std::nullopt;
}

}  // namespace a2h::cli
