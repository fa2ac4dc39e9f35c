#include "core/domain/media_type.h"

#include <algorithm>
#include <string>

namespace a2h {
namespace {

constexpr MediaType kTypes[] = {
    {"jpg", "image/jpeg"},
    {"jpeg", "image/jpeg"},
    {"png", "image/png"},
    {"gif", "image/gif"},
    {"webp", "image/webp"},
    {"mp4", "video/mp4"},
    {"mov", "video/quicktime"},
    {"avi", "video/x-msvideo"},
    {"mpeg", "video/mpeg"},
    {"mpg", "video/mpeg"},
    {"pdf", "application/pdf"},
    {"doc", "application/msword"},
    {"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    {"xls", "application/vnd.ms-excel"},
    {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {"ppt", "application/vnd.ms-powerpoint"},
    {"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    {"txt", "text/plain"},
    {"csv", "text/csv"},
    {"md", "text/markdown"},
    {"zip", "application/zip"},
    {"tar", "application/x-tar"},
    {"gz", "application/gzip"},
    {"mp3", "audio/mpeg"},
};

constexpr std::string_view kQrImages[] = {"jpg", "jpeg", "png", "webp"};

}  // namespace

std::optional<MediaType> media_type_of(std::string_view file_name) {
    const auto point = file_name.rfind('.');
    if (point == std::string_view::npos) return std::nullopt;
    std::string extension(file_name.substr(point + 1));
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    const auto found =
        std::find_if(std::begin(kTypes), std::end(kTypes),
                     [&](const MediaType& type) { return type.extension == extension; });
    return found == std::end(kTypes) ? std::nullopt : std::optional(*found);
}

std::string_view upload_subtype(const MediaType& type) {
    if (type.mime.starts_with("image/")) return "image";
    return type.mime.starts_with("video/") ? "video" : "document";
}

bool is_qr_image(const MediaType& type) {
    return std::find(std::begin(kQrImages), std::end(kQrImages), type.extension) !=
           std::end(kQrImages);
}

}  // namespace a2h
