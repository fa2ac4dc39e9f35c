// Bodies that go to a file and answers that come from one.

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <sstream>

#include "core/http/byte_range.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/http/raw_socket.h"

using namespace a2h;
using http::Request;
using http::Response;
using http::Server;
using test::RawConnection;

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::size_t files_in(const fs::path& dir) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(dir), fs::directory_iterator()));
}

/// PUT /keep is kept as "kept", PUT /leave left where it is, PUT /refuse refused by the header;
/// GET sends a file of the folder.
struct FileServer {
    test::TempDir dir;
    std::atomic<int> handled = 0;
    std::unique_ptr<Server> server;

    explicit FileServer(Server::Options options = {}) {
        fs::create_directory(dir.path() / "in");
        auto started = Server::start(
            options, [this](const Request& request) { return handle(request); },
            [this](const Request& request) { return choose(request); });
        REQUIRE(started);
        server = std::move(*started);
    }

    Response handle(const Request& request) {
        ++handled;
        if (request.path == "/keep") fs::rename(request.body_file, dir.path() / "kept");
        if (request.method == "PUT") {
            return {200, {}, request.body_file.empty() ? "memory " + request.body : "file"};
        }
        return {200,
                {{"Content-Type", "text/x"}, {"ETag", "\"1\""}},
                "",
                dir.path() / request.path.substr(1)};
    }

    Server::BodyChoice choose(const Request& request) const {
        if (request.path == "/memory") return {};
        if (request.path == "/throw") throw std::runtime_error("no");
        if (request.path == "/refuse") {
            return Response{403, {}, std::string(request.header("x-why"))};
        }
        const auto name = request.path == "/nowhere" ? "no/such/folder" : "in/upload";
        return Server::BodyFile{dir.path() / name, 1'000'000};
    }

    std::string ask(std::string_view request) const {
        RawConnection connection(server->port());
        connection.send(request);
        return connection.read_all();
    }
    std::size_t leftovers() const { return files_in(dir.path() / "in"); }
    bool nothing_left() const {
        return test::eventually([this] { return leftovers() == 0; });
    }
};

std::string put(std::string_view path, std::string_view body, std::string_view headers = "") {
    return "PUT " + std::string(path) +
           " HTTP/1.1\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n" + std::string(headers) + "\r\n" + std::string(body);
}

Server::Options impatient() {
    Server::Options options;
    options.idle_timeout = std::chrono::seconds(1);
    return options;
}

std::string file_status(const std::string& answer) {
    return answer.size() < 12 ? std::string() : answer.substr(9, 3);
}

}  // namespace

