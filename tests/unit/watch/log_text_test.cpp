#include "cli/log_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using namespace a2h::cli;
using nlohmann::json;

namespace {

json line(const std::string& text, const std::string& level = "warning") {
    return {{"number", 1}, {"at", "2026-11-22T08:53:20Z"}, {"level", level}, {"text", text}};
}

std::string on_screen(const json& object, i18n::Language language = i18n::Language::English,
                      std::size_t columns = 0, const Colours& colours = {}) {
    Invocation invocation;
    invocation.language = language;
    return shown(read_log_line(invocation, object), colours, columns);
}

}  // namespace

TEST_CASE("a line of the log is its local time, its level and its words") {
    const std::string text = on_screen(line("It failed agent=ag_1"));
    CHECK(text.substr(19) == " warning It failed agent=ag_1");
    CHECK(text.substr(14, 5) == "53:20");
    CHECK(on_screen(line("x", "info")).substr(19) == " info    x");
    CHECK(on_screen(line("x"), i18n::Language::Chinese).substr(19) == " 警告    x");
}

TEST_CASE("values in a log can neither control the terminal nor begin another line") {
    const std::string text = on_screen(line("a\x1b]0;owned\x07\x1b[2J\r\nb\xe2\x80\xae c\x9b"));
    for (const char c : text)
        CHECK(static_cast<unsigned char>(c) >= 0x20);
    CHECK(text.find("\xe2\x80\xae") == std::string::npos);
    CHECK(text.find('\x9b') == std::string::npos);
}

TEST_CASE("a line is cut by what it takes on the screen, and coloured as a whole") {
    CHECK(display_width(on_screen(line("一二三四五六七八九十"), i18n::Language::English, 40)) <=
          40);
    Colours red;
    red.red = "<";
    red.reset = ">";
    const std::string text =
        on_screen(line("long enough to be cut", "error"), i18n::Language::English, 35, red);
    CHECK(text.starts_with("<"));
    CHECK(text.ends_with("…>"));
}

TEST_CASE("members that a newer a2hd leaves out are shown as empty") {
    CHECK(on_screen(json::object()).find("null") == std::string::npos);
}
