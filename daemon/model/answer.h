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
std::string form_of_answer(i18n::Language language);

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

}  // namespace a2h::model
