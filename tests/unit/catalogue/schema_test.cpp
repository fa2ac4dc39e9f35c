#include "core/catalogue/schema.h"
#include "core/catalogue/arguments.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/catalogue/operations.h"

using a2h::catalogue::validate;
using nlohmann::json;

namespace {

/// The refusal's words; empty when `value` passes.
std::string refusal(const char* schema, const char* value) {
    const auto result = validate(json::parse(schema), json::parse(value));
    if (result) return {};
    CHECK(result.error().code == a2h::ErrorCode::InvalidArgument);
    return result.error().message;
}

constexpr const char* kSearch = R"({"type":"object","properties":{
    "keyword":{"type":"string","minLength":1,"maxLength":5},
    "limit":{"type":"integer","minimum":1,"maximum":100},
    "type":{"type":"integer","enum":[2,3]},
    "agent":{"type":"string","maxLength":10,"pattern":"^ag_"},
    "options":{"type":"array","maxItems":2,"items":{"type":"string","maxLength":3}},
    "deep":{"type":"object","properties":{"a":{"type":"boolean"}},"additionalProperties":false},
    "free":{"type":"object"}},
    "required":["keyword"],"additionalProperties":false})";

}  // namespace

TEST_CASE("arguments that the schema allows pass") {
    CHECK(refusal(kSearch, R"({"keyword":"x"})") == "");
    CHECK(refusal(kSearch, R"({"keyword":"x","limit":100,"type":3,"agent":"ag_1",
        "options":["a","b"],"deep":{"a":true},"free":{"any":[1,{}]}})") == "");
}

TEST_CASE("a missing member is named") {
    CHECK(refusal(kSearch, "{}") == "keyword is missing");
}

TEST_CASE("an unknown member is named with what was probably meant") {
    CHECK(refusal(kSearch, R"({"keywrod":"x"})") == "keywrod is not known; did you mean keyword?");
    CHECK(refusal(kSearch, R"({"key":"x"})") == "key is not known; did you mean keyword?");
    CHECK(refusal(kSearch, R"({"keyword":"x","deep":{"b":1}})") ==
          "deep.b is not known; did you mean a?");
    CHECK(refusal(kSearch, R"({"keyword":"x","colour":1})") ==
          "colour is not known; known are agent, deep, free, keyword, limit, options, type");
    CHECK(refusal(R"({"type":"object","additionalProperties":false})", R"({"a":1})") ==
          "a is not known; there are no arguments");
}

TEST_CASE("a wrong type is named with the value and the right type") {
    CHECK(refusal(kSearch, R"({"keyword":7})") == "keyword is 7; it must be of type string");
    CHECK(refusal(kSearch, R"({"keyword":null})") == "keyword is null; it must be of type string");
    CHECK(refusal(kSearch, "[]") == "the value is []; it must be of type object");
    CHECK(refusal(kSearch, R"({"keyword":"x","options":["a",1]})") ==
          "options[1] is 1; it must be of type string");
}

TEST_CASE("a number out of range is named with the range") {
    CHECK(refusal(kSearch, R"({"keyword":"x","limit":0})") == "limit is 0; allowed is 1 to 100");
    CHECK(refusal(kSearch, R"({"keyword":"x","limit":101})") ==
          "limit is 101; allowed is 1 to 100");
    CHECK(refusal(kSearch, R"({"keyword":"x","limit":99999999999999999999})") ==
          "limit is 1e+20; allowed is 1 to 100");
    CHECK(refusal(R"({"minimum":3})", "2") == "the value is 2; allowed is at least 3");
    CHECK(refusal(R"({"maximum":3})", "4") == "the value is 4; allowed is at most 3");
}

TEST_CASE("1.0 is an integer and 1.5 is not") {
    CHECK(refusal(kSearch, R"({"keyword":"x","limit":1.0})") == "");
    CHECK(refusal(kSearch, R"({"keyword":"x","limit":1.5})") ==
          "limit is 1.5; it must be of type integer");
}

TEST_CASE("R7: lengths count code points") {
    CHECK(refusal(kSearch, R"({"keyword":"一二三四五"})") == "");
    CHECK(refusal(kSearch, R"({"keyword":"一二三四五六"})") ==
          "keyword has 6 characters; 1 to 5 are allowed");
    CHECK(refusal(kSearch, R"({"keyword":""})") == "keyword has 0 characters; 1 to 5 are allowed");
    CHECK(refusal(R"({"minLength":2})", R"("a")") ==
          "the value has 1 characters; at least 2 are needed");
}

TEST_CASE("a value outside an enumeration is refused with the allowed values") {
    CHECK(refusal(kSearch, R"({"keyword":"x","type":4})") == "type is 4; allowed are 2, 3");
    CHECK(refusal(R"({"enum":["online","offline"]})", R"("both")") ==
          R"(the value is "both"; allowed are "online", "offline")");
}

