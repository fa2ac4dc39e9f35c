#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace a2h::http {

/// Which bytes of a file are sent.
struct ByteRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};

/// What the `Range` field of a request asks of a file of `size` bytes: nullopt when the whole file
/// is to be sent (no field, another unit, malformed, several ranges); a count of 0 when no byte
/// can be, which is answered with 416.
/// Source: RFC 9110, section 14.
std::optional<ByteRange> read_range(std::string_view field, std::uint64_t size);

}  // namespace a2h::http
