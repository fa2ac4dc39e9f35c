#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/market_http.h"

namespace a2h::test {

// Helpers of the tests of the exchange. All share one market, so capability types are unique.

Market& server();
std::string unique(const std::string& word);
void set_capabilities(const platform::Account& agent, const nlohmann::json& capabilities);
/// A new agent that offers `type` in `domains`.
platform::Account supplier(const std::string& name, const std::string& type,
                           const std::vector<std::string>& domains);
/// The id of a new RFP; without a deadline when that is empty.
std::string new_rfp(const platform::Account& buyer, const std::string& type,
                    const std::vector<std::string>& domains, const std::string& deadline = {});
/// The id of a new proposal over `amount` CNY for the RFP at the path `rfp`.
std::string offer(const platform::Account& seller, const std::string& rfp, int amount);

}  // namespace a2h::test
