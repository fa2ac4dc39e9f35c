#include "core/base/text.h"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("well-formed UTF-8 is recognised") {
    CHECK(a2h::is_utf8(""));
    CHECK(a2h::is_utf8("plain"));
    CHECK(a2h::is_utf8("\xe4\xbd\xa0\xe5\xa5\xbd"));
    CHECK(a2h::is_utf8("\xf0\x9f\x91\x8d"));
}

TEST_CASE("overlong forms, surrogates, stray and missing bytes are not UTF-8") {
    for (const char* text : {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80",
                             "\xe4\xbd", "\xf8\x88\x80\x80\x80", "\xff"}) {
        CAPTURE(text);
        CHECK(!a2h::is_utf8(text));
    }
}

TEST_CASE("R4: a preview folds white space and counts code points") {
    CHECK(a2h::preview("  a\n\t b  ") == "a b");
    std::string chinese;
    for (int i = 0; i < 150; ++i)
        chinese += "\xe5\xa5\xbd";
    const std::string cut = a2h::preview(chinese);
    CHECK(a2h::code_point_count(cut) == 100);
    CHECK(cut.ends_with("…"));
    CHECK(a2h::preview(std::string(100, 'x')) == std::string(100, 'x'));
}

TEST_CASE("characters beyond the basic plane take two UTF-16 units") {
    CHECK(a2h::utf16_count("") == 0);
    CHECK(a2h::utf16_count("aé好") == 3);
    CHECK(a2h::utf16_count("🎻a") == 3);
}

TEST_CASE("trim removes ASCII and ideographic space at both ends") {
    CHECK(a2h::trim(" \xe3\x80\x80 ok \xe3\x80\x80\n") == "ok");
    CHECK(a2h::trim(" \t ") == "");
}

TEST_CASE("digits are understood as people type them") {
    CHECK(a2h::plain_digits("012345") == "012345");
    CHECK(a2h::plain_digits(" 123 456\t") == "123456");
    CHECK(a2h::plain_digits("０１２３４５") == "012345");
    CHECK(a2h::plain_digits("\xe3\x80\x80６７\xc2\xa0 ８９9") == "67899");
    // Only digits change, and nothing is lost that makes a wrong code wrong.
    CHECK(a2h::plain_digits("12a４５：") == "12a45：");
    CHECK(a2h::plain_digits("１\xef\xbc\xff") == "1\xef\xbc\xff");
    CHECK(a2h::plain_digits(" \xe3\x80\x80") == "");
}

TEST_CASE("edit distance counts single changes") {
    CHECK(a2h::edit_distance("", "abc") == 3);
    CHECK(a2h::edit_distance("kitten", "sitting") == 3);
    CHECK(a2h::edit_distance("same", "same") == 0);
}

TEST_CASE("printable text shows by its code what could repaint a terminal or turn the direction") {
    CHECK(a2h::printable("a\x1b[2Jb\r\nc\td") == "a[U+001B][2Jb\nc d");
    CHECK(a2h::printable("pay 9000\rpay 3\r") == "pay 9000[U+000D]pay 3[U+000D]");
    CHECK(a2h::printable("pay \xe2\x80\xae"
                         "003") == "pay [U+202E]003");
    CHECK(a2h::printable("\xc2\x9b"
                         "31m\xe2\x81\xa6x\xef\xbb\xbf") == "[U+009B]31m[U+2066]x[U+FEFF]");
    CHECK(a2h::printable("\xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x91\x8d") ==
          "\xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x91\x8d");
    CHECK(a2h::printable("x\xff\xe4y") == "x??y");
}
