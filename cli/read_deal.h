#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "core/control/client.h"

namespace a2h::cli {

/// `data` of `deal.get`: the deal, its messages, and the questions that
/// wait about its peer.
std::variant<nlohmann::json, Failure> read_deal(control::Client& client,
                                                const Invocation& invocation,
                                                const std::string& deal_id);

/// A deal in which the command has nothing to do, as `key` says with {deal}; what else a person can
/// do there is its page.
Failure not_in_this_deal(const Invocation& invocation, const std::string& deal_id,
                         std::string_view key);

/// The id of the listing that a deal is about; empty if it is about none.
std::string listing_of_deal(const nlohmann::json& deal);

}  // namespace a2h::cli
