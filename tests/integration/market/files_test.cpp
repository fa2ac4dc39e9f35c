// Uploading and reading files, through the real market.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "core/base/ids.h"
#include "tests/integration/market/shared_market.h"
#include "tests/support/market_http.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/http/raw_socket.h"

using namespace a2h;
using nlohmann::json;
using test::Answer;
using test::server;

namespace {

namespace fs = std::filesystem;

const std::string kPng = std::string("\x89PNG\r\n\x1a\n") + std::string(500, 'p');
constexpr std::string_view kSign = "/findu-oss/api/v1/oss_signurl/upload/sign";

json signing(const std::string& name, const std::string& mime, std::size_t size,
             const std::string& type = "chatfile") {
    return {{"upload_type", type},
            {"upload_subtype", "document"},
            {"file_name", name},
            {"file_size", size},
            {"file_type", mime}};
}

std::string upload_url(const platform::Account& account, const json& body) {
    const auto answer = test::call(account, "POST", kSign, body);
    REQUIRE_MESSAGE(answer.status == 200, answer.text);
    return answer.data()["upload_url"];
}

Answer put(const std::string& url, const std::string& content, const std::string& mime) {
    return test::send(
        {.method = "PUT", .url = url, .headers = {{"Content-Type", mime}}, .body = content});
}

std::string without_query(const std::string& url) {
    return url.substr(0, url.find('?'));
}

/// A PUT to `url` byte by byte, with whatever headers a library would not send.
std::string raw_put(const std::string& url, const std::string& headers, const std::string& body) {
    const auto path_begin = url.find('/', std::string("http://").size());
    test::RawConnection connection(server().port());
    connection.send("PUT " + url.substr(path_begin) + " HTTP/1.1\r\nHost: x\r\n" + headers +
                    "\r\n" + body);
    return connection.read_until("\r\n\r\n");
}

/// Regular files anywhere under the market's folder of files.
std::size_t files_on_disk() {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(server().dir() / "files"))
        count += entry.is_regular_file() ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("a file is signed for, uploaded, and read by everybody under the address without query") {
    const auto ann = test::plain_agent(server(), "Ann");
    const auto answer =
        test::call(ann, "POST", kSign, signing("付款码 & QR.PNG", "image/png", kPng.size()));
    REQUIRE(answer.status == 200);
    CHECK(answer.data()["signed_headers"] == json{{"Content-Type", "image/png"}});
    CHECK(answer.data()["object_key"].get<std::string>().starts_with("chatfile/"));
    const std::string url = answer.data()["upload_url"];
    const auto stored = put(url, kPng, "image/png");
    REQUIRE_MESSAGE(stored.status == 200, stored.text);
    CHECK(stored.data()["url"] == without_query(url));

    const auto read = test::send({.url = without_query(url)});
    CHECK(read.status == 200);
    CHECK(read.text == kPng);
    CHECK(read.header("content-type") == "image/png");
    CHECK(read.header("x-content-type-options") == "nosniff");
    CHECK(read.header("content-security-policy").find("sandbox") != std::string::npos);
    CHECK(read.header("content-disposition").starts_with("inline; filename*=UTF-8''%E4%BB%98"));
    const auto head = test::send({.method = "HEAD", .url = without_query(url)});
    CHECK(head.status == 200);
    CHECK(head.header("content-length") == std::to_string(kPng.size()));
    CHECK(head.text.empty());
}

TEST_CASE("texts and archives are only ever saved by a browser") {
    const auto ann = test::plain_agent(server(), "Ann");
    const std::string page = "<html><script>alert(1)</script></html>";
    const auto url = upload_url(ann, signing("a.txt", "text/plain; charset=gbk", page.size()));
    REQUIRE(put(url, page, "text/plain").status == 200);
    const auto read = test::send({.url = without_query(url)});
    CHECK(read.header("content-type") == "text/plain; charset=utf-8");
    CHECK(read.header("content-disposition").starts_with("attachment"));
}

TEST_CASE("an upload address is good once") {
    const auto ann = test::plain_agent(server(), "Ann");
    const auto url = upload_url(ann, signing("a.png", "image/png", kPng.size()));
    REQUIRE(put(url, kPng, "image/png").status == 200);
    const auto again = put(url, kPng, "image/png");
    CHECK(again.status == 409);
    CHECK(test::send({.url = without_query(url)}).text == kPng);
}

TEST_CASE("an upload must be what was signed for: size, kind and content") {
    const auto ann = test::plain_agent(server(), "Ann");
    const auto before = files_on_disk();
    const auto fresh = [&ann] {
        return upload_url(ann, signing("a.png", "image/png", kPng.size()));
    };
    CHECK(put(fresh(), kPng + "x", "image/png").status == 400);
    CHECK(put(fresh(), kPng.substr(1), "image/png").status == 400);
    CHECK(put(fresh(), "", "image/png").status == 400);
    CHECK(put(fresh(), kPng, "text/html").status == 400);
    CHECK(put(fresh(), std::string(kPng.size(), 'x'), "image/png").status == 400);
    CHECK(put(fresh() + "0", kPng, "image/png").status == 401);
    auto bigger = fresh();
    bigger.replace(bigger.find("size="), 5, "size=9");
    CHECK(put(bigger, kPng, "image/png").status == 401);
    CHECK(put(without_query(fresh()), kPng, "image/png").status == 401);
    const auto chunked =
        raw_put(fresh(), "Content-Type: image/png\r\nTransfer-Encoding: chunked\r\n",
                "1\r\nx\r\n0\r\n\r\n");
    CHECK(chunked.find(" 400 ") != std::string::npos);
    CHECK(test::eventually([before] { return files_on_disk() == before; }));
}

TEST_CASE("an upload that is not allowed is refused when its address is asked for") {
    const auto ann = test::plain_agent(server(), "Ann");
    const auto status = [&ann](const json& body) {
        return test::call(ann, "POST", kSign, body).status;
    };
    CHECK(status(signing("a.html", "text/html", 5)) == 400);
    CHECK(status(signing("a.svg", "image/svg+xml", 5)) == 400);
    CHECK(status(signing("a.exe", "application/octet-stream", 5)) == 400);
    CHECK(status(signing("a", "image/png", 5)) == 400);
    CHECK(status(signing("a.png", "image/jpeg", 5)) == 400);
    CHECK(status(signing("a.png", "image/png", 0)) == 400);
    CHECK(status(signing("a.png", "image/png", 50 * 1024 * 1024 + 1)) == 400);
    CHECK(status(signing("a.png", "image/png", 50 * 1024 * 1024)) == 200);
    CHECK(status(signing("a.png", "image/png", 5, "other")) == 400);
    CHECK(status(signing(std::string(252, 'a') + ".png", "image/png", 5)) == 400);
    auto missing = signing("a.png", "image/png", 5);
    missing.erase("file_name");
    CHECK(status(missing) == 400);
    auto wrong_type = signing("a.png", "image/png", 5);
    wrong_type["file_size"] = json::array();
    CHECK(status(wrong_type) == 400);
    CHECK(test::send({.method = "POST", .url = server().url() + std::string(kSign), .body = "{}"})
              .code() == "PLATFORM_90005");
}

TEST_CASE("the names of clients are never paths on disk") {
    const auto ann = test::plain_agent(server(), "Ann");
    const auto url = upload_url(ann, signing("../../../market.png", "image/png", kPng.size()));
    REQUIRE(put(url, kPng, "image/png").status == 200);
    CHECK(without_query(url).find("market.png") == std::string::npos);
    for (const char* path : {"/files/..%2Fmarket.db", "/files/..%2F..%2Fetc%2Fpasswd.txt",
                             "/files/", "/files/%2e%2e", "/files/secret.key", "/files/aa.png"}) {
        CAPTURE(path);
        CHECK(test::send({.url = server().url() + path}).status == 404);
    }
    const std::string none = "/files/" + std::string(32, 'a') + ".png";
    CHECK(test::send({.url = server().url() + none}).code() == "PLATFORM_410");
    auto other = without_query(url);
    other.replace(other.size() - 3, 3, "jpg");
    CHECK(test::send({.url = other}).status == 404);
}

TEST_CASE("an upload that breaks off leaves nothing, and its address is still good") {
    const auto ann = test::plain_agent(server(), "Ann");
    const auto before = files_on_disk();
    const auto url = upload_url(ann, signing("a.png", "image/png", kPng.size()));
    const auto path_begin = url.find('/', std::string("http://").size());
    {
        test::RawConnection connection(server().port());
        connection.send("PUT " + url.substr(path_begin) +
                        " HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: " +
                        std::to_string(kPng.size()) + "\r\n\r\n" + kPng.substr(0, 100));
        REQUIRE(test::eventually([before] { return files_on_disk() == before + 1; }));
    }
    CHECK(test::eventually([before] { return files_on_disk() == before; }));
    CHECK(put(url, kPng, "image/png").status == 200);
}

TEST_CASE("a file of 50 MB goes in and out in pieces") {
    const auto ann = test::plain_agent(server(), "Ann");
    const fs::path file = server().dir() / "big.gz";
    const std::string bytes = "\x1f\x8b\x08" + std::string(50 * 1024 * 1024 - 3, 'z');
    { std::ofstream(file, std::ios::binary) << bytes; }
    const auto url = upload_url(ann, signing("big.gz", "application/gzip", bytes.size()));
    const auto stored = test::send({.method = "PUT",
                                    .url = url,
                                    .headers = {{"Content-Type", "application/gzip"}},
                                    .body_file = file,
                                    .body_file_bytes_max = bytes.size()});
    REQUIRE_MESSAGE(stored.status == 200, stored.text);
    const auto read = test::send({.url = without_query(url), .answer_bytes_max = 60 * 1024 * 1024});
    CHECK(read.text == bytes);
    // The file was never whole in the market's memory.
    std::ifstream status("/proc/" + std::to_string(server().market().pid()) + "/status");
    std::string line;
    while (std::getline(status, line) && !line.starts_with("VmHWM:")) {
    }
    REQUIRE(line.starts_with("VmHWM:"));
    MESSAGE("peak memory of the market: " << line);
    if (test::kSlowdown > 1) return;  // a sanitizer's own memory says nothing about ours
    CHECK(std::stol(line.substr(6)) < 60 * 1024);
}

TEST_CASE("a part of a file is read with Range, also of a large one and with its tag") {
    const auto ann = test::plain_agent(server(), "Ann");
    std::string bytes = "\x1f\x8b\x08";
    for (int i = 0; bytes.size() < 8 * 1024 * 1024; ++i)
        bytes += std::to_string(i) + ",";
    const auto url = upload_url(ann, signing("a.gz", "application/gzip", bytes.size()));
    REQUIRE(put(url, bytes, "application/gzip").status == 200);
    const auto read = [&](const std::string& range, const std::string& condition = "") {
        http::ClientRequest request{.url = without_query(url), .headers = {{"Range", range}}};
        if (!condition.empty()) request.headers.emplace_back("If-Range", condition);
        request.answer_bytes_max = 10 * 1024 * 1024;
        return test::send(request);
    };
    const auto part = read("bytes=5000000-5999999");
    CHECK(part.status == 206);
    CHECK(part.text == bytes.substr(5'000'000, 1'000'000));
    CHECK(part.header("content-range") == "bytes 5000000-5999999/" + std::to_string(bytes.size()));
    CHECK(part.header("content-type") == "application/gzip");
    CHECK(part.header("content-security-policy").find("sandbox") != std::string::npos);
    CHECK(read("bytes=-10").text == bytes.substr(bytes.size() - 10));
    CHECK(read("bytes=0-0", part.header("etag")).status == 206);
    CHECK(read("bytes=0-0", "\"other\"").text == bytes);
    CHECK(read("bytes=0-1,5-6").text == bytes);
    const auto beyond = read("bytes=" + std::to_string(bytes.size()) + "-");
    CHECK(beyond.status == 416);
    CHECK(beyond.code() == "416");
    CHECK(beyond.header("content-range") == "bytes */" + std::to_string(bytes.size()));
}

TEST_CASE("a full disk is answered with 507, in the form of all errors, and the market goes on") {
    test::TempDir dir;
    const fs::path full = dir.path() / "disk-is-full";
    ::setenv("A2H_TEST_DISK", full.c_str(), 1);
    ::setenv("LD_PRELOAD", A2H_BAD_DISK_LIBRARY, 1);
    ::setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
    test::Market market(dir.path() / "market");
    for (const char* name : {"A2H_TEST_DISK", "LD_PRELOAD", "ASAN_OPTIONS"})
        ::unsetenv(name);
    const auto ann = test::plain_agent(market, "Ann");
    const auto url = upload_url(ann, signing("a.png", "image/png", kPng.size()));
    std::ofstream(full) << "full";
    const auto refused = put(url, kPng, "image/png");
    CHECK(refused.status == 507);
    CHECK(refused.code() == "507");
    CHECK(refused.body["data"].is_null());
    CHECK(test::call(ann, "GET", "/findu-user/api/v1/user/profile/public").status == 200);
    fs::remove(full);
    CHECK(put(url, kPng, "image/png").status == 200);
    CHECK(test::send({.url = without_query(url)}).text == kPng);
}

TEST_CASE("a body of 10 MB on any other path is refused and the market goes on") {
    const auto ann = test::plain_agent(server(), "Ann");
    auto request = test::plain_request(ann, "POST", kSign, std::string(10 * 1024 * 1024, ' '));
    const auto answer = test::send(request);
    CHECK(answer.status == 413);
    CHECK(answer.code() == "413");
    CHECK(test::call(ann, "GET", "/findu-user/api/v1/user/profile/public").status == 200);
}

TEST_CASE("the rest of an upload to a killed market is removed at the next start") {
    const auto ann = test::plain_agent(server(), "Ann");
    const auto before = files_on_disk();
    const auto url = upload_url(ann, signing("a.png", "image/png", kPng.size()));
    const auto path_begin = url.find('/', std::string("http://").size());
    test::RawConnection connection(server().port());
    connection.send("PUT " + url.substr(path_begin) +
                    " HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: " +
                    std::to_string(kPng.size()) + "\r\n\r\n" + kPng.substr(0, 100));
    REQUIRE(test::eventually([before] { return files_on_disk() == before + 1; }));
    server().kill_market();
    CHECK(files_on_disk() == before + 1);
    server().start_market();
    CHECK(files_on_disk() == before);
    CHECK(put(url, kPng, "image/png").status == 200);
}
