#include "market/files/file_type.h"

#include <algorithm>
#include <array>

#include "core/base/check.h"

namespace a2h::market {
namespace {

using namespace std::string_view_literals;

using Fits = bool (*)(std::string_view head, std::string_view tail);

bool begins(std::string_view head, std::size_t at, std::string_view mark) {
    return head.size() >= at + mark.size() && head.substr(at, mark.size()) == mark;
}

bool is_jpeg(std::string_view head, std::string_view) {
    return begins(head, 0, "\xff\xd8\xff"sv);
}
bool is_png(std::string_view head, std::string_view) {
    return begins(head, 0, "\x89PNG\r\n\x1a\n"sv);
}
bool is_gif(std::string_view head, std::string_view) {
    return begins(head, 0, "GIF87a"sv) || begins(head, 0, "GIF89a"sv);
}
bool is_webp(std::string_view head, std::string_view) {
    return begins(head, 0, "RIFF"sv) && begins(head, 8, "WEBP"sv);
}
bool is_avi(std::string_view head, std::string_view) {
    return begins(head, 0, "RIFF"sv) && begins(head, 8, "AVI "sv);
}
bool is_mp4(std::string_view head, std::string_view) {
    return begins(head, 4, "ftyp"sv) && !begins(head, 8, "qt  "sv);
}
bool is_quicktime(std::string_view head, std::string_view) {
    if (begins(head, 4, "ftyp"sv)) return begins(head, 8, "qt  "sv);
    // Older files begin with any of these atoms.
    constexpr std::array kAtoms{"moov"sv, "mdat"sv, "wide"sv, "free"sv, "skip"sv, "pnot"sv};
    return std::any_of(kAtoms.begin(), kAtoms.end(),
                       [head](std::string_view atom) { return begins(head, 4, atom); });
}
bool is_mpeg(std::string_view head, std::string_view) {
    return begins(head, 0, "\0\0\1\xba"sv) || begins(head, 0, "\0\0\1\xb3"sv);
}
bool is_mp3(std::string_view head, std::string_view) {
    if (begins(head, 0, "ID3"sv)) return true;
    // A frame: eleven ones, then version and layer 3.
    return head.size() >= 2 && head[0] == '\xff' &&
           (static_cast<unsigned char>(head[1]) & 0xe6U) == 0xe2U;
}
bool is_pdf(std::string_view head, std::string_view) {
    return head.substr(0, 1024).find("%PDF-") != std::string_view::npos;
}
/// Word, Excel and PowerPoint up to 2003 share one container.
bool is_compound(std::string_view head, std::string_view) {
    return begins(head, 0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv);
}
bool is_zip(std::string_view head, std::string_view) {
    return begins(head, 0, "PK\3\4"sv) || begins(head, 0, "PK\5\6"sv);
}
/// The list of names is at the end of a ZIP archive.
bool is_office(std::string_view head, std::string_view tail, std::string_view folder) {
    return is_zip(head, {}) && tail.find("[Content_Types].xml") != std::string_view::npos &&
           tail.find(folder) != std::string_view::npos;
}
bool is_docx(std::string_view head, std::string_view tail) {
    return is_office(head, tail, "word/");
}
bool is_xlsx(std::string_view head, std::string_view tail) {
    return is_office(head, tail, "xl/");
}
bool is_pptx(std::string_view head, std::string_view tail) {
    return is_office(head, tail, "ppt/");
}
bool is_tar(std::string_view head, std::string_view) {
    return begins(head, 257, "ustar"sv);
}
bool is_gzip(std::string_view head, std::string_view) {
    return begins(head, 0, "\x1f\x8b\x08"sv);
}
/// Any encoding with the control characters of ASCII, such as UTF-8 and GB 18030.
bool is_text(std::string_view head, std::string_view tail) {
    const auto odd = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 &&
               "\t\n\v\f\r\x1b"sv.find(c) == std::string_view::npos;
    };
    return std::none_of(head.begin(), head.end(), odd) &&
           std::none_of(tail.begin(), tail.end(), odd);
}

/// The content of files of one kind; the kinds are defined in core/domain/media_type.
struct Known {
    std::string_view extension;
    Fits fits;
    bool shown_inline = false;
};

constexpr bool kInline = true;

constexpr std::array kKnown{
    Known{"jpg", is_jpeg, kInline},
    Known{"jpeg", is_jpeg, kInline},
    Known{"png", is_png, kInline},
    Known{"webp", is_webp, kInline},
    Known{"gif", is_gif, kInline},
    Known{"mp4", is_mp4, kInline},
    Known{"mov", is_quicktime, kInline},
    Known{"avi", is_avi},
    Known{"mpeg", is_mpeg, kInline},
    Known{"mpg", is_mpeg, kInline},
    Known{"mp3", is_mp3, kInline},
    Known{"pdf", is_pdf},
    Known{"doc", is_compound},
    Known{"xls", is_compound},
    Known{"ppt", is_compound},
    Known{"docx", is_docx},
    Known{"xlsx", is_xlsx},
    Known{"pptx", is_pptx},
    Known{"txt", is_text},
    Known{"csv", is_text},
    Known{"md", is_text},
    Known{"zip", is_zip},
    Known{"tar", is_tar},
    Known{"gz", is_gzip},
};

const Known& find_known(const MediaType& type) {
    const auto found = std::find_if(kKnown.begin(), kKnown.end(), [&type](const Known& known) {
        return known.extension == type.extension;
    });
    A2H_CHECK(found != kKnown.end());
    return *found;
}

}  // namespace

bool is_shown_inline(const MediaType& type) {
    return find_known(type).shown_inline;
}

bool content_fits(const MediaType& type, std::string_view head, std::string_view tail) {
    return find_known(type).fits(head, tail);
}

}  // namespace a2h::market
