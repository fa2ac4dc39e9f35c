#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/task_brief.h"

namespace a2h::wire {

// Task briefs as JSON. Thread: any. Source: docs/protocol.md, "Messages between agents".

/// Names of all required fields that `brief` lacks, in the order in which they are documented; an
/// empty string or an array of nothing but empty strings is missing, and so is everything when
/// `brief` is no object (R41). An empty array says that there are no constraints. Names may be
/// snake_case or camelCase.
std::vector<std::string> missing_fields(const nlohmann::json& brief);

/// One sentence for each member that is not what is documented: of another type, or a collaborator
/// without an id. What is missing is not among them.
std::vector<std::string> wrong_members(const nlohmann::json& brief);

/// `brief` with our snake_case names for the documented members, those of its collaborators among
/// them; everything else as it is.
nlohmann::json task_brief_with_snake_case(nlohmann::json brief);
nlohmann::json interface_spec_with_snake_case(nlohmann::json spec);

/// Errors: InvalidArgument `invalid_task_brief: …` with all of `missing_fields` and
/// `wrong_members`; nothing is repaired, an unknown member is left alone.
Result<TaskBrief> read_task_brief(const nlohmann::json& brief);

/// With snake_case names; empty optional members are left out.
nlohmann::json write_task_brief(const TaskBrief& brief);

nlohmann::json write_interface_spec(const InterfaceSpec& spec);
/// `services`, `input_format` and `output_format` must be there and may be empty.
/// Errors: InvalidArgument naming everything that is wrong.
Result<InterfaceSpec> read_interface_spec(const nlohmann::json& spec);

}  // namespace a2h::wire
