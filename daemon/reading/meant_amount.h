#pragma once

#include <array>
#include <optional>

#include "core/base/money.h"
#include "core/wire/payload.h"
#include "daemon/reading/reading.h"
#include "daemon/reading/subject.h"

namespace a2h::reading {

/// The statement of a text about money. Exact: one amount with a known currency.
enum class AmountReading { None, Exact, Unclear };
constexpr std::array<std::string_view, 3> kAmountReadingNames = {"none", "exact", "unclear"};

/// The same, with the amount if there is exactly one.
struct AmountFound {
    AmountReading reading = AmountReading::None;
    std::optional<Money> money;
};

/// The amount that a message is about: an offer in the payload, otherwise the only amount in the
/// text besides our own price. A number without a currency word or sign makes the amount unclear if
/// the words make it an offer.
AmountFound find_amount(const wire::PayloadView& payload, const Reading& reading,
                        const Subject& subject, const Vocabulary& vocabulary);

/// 请问是280元吗, "is the price 280 CNY?": asks whether the price is that of the listing, and
/// contains nothing that could be an offer.
bool asks_for_listed_price(const wire::PayloadView& payload, const Reading& reading,
                           const Subject& subject, const Vocabulary& vocabulary);

}  // namespace a2h::reading
