#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/task_brief.h"

namespace a2h::wire {

// Task briefs as JSON. Thread: any. Source: docs/protocol.md, "Messages between agents".

/// Names of all required fields that `brief` lacks, in the documented order. An empty string or an
/// array of only empty strings counts as missing, and everything is missing if `brief` is not an
/// object (R41). An empty array means that there are no constraints. Names may be snake_case or
/// camelCase.
std::vector<std::string> missing_fields(const nlohmann::json& brief);

/// One sentence for each member that differs from the documentation: of another type, or a
/// collaborator without an id. Missing members are not included.
std::vector<std::string> wrong_members(const nlohmann::json& brief);

/// `brief` with our snake_case names for the documented members, including those of its
/// collaborators; everything else unchanged.
nlohmann::json task_brief_with_snake_case(nlohmann::json brief);
nlohmann::json interface_spec_with_snake_case(nlohmann::json spec);

/// Nothing is repaired, and unknown members are ignored.
///
/// Errors:  InvalidArgument `invalid_task_brief: …` with all of `missing_fields` and
///          `wrong_members`.
Result<TaskBrief> read_task_brief(const nlohmann::json& brief);

/// With snake_case names and without empty optional members.
nlohmann::json write_task_brief(const TaskBrief& brief);

nlohmann::json write_interface_spec(const InterfaceSpec& spec);
/// `services`, `input_format` and `output_format` must exist and may be empty.
///
/// Errors:  InvalidArgument naming everything that is wrong.
Result<InterfaceSpec> read_interface_spec(const nlohmann::json& spec);

}  // namespace a2h::wire
