#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/doctor/doctor.h"

namespace a2h::operations {

/// `data` of `doctor.run`.
nlohmann::json doctor_report_json(const doctor::Report& report, i18n::Language language);
/// One more line behind those of such a `data`, counted.
void add_doctor_line(nlohmann::json& data, const doctor::Line& line, i18n::Language language);

}  // namespace a2h::operations
