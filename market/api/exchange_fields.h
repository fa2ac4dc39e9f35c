#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/base/result.h"
#include "market/api/serve.h"
#include "market/store/capability_store.h"

namespace a2h::market {

// Common parts of the bodies, queries and answers of the exchange.

/// The member `object` of the body, with `currency` and decimal major units in `amount_name` (R27).
///
/// Errors:  InvalidArgument, see market/exchange/payload.h.
Result<Money> read_price(const Call& call, std::string_view object, std::string_view amount_name);

/// nullopt if absent.
///
/// Errors:  InvalidArgument for a text that is not a time.
Result<std::optional<UnixMs>> read_time(const nlohmann::json& object, std::string_view name);

/// `[{"type","domains"}]`
nlohmann::json capabilities_json(const std::vector<Capability>& capabilities);

struct Page {
    std::int64_t number = 1;  ///< counted from 1
    std::int64_t size = 20;

    std::int64_t offset() const { return (number - 1) * size; }
    /// One more than is shown, to find out whether there is another page.
    std::int64_t limit() const { return size + 1; }
};
Page read_page(const nlohmann::json& query);
/// `{"items","page","page_size","more"}` for a list that was read with `limit()`.
nlohmann::json page_json(const Page& page, nlohmann::json items);

}  // namespace a2h::market