TEST_CASE("a body goes to the chosen file and the handler keeps it by moving it") {
    FileServer files;
    const std::string bytes(999'000, 'b');
    CHECK(file_status(files.ask(put("/keep", bytes))) == "200");
    CHECK(read(files.dir.path() / "kept") == bytes);
    CHECK(files.leftovers() == 0);
}

TEST_CASE("a chunked body goes to the file without its chunk marks") {
    FileServer files;
    files.ask(
        "PUT /keep HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
    CHECK(read(files.dir.path() / "kept") == "abcde");
}

TEST_CASE("a file that the handler left where it was is removed") {
    FileServer files;
    CHECK(files.ask(put("/leave", "abc")).ends_with("file"));
    CHECK(files.leftovers() == 0);
}

TEST_CASE("without a choice the body stays in memory, and one connection may do both") {
    FileServer files;
    RawConnection connection(files.server->port());
    connection.send("PUT /memory HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi");
    CHECK(connection.read_until("memory hi").ends_with("memory hi"));
    connection.send("PUT /keep HTTP/1.1\r\nContent-Length: 2\r\n\r\nho");
    CHECK(connection.read_until("file").ends_with("file"));
    CHECK(read(files.dir.path() / "kept") == "ho");
}

TEST_CASE("a refusal by the header is answered without reading the body") {
    FileServer files;
    RawConnection connection(files.server->port());
    connection.send(
        "PUT /refuse HTTP/1.1\r\nContent-Length: 900000\r\nX-Why: because\r\n"
        "Expect: 100-continue\r\n\r\n");
    const auto answer = connection.read_all();
    CHECK(file_status(answer) == "403");
    CHECK(answer.ends_with("because"));
    CHECK(files.handled == 0);
}

TEST_CASE("a choice that throws and a folder that is not there are answered with 500") {
    FileServer files;
    CHECK(file_status(files.ask(put("/throw", "abc"))) == "500");
    CHECK(file_status(files.ask(put("/nowhere", "abc"))) == "500");
    CHECK(files.handled == 0);
}

TEST_CASE("a request without a body is not asked where it goes") {
    FileServer files;
    CHECK(files.ask(put("/leave", "")).ends_with("memory "));
}

TEST_CASE("a file over the limit gets 413, announced or chunked, and nothing is left") {
    FileServer files;
    CHECK(file_status(files.ask("PUT /keep HTTP/1.1\r\nContent-Length: 1000001\r\n\r\n")) == "413");
    const std::string chunk = "f4241\r\n" + std::string(1'000'001, 'x') + "\r\n0\r\n\r\n";
    CHECK(file_status(files.ask("PUT /keep HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" +
                                chunk)) == "413");
    CHECK(files.nothing_left());
    CHECK(files.handled == 0);
}

TEST_CASE("an upload that breaks off or stands still leaves no file") {
    FileServer files(impatient());
    {
        RawConnection connection(files.server->port());
        connection.send("PUT /keep HTTP/1.1\r\nContent-Length: 100\r\n\r\nhalf");
        REQUIRE(test::eventually([&files] { return files.leftovers() == 1; }));
    }
    CHECK(files.nothing_left());
    CHECK(files.ask("PUT /keep HTTP/1.1\r\nContent-Length: 100\r\n\r\nhalf").empty());
    CHECK(files.nothing_left());
    CHECK(files.handled == 0);
}

TEST_CASE("an upload that trickles is cut when the whole took too long") {
    FileServer files(impatient());
    RawConnection connection(files.server->port());
    connection.send("PUT /keep HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n");
    CHECK(test::eventually([&] { return !connection.send("x"); }, std::chrono::seconds(5)));
    CHECK(files.nothing_left());
}

TEST_CASE("stopping the server during an upload leaves no file") {
    FileServer files;
    RawConnection connection(files.server->port());
    connection.send("PUT /keep HTTP/1.1\r\nContent-Length: 100\r\n\r\nhalf");
    REQUIRE(test::eventually([&files] { return files.leftovers() == 1; }));
    files.server.reset();
    CHECK(files.leftovers() == 0);
}

TEST_CASE("a disk that takes no more is answered and the file removed") {
    FileServer files;
    // A limit on file sizes fails a write as a full disk does, with EFBIG for ENOSPC.
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{100'000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto answer = files.ask(put("/keep", std::string(900'000, 'x')));
    ::setrlimit(RLIMIT_FSIZE, &before);
    CHECK(file_status(answer) == "500");
    CHECK(files.nothing_left());
    CHECK(files.handled == 0);
}

TEST_CASE("a file is the answer, with its length, and only the length to HEAD") {
    FileServer files;
    const std::string bytes(2'000'000, 'a');
    std::ofstream(files.dir.path() / "big") << bytes;
    const auto answer = files.ask("GET /big HTTP/1.1\r\nConnection: close\r\n\r\n");
    CHECK(answer.find("Content-Length: 2000000\r\n") != std::string::npos);
    CHECK(answer.find("Content-Type: text/x\r\n") != std::string::npos);
    CHECK(answer.ends_with("\r\n\r\n" + bytes));
    const auto head = files.ask("HEAD /big HTTP/1.1\r\nConnection: close\r\n\r\n");
    CHECK(head.find("Content-Length: 2000000\r\n") != std::string::npos);
    CHECK(head.ends_with("\r\n\r\n"));
}

