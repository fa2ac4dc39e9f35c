#include "daemon/collab/submission.h"

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"

namespace a2h::collab {
namespace {

constexpr std::size_t kInvitedMax = 100;
constexpr int kWaitSecondsMax = 7 * 24 * 3600;

}  // namespace

Submission submission_of(std::string_view agent_id, const nlohmann::json& arguments) {
    Submission submission;
    submission.agent_id = agent_id;
    submission.raw_input = wire::text_member(arguments, "raw_input");
    submission.user_id = wire::text_member(arguments, "user_id");
    submission.on_timeout =
        parse_on_timeout(wire::text_member(arguments, "on_timeout")).value_or(OnTimeout::Default);
    submission.shows_terms = arguments.value("show_terms", false);
    submission.response_seconds = arguments.value("response_seconds", submission.response_seconds);
    submission.feedback_seconds = arguments.value("feedback_seconds", submission.feedback_seconds);
    submission.invite = arguments.value("invite", std::vector<std::string>());
    return submission;
}

Result<void> check(const Submission& wanted) {
    const std::size_t length = code_point_count(trim(wanted.raw_input));
    if (length == 0) return fail(ErrorCode::InvalidArgument, "raw_input is empty");
    if (length > kDemandTextMax) {
        return fail(ErrorCode::InvalidArgument,
                    "raw_input is longer than " + std::to_string(kDemandTextMax) + " characters");
    }
    for (const int seconds : {wanted.response_seconds, wanted.feedback_seconds}) {
        if (seconds >= 1 && seconds <= kWaitSecondsMax) continue;
        return fail(ErrorCode::InvalidArgument,
                    "response_seconds and feedback_seconds must be from 1 to " +
                        std::to_string(kWaitSecondsMax));
    }
    if (wanted.invite.size() > kInvitedMax) {
        return fail(ErrorCode::InvalidArgument,
                    "at most " + std::to_string(kInvitedMax) + " agents can be invited");
    }
    for (const std::string& id : wanted.invite) {
        if (!is_agent_id(id) || id == wanted.agent_id) {
            return fail(ErrorCode::InvalidArgument, id + " cannot be invited");
        }
    }
    return {};
}

}  // namespace a2h::collab
