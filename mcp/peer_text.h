#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace a2h::mcp {

/// The marks: U+27E6 and U+27E7.
constexpr std::string_view kFenceBegin = "\xe2\x9f\xa6";
constexpr std::string_view kFenceEnd = "\xe2\x9f\xa7";

/// `text` without control, direction and invisible characters, which make people see something
/// else than what it holds, and with brackets for the marks and their look-alikes.
/// Thread: any.
std::string visible(std::string_view text);

/// `text`, made visible, as a model may read it: between marks that say who wrote it and how sure
/// that is, and that cannot occur inside.
/// Thread: any.
std::string fence(std::string_view text, std::string_view author, std::string_view provenance);

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
