#include "core/base/result.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<ErrorCode> kErrorCodeNames[] = {
    {ErrorCode::InvalidArgument, "invalid_argument"},
    {ErrorCode::NotFound, "not_found"},
    {ErrorCode::Conflict, "conflict"},
    {ErrorCode::PermissionDenied, "permission_denied"},
    {ErrorCode::Unauthenticated, "unauthenticated"},
    {ErrorCode::ConfirmationRequired, "confirmation_required"},
    {ErrorCode::ResourceExhausted, "resource_exhausted"},
    {ErrorCode::Timeout, "timeout"},
    {ErrorCode::Unavailable, "unavailable"},
    {ErrorCode::Unsupported, "unsupported"},
    {ErrorCode::Corrupt, "corrupt"},
    {ErrorCode::Internal, "internal"},
};
static_assert(names_all(kErrorCodeNames));

std::string_view to_string(ErrorCode code) {
    return name_of(kErrorCodeNames, code);
}

Error Error::with_context(std::string_view context) const {
    return Error{code, std::string(context) + ": " + message};
}

}  // namespace a2h
