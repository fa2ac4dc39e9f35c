#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/store/database.h"
#include "daemon/doctor/facts.h"

namespace a2h::doctor {

/// What the findings ask for, each once.
std::set<Repair> wanted_repairs(const std::vector<Finding>& findings);

/// Repairs of files, the database's log among them; tells what was done. What cannot be done is
/// told as well and stops nothing else. Thread: any but the loop and the writer; it blocks.
std::vector<std::string> repair_files(const Facts& facts, const std::set<Repair>& wanted);

/// The same of the database. Thread: the store writer.
std::vector<std::string> repair_database(store::Database& db, const Facts& facts,
                                         const std::set<Repair>& wanted);

}  // namespace a2h::doctor
