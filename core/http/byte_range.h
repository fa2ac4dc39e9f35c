#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace a2h::http {

/// The bytes of a file that are sent.
struct ByteRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

/// Returns the bytes that the `Range` field of a request asks for, of a file of `size` bytes.
/// nullopt: send the whole file (no field, another unit, malformed, several ranges). A count of 0:
/// no byte can be sent, which is answered with 416.
///
/// Source:  RFC 9110, section 14.
std::optional<ByteRange> read_range(std::string_view field, std::uint64_t size);

}  // namespace a2h::http