TEST_CASE("files and texts follow each other on one connection") {
    FileServer files;
    std::ofstream(files.dir.path() / "small") << "12345";
    std::ofstream(files.dir.path() / "empty");
    const auto answer = files.ask(
        "GET /small HTTP/1.1\r\n\r\n"
        "HEAD /small HTTP/1.1\r\n\r\n"
        "GET /empty HTTP/1.1\r\n\r\n"
        "PUT /memory HTTP/1.1\r\nConnection: close\r\n"
        "Content-Length: 3\r\n\r\nend");
    CHECK(answer.find("\r\n\r\n12345HTTP/1.1 200") != std::string::npos);
    CHECK(answer.find("Content-Length: 0\r\n") != std::string::npos);
    CHECK(answer.ends_with("memory end"));
}

TEST_CASE("an answer whose file is gone is 404 and one that cannot be read 500") {
    FileServer files;
    CHECK(file_status(files.ask("GET /gone HTTP/1.1\r\nConnection: close\r\n\r\n")) == "404");
    std::ofstream(files.dir.path() / "file");
    CHECK(file_status(files.ask("GET /file/x HTTP/1.1\r\nConnection: close\r\n\r\n")) == "500");
}

TEST_CASE("a client that does not take its file is cut") {
    FileServer files(impatient());
    std::ofstream(files.dir.path() / "big") << std::string(40'000'000, 'a');
    RawConnection connection(files.server->port());
    connection.send("GET /big HTTP/1.1\r\nConnection: close\r\n\r\n");
    std::atomic<bool> stopped = false;
    REQUIRE(connection.read_until("\r\n\r\n").find("40000000") != std::string::npos);
    const auto begun = std::chrono::steady_clock::now();
    CHECK(test::eventually(
        [&begun] {
            return std::chrono::steady_clock::now() - begun > std::chrono::milliseconds(2500);
        },
        std::chrono::seconds(4)));
    CHECK(connection.read_all().size() < 40'000'000);
}

TEST_CASE("a range of bytes is read from its field, and what is no single range is ignored") {
    const auto read = [](std::string_view field, std::uint64_t size = 100) -> std::string {
        const auto range = http::read_range(field, size);
        return range ? std::to_string(range->first) + "+" + std::to_string(range->count) : "all";
    };
    const std::pair<std::string_view, std::string_view> kTable[] = {
        {"bytes=0-0", "0+1"},
        {"bytes=0-", "0+100"},
        {"bytes=10-19", "10+10"},
        {"BYTES=10-19", "10+10"},
        {"bytes=99-", "99+1"},
        {"bytes=90-1000", "90+10"},
        {"bytes=90-99999999999999999999999", "90+10"},
        {"bytes=-1", "99+1"},
        {"bytes=-100", "0+100"},
        {"bytes=-1000", "0+100"},
        {"bytes=-0", "100+0"},
        {"bytes=100-", "0+0"},
        {"bytes=99999999999999999999999-", "0+0"},
        {"", "all"},
        {"bytes=", "all"},
        {"bytes=-", "all"},
        {"bytes=5", "all"},
        {"bytes=9-5", "all"},
        {"bytes=a-b", "all"},
        {"bytes=1-2,4-5", "all"},
        {"bytes=+1-2", "all"},
        {"bytes= 1-2", "all"},
        {"bytes=1--2", "all"},
        {"items=1-2", "all"},
    };
    for (const auto& [field, wanted] : kTable) {
        CAPTURE(field);
        CHECK(read(field) == wanted);
    }
    CHECK(read("bytes=0-0", 0) == "0+0");
    CHECK(read("bytes=-5", 0) == "0+0");
}

