#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/http/body_file.h"
#include "core/http/server.h"

namespace a2h::http {

/// How one request wants to be answered.
struct AnswerForm {
    bool is_http_1_0 = false;
    bool keep_alive = false;
    bool head_only = false;  ///< to HEAD: no body
};

/// RFC 9110: these have none, and no Content-Length.
bool may_carry_body(int status);

/// Status line and header, with the empty line behind them. `body_bytes`: nullopt when the body
/// ends with the connection. A field with a line break or NUL in it is left out. Thread: any.
std::string answer_head(const Response& response, const AnswerForm& form,
                        std::optional<std::uint64_t> body_bytes);

/// Narrows `file`, which is the whole one, to what `request` asks for, and says so in `response`;
/// false when none of it can be sent. Thread: any.
bool take_range(const Request& request, Response& response, OutgoingFile& file);

}  // namespace a2h::http
