#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "daemon/model/drafter.h"

namespace a2h::model {

/// The longest reply, in code points, that is examined at all. The review has a limit of its own.
constexpr std::size_t kDraftCodePointsMax = 4'000;

/// The JSON schema of an answer: `wish`, `text` and `why`, nothing else.
nlohmann::json answer_schema();

/// The description of the required form for the model. Endpoints that support schemas receive the
/// schema as well.
std::string form_of_answer(const Prompt& prompt);

/// The schema for endpoints that support one, without limits of lengths and numbers, which
/// endpoints refuse. `parse_answer` checks these limits.
nlohmann::json structure_of_answer(const Prompt& prompt);
/// Whether every member is required at all levels; otherwise OpenAI's strict mode refuses the
/// schema.
bool is_strict(const nlohmann::json& structure);

/// Everything that an endpoint receives besides the system prompt: task, data, instruction.
std::string user_text(const Prompt& prompt);
std::string system_text(const Prompt& prompt);

/// Parses an answer into a draft. The form is checked even if the endpoint guarantees it. `model`
/// and tokens stay empty.
///
/// Errors:  InvalidArgument if it is not exactly one object of the schema, or if a reply has no
///          words, contains invisible characters or claims an authority; ResourceExhausted if it is
///          too long.
/// Thread:  any.
Result<Draft> parse_answer(std::string_view text);
/// The same for the object that `schema_json` describes; without a schema, a reply.
///
/// Errors:  as above.
Result<Draft> parse_answer(std::string_view text, const std::string& schema_json);

}  // namespace a2h::model
