#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/check.h"

namespace a2h {

/// Closed set of reasons why an operation did not happen. What a peer, a user, a disk or a broker
/// can cause is one of these; our own mistakes are `A2H_CHECK` failures instead.
enum class ErrorCode {
    InvalidArgument,       ///< the request itself is wrong; repeating it cannot help
    NotFound,              ///< no such thing, or not visible to the caller
    Conflict,              ///< the present state forbids it, or somebody else was first
    PermissionDenied,      ///< known caller, not allowed
    Unauthenticated,       ///< missing or wrong signature, PIN, code or token
    ConfirmationRequired,  ///< a human's yes is missing
    ResourceExhausted,     ///< a limit, quota or disk is full
    Timeout,               ///< no answer in time; whether it took effect is not known
    Unavailable,           ///< the other side cannot be reached now; repeating may help
    Unsupported,           ///< a newer schema, version or feature than this program knows
    Corrupt,               ///< stored or received data breaks its own rules
    Internal,              ///< a library failed in a way that has no better code
};

/// Stable lower-case name, e.g. "not_found".
std::string_view to_string(ErrorCode code);

/// What failed, with which value, and what can be done next. Never holds a secret.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;

    /// The same error with `context` and ": " before its message.
    [[nodiscard]] Error with_context(std::string_view context) const;
};

/// Marks an error on its way into a `Result`, as `std::unexpected` does.
struct Unexpected {
    Error error;
};

inline Unexpected fail(ErrorCode code, std::string message) {
    return Unexpected{Error{code, std::move(message)}};
}
/// An argument that the caller may not give: `ErrorCode::InvalidArgument`.
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

/// Returns the error of the given expression (a `Result`) from the enclosing function, if it has
/// one. A macro because only a macro can return from its caller.
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
