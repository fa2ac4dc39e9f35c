#include <doctest/doctest.h>

#include <bit>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/json_text.h"

using a2h::ErrorCode;
using a2h::wire::canonical_json;
using a2h::wire::go_forms;
using a2h::wire::is_beyond_limits;
using a2h::wire::number_text;
using a2h::wire::parse_json;
using nlohmann::json;

namespace {

std::string canonical(std::string_view text) {
    return canonical_json(parse_json(text).value());
}
std::string canonical_go(std::string_view text) {
    const json value = parse_json(text).value();
    const std::string form = canonical_json(value);
    const auto forms = go_forms(value, form);
    return forms.empty() ? form : forms.front();
}

std::string nested(int depth) {
    const auto count = static_cast<std::size_t>(depth);
    return std::string(count, '[') + std::string(count, ']');
}

}  // namespace

TEST_CASE("well-formed JSON of every kind is read") {
    const json value =
        parse_json(R"({"a":[1,-2,3.5,true,false,null,"x"],"b":{"c":{}},"d":[]})").value();
    CHECK(value.at("a").size() == 7);
    CHECK(value.at("a").at(1) == -2);
    CHECK(value.at("a").at(2) == 3.5);
    CHECK(value.at("b").at("c").empty());
    CHECK(value.dump() == R"({"a":[1,-2,3.5,true,false,null,"x"],"b":{"c":{}},"d":[]})");
    CHECK(parse_json("\"\\u0000\\ud83d\\ude00\"").value() == std::string("\0\xf0\x9f\x98\x80", 5));
    CHECK(parse_json(" 7 \n").value() == 7);
}

TEST_CASE("text that is not JSON is refused") {
    for (const char* text :
         {"",      " ",        "{",       "}",       "[1,]",        "{\"a\":}",    "{\"a\" 1}",
          "{a:1}", "'a'",      "01",      "+1",      ".5",          "1.",          "nul",
          "NaN",   "Infinity", "[1] [2]", "\"\\x\"", "\"\\ud800\"", "\"\\udc00\"", "\"a\nb\"",
          "{}//",  "1e400",    "-1e400",  "[",       "{\"a\":[}]",  "\"abc"}) {
        CAPTURE(text);
        const auto result = parse_json(text);
        REQUIRE(!result);
        CHECK(result.error().code == ErrorCode::InvalidArgument);
        CHECK(result.error().message.starts_with("not JSON"));
    }
}

TEST_CASE("a NUL does not end the text early and a byte order mark is no JSON") {
    CHECK(!parse_json(std::string_view("{}\0{", 4)));
    CHECK(!parse_json(std::string_view("\"a\0b\"", 5)));
    CHECK(!parse_json("\xef\xbb\xbf{}"));
}

TEST_CASE("a name that appears twice in one object is refused, at any depth") {
    CHECK(!parse_json(R"({"a":1,"a":1})"));
    CHECK(!parse_json(R"({"x":[{"a":1,"b":{},"a":2}]})"));
    CHECK(!parse_json(R"({"a":1,"\u0061":2})"));
    CHECK(parse_json(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})"));
}

