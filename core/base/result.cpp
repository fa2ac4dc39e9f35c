#include "core/base/result.h"

namespace a2h {

std::string_view to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::InvalidArgument:
            return "invalid_argument";
        case ErrorCode::NotFound:
            return "not_found";
        case ErrorCode::Conflict:
            return "conflict";
        case ErrorCode::PermissionDenied:
            return "permission_denied";
        case ErrorCode::Unauthenticated:
            return "unauthenticated";
        case ErrorCode::ConfirmationRequired:
            return "confirmation_required";
        case ErrorCode::ResourceExhausted:
            return "resource_exhausted";
        case ErrorCode::Timeout:
            return "timeout";
        case ErrorCode::Unavailable:
            return "unavailable";
        case ErrorCode::Unsupported:
            return "unsupported";
        case ErrorCode::Corrupt:
            return "corrupt";
        case ErrorCode::Internal:
            return "internal";
    }
    A2H_CHECK(false);
}

Error Error::with_context(std::string_view context) const {
    return Error{code, std::string(context) + ": " + message};
}

}  // namespace a2h
