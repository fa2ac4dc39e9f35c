#pragma once

#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/store/writer.h"

namespace a2h::model {

/// The value that `save_spent` stored last; empty if there is none.
///
/// Errors:  those of the database.
Result<std::string> load_spent(store::Database& db);
/// A function for `Environment::save` that stores the value. `writer` must outlive it.
std::function<void(std::string)> save_spent(store::Writer& writer);

}  // namespace a2h::model
