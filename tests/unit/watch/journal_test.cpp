#include "core/systemd/journal.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "tests/support/environment.h"
#include "tests/support/notify_socket.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace std::chrono_literals;
using log::Field;
using log::Level;
using test::NotifySocket;
using test::TempDir;
using test::Variable;

namespace {

/// The fields of a datagram as the protocol's text describes them.
std::map<std::string, std::string> fields_of(std::string_view datagram) {
    std::map<std::string, std::string> fields;
    while (!datagram.empty()) {
        const std::size_t end = datagram.find_first_of("=\n");
        REQUIRE(end != std::string_view::npos);
        const std::string key(datagram.substr(0, end));
        std::size_t size = 0;
        std::size_t at = end + 1;
        if (datagram[end] == '\n') {
            REQUIRE(datagram.size() >= at + 8);
            for (std::size_t i = 0; i < 8; ++i)
                size |= static_cast<std::size_t>(static_cast<unsigned char>(datagram[at + i]))
                        << (8 * i);
            at += 8;
        } else {
            size = datagram.find('\n', at) - at;
        }
        REQUIRE(datagram.size() > at + size);
        REQUIRE(datagram[at + size] == '\n');
        REQUIRE(fields.emplace(key, datagram.substr(at, size)).second);
        datagram.remove_prefix(at + size + 1);
    }
    return fields;
}

std::string name_of_stderr() {
    struct stat stream {};
    REQUIRE(::fstat(STDERR_FILENO, &stream) == 0);
    return std::to_string(stream.st_dev) + ":" + std::to_string(stream.st_ino);
}

}  // namespace

TEST_CASE("an event is fields of the journal, several lines in their binary form") {
    const Field fields[] = {{"agent", "ag_1"}, {"message_id", "m=1"}, {"odd-key", "two\nlines"}};
    const auto read =
        fields_of(systemd::journal_datagram({0, Level::Warning, "It failed", fields}));
    CHECK(read.at("MESSAGE") == "It failed agent=ag_1 message_id=\"m=1\" odd-key=\"two lines\"");
    CHECK(read.at("PRIORITY") == "4");
    CHECK(read.at("SYSLOG_IDENTIFIER") == "a2hd");
    CHECK(read.at("A2H_AGENT") == "ag_1");
    CHECK(read.at("A2H_MESSAGE_ID") == "m=1");
    CHECK(read.at("A2H_ODD_KEY") == "two\nlines");
    CHECK(read.size() == 6);
}

TEST_CASE("a value cannot pass for another field") {
    const Field fields[] = {{"error", "x\nPRIORITY=0\nA2H_AGENT=ag_forged"}};
    const auto read =
        fields_of(systemd::journal_datagram({0, Level::Info, "One\nPRIORITY=0", fields}));
    CHECK(read.at("PRIORITY") == "6");
    CHECK(!read.contains("A2H_AGENT"));
    CHECK(read.at("A2H_ERROR") == "x\nPRIORITY=0\nA2H_AGENT=ag_forged");
}

TEST_CASE("the journal gets a datagram an event, also after it was started anew") {
    const TempDir dir;
    const std::string path = (dir.path() / "socket").string();
    systemd::Journal journal(path);
    CHECK_FALSE(journal.take({0, Level::Info, "nobody there", {}}));
    for (int i = 0; i < 2; ++i) {
        NotifySocket stand_in(path);
        CHECK(journal.take({0, Level::Info, "hello", {}}));
        const auto datagram = stand_in.next(5s);
        REQUIRE(datagram);
        CHECK(fields_of(*datagram).at("MESSAGE") == "hello");
        ::unlink(path.c_str());
    }
    CHECK_FALSE(journal.take({0, Level::Info, "nobody there", {}}));
}

TEST_CASE("a journal whose path is no socket's takes nothing") {
    systemd::Journal journal(std::string(200, 'x'));
    CHECK_FALSE(journal.take({0, Level::Info, "hello", {}}));
}

TEST_CASE("the journal is written to when stderr leads there, and only then") {
    const TempDir dir;
    const std::string path = (dir.path() / "socket").string();
    NotifySocket stand_in(path);
    const Variable socket("A2H_JOURNAL_SOCKET", path);
    for (const char* elsewhere : {"", "1:2"}) {
        const Variable stream("JOURNAL_STREAM", elsewhere);
        CHECK(systemd::journal_of_stderr() == nullptr);
    }
    const Variable stream("JOURNAL_STREAM", name_of_stderr());
    const auto journal = systemd::journal_of_stderr();
    REQUIRE(journal != nullptr);
    CHECK(journal->take({0, Level::Error, "told", {}}));
    CHECK(fields_of(stand_in.next(5s).value_or("")).at("MESSAGE") == "told");
}
