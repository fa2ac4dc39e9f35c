#include "daemon/web/api_answers.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/wire/json_member.h"

namespace a2h::web {
namespace {

using nlohmann::json;

/// For error codes of our operations; other codes get a 500 with their own name.
struct KnownFault {
    std::string_view operation_code;
    Fault fault;
};
constexpr std::array kFaults{
    KnownFault{"unavailable", {"E003", 503}},
    KnownFault{"timeout", {"E004", 504}},
    KnownFault{"conflict", {"conflict", 409}},
    KnownFault{"resource_exhausted", {"resource_exhausted", 429}},
};

Fault fault_of(const SubjectFaults& subject, std::string_view operation_code) {
    if (operation_code == "invalid_argument") return subject.malformed;
    if (operation_code == "PLATFORM_410" || operation_code == to_string(ErrorCode::NotFound))
        return subject.missing;
    const auto found = std::find_if(kFaults.begin(), kFaults.end(), [&](const KnownFault& known) {
        return known.operation_code == operation_code;
    });
    return found == kFaults.end() ? Fault{operation_code, 500} : found->fault;
}

bool says_json(const http::Request& request) {
    const std::string_view type = request.header("content-type");
    return type.substr(0, type.find(';')) == "application/json";
}

}  // namespace

http::Response json_answer(int status, const json& body) {
    return {status,
            {{"Content-Type", "application/json; charset=utf-8"},
             {"Cache-Control", "no-store"},
             {"X-Content-Type-Options", "nosniff"}},
            body.dump(-1, ' ', false, json::error_handler_t::replace)};
}

http::Response refusal(const Fault& fault, std::string_view message) {
    return json_answer(fault.status,
                       {{"ok", false}, {"error", {{"code", fault.code}, {"message", message}}}});
}

http::Response refusal(const SubjectFaults& subject, const Error& error) {
    return refusal(fault_of(subject, to_string(error.code)), error.message);
}

std::variant<json, http::Response> data_of(const SubjectFaults& subject,
                                           const Result<std::string>& result) {
    if (!result) return refusal(subject, result.error());
    const json envelope = json::parse(*result, nullptr, false);
    if (wire::member(envelope, "ok") == true) return wire::member(envelope, "data");
    const json& error = wire::member(envelope, "error");
    return refusal(fault_of(subject, wire::text_member(error, "code")),
                   wire::text_member(error, "message"));
}

Result<json> json_body(const http::Request& request, const wire::JsonLimits& limits) {
    if (!says_json(request)) {
        return fail(ErrorCode::InvalidArgument, "Content-Type must be application/json");
    }
    auto body = wire::parse_json(request.body, limits);
    if (!body) return fail(ErrorCode::InvalidArgument, body.error().message);
    return body;
}

Result<json> object_body(const http::Request& request, const wire::JsonLimits& limits) {
    auto body = json_body(request, limits);
    if (body && !body->is_object())
        return fail(ErrorCode::InvalidArgument, "the body must be an object");
    return body;
}

json members_of(const json& body, std::initializer_list<const char*> names) {
    json members = json::object();
    for (const char* name : names) {
        const json& value = wire::member(body, name);
        if (!value.is_null()) members[name] = value;
    }
    return members;
}

}  // namespace a2h::web
