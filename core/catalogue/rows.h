#pragma once

#include <array>

#include "core/catalogue/operations.h"

namespace a2h::catalogue {

/// The rows behind `operations()`; everybody else uses that.
extern const std::array<Operation, 9> kAssistantRows;  ///< assistant_rows.cpp: tools
extern const std::array<Operation, 7> kHumanRows;      ///< human_rows.cpp: for a2h only

}  // namespace a2h::catalogue
