#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/wire/object_text.h"

using a2h::wire::ObjectText;
using nlohmann::json;

TEST_CASE("an object without members is one, too") {
    CHECK(ObjectText().take() == "{}");
}

TEST_CASE("members stand in the order in which they were given") {
    CHECK(ObjectText().text("b", "x").number("a", -7).raw("c", "[1]").take() ==
          R"({"b":"x","a":-7,"c":[1]})");
}

TEST_CASE("a text comes back as it was, whatever it holds") {
    std::string text = "上门 \"quoted\" \\ / \x7f";
    for (char c = 1; c < 0x20; ++c)
        text += c;
    CHECK(json::parse(ObjectText().text("text", text).take())["text"] == text);
}

TEST_CASE("the smallest and the largest number are exact") {
    const json read =
        json::parse(ObjectText().number("least", INT64_MIN).number("most", INT64_MAX).take());
    CHECK(read["least"] == INT64_MIN);
    CHECK(read["most"] == INT64_MAX);
}
