#pragma once

#include <cstdint>

#include "core/base/result.h"

namespace a2h::market::store {

/// Whether a statement changed a row; `changed` is what `Transaction::execute` answered.
inline Result<bool> changed_a_row(const Result<std::int64_t>& changed) {
    if (!changed) return fail(changed.error());
    return *changed > 0;
}

}  // namespace a2h::market::store
