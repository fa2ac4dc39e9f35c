#pragma once

#include <string>
#include <string_view>

namespace a2h::i18n {

/// NFKC with case folding and trimmed white space, for comparing words that people type (R10, R20).
/// Text that is not UTF-8 is returned unchanged.
std::string fold(std::string_view text);

}  // namespace a2h::i18n
