#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::notify {

/// The type of a picture, by its first bytes and not by its name: PNG, JPEG, GIF or WebP; nullopt
/// for anything else.
///
/// Source:  RFC 2083, 9649; ITU-T T.81; GIF89a.
std::optional<std::string_view> picture_type(std::string_view bytes);

/// Whether an attachment at `url` may be downloaded to be shown as a picture. Peers choose these
/// URLs, and another address could learn who reads it or belong to this network. Allowed are URLs
/// below one of `markets` (bases like `https://market.example`), and https on the usual port of one
/// of `hosts`, which the owner has configured.
bool is_picture_source(std::string_view url, const std::vector<std::string>& markets,
                       const std::vector<std::string>& hosts);

}  // namespace a2h::notify
