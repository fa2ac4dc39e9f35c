#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "market/files/file_folder.h"
#include "market/files/file_type.h"
#include "market/files/upload_grant.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::market;
using namespace std::string_literals;

namespace {

namespace fs = std::filesystem;

constexpr UnixMs kNow = 1'760'000'000'000;

void write(const fs::path& file, std::string_view text) {
    std::ofstream(file, std::ios::binary) << text;
}

void make_old(const fs::path& file) {
    const timespec hour_ago[2] = {{::time(nullptr) - 3600, 0}, {::time(nullptr) - 3600, 0}};
    REQUIRE(::utimensat(AT_FDCWD, file.c_str(), hour_ago, 0) == 0);
}

/// A valid beginning (and, for Office, end) of a file of each kind.
struct Sample {
    std::string name;
    std::string head;
    std::string tail = "";
};

const std::vector<Sample> kSamples{
    {"a.jpg", "\xff\xd8\xff\xe0"},
    {"a.jpeg", "\xff\xd8\xff\xe1"},
    {"a.png", "\x89PNG\r\n\x1a\nIHDR"},
    {"a.gif", "GIF89a"},
    {"a.webp", "RIFF\1\2\3\4WEBPVP8 "},
    {"a.mp4",
     "\0\0\0\x18"
     "ftypisom"s},
    {"a.mov",
     "\0\0\0\x14"
     "ftypqt  "s},
    {"a.avi", "RIFF\1\2\3\4AVI LIST"},
    {"a.mpeg", "\0\0\1\xba"s},
    {"a.mpg", "\0\0\1\xb3"s},
    {"a.mp3", "ID3\3"},
    {"a.pdf", "%PDF-1.7"},
    {"a.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"},
    {"a.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"},
    {"a.ppt", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"},
    {"a.docx", "PK\3\4", "[Content_Types].xml word/document.xml PK\5\6"},
    {"a.xlsx", "PK\3\4", "[Content_Types].xml xl/workbook.xml PK\5\6"},
    {"a.pptx", "PK\3\4", "[Content_Types].xml ppt/presentation.xml PK\5\6"},
    {"a.txt", "吉他课 lessons\r\n"},
    {"a.csv", "a;b\n1;2\n"},
    {"a.md", "# Title\n"},
    {"a.zip", "PK\3\4"},
    {"a.tar", std::string(257, 'x') + "ustar"},
    {"a.gz", "\x1f\x8b\x08"},
};

UploadGrant grant() {
    return {.file_id = std::string(32, 'a'),
            .agent_id = "ag_a1",
            .upload_type = "chatfile",
            .file_name = "报价 & offer\n.pdf",
            .extension = "pdf",
            .size_bytes = 1234,
            .expires_at_ms = kNow + 1000};
}

/// A request as the HTTP server makes it of `target`.
http::Request request_of(std::string target) {
    http::Request request;
    request.method = "PUT";
    const auto path_end = target.find('?');
    request.path = target.substr(0, path_end);
    request.query = *http::parse_form(target.substr(path_end + 1));
    request.target = std::move(target);
    return request;
}

ErrorCode refused(const std::string& target, UnixMs now_ms = kNow) {
    const auto read = read_upload_grant("key", request_of(target), now_ms);
    REQUIRE_FALSE(read);
    return read.error().code;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    const auto at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("every kind of file that may be uploaded is known by its extension and content") {
    std::set<std::string_view> extensions;
    for (const Sample& sample : kSamples) {
        CAPTURE(sample.name);
        const auto type = media_type_of(sample.name);
        REQUIRE(type);
        extensions.insert(type->extension);
        CHECK(content_fits(*type, sample.head, sample.tail));
        CHECK_FALSE(content_fits(*type, "\0"s, ""));
        if (!type->mime.starts_with("text/")) CHECK_FALSE(content_fits(*type, "hello", "hello"));
    }
    CHECK(extensions.size() == 24);
}

TEST_CASE("content of one file family is never accepted as another") {
    for (const Sample& sample : kSamples) {
        for (const Sample& other : kSamples) {
            const auto type = media_type_of(other.name);
            const bool fits = content_fits(*type, sample.head, sample.tail);
            const auto same = media_type_of(sample.name);
            if (!fits || type->mime == same->mime) continue;
            CAPTURE(sample.name);
            CAPTURE(other.name);
            const bool texts = type->mime.starts_with("text/");  // only ever saved
            const bool zips = type->mime == "application/zip";
            const bool compounds = sample.head.starts_with("\xd0\xcf");
            CHECK((texts || zips || compounds));
        }
    }
}

TEST_CASE("other names are refused, also those of pages and pictures that run scripts") {
    for (const char* name :
         {"", "a", "a.", ".", "a.html", "a.svg", "a.exe", "a.jpg.html", "a.js", "a.pdf ", "jpg"}) {
        CAPTURE(name);
        CHECK_FALSE(media_type_of(name));
    }
    CHECK(media_type_of("a.PDF"));
    CHECK(media_type_of("../../etc/passwd.txt"));  // the name is never a path of ours
}

TEST_CASE("payment QR codes are pictures of four kinds") {
    std::set<std::string_view> kinds;
    for (const Sample& sample : kSamples) {
        if (is_qr_image(*media_type_of(sample.name)))
            kinds.insert(media_type_of(sample.name)->extension);
    }
    CHECK(kinds == std::set<std::string_view>{"jpg", "jpeg", "png", "webp"});
}

TEST_CASE("a signed address gives back what was granted") {
    const auto read =
        read_upload_grant("key", request_of(signed_upload_target("key", grant())), kNow);
    REQUIRE(read);
    CHECK(read->file_id == grant().file_id);
    CHECK(read->agent_id == "ag_a1");
    CHECK(read->upload_type == "chatfile");
    CHECK(read->file_name == grant().file_name);
    CHECK(read->extension == "pdf");
    CHECK(read->size_bytes == 1234);
    CHECK(read->expires_at_ms == kNow + 1000);
}

TEST_CASE("no part of a signed address can be changed, and it ends") {
    const auto target = signed_upload_target("key", grant());
    CHECK(refused(replaced(target, "size=1234", "size=9999")) == ErrorCode::Unauthenticated);
    CHECK(refused(replaced(target, "chatfile", "profile")) == ErrorCode::Unauthenticated);
    CHECK(refused(replaced(target, "ag_a1", "ag_a2")) == ErrorCode::Unauthenticated);
    CHECK(refused(replaced(target, ".pdf?", ".zip?")) == ErrorCode::Unauthenticated);
    CHECK(refused(replaced(target, "aaaa", "../a")) == ErrorCode::Unauthenticated);
    CHECK(refused(replaced(target, "expires=1", "expires=2")) == ErrorCode::Unauthenticated);
    CHECK(refused(replaced(target, "offer", "other")) == ErrorCode::Unauthenticated);
    CHECK(refused("/files/a.pdf?") == ErrorCode::Unauthenticated);
    CHECK(refused("/?") == ErrorCode::Unauthenticated);
    CHECK(refused(signed_upload_target("other key", grant())) == ErrorCode::Unauthenticated);
    CHECK(refused(target, kNow + 1000) == ErrorCode::Unauthenticated);
}

TEST_CASE("an upload becomes a file once, and can be removed") {
    const test::TempDir dir;
    const auto folder = FileFolder::open(dir.path() / "files");
    REQUIRE(folder);
    const auto first = folder->new_upload();
    const auto second = folder->new_upload();
    CHECK(first != second);
    write(first, "one");
    write(second, "two");
    REQUIRE(folder->keep(first, "id"));
    const auto again = folder->keep(second, "id");
    REQUIRE_FALSE(again);
    CHECK(again.error().code == ErrorCode::Conflict);
    CHECK(read_ends(folder->path_of("id"), 10, 2)->head == "one");
    CHECK(read_ends(folder->path_of("id"), 10, 2)->tail == "ne");
    CHECK_FALSE(fs::exists(first));
    REQUIRE(folder->remove("id"));
    REQUIRE(folder->remove("id"));
    CHECK_FALSE(fs::exists(folder->path_of("id")));
    CHECK(folder->keep(dir.path() / "missing", "x").error().code == ErrorCode::Unavailable);
    CHECK(read_ends(dir.path() / "missing", 1, 1).error().code == ErrorCode::Unavailable);
}

TEST_CASE("uploads of a dead process are removed at the next start, those of a living one stay") {
    const test::TempDir dir;
    fs::create_directories(dir.path() / "uploads-dead");
    write(dir.path() / "uploads-dead" / "half", "x");
    const auto living = FileFolder::open(dir.path());
    REQUIRE(living);
    CHECK_FALSE(fs::exists(dir.path() / "uploads-dead"));
    const auto upload = living->new_upload();
    write(upload, "x");
    const auto other = FileFolder::open(dir.path());
    REQUIRE(other);
    CHECK(fs::exists(upload));
}

TEST_CASE("the destructor of a folder leaves no uploads") {
    const test::TempDir dir;
    {
        const auto folder = FileFolder::open(dir.path());
        write(folder->new_upload(), "x");
    }
    CHECK(fs::is_empty(dir.path()));
}

TEST_CASE("files without a row are removed, but not before the row can be there") {
    const test::TempDir dir;
    const auto folder = FileFolder::open(dir.path());
    REQUIRE(folder);
    for (const char* name : {"known", "unknown", "young"}) {
        write(folder->path_of(name), "x");
        if (name != "young"s) make_old(folder->path_of(name));
    }
    const auto removed =
        folder->remove_unknown([](const std::string& id) -> Result<bool> { return id == "known"; });
    REQUIRE(removed);
    CHECK(*removed == 1);
    CHECK(fs::exists(folder->path_of("known")));
    CHECK(fs::exists(folder->path_of("young")));
    CHECK_FALSE(fs::exists(folder->path_of("unknown")));
    const auto failed = folder->remove_unknown([](const std::string&) -> Result<bool> {
        return fail(ErrorCode::Unavailable, "no database");
    });
    CHECK(failed.error().code == ErrorCode::Unavailable);
}

TEST_CASE("a folder that cannot be made is Unavailable") {
    const test::TempDir dir;
    write(dir.path() / "file", "x");
    const auto folder = FileFolder::open(dir.path() / "file" / "files");
    REQUIRE_FALSE(folder);
    CHECK(folder.error().code == ErrorCode::Unavailable);
}
