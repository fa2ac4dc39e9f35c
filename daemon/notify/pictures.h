#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::notify {

/// What kind of picture these bytes are, by how they begin, whatever their name says: PNG, JPEG,
/// GIF or WebP; nullopt for everything else. Source: RFC 2083, 9649; ITU-T T.81; GIF89a.
std::optional<std::string_view> picture_type(std::string_view bytes);

/// Whether an attachment at `url` may be fetched to be shown as a picture. Peers write these URLs:
/// any other address would learn who looks, or could be one of this network. Allowed is what lies
/// below one of `markets` (bases like `https://market.example`), and https at one of `hosts`, which
/// the owner has named, on the usual port.
bool is_picture_source(std::string_view url, const std::vector<std::string>& markets,
                       const std::vector<std::string>& hosts);

}  // namespace a2h::notify
