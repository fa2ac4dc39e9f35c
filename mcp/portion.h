#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/catalogue/operations.h"

namespace a2h::mcp {

/// Most tokens of a result as text, by `estimated_tokens`.
constexpr std::size_t kConciseTokensMax = 4000;
constexpr std::size_t kFullTokensMax = 16'000;

/// Which part of a result the model asked for.
struct Portion {
    bool full = false;       ///< detail "full"
    bool picks = false;      ///< only what a concise status tells
    std::size_t page = 0;    ///< that a2hd was asked for, from 1; 0: not a list with pages
    std::size_t size = 0;    ///< items of that page at most
    std::size_t skip = 0;    ///< items at its begin that the model has already
    std::size_t before = 0;  ///< where a2hd was asked to begin; 0: at the newest
};

/// The input schema as a model sees it: `limit`, `cursor` and `detail` where the operation is a
/// list, in place of the catalogue's page and size; `detail` where its result may be large.
nlohmann::ordered_json shown_input_schema(const catalogue::Operation& operation);

/// Checks `arguments` against that schema (the catalogue's own names are taken as well) and turns
/// them into what the catalogue knows.
/// Errors: InvalidArgument, saying what is allowed.
Result<Portion> take_portion(const catalogue::Operation& operation, nlohmann::json& arguments);

/// Makes `envelope` (R16) small enough: leaves out the items that the model has, and at the end
/// those that are too many; concise also what is empty, and the ends of long texts. `next_cursor`
/// of its data leads to the items left out. Returns what the model is told of that, which is empty
/// when it has everything.
std::string fit_portion(nlohmann::ordered_json& envelope, const catalogue::Operation& operation,
                        const Portion& portion);

}  // namespace a2h::mcp
