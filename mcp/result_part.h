#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/catalogue/operations.h"

namespace a2h::mcp {

/// Limit of tokens of a result as text, by `estimated_tokens`.
constexpr std::size_t kConciseTokensMax = 4000;
constexpr std::size_t kFullTokensMax = 16'000;

/// The part of a result that the model requested.
struct ResultPart {
    bool full = false;       ///< detail "full"
    bool picks = false;      ///< only the members of the concise status
    std::size_t page = 0;    ///< page requested from a2hd, from 1; 0: not a list with pages
    std::size_t size = 0;    ///< limit of items of that page
    std::size_t skip = 0;    ///< items at its beginning that the model already has
    std::size_t before = 0;  ///< the position requested from a2hd; 0: the newest
};

/// The input schema for a model: for lists it has `limit`, `cursor` and `detail` in place of the
/// catalogue's page and size; for results that may be large it has `detail`.
nlohmann::ordered_json shown_input_schema(const catalogue::Operation& operation);

/// Checks `arguments` with that schema (the catalogue's own names are accepted as well) and
/// converts them to those of the catalogue.
///
/// Errors:  InvalidArgument, saying what is allowed.
Result<ResultPart> take_result_part(const catalogue::Operation& operation,
                                    nlohmann::json& arguments);

/// Makes `envelope` (R16) small enough: removes items that the model already has, and excess items
/// at the end; for concise results also empty members and the ends of long texts. `next_cursor` of
/// its data leads to the removed items. Returns a note about that for the model; empty if nothing
/// was removed.
std::string fit_result_part(nlohmann::ordered_json& envelope, const catalogue::Operation& operation,
                            const ResultPart& part);

}  // namespace a2h::mcp
