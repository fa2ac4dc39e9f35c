#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/store/database.h"
#include "daemon/doctor/facts.h"

namespace a2h::doctor {

/// The repairs that the findings need, each once.
std::set<Repair> wanted_repairs(const std::vector<Finding>& findings);

/// Repairs files, including the database's log, and returns what was done. A failed repair is
/// listed as well and does not stop the others. Blocks.
///
/// Thread:  any but the loop and the writer.
std::vector<std::string> repair_files(const Facts& facts, const std::set<Repair>& wanted);

/// The same for the database.
///
/// Thread:  the store writer.
std::vector<std::string> repair_database(store::Database& db, const Facts& facts,
                                         const std::set<Repair>& wanted);

}  // namespace a2h::doctor
