#pragma once

#include <functional>
#include <map>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"

namespace a2h::consent {

/// Uses a yes. Called in the transaction that stores the result. `made` names what was created and
/// becomes the outcome.
///
/// Errors:  the transaction must be rolled back.
/// Thread:  the store writer.
using UseYes = std::function<Result<void>(store::Database& db, const nlohmann::json& made)>;

/// Carries out an approved call of one action that needs more than one transaction (see
/// `ActionRow::carry_out`), in a serving a2hd. `arguments` are those of the call; `done` is called
/// on the loop.
///
/// Thread:  the loop.
using Carrier = std::function<void(const Approval& approval, const nlohmann::json& arguments,
                                   UseYes use, std::function<void(const Result<void>&)> done)>;

/// Makes the calls of the market that were approved (`ActionRow::market_lane`). Nothing undoes such
/// a call, so its yes is used before it.
///
/// Thread:  the loop.
class MarketCaller {
  public:
    /// Uses the yes of an approved `approval` and makes its call. `is_late`: it could not be made
    /// when the yes was given, so a mandate must still give it.
    virtual void call(const Approval& approval, bool is_late) = 0;
    /// Finds out what became of a call that an earlier process began.
    virtual void settle(const Approval& approval) = 0;

  protected:
    ~MarketCaller() = default;
};

/// Keyed by action.
using Carriers = std::map<std::string_view, Carrier>;

/// `carrier` in a process that serves. In any other process the yes waits for an a2hd that serves.
inline Carrier when(bool serves, Carrier carrier) {
    if (serves) return carrier;
    return [](const Approval&, const nlohmann::json&, UseYes,
              const std::function<void(const Result<void>&)>&) {};
}

}  // namespace a2h::consent
