#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/domain/approval.h"
#include "core/platform/client.h"
#include "daemon/config/config.h"
#include "daemon/consent/approvals.h"

namespace a2h::trade {

/// The facts that a worker needs about one attempt to carry out an approved call of the market.
struct Attempt {
    enum class Step { Call, ReadBack };
    Step step = Step::Call;
    std::size_t tries = 0;
    /// An earlier attempt may have been carried out, so a market that cannot be read or shows
    /// another state proves nothing.
    bool was_sent = false;
    bool has_our_rules = false;
    /// The market answers a repeated call with what the first one created. On other markets a
    /// similar object counts as the result.
    bool is_idempotent = false;
    bool may_call = true;          ///< false: only check whether it was done
    std::string listing_digest{};  ///< the one that the mandate was given for; empty: any
    std::string taken{};           ///< see `consent::LostCall`
};

/// The result of an attempt.
struct AttemptResult {
    ApprovalOutcome outcome = ApprovalOutcome::Unknown;
    std::string detail;  ///< the result for people and assistants; JSON if executed
    bool is_final = true;
    Attempt::Step next = Attempt::Step::ReadBack;  ///< unless final
    /// The question that would be asked now. It differs from what the yes was for, so it is asked.
    std::optional<consent::Ask> again{};
    bool was_sent = false;   ///< the market may have carried out the call
    bool is_unread = false;  ///< the market could not be read back
};

/// An approved call, and what an attempt to make it works with.
struct AttemptContext {
    platform::Client& market;
    const Approval& approval;
    const Config& config;
    const Clock& clock;
};

/// Reads the market, calls it unless something has changed since the yes, and reads it back if the
/// answer is lost.
///
/// Thread:  any; blocks.
AttemptResult make_attempt(const AttemptContext& context, const Attempt& attempt);

/// The result of an attempt that no worker has taken, because too many requests are waiting.
AttemptResult refused_attempt(const Attempt& attempt);

/// Whether the action creates something whose id only the market's answer contains.
bool creates(std::string_view action);

}  // namespace a2h::trade
