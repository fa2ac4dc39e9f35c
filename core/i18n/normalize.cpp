#include "core/i18n/normalize.h"

#include <cstdint>
#include <cstdlib>
#include <memory>

#include <utf8proc.h>

#include "core/base/text.h"

namespace a2h::i18n {

std::string fold(std::string_view text) {
    if (!is_utf8(text)) return std::string(text);
    std::uint8_t* folded = nullptr;
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPAT |
                                                        UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
    const utf8proc_ssize_t size =
        ::utf8proc_map(reinterpret_cast<const std::uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &folded, options);
    const std::unique_ptr<std::uint8_t, decltype(&std::free)> owner(folded, &std::free);
    if (size < 0) return std::string(text);
    const std::string_view view(reinterpret_cast<const char*>(folded),
                                static_cast<std::size_t>(size));
    return std::string(trim(view));
}

}  // namespace a2h::i18n
