#pragma once

#include <optional>
#include <string_view>

namespace a2h {

/// A kind of file that agents may hand to each other.
struct MediaType {
    std::string_view extension;  ///< lower case, without the point
    std::string_view mime;
};

/// By what follows the last point of `file_name` ("photo.JPG"); nullopt for every other kind.
/// Source: docs/protocol.md, "Files".
std::optional<MediaType> media_type_of(std::string_view file_name);

/// "image", "video" or "document": what the platform's upload wants to know.
std::string_view upload_subtype(const MediaType& type);

/// Whether a payment code may be such a picture.
bool is_qr_image(const MediaType& type);

}  // namespace a2h
