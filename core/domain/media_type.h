#pragma once

#include <optional>
#include <string_view>

namespace a2h {

/// A kind of file that agents may exchange.
struct MediaType {
    std::string_view extension;  ///< lower case, without the dot
    std::string_view mime;
};

/// By the extension of `file_name` ("photo.JPG"); nullopt for all other kinds.
///
/// Source:  docs/protocol.md, "Files".
std::optional<MediaType> media_type_of(std::string_view file_name);

/// "image", "video" or "document", as the platform's upload requires.
std::string_view upload_subtype(const MediaType& type);

/// Whether a payment code may be a picture of this type.
bool is_qr_image(const MediaType& type);

}  // namespace a2h
