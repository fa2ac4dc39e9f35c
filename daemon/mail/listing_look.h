#pragma once

#include <functional>
#include <string>

#include "core/platform/client.h"
#include "daemon/consent/continuing.h"
#include "daemon/kernel/kernel.h"

namespace a2h::mail {

/// Reads the listing at the market if it is somebody else's and a mandate goes on about it, because
/// a step is covered only while the listing says what the owner has seen (R48).
/// Calls `then` with its `wire::listing_digest`: at once with an empty text if there is nothing to
/// read, and with an empty text if the market could not be asked or has no such listing. `market`
/// may be null and must outlive the call.
///
/// Thread:  the loop; the request runs on a worker.
void look_at_listing(const kernel::Kernel& kernel, platform::Client* market,
                     const consent::Subject& subject, std::function<void(std::string digest)> then);

}  // namespace a2h::mail
