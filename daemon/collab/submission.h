#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/demand.h"

namespace a2h::collab {

/// A requester's demand and how to search for it.
struct Submission {
    std::string agent_id;  ///< the requester, an agent of this home
    std::string raw_input;
    std::string user_id;  ///< may be empty
    OnTimeout on_timeout = OnTimeout::Default;
    bool shows_terms = false;
    int response_seconds = 300;
    int feedback_seconds = 120;
    /// Only these agents are invited. Empty: agents are chosen by their profiles.
    std::vector<std::string> invite{};
    std::string parent_negotiation_id{};  ///< set for a sub-demand
    bool is_released = false;             ///< by a human
};

constexpr std::size_t kDemandTextMax = 8'000;  ///< code points
constexpr int kLiveNegotiationsMax = 1'000;    ///< for one agent

/// The operation by which a requester or their assistant begins a negotiation.
constexpr std::string_view kSubmitAction = "demand.submit";

/// Parses the arguments of `demand.submit`.
Submission submission_of(std::string_view agent_id, const nlohmann::json& arguments);
/// Errors:  InvalidArgument for a text that is empty or too long, times outside their range, or
///          invited ids that are not agent ids.
Result<void> check(const Submission& wanted);

}  // namespace a2h::collab
