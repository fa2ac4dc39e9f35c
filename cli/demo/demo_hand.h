#pragma once

#include "core/domain/permit.h"
#include "core/platform/client.h"

namespace a2h::cli {

/// The owners of the demo, who write to its market with their agents' keys.
struct DemoHand {
    /// Errors:  those of `platform::Client::write`.
    static Result<void> write(platform::Client& market, const platform::Request& request) {
        const Permit permit(Right::OwnHand, "demo",
                            platform::permit_digest(market.agent_id(), request));
        const auto written = market.write(request, permit);
        return written ? Result<void>() : fail(written.error());
    }
};

}  // namespace a2h::cli
