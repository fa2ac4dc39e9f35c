#include "core/control/framing.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using a2h::control::LineSplitter;
using a2h::control::raw_member;

namespace {

/// Lines as text; "<too long>" for a dropped one.
std::vector<std::string> lines_of(LineSplitter& splitter) {
    std::vector<std::string> lines;
    while (auto line = splitter.next()) {
        lines.push_back(line->too_long ? "<too long>" : line->text);
    }
    return lines;
}

std::vector<std::string> split(const std::vector<std::string>& chunks, std::size_t line_bytes_max) {
    LineSplitter splitter(line_bytes_max);
    std::vector<std::string> lines;
    for (const std::string& chunk : chunks) {
        splitter.append(chunk);
        for (std::string& line : lines_of(splitter))
            lines.push_back(std::move(line));
    }
    return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("lines come out whole however the bytes were cut") {
    CHECK(split({"a", "b\nc", "\n"}, 10) == Lines{"ab", "c"});
    CHECK(split({"a\nb\nc\n"}, 10) == Lines{"a", "b", "c"});
    CHECK(split({"no end"}, 10) == Lines{});
}

TEST_CASE("CR LF ends a line too and empty lines are left out") {
    CHECK(split({"a\r\n\r\n\n\nb\n"}, 10) == Lines{"a", "b"});
    CHECK(split({"a\r", "\nb\n"}, 10) == Lines{"a", "b"});
}

TEST_CASE("a line of exactly the limit passes and one byte more does not") {
    CHECK(split({"12345\n"}, 5) == Lines{"12345"});
    CHECK(split({"123456\nok\n"}, 5) == Lines{"<too long>", "ok"});
}

TEST_CASE("an endless line is reported once, before its end, and dropped up to its line feed") {
    CHECK(split({"123456"}, 5) == Lines{"<too long>"});
    CHECK(split({"123456", "7890", "1\nok\n"}, 5) == Lines{"<too long>", "ok"});
    CHECK(split({"123456", "\n", "ok\n"}, 5) == Lines{"<too long>", "ok"});
}

TEST_CASE("any cutting of any bytes gives the lines of the uncut text") {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::string text;
        for (int i = 0; i < 200; ++i)
            text += "ab\n\r"[random() % 4];
        std::vector<std::string> chunks;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t size = 1 + random() % 17;
            chunks.push_back(text.substr(at, size));
            at += size;
        }
        CHECK(split(chunks, 4) == split({text}, 4));
    }
}

TEST_CASE("a member's text keeps all digits, quotes and escapes") {
    CHECK(raw_member(R"({"id":9007199254740993})", "id") == "9007199254740993");
    CHECK(raw_member(R"({ "id" : "a\"}b" , "x":1 })", "id") == R"("a\"}b")");
    CHECK(raw_member(R"({"a":{"id":1},"b":[{"id":2}],"id":3})", "id") == "3");
    CHECK(raw_member(R"({"a":"\"id\":4","id":null})", "id") == "null");
    CHECK(raw_member(R"({"result":{"a":[1,{"b":"}"}]}})", "result") == R"({"a":[1,{"b":"}"}]})");
}

TEST_CASE("a member is found however its name is written") {
    CHECK(raw_member(R"({"a":1,"\u0069d":9})", "id") == "9");
    CHECK(raw_member(R"({"r\u0065sult":[1]})", "result") == "[1]");
    CHECK(raw_member(R"({"a\/b\n\"":9})", "a/b\n\"") == "9");
    CHECK(raw_member("{\"\xc3\xa9\":9}", "\xc3\xa9") == "9");
    for (const char* other :
         {R"({"\u0069":9})", R"({"\u0069dx":9})", R"({"\u00e9d":9})", R"({"\u006":9})",
          R"({"\i\d":9})", R"({"\\u0069d":9})", R"({"":9})"}) {
        CAPTURE(other);
        CHECK(!raw_member(other, "id"));
    }
}

TEST_CASE("there is no member where there is no object or no such key") {
    CHECK(!raw_member(R"({"a":1})", "id"));
    CHECK(!raw_member("{}", "id"));
    CHECK(!raw_member(R"(["id",1])", "id"));
    CHECK(!raw_member("", "id"));
}

TEST_CASE("looking for a member in broken text ends without one") {
    const std::string whole = R"({"x":{"y":["\\",1]},"z":"\"","id":12})";
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK(!raw_member(whole.substr(0, size), "missing"));
    }
    for (const char* text : {"{\"id\"", "{\"id\":", "{:}", "{\"id\" 1}", "{\"a\":1 \"id\":2}",
                             "{\"a\\", "{\"a\\\"", "}}}}", "{\"a\":]"}) {
        CAPTURE(text);
        CHECK(raw_member(text, "id").value_or("") == "");
    }
}
