#include <doctest/doctest.h>

#include <cstdlib>

#include "cli/terminal.h"

using namespace a2h;

TEST_CASE("Chinese characters take two columns, combining marks none") {
    CHECK(cli::display_width("abc") == 3);
    CHECK(cli::display_width("个人写真") == 8);
    CHECK(cli::display_width("e\xcc\x81") == 1);
    CHECK(cli::display_width("\xff\xfe") == 2);
}

TEST_CASE("a text is cut by columns, never inside a character") {
    CHECK(cli::fit("abcdef", 6) == "abcdef");
    CHECK(cli::fit("abcdef", 4) == "abc…");
    CHECK(cli::fit("个人写真", 6) == "个人…");
    CHECK(cli::display_width(cli::fit("个人写真", 6)) <= 6);
}

TEST_CASE("columns stay straight with double-width text") {
    const std::string text =
        cli::table({"名称", "text"}, {{"a", "one"}, {"写真", "two"}, {"four", "three"}}, 80);
    CHECK(text == "名称  text\na     one\n写真  two\nfour  three\n");
    CHECK(cli::table({"a"}, {}, 80).empty());
}

TEST_CASE("a table keeps to 80 columns and to one line a row") {
    const std::string row = cli::table({"id", "text"}, {{"1", std::string(200, 'x') + "\n字"}}, 80);
    const std::string line = row.substr(row.find('\n') + 1);
    CHECK(cli::display_width(line.substr(0, line.size() - 1)) == 80);
    CHECK(line.find('\n') == line.size() - 1);
}

TEST_CASE("a peer's escape codes do not reach the terminal") {
    const std::string text = cli::table({"a", "b"}, {{"x", "\x1b[2Jgone\x07\r"}}, 80);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\r') == std::string::npos);
}

TEST_CASE("text wraps at spaces and between wide characters") {
    CHECK(cli::wrap("one two three four five six", 24, 2) == "  one two three four\n  five six\n");
    CHECK(cli::wrap("个人写真拍摄一小时十张精修", 24, 4) ==
          "    个人写真拍摄一小时十\n    张精修\n");
    CHECK(cli::wrap("a\n\nb", 80, 1) == " a\n \n b\n");
    CHECK(cli::wrap("", 80, 2).empty());
    CHECK(cli::wrap("    They: one two three four You: no\nYou: yes", 34, 2, 4) ==
          "      They: one two three four\n          You: no\n  You: yes\n");
    CHECK(cli::wrap("    They: " + std::string(50, 'x'), 34, 2, 4) ==
          "      They:\n          " + std::string(24, 'x') + "\n          " + std::string(24, 'x') +
              "\n          xx\n");
}

TEST_CASE("nothing that is no terminal gets colours") {
    std::FILE* file = std::tmpfile();
    REQUIRE(file != nullptr);
    CHECK(cli::colours_for(file).bold.empty());
    std::fclose(file);
}
