#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/check.h"

namespace a2h {

/// The closed set of reasons for which an operation did not happen. What a peer, a user, a disk or
/// a broker can cause is one of these; our own bugs are `A2H_CHECK` failures instead.
enum class ErrorCode {
    InvalidArgument,       ///< the request itself is wrong; a retry cannot help
    NotFound,              ///< does not exist, or is not visible to the caller
    Conflict,              ///< the current state does not allow it, or another request was first
    PermissionDenied,      ///< the caller is known but not allowed
    Unauthenticated,       ///< missing or wrong signature, PIN, code or token
    ConfirmationRequired,  ///< a human's yes is needed
    ResourceExhausted,     ///< a limit, quota or disk is full
    Timeout,               ///< no answer in time; it is unknown whether it took effect
    Unavailable,           ///< the other side cannot be reached now; a retry may help
    Unsupported,           ///< needs a newer schema, version or feature
    Corrupt,               ///< stored or received data is invalid
    Internal,              ///< a library failure without a better code
};

/// Stable lower-case name, such as "not_found".
std::string_view to_string(ErrorCode code);

/// An error: what failed, with which value, and what can be done next. Never contains a secret.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;

    /// The same error with `context` and ": " before its message.
    [[nodiscard]] Error with_context(std::string_view context) const;
};

/// Marks an error that becomes a `Result`, like `std::unexpected`.
struct Unexpected {
    Error error;
};

inline Unexpected fail(ErrorCode code, std::string message) {
    return Unexpected{Error{code, std::move(message)}};
}
/// `ErrorCode::InvalidArgument`: the caller may not pass this argument.
inline Unexpected invalid(std::string message) {
    return fail(ErrorCode::InvalidArgument, std::move(message));
}
inline Unexpected fail(Error error) {
    return Unexpected{std::move(error)};
}

/// A value or an `Error`; member names are those of `std::expected` (C++23).
template <typename T>
class [[nodiscard]] Result {
  public:
    using value_type = T;

    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Unexpected unexpected) : state_(std::in_place_index<1>, std::move(unexpected.error)) {}

    bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& value() & {
        A2H_CHECK(has_value());
        return *std::get_if<0>(&state_);
    }
    const T& value() const& {
        A2H_CHECK(has_value());
        return *std::get_if<0>(&state_);
    }
    T&& value() && {
        A2H_CHECK(has_value());
        return std::move(*std::get_if<0>(&state_));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const& {
        A2H_CHECK(!has_value());
        return *std::get_if<1>(&state_);
    }
    Error&& error() && {
        A2H_CHECK(!has_value());
        return std::move(*std::get_if<1>(&state_));
    }
    T value_or(T fallback) const& { return has_value() ? value() : std::move(fallback); }

  private:
    std::variant<T, Error> state_;
};

/// Success without a value, or an `Error`. `return {};` is success.
template <>
class [[nodiscard]] Result<void> {
  public:
    using value_type = void;

    Result() = default;
    Result(Unexpected unexpected) : error_(std::move(unexpected.error)) {}

    bool has_value() const { return !error_.has_value(); }
    explicit operator bool() const { return has_value(); }
    const Error& error() const& {
        A2H_CHECK(error_.has_value());
        return *error_;
    }
    Error&& error() && {
        A2H_CHECK(error_.has_value());
        return std::move(*error_);
    }

  private:
    std::optional<Error> error_;
};

}  // namespace a2h

/// If the expression (a `Result`) is an error, returns the error from the enclosing function. This
/// must be a macro, because only a macro can return from its caller.
#define A2H_TRY(...)                                                \
    do {                                                            \
        if (auto a2h_try_result = (__VA_ARGS__); !a2h_try_result) { \
            return ::a2h::fail(std::move(a2h_try_result).error());  \
        }                                                           \
    } while (false)

/// Declares `declaration` with the value of the given expression (a `Result`), or returns its error
/// from the enclosing function: `A2H_ASSIGN_OR_RETURN(const auto row, read_row(db));`. The value is
/// moved out of the result. Several statements: it cannot be the body of an `if` without braces.
#define A2H_ASSIGN_OR_RETURN(declaration, ...) \
    A2H_ASSIGN_OR_RETURN_AS(A2H_JOIN(a2h_result_, __LINE__), declaration, __VA_ARGS__)
#define A2H_ASSIGN_OR_RETURN_AS(result, declaration, ...)       \
    auto result = (__VA_ARGS__);                                \
    if (!result) return ::a2h::fail(std::move(result).error()); \
    declaration = *std::move(result)
#define A2H_JOIN(left, right) A2H_JOIN_NOW(left, right)
#define A2H_JOIN_NOW(left, right) left##right
