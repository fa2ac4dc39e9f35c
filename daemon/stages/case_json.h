#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "daemon/decide/decision.h"
#include "daemon/model/drafter.h"

namespace a2h::stages {

// The JSON texts in which a case stores what it knows.
//
// Thread:  any.

std::string to_json(const decide::Decision& decision);
/// Reads text that `to_json` wrote.
///
/// Errors:  Corrupt.
Result<decide::Decision> read_decision(std::string_view json);

/// The longest reply or question of a draft, in code points.
constexpr std::size_t kDraftTextMax = 2'000;

/// The `task_results` of a report: wish ("reply", "silent" or "ask"), text, why, and what it
/// answers.
std::string results_of(const model::Draft& draft, const decide::Input& input);
/// Errors:  InvalidArgument for an unknown wish, a reply without words or with too many, or a
///          member that is not a text.
Result<model::Draft> read_results(std::string_view json);

/// A list of sentences as JSON, and back; entries that are not texts are left out.
std::string to_json(const std::vector<std::string>& texts);
std::vector<std::string> read_texts(std::string_view json);

}  // namespace a2h::stages
