#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/fence.h"

namespace a2h::mcp {

using a2h::fence;
using a2h::kFenceBegin;
using a2h::kFenceEnd;
using a2h::visible;

/// Whether `text` may be used without a fence in a URI or a completion: it is an id and not a
/// sentence.
///
/// Thread:  any.
bool is_plain_id(std::string_view text);

/// Fences everything in `data`, the data of a result of operation `action`, that other agents or
/// the market wrote, including names of members. Texts in the form of a short id, number, time or
/// enumeration stay as they are, except in members with free text. False if such data contains
/// nothing foreign; it is then unchanged.
///
/// Thread:  any.
bool fence_peer_text(std::string_view action, nlohmann::ordered_json& data);

}  // namespace a2h::mcp
