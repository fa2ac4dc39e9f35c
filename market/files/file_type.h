#pragma once

#include <cstddef>
#include <string_view>

#include "core/domain/media_type.h"

namespace a2h::market {

/// Whether a browser may show a file of this kind; all others can only be saved.
bool is_shown_inline(const MediaType& type);

/// The size of the parts of a file that `content_fits` examines.
constexpr std::size_t kFileHeadBytes = 4 * 1024;
constexpr std::size_t kFileTailBytes = 64 * 1024;

/// Whether a file that begins with `head` and ends with `tail` can have the type of its extension,
/// so that no file is served with a false type. A text must not contain control characters.
bool content_fits(const MediaType& type, std::string_view head, std::string_view tail);

}  // namespace a2h::market