TEST_CASE("a refusal by a pattern names the pattern and the value") {
    CHECK(refusal(kSearch, R"({"keyword":"x","agent":"bob"})") ==
          R"(agent is "bob"; it must match ^ag_)");
}

TEST_CASE("too many items and items that are too long are refused") {
    CHECK(refusal(kSearch, R"({"keyword":"x","options":["a","b","c"]})") ==
          "options has 3 items; at most 2 are allowed");
    CHECK(refusal(kSearch, R"({"keyword":"x","options":["abcd"]})") ==
          "options[0] has 4 characters; 0 to 3 are allowed");
}

TEST_CASE("a message shows only the beginning of long values and names") {
    const std::string name(5000, 'n');
    CHECK(refusal(kSearch, (R"({")" + name + R"(":1})").c_str()).size() < 200);
    const std::string value = R"({"keyword":[")" + std::string(5000, 'v') + R"("]})";
    CHECK(refusal(kSearch, value.c_str()).size() < 200);
}

TEST_CASE("a member of every other type is checked by its type only") {
    CHECK(refusal(R"({"type":"number"})", "1.5") == "");
    CHECK(refusal(R"({"type":"null"})", "null") == "");
    CHECK(refusal(R"({"type":"number"})", "true") ==
          "the value is true; it must be of type number");
}

TEST_CASE("the catalogue's own schemas take good calls and refuse bad ones") {
    const auto schema = a2h::catalogue::input_schema(*a2h::catalogue::find_action("send"));
    CHECK(validate(schema, {{"target_agent_id", "ag_bob"}, {"text", "hi"}}));
    CHECK(!validate(schema, {{"target_agent_id", "bob"}, {"text", "hi"}}));
    CHECK(!validate(schema, {{"target_agent_id", "ag_bob"}, {"payment_qr", "file:///etc/x"}}));
    CHECK(!validate(schema, {{"target_agent_id", "ag_bob"}, {"attachment_mime", "image"}}));
    const auto answer =
        a2h::catalogue::input_schema(*a2h::catalogue::find_action("approval.response"));
    CHECK(
        validate(answer, {{"approval_id", "apr_00ff"}, {"decision", "同意"}, {"code", "012345"}}));
    CHECK(!validate(answer, {{"approval_id", "apr_00ff"}, {"decision", "yes"}, {"code", "12345"}}));
}

TEST_CASE("a code is taken as people type it, in each operation that has one") {
    for (const char* action : {"approval.response", "approval.elicit", "pin.set"}) {
        CAPTURE(action);
        const auto& operation = *a2h::catalogue::find_action(action);
        for (const char* typed :
             {"012345", " 012 345 ", "０１２３４５", "\xe3\x80\x80０１２ 345"}) {
            json arguments{{"decision", " ４ "}, {"code", typed}};
            a2h::catalogue::normalize_codes(operation, arguments);
            CHECK(arguments == json{{"decision", " ４ "}, {"code", "012345"}});
        }
    }
    json wrong{{"approval_id", "apr_00ff"}, {"decision", "yes"}, {"code", "１２３４５"}};
    const auto& answer = *a2h::catalogue::find_action("approval.response");
    a2h::catalogue::normalize_codes(answer, wrong);
    CHECK(!validate(a2h::catalogue::input_schema(answer), wrong));
    json other{{"code", 7}};
    a2h::catalogue::normalize_codes(answer, other);
    CHECK(other == json{{"code", 7}});
}

TEST_CASE("a type may be a list, and null is allowed only if the list has it") {
    constexpr const char* schema = R"({"type":"object","properties":{
        "a":{"type":["string","null"]}}})";
    CHECK(refusal(schema, R"({"a":null})") == "");
    CHECK(refusal(schema, R"({"a":"x"})") == "");
    CHECK(refusal(schema, R"({"a":1})") == "a is 1; it must be of type string or null");
}

TEST_CASE("members that are not named follow the schema of additionalProperties") {
    constexpr const char* schema = R"({"type":"object","properties":{"a":{"type":"string"}},
        "additionalProperties":{"type":"integer"}})";
    CHECK(refusal(schema, R"({"a":"x","b":1})") == "");
    CHECK(refusal(schema, R"({"b":"x"})") == "b is \"x\"; it must be of type integer");
}

TEST_CASE("a list may need items") {
    constexpr const char* schema = R"({"type":"array","minItems":1})";
    CHECK(refusal(schema, "[1]") == "");
    CHECK(refusal(schema, "[]") == "the value has 0 items; at least 1 are needed");
}

TEST_CASE("an integer that no program could read is refused without a range, too") {
    constexpr const char* schema = R"({"type":"integer"})";
    CHECK(refusal(schema, "9223372036854775807") == "");
    CHECK(refusal(schema, "9223372036854775808") ==
          "the value is 9223372036854775808, which is too large");
    CHECK(refusal(schema, "1e300") == "the value is 1e+300, which is too large");
}
