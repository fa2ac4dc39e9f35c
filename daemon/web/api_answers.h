#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/http/server.h"
#include "core/wire/json_text.h"

namespace a2h::web {

// The answers of /api/v1: data unchanged, errors as `{"ok":false,"error":{"code","message"}}` with
// the codes of the specification (E001 to E009) if it has one, otherwise those of our operations.
//
// Thread:  any.
// Source:  section 6.1 of the negotiation specification.

/// A code and its HTTP status.
struct Fault {
    std::string_view code;
    int status;
};

/// The codes for malformed and missing things, which depend on the subject.
struct SubjectFaults {
    Fault malformed;
    Fault missing;
};

http::Response json_answer(int status, const nlohmann::json& body);
http::Response refusal(const Fault& fault, std::string_view message);
http::Response refusal(const SubjectFaults& subject, const Error& error);

/// The data of an operation's result (R16), or the response to its error.
std::variant<nlohmann::json, http::Response> data_of(const SubjectFaults& subject,
                                                     const Result<std::string>& result);

/// The JSON of a body whose content type is JSON. A form of another page can send any type but this
/// without a preflight request.
///
/// Errors:  InvalidArgument.
Result<nlohmann::json> json_body(const http::Request& request, const wire::JsonLimits& limits);
/// The same, if it is an object.
Result<nlohmann::json> object_body(const http::Request& request, const wire::JsonLimits& limits);

/// The members of `body` that the operation has; others and nulls are left out.
nlohmann::json members_of(const nlohmann::json& body, std::initializer_list<const char*> names);

}  // namespace a2h::web
