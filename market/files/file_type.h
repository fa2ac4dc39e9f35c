#pragma once

#include <cstddef>
#include <string_view>

#include "core/domain/media_type.h"

namespace a2h::market {

/// Whether a browser may show a file of this kind; everything else is only saved.
bool is_shown_inline(const MediaType& type);

/// What of a file `content_fits` looks at.
constexpr std::size_t kFileHeadBytes = 4 * 1024;
constexpr std::size_t kFileTailBytes = 64 * 1024;

/// Whether a file that begins with `head` and ends with `tail` can be what its extension says, so
/// that nothing is served under a name it does not bear. A text must not hold control characters.
bool content_fits(const MediaType& type, std::string_view head, std::string_view tail);

}  // namespace a2h::market
