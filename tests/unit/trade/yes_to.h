#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/domain/approval.h"
#include "tests/support/fake_platform.h"

namespace a2h::test {

/// The answered question for a call of the agent of `FakePlatform`.
inline Approval yes_to(std::string_view action, const nlohmann::json& arguments) {
    Approval yes;
    yes.id = "apr_test";
    yes.agent_id = FakePlatform::kAgent;
    yes.action = action;
    yes.action_json = nlohmann::json{{"action", action}, {"request", arguments}}.dump();
    yes.status = ApprovalStatus::Approved;
    return yes;
}

}  // namespace a2h::test
