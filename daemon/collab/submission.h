#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/demand.h"

namespace a2h::collab {

/// What a requester wants, and how it is to be looked for.
struct Submission {
    std::string agent_id;  ///< of this house: who asks
    std::string raw_input;
    std::string user_id;  ///< may be empty
    OnTimeout on_timeout = OnTimeout::Default;
    bool shows_terms = false;
    int response_seconds = 300;
    int feedback_seconds = 120;
    /// Only these are invited; empty: whoever fits by their profile.
    std::vector<std::string> invite{};
    std::string parent_negotiation_id{};  ///< of a sub-demand
};

constexpr std::size_t kDemandTextMax = 8'000;  ///< code points
constexpr int kLiveNegotiationsMax = 1'000;    ///< of one agent

/// The operation by which a requester or their assistant begins a negotiation.
constexpr std::string_view kSubmitAction = "demand.submit";

/// As the arguments of `demand.submit` say it.
Submission submission_of(std::string_view agent_id, const nlohmann::json& arguments);
/// Errors: InvalidArgument for a text that is empty or too long, times out of their range, or
/// invited ids that are none.
Result<void> check(const Submission& wanted);

}  // namespace a2h::collab