TEST_CASE("broken UTF-8 is refused as such, also outside strings") {
    for (const char* text :
         {"\"\xff\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "{\"\xe4\xbd\":1}", "\xff", "{}\x80"}) {
        const auto result = parse_json(text);
        REQUIRE(!result);
        CHECK(result.error().message == "not UTF-8");
    }
}

TEST_CASE("a refusal by a limit is told apart from text that is no JSON") {
    const std::string deep = std::string(33, '[') + std::string(33, ']');
    for (const std::string& text : {deep, "\"" + std::string(64 * 1024, 'x') + "\"",
                                    std::string(R"({"a":"\ud83e"})"), std::string("[1e999]")}) {
        CAPTURE(text.substr(0, 40));
        CHECK(is_beyond_limits(parse_json(text).error()));
    }
    for (const char* text : {"", "{", "NaN", "\"\xff\"", R"({"a":1,"a":1})", "{}}", R"("\x")"}) {
        CAPTURE(text);
        CHECK(!is_beyond_limits(parse_json(text).error()));
    }
}

TEST_CASE("size is limited to the byte") {
    const std::string fits = "\"" + std::string(64 * 1024 - 2, 'x') + "\"";
    CHECK(parse_json(fits));
    const auto result = parse_json(fits + " ");
    REQUIRE(!result);
    CHECK(result.error().code == ErrorCode::ResourceExhausted);
    CHECK(result.error().message.starts_with("too large"));
}

TEST_CASE("depth is limited to the level, and brackets in strings do not count") {
    CHECK(parse_json(nested(32)));
    const auto result = parse_json(nested(33));
    REQUIRE(!result);
    CHECK(result.error().code == ErrorCode::ResourceExhausted);
    CHECK(result.error().message.starts_with("too deep"));
    CHECK(parse_json("\"" + std::string(100, '[') + "\""));
    CHECK(parse_json("\"\\\"" + std::string(100, '[') + "\""));
    CHECK(!parse_json(R"({"a":[]})", {.depth_max = 1}));
    CHECK(parse_json(R"({"a":[]})", {.depth_max = 2}));
}

TEST_CASE("a nesting bomb is refused whether or not it is closed") {
    CHECK(parse_json(nested(10000)).error().message.starts_with("too deep"));
    CHECK(parse_json(std::string(60000, '[')).error().message.starts_with("too deep"));
    std::string objects;
    for (int i = 0; i < 10000; ++i)
        objects += "{\"a\":";
    CHECK(parse_json(objects).error().message.starts_with("too deep"));
}

TEST_CASE("RFC 8785: numbers print as in the vectors of appendix B") {
    const std::pair<std::uint64_t, const char*> vectors[] = {
        {0x0000000000000000, "0"},
        {0x8000000000000000, "0"},
        {0x0000000000000001, "5e-324"},
        {0x8000000000000001, "-5e-324"},
        {0x7fefffffffffffff, "1.7976931348623157e+308"},
        {0xffefffffffffffff, "-1.7976931348623157e+308"},
        {0x4340000000000000, "9007199254740992"},
        {0xc340000000000000, "-9007199254740992"},
        {0x4430000000000000, "295147905179352830000"},
        {0x44b52d02c7e14af5, "9.999999999999997e+22"},
        {0x44b52d02c7e14af6, "1e+23"},
        {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
        {0x444b1ae4d6e2ef4e, "999999999999999700000"},
        {0x444b1ae4d6e2ef4f, "999999999999999900000"},
        {0x444b1ae4d6e2ef50, "1e+21"},
        {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
        {0x3eb0c6f7a0b5ed8d, "0.000001"},
        {0x41b3de4355555553, "333333333.3333332"},
        {0x41b3de4355555554, "333333333.33333325"},
        {0x41b3de4355555555, "333333333.3333333"},
        {0x41b3de4355555556, "333333333.3333334"},
        {0x41b3de4355555557, "333333333.33333343"},
        {0xbecbf647612f3696, "-0.0000033333333333333333"},
        {0x43143ff3c1cb0959, "1424953923781206.2"},
    };
    for (const auto& [bits, expected] : vectors) {
        CHECK(canonical_json(json(std::bit_cast<double>(bits))) == expected);
    }
}

TEST_CASE("RFC 8785: the sample object of section 3.2.2") {
    const char* text = R"({
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
    })";
    CHECK(canonical(text) ==
          "{\"literals\":[null,true,false],"
          "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
          "\"string\":\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
}

TEST_CASE("RFC 8785: names sort by UTF-16 code units, as in section 3.2.3") {
    const char* text = R"({"\u20ac":5,"\r":1,"\ufb33":7,"1":2,"\ud83d\ude00":6,"\u0080":3,
                           "\u00f6":4})";
    const json value = parse_json(text).value();
    CHECK(canonical_json(value) ==
          "{\"\\r\":1,\"1\":2,\"\xc2\x80\":3,\"\xc3\xb6\":4,\"\xe2\x82\xac\":5,"
          "\"\xf0\x9f\x98\x80\":6,\"\xef\xac\xb3\":7}");
    CHECK(canonical_go(text) ==
          "{\"\\r\":1,\"1\":2,\"\xc2\x80\":3,\"\xc3\xb6\":4,\"\xe2\x82\xac\":5,"
          "\"\xef\xac\xb3\":7,\"\xf0\x9f\x98\x80\":6}");
}

