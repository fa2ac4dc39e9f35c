#pragma once

#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/store/writer.h"

namespace a2h::model {

/// Returns the value that `save_spent` stored last; empty if there is none.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<std::string> load_spent(store::Database& db);
/// Returns a function for `Environment::save` that stores the value. It reports no failure;
/// `status` shows those of the writer. `writer` must outlive it.
///
/// Thread:  any, the returned function as well.
std::function<void(std::string)> save_spent(store::Writer& writer);

}  // namespace a2h::model
