#pragma once

#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/store/writer.h"

namespace a2h::model {

/// What the model has spent, as `save_spent` stored it last; empty: nothing. Errors: the
/// database's.
Result<std::string> load_spent(store::Database& db);
/// A function for `Environment::save`, which stores it. `writer` must outlive it.
std::function<void(std::string)> save_spent(store::Writer& writer);

}  // namespace a2h::model
