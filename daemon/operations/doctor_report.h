#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/doctor/doctor.h"

namespace a2h::operations {

/// Creates `data` of `doctor.run`.
nlohmann::json doctor_report_json(const doctor::Report& report, i18n::Language language);
/// Appends a line to such `data` and counts it.
void add_doctor_line(nlohmann::json& data, const doctor::Line& line, i18n::Language language);

}  // namespace a2h::operations
