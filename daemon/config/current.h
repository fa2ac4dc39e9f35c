#pragma once

#include <memory>

#include "core/base/current.h"
#include "daemon/config/config.h"

namespace a2h {

/// The part of the current configuration that says how people are asked.
inline std::shared_ptr<const consent::Policy> policy_of(const Current<Config>& config) {
    const auto now = config.get();
    return {now, &now->approval};
}

}  // namespace a2h
