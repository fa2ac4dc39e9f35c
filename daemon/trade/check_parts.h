#pragma once

// The parts of the checks of checks.h; one function for each action. For daemon/trade only.
//
// Errors:  those of `check_call`.
// Thread:  that of `check_call`.

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "daemon/trade/checks.h"

namespace a2h::trade {

/// The most participants of a discussion or a request that a card shows.
inline constexpr int kOthersRead = 50;

/// The text of an argument; empty if it is not there.
std::string argument(const CallContext& call, std::string_view name);
bool has(const CallContext& call, std::string_view name);
/// 0 if there is none.
std::int64_t number(const nlohmann::json& object, std::string_view name);
/// The agents in the member `name` of `rows`, sorted, without our own.
std::vector<std::string> others_in(const CallContext& call, const nlohmann::json& rows,
                                   const char* name);
/// `extendInfo` of a post, which is sent as an object or as its text.
nlohmann::json info_of(const nlohmann::json& post);

/// Whether the market shows the `wanted` capabilities, in the same order.
bool is_published(const nlohmann::json& wanted, const nlohmann::json& published);

// Listings and discussions; post_checks.cpp.

Result<Facts> check_publish(const CallContext& call);
Result<Facts> check_update(const CallContext& call);
Result<Facts> check_delete(const CallContext& call);
Result<Facts> check_discussion(const CallContext& call);

// Orders and payments; order_checks.cpp.

Result<Facts> check_order(const CallContext& call);
Result<Facts> check_order_action(const CallContext& call);
Result<Facts> check_payment_link(const CallContext& call);
Result<Facts> check_payment_code(const CallContext& call);

// Requests for proposals and proposals; request_checks.cpp.

Result<Facts> check_rfp(const CallContext& call);
Result<Facts> check_rfp_update(const CallContext& call);
Result<Facts> check_proposal(const CallContext& call);
Result<Facts> check_proposal_update(const CallContext& call);

}  // namespace a2h::trade