TEST_CASE("UTF-16 order also holds behind a common beginning and for prefixes") {
    CHECK(canonical(R"({"a\ufb33":2,"a\ud83d\ude00":1,"a":0})") ==
          "{\"a\":0,\"a\xf0\x9f\x98\x80\":1,\"a\xef\xac\xb3\":2}");
    CHECK(canonical(R"({"\ud83d\ude01":2,"\ud83d\ude00":1,"\ud7ff":0,"\ue000":3})") ==
          "{\"\xed\x9f\xbf\":0,\"\xf0\x9f\x98\x80\":1,\"\xf0\x9f\x98\x81\":2,\"\xee\x80\x80\":3}");
}

TEST_CASE("integers past 2^53 become what a JavaScript reader makes of them") {
    CHECK(canonical("9007199254740993") == "9007199254740992");
    CHECK(canonical("-9007199254740993") == "-9007199254740992");
    CHECK(canonical("18446744073709551615") == "18446744073709552000");
    CHECK(canonical("9007199254740991") == "9007199254740991");
    CHECK(canonical("[-0,-0.0,1.0,100000000000000000000000]") == "[0,0,1,1e+23]");
}

TEST_CASE("canonical text does not change when it is read and printed again") {
    const std::string once =
        canonical(R"({"z":[{"b":1e-7,"a":0.1}],"\ufffd":"\u2028\u007f<>&","\t":{"":[]}})");
    CHECK(canonical(once) == once);
    CHECK(once.find("\xe2\x80\xa8\x7f<>&") != std::string::npos);
}

TEST_CASE("the Go form escapes angle brackets, ampersand and the two separators") {
    CHECK(canonical_go(R"({"a<":"<b>&\u2028\u2029\u2027\n\u0001"})") ==
          "{\"a\\u003c\":\"\\u003cb\\u003e\\u0026\\u2028\\u2029\xe2\x80\xa7\\n\\u0001\"}");
}

TEST_CASE("a zero that was negative, two escapes and U+FFFD have further Go forms") {
    const auto forms = [](const std::string& text) {
        const json value = parse_json(text).value();
        return go_forms(value, canonical_json(value));
    };
    using Forms = std::vector<std::string>;
    CHECK(forms(R"({"n":-0.0,"m":[-0,0,0.0],"k":0})") == Forms{R"({"k":0,"m":[-0,0,0],"n":-0})"});
    CHECK(forms(R"({"a":"0","n":0})").empty());
    CHECK(forms("{\"a\":\"\\b\\f\\n\"}") == Forms{"{\"a\":\"\\u0008\\u000c\\n\"}"});
    CHECK(forms("{\"a\":\"\xef\xbf\xbd\"}") == Forms{R"({"a":"\ufffd"})"});
    CHECK(forms("{\"a\":\"<\\b\xef\xbf\xbd\"}").size() == 4);
}

TEST_CASE("a canonical text that the Go form cannot change is recognised") {
    for (const char* text : {R"({"a":"plain"})", "{\"a\":\"\xe4\xbd\xa0\xe5\xa5\xbd\"}"}) {
        CHECK(canonical(text) == canonical_go(text));
    }
    for (const char* text : {R"({"a":"<"})", R"({"a":">"})", R"({"a":"&"})", R"({"a":"\u2028"})",
                             R"({"\ud83d\ude00":1,"\ufb33":2})"}) {
        CHECK(canonical(text) != canonical_go(text));
    }
}

TEST_CASE("a number is found by its names with the digits that were written") {
    const std::string text =
        R"({"a":[{"b":1}],"b":2.50,"p":{"b":0.1000000000000000055,"c":{"b":7},"n":-3,"s":"4"},)"
        R"("big":18446744073709551615})";
    CHECK(number_text(text, {"b"}) == "2.50");
    CHECK(number_text(text, {"p", "b"}) == "0.1000000000000000055");
    CHECK(number_text(text, {"p", "c", "b"}) == "7");
    CHECK(number_text(text, {"p", "n"}) == "-3");
    CHECK(number_text(text, {"big"}) == "18446744073709551615");
    CHECK_FALSE(number_text(text, {"p", "s"}));
    CHECK_FALSE(number_text(text, {"p"}));
    CHECK_FALSE(number_text(text, {"a", "b"}));
    CHECK_FALSE(number_text("{", {"a"}));
}
