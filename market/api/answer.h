#pragma once

#include <chrono>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/http/server.h"

namespace a2h::market {

/// `{"code":"200","message":"success","data":…}`. Source: docs/protocol.md, "Answers".
http::Response success(const nlohmann::json& data);
/// `data` must be JSON text.
http::Response success_text(std::string_view data);

/// The same form for an error, with a matching HTTP status. Codes are mapped only here. Our own
/// failures (database, library) are logged, and reported without details.
http::Response failure(const Error& error);

/// `{"success":true,"data":…,"error":null}` and `{"success":false,"error":…}`: the form of the
/// answers about tokens, leases and history.
http::Response flagged_success(const nlohmann::json& data);
http::Response flagged_failure(const Error& error);

/// A refusal whose code equals its status.
http::Response refused(bool is_flagged, int status, std::string_view message);
/// Status 429 with Retry-After.
http::Response too_many_requests(bool is_flagged, std::chrono::seconds wait);

http::Response json_response(int status, const nlohmann::json& body);

}  // namespace a2h::market