TEST_CASE("a requested range of a file is sent with 206") {
    FileServer files;
    std::string bytes;
    for (int i = 0; bytes.size() < 300'000; ++i)
        bytes += std::to_string(i) + " ";
    std::ofstream(files.dir.path() / "file") << bytes;
    const std::string size = std::to_string(bytes.size());
    const auto ask = [&files](const std::string& fields, const std::string& method = "GET") {
        return files.ask(method + " /file HTTP/1.1\r\nConnection: close\r\n" + fields + "\r\n");
    };
    const auto part = ask("Range: bytes=100000-249999\r\n");
    CHECK(file_status(part) == "206");
    CHECK(part.find("Content-Range: bytes 100000-249999/" + size + "\r\n") != std::string::npos);
    CHECK(part.find("Content-Length: 150000\r\n") != std::string::npos);
    CHECK(part.ends_with("\r\n\r\n" + bytes.substr(100'000, 150'000)));
    CHECK(ask("Range: bytes=-7\r\n").ends_with("\r\n\r\n" + bytes.substr(bytes.size() - 7)));
    CHECK(file_status(ask("Range: bytes=1-2,5-6\r\n")) == "200");
    CHECK(file_status(ask("Range: bytes=1-2\r\nIf-Range: \"1\"\r\n")) == "206");
    CHECK(file_status(ask("Range: bytes=1-2\r\nIf-Range: \"2\"\r\n")) == "200");
    CHECK(file_status(ask("Range: bytes=1-2\r\nIf-Range: W/\"1\"\r\n")) == "200");
    const auto head = ask("Range: bytes=1-2\r\n", "HEAD");
    CHECK(file_status(head) == "200");
    CHECK(head.find("Accept-Ranges: bytes\r\n") != std::string::npos);
    const auto beyond = ask("Range: bytes=" + size + "-\r\n");
    CHECK(file_status(beyond) == "416");
    CHECK(beyond.find("Content-Range: bytes */" + size + "\r\n") != std::string::npos);
}

TEST_CASE("a file that became shorter while it was sent ends the connection, not the server") {
    FileServer files;
    const fs::path file = files.dir.path() / "file";
    std::ofstream(file) << std::string(20'000'000, 'a');
    RawConnection connection(files.server->port());
    connection.send("GET /file HTTP/1.1\r\n\r\n");
    REQUIRE(connection.read_until("aaaa").find("20000000") != std::string::npos);
    fs::resize_file(file, 10);
    CHECK(connection.read_all().size() < 20'000'000);
    CHECK(file_status(files.ask("GET /file HTTP/1.1\r\nConnection: close\r\n\r\n")) == "200");
}

TEST_CASE("the server's own refusals have the form that its owner sets") {
    Server::Options options;
    options.header_bytes_max = 2000;
    options.refusal = [](const Request& request, int status, std::string_view sentence) {
        return Response{status, {}, "{" + request.path + " " + std::string(sentence) + "}"};
    };
    FileServer files(options);
    const auto body_of = [&files](std::string_view request) {
        const auto answer = files.ask(request);
        return file_status(answer) + answer.substr(answer.find("\r\n\r\n") + 4);
    };
    CHECK(body_of("PUT /memory HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n") ==
          "413{/memory the body is too large}");
    CHECK(body_of("PUT /keep HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n") ==
          "413{/keep the body is too large}");
    CHECK(body_of(put("/throw", "abc")) == "500{/throw internal error}");
    CHECK(body_of(put("/nowhere", "abc")) == "500{/nowhere internal error}");
    CHECK(body_of("GET /gone HTTP/1.1\r\nConnection: close\r\n\r\n") ==
          "404{/gone there is no such file}");
    CHECK(body_of("GET x HTTP/1.1\r\n\r\n") == "400{ the request target is malformed}");
    CHECK(body_of("nonsense\r\n\r\n") == "400{ the request is malformed}");
    CHECK(body_of("GET / HTTP/1.1\r\nX: " + std::string(3000, 'x') + "\r\n\r\n") ==
          "431{ the header is too large}");
}
