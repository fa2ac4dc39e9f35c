#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/http/body_file.h"
#include "core/http/server.h"

namespace a2h::http {

/// The form of the answer to one request.
struct AnswerForm {
    bool is_http_1_0 = false;
    bool keep_alive = false;
    bool head_only = false;  ///< to HEAD: no body
};

/// RFC 9110: these statuses have no body and no Content-Length.
bool may_carry_body(int status);

/// Status line and header with the final empty line. `body_bytes` is nullopt if the body ends with
/// the connection. A field that contains a line break or NUL is left out.
///
/// Thread:  any.
std::string answer_head(const Response& response, const AnswerForm& form,
                        std::optional<std::uint64_t> body_bytes);

/// Narrows `file`, which is the whole file, to the range that `request` asks for, and states it in
/// `response`; false if the range is empty.
///
/// Thread:  any.
bool take_range(const Request& request, Response& response, OutgoingFile& file);

}  // namespace a2h::http
