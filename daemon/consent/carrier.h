#pragma once

#include <functional>
#include <map>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"

namespace a2h::consent {

/// Uses a yes; called in the transaction that stores what the yes was for. `made` names what was
/// made and becomes the outcome. Errors: the transaction must be given up. Thread: the store
/// writer.
using UseYes = std::function<Result<void>(store::Database& db, const nlohmann::json& made)>;

/// Carries out an approved call of one action by a running part of a2hd, for actions that take more
/// than one transaction (see `ActionRow::carry_out`). `arguments` are those of the call; `done` is
/// told on the loop. Thread: the loop.
using Carrier = std::function<void(const Approval& approval, const nlohmann::json& arguments,
                                   UseYes use, std::function<void(const Result<void>&)> done)>;

/// By action.
using Carriers = std::map<std::string_view, Carrier>;

/// `carrier` in a process that serves. In any other one a yes waits for an a2hd that does.
inline Carrier when(bool serves, Carrier carrier) {
    if (serves) return carrier;
    return [](const Approval&, const nlohmann::json&, UseYes,
              const std::function<void(const Result<void>&)>&) {};
}

}  // namespace a2h::consent
