#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace a2h::market {

/// A kind of file that agents may upload.
struct FileType {
    std::string_view extension;  ///< lower case, without the point
    std::string_view mime;
    bool qr_image = false;      ///< may be a payment QR code
    bool shown_inline = false;  ///< a browser may show it; everything else is only saved
};

/// `name`: "photo.JPG", by what follows its last point. nullopt for what may not be uploaded.
/// Source: docs/protocol.md, "Files".
std::optional<FileType> file_type_of(std::string_view name);

/// What of a file `content_fits` looks at.
constexpr std::size_t kFileHeadBytes = 4 * 1024;
constexpr std::size_t kFileTailBytes = 64 * 1024;

/// Whether a file that begins with `head` and ends with `tail` can be what its extension says, so
/// that nothing is served under a name it does not bear. A text must not hold control characters.
bool content_fits(const FileType& type, std::string_view head, std::string_view tail);

}  // namespace a2h::market
