#pragma once

// Inside core/store only: an InterfaceSpec as the four columns services, input_format,
// output_format and examples_json, of which the last is empty when there is no spec.

#include <optional>
#include <string>

#include "core/domain/task_brief.h"
#include "core/store/statement.h"

namespace a2h::store {

std::optional<InterfaceSpec> read_interface(const Row& row, int first_column);
std::string examples_column(const std::optional<InterfaceSpec>& spec);

}  // namespace a2h::store
