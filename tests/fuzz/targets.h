#pragma once

#include <string_view>

namespace a2h::fuzz {

/// Each takes any bytes and ends the process (A2H_CHECK, a sanitizer) when an invariant is
/// violated.
void agent_messages(std::string_view input);
void audit_file(std::string_view input);
void broker_login(std::string_view input);
void canonical(std::string_view input);
void client_files(std::string_view input);
void configuration(std::string_view input);
void control_frames(std::string_view input);
void envelope(std::string_view input);
void exchange_payload(std::string_view input);
void http_fields(std::string_view input);
void identity_files(std::string_view input);
void market_answers(std::string_view input);
void market_request(std::string_view input);
void mcp_lines(std::string_view input);
void model_stream(std::string_view input);
void reading(std::string_view input);
void rules(std::string_view input);
void task_messages(std::string_view input);
void values(std::string_view input);
void web_hooks(std::string_view input);

}  // namespace a2h::fuzz
