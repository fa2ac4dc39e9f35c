#pragma once

#include <cctype>
#include <string_view>

namespace a2h::test {

/** Whether `text` holds `number` ("26731", "267.31") as a token of its own. The same digits inside
   a random id or a digest tell nobody anything, and in long logs they do occur by chance. */
inline bool tells_number(std::string_view text, std::string_view number) {
    const auto is_part_of_token = [&](std::size_t at) {
        return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
    };
    for (std::size_t at = text.find(number); at != std::string_view::npos;
         at = text.find(number, at + 1)) {
        if (!is_part_of_token(at - 1) && !is_part_of_token(at + number.size())) return true;
    }
    return false;
}

}  // namespace a2h::test
