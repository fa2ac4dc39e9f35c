#pragma once

#include <cstdint>
#include <string>

#include "core/base/clock.h"

namespace a2h {

/// A bargain with one peer about one listing under one mandate; see daemon/bargain. States: `open`;
/// `agreed` and `closed` are final; `handed_over` means that the human continues without the
/// mandate.
struct Bargain {
    std::int64_t id = 0;
    std::string agent_id;
    std::string peer_id;
    std::string works_id;
    std::string mandate_id;
    std::string state;
    std::string language;              ///< language of the peer: "en", "zh-CN"
    std::string listing_hash;          ///< hash of the listing at the beginning
    std::int64_t committed_minor = 0;  ///< our last offer, or the agreed amount
    UnixMs committed_at_ms = 0;
    UnixMs close_at_ms = 0;  ///< when our unanswered offer expires; 0: none is unanswered
};

/// One message of a bargain.
struct BargainMove {
    bool is_ours = false;
    std::string kind;  ///< "offer", "accept", "close"
    std::int64_t amount_minor = 0;
    std::string message_id;
    UnixMs at_ms = 0;
};

}  // namespace a2h
