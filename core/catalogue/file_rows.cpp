#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kFileRows[] = {
    {
        .action = "file.upload",
        .tool = "a2h_file_upload",
        .title = "Upload a file",
        .summary =
            "Uploads a local file and returns its public address, for attachment_url of a2h_send: "
            "data.url, fileName, fileSize, mimeType, expiresAt. Everybody who has the address can "
            "read the file; with upload_type chatfile it is deleted after 24 hours.\n"
            "At most 50 MB; jpg jpeg png gif webp mp4 mov avi mpeg mpg pdf doc docx xls xlsx ppt "
            "pptx txt csv md zip tar gz mp3. A file outside the folders that the user has set "
            "aside for this (~/a2h-files unless configured otherwise) needs the human's yes.",
        .arguments = R"(
  "file!": ["text 1-1024", "Path of the file"],
  "upload_type": ["one of chatfile profile = chatfile",
    "chatfile for a message, profile for a picture that stays"]
)",
        .hints = kAdds,
    },
};

}  // namespace

std::span<const Operation> file_rows() {
    return kFileRows;
}

}  // namespace a2h::catalogue
