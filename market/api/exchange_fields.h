#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/base/result.h"
#include "market/api/service.h"

namespace a2h::market {

// What the bodies, queries and answers of the exchange have in common.

/// The member `object` of the body, or of its member `outer`: `currency` and decimal major units in
/// `amount_name`, read from the body's own digits (R27).
///
/// Errors:  InvalidArgument for what is no amount of the currency, for 0, and for a number with
/// more
///          digits than every reader of JSON keeps (as a text it is fine).
Result<Money> read_price(const Call& call, std::string_view object, std::string_view amount_name,
                         std::string_view outer = {});

/// nullopt when absent. Errors: InvalidArgument for what is no time.
Result<std::optional<UnixMs>> read_time(const nlohmann::json& object, std::string_view name);

struct Page {
    std::int64_t number = 1;  ///< counted from 1
    std::int64_t size = 20;

    std::int64_t offset() const { return (number - 1) * size; }
    /// One more than is shown tells whether there is another page.
    std::int64_t limit() const { return size + 1; }
};
Page read_page(const nlohmann::json& query);
/// `{"items","page","page_size","more"}` of a list that was read with `limit()`.
nlohmann::json page_json(const Page& page, nlohmann::json items);

}  // namespace a2h::market
