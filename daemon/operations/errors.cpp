#include <nlohmann/json.hpp>

#include "daemon/operations/operation.h"

namespace a2h::operations {
namespace {

/// The name of an error for users.
///
/// Source:  daemon/operations/README.md.
std::string_view public_code(ErrorCode code) {
    switch (code) {
        case ErrorCode::ConfirmationRequired:
            return "PLATFORM_CONFIRMATION_REQUIRED";
        case ErrorCode::Unauthenticated:
            return "PLATFORM_90005";
        case ErrorCode::PermissionDenied:
            return "PLATFORM_401";
        case ErrorCode::NotFound:
            return "PLATFORM_410";
        case ErrorCode::Corrupt:
        case ErrorCode::Internal:
            return "RUNTIME_ERROR";
        case ErrorCode::InvalidArgument:
        case ErrorCode::Conflict:
        case ErrorCode::ResourceExhausted:
        case ErrorCode::Timeout:
        case ErrorCode::Unavailable:
        case ErrorCode::Unsupported:
            return to_string(code);
    }
    A2H_CHECK(false);
}

std::string_view usual_advice(ErrorCode code) {
    switch (code) {
        case ErrorCode::InvalidArgument:
            return "Correct the argument that is named and call again.";
        case ErrorCode::NotFound:
            return "Check the id; list or search to find the right one.";
        case ErrorCode::Conflict:
            return "Check the present state before you try anything else.";
        case ErrorCode::PermissionDenied:
            return "Ask your human; this cannot be done from here.";
        case ErrorCode::Unauthenticated:
            return "Ask your human for the right proof; do not guess.";
        case ErrorCode::ConfirmationRequired:
            return "Tell your human that a question waits, and wait for the answer.";
        case ErrorCode::ResourceExhausted:
            return "Wait a while, then try again once.";
        case ErrorCode::Timeout:
            return "It is not known whether it happened. Check first; do not repeat it blindly.";
        case ErrorCode::Unavailable:
            return "Call a2h_status to see what cannot be reached.";
        case ErrorCode::Unsupported:
            return "It is not possible here; do not repeat the call.";
        case ErrorCode::Corrupt:
        case ErrorCode::Internal:
            return "Call a2h_status and tell your human.";
    }
    A2H_CHECK(false);
}

}  // namespace

nlohmann::json ok_result(std::string_view action, nlohmann::json data) {
    return {{"ok", true}, {"action", action}, {"data", std::move(data)}};
}

nlohmann::json error_result(std::string_view action, const Error& error, std::string_view next) {
    return {{"ok", false},
            {"action", action},
            {"error",
             {{"code", public_code(error.code)},
              {"message", error.message},
              {"next", next.empty() ? usual_advice(error.code) : next}}}};
}

nlohmann::json error_result_about(std::string_view action, const Error& error,
                                  std::string_view about, std::string_view next) {
    nlohmann::json result = error_result(action, error, next);
    result["error"]["about"] = about;
    return result;
}

nlohmann::json error_result_of_pin(std::string_view action, const Error& error) {
    if (error.code != ErrorCode::Unauthenticated) return error_result(action, error);
    return error_result_about(action, error, "wrong_pin");
}

nlohmann::json pin_required(std::string_view action) {
    json result = error_result(
        action, {ErrorCode::Unauthenticated, "only the owner may say this without being asked"},
        "prove with the PIN that you are the owner: `a2h` asks for it, or reads it with "
        "--pin-stdin");
    result["error"]["code"] = "PIN_REQUIRED";
    return result;
}

}  // namespace a2h::operations
