#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/fence.h"

namespace a2h::mcp {

using a2h::fence;
using a2h::kFenceBegin;
using a2h::kFenceEnd;
using a2h::visible;

/// Whether `text` may stand unfenced, in a URI or a completion: an id, and no sentence.
/// Thread: any.
bool is_plain_id(std::string_view text);

/// Fences everything in `data`, the data of a result of operation `action`, that other agents or
/// the market wrote; names of members included. What has the shape of a short id, number, time or
/// enumeration stays as it is, except in members that hold free text. False when such data holds
/// nothing foreign: it was not changed.
/// Thread: any.
bool fence_peer_text(std::string_view action, nlohmann::ordered_json& data);

}  // namespace a2h::mcp
