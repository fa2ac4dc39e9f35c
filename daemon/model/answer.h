#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "daemon/model/drafter.h"

namespace a2h::model {

/// Code points of a reply that are looked at at all; the review has a limit of its own.
constexpr std::size_t kDraftCodePointsMax = 4'000;

/// The JSON schema that an answer must keep to: `wish`, `text`, `why`, nothing else.
nlohmann::json answer_schema();

/// The words that tell a model of the form its answer must have; endpoints that know schemas get
/// that one besides.
std::string form_of_answer(const Prompt& prompt);

/// What an endpoint that knows schemas is told: the structure of the wanted one without the limits
/// of lengths and numbers, which endpoints refuse. `parse_answer` looks at those.
nlohmann::json structure_of_answer(const Prompt& prompt);
/// Whether every member is required, everywhere; else OpenAI's strict mode refuses the schema.
bool is_strict(const nlohmann::json& structure);

/// Everything that an endpoint is told, apart from the system prompt: task, data, instruction.
std::string user_text(const Prompt& prompt);
std::string system_text(const Prompt& prompt);

/// An answer becomes a draft, whoever vouched for its form. `model` and tokens stay empty.
///
/// Errors:  InvalidArgument when it is not exactly one object of the schema, when a reply has no
///          words, invisible characters or the authority of somebody else; ResourceExhausted when
///          it is too long.
/// Thread:  any.
Result<Draft> parse_answer(std::string_view text);
/// The same for the object that `schema_json` asks for; of no schema, a reply. Errors: as above.
Result<Draft> parse_answer(std::string_view text, const std::string& schema_json);

}  // namespace a2h::model
