// The outline of a line before it is checked: kind and id of its messages.
#include "mcp/outline.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "mcp/framing.h"
#include "mcp/request_id.h"

using a2h::mcp::id_key;
using a2h::mcp::is_request_id;
using a2h::mcp::Outline;
using a2h::mcp::outline_of;
using a2h::mcp::OutlineReader;
using Kind = a2h::mcp::Outline::Item::Kind;

namespace {

Outline::Item only_item(std::string_view line) {
    const Outline outline = outline_of(line);
    REQUIRE(outline.items.size() == 1);
    return outline.items.front();
}

std::string texts_of(std::string_view line) {
    std::string texts;
    for (const auto& item : outline_of(line).items)
        texts += std::string(line.substr(item.begin, item.size)) + "|";
    return texts;
}

}  // namespace

TEST_CASE("kind and id are known of text that no strict parser accepts") {
    const std::string deep = std::string(5000, '[') + std::string(5000, ']');
    for (const std::string& params :
         {std::string(R"({"x":"a\ud83e"})"), std::string(R"({"n":1e999})"), deep,
          std::string(R"({"a":1,"a":2})"), std::string(R"({"x":"}],{\"id\":8"})"),
          std::string("{\"x\":\"\xff\"}"), std::string("NaN"), std::string(R"({"id":8})")}) {
        CAPTURE(params);
        const auto request = only_item(R"({"id":7,"method":"x","params":)" + params + "}");
        CHECK(request.kind == Kind::Request);
        CHECK(request.id == "7");
        CHECK(only_item(R"({"params":)" + params + R"(,"method":"x", "id" : "q" })").id ==
              R"("q")");
        CHECK(only_item(R"({"method":"x","params":)" + params + "}").kind == Kind::Notification);
        const auto response = only_item(R"({"id":"a2h-1","result":)" + params + "}");
        CHECK(response.kind == Kind::Response);
        CHECK(response.id == R"("a2h-1")");
        CHECK(only_item(R"({"id":null,"error":)" + params + "}").kind == Kind::Response);
    }
}

TEST_CASE("a method that is null is none") {
    CHECK(only_item(R"({"id":5,"method":null,"result":{}})").kind == Kind::Response);
    CHECK(only_item(R"({"id":5,"result":{},"method":null})").kind == Kind::Response);
    CHECK(only_item(R"({"id":5,"method":null})").kind == Kind::Unknown);
    CHECK(only_item(R"({"id":5,"method":5,"result":{}})").kind == Kind::Request);
}

TEST_CASE("names may be written with escapes") {
    CHECK(only_item(R"({"\u0069d":9,"m\u0065thod":"x"})").id == "9");
    CHECK(only_item(R"({"\u0069\u0064":9,"method":"x"})").kind == Kind::Request);
    CHECK(only_item(R"({"id":9,"r\u0065sult":{}})").kind == Kind::Response);
    CHECK(only_item(R"({"id":9,"\u0065\u0072\u0072\u006f\u0072":{}})").kind == Kind::Response);
    CHECK(only_item(R"({"\u00e9d":9,"method":"x"})").kind == Kind::Notification);
    CHECK(only_item(R"({"i\\u0064":9,"method":"x"})").kind == Kind::Notification);
    CHECK(only_item(R"({"ID":9,"method":"x"})").kind == Kind::Notification);
}

TEST_CASE("an id that is there twice, or that no answer can name, is not named") {
    for (const char* id :
         {"null", "1.5", "true", "{}", "[1]", "01", "1e999", "-", "\"\xff\"", "1,\"id\":2"}) {
        CAPTURE(id);
        const auto item = only_item(R"({"id":)" + std::string(id) + R"(,"method":"x"})");
        CHECK(item.kind == Kind::Request);
        CHECK(item.id.empty());
    }
}

TEST_CASE("a message that is cut off is a notification or unknown only if the rest cannot matter") {
    CHECK(only_item(R"({"method":"x","params":{)").kind == Kind::Unknown);
    CHECK(only_item(R"({"id":5,"params":{)").id.empty());
    CHECK(only_item(R"({"id":5,"method":"x","params":{)").id == "5");
    CHECK(only_item(R"({"id":5,"result":{)").kind == Kind::Response);
    CHECK(!outline_of(R"({"id":5,"method":"x",})").is_complete);
    CHECK(!outline_of(R"({"id":5,"method":"x"}{"id":6})").is_complete);
    CHECK(!outline_of(R"({"id":5,"method")").is_complete);
}

TEST_CASE("the messages of a batch are told apart with their texts") {
    CHECK(texts_of(R"([ {"a":[1]} ,"x,]", 18 ,[[]],{}])") == R"({"a":[1]}|"x,]"|18|[[]]|{}|)");
    const Outline outline = outline_of(
        R"([{"id":1,"method":"a"},{"method":"b"},{"id":2,"result":{}},7,{"id":3,"method":"c"}])");
    CHECK(outline.is_batch);
    CHECK(outline.is_complete);
    CHECK(outline.count == 5);
    REQUIRE(outline.items.size() == 5);
    CHECK(outline.items[0].kind == Kind::Request);
    CHECK(outline.items[1].kind == Kind::Notification);
    CHECK(outline.items[2].kind == Kind::Response);
    CHECK(outline.items[3].kind == Kind::Unknown);
}

TEST_CASE("a batch that is too long is reported in parts, each message once") {
    OutlineReader reader;
    reader.take("[7");
    std::size_t reported = 0;
    for (int i = 0; i < 1000; ++i) {
        reader.take(R"(,{"id":)" + std::to_string(i) + R"(,"method":"x"})");
        const auto part = reader.take_part();
        CHECK(part.has_value() == (i + 2 > static_cast<int>(a2h::mcp::kBatchMax)));
        if (!part) continue;
        CHECK(part->is_batch);
        CHECK(part->is_part);
        reported += part->items.size();
        CHECK(part->items.back().id == std::to_string(i));
    }
    CHECK(!reader.take_part());
    reader.take(",8]");
    const Outline rest = reader.finish();
    CHECK(rest.is_complete);
    CHECK(!rest.is_part);
    CHECK(rest.count == 1002);
    CHECK(reported + rest.items.size() == 1002);
}

TEST_CASE("text that is no JSON is incomplete, and blanks are blank") {
    for (const char* text : {"x", "{'a':1}", "// x", "}", "[1,]", "[,1]", "[1 2]", "{\"a\" 1}",
                             "{\"a\":}", "{1:2}", "[1}", "{\"a\":1]", "\"x", "1 2", "[", ","}) {
        CAPTURE(text);
        const Outline outline = outline_of(text);
        // A plain word is left to the parser.
        CHECK((!outline.is_complete || outline.items.front().kind == Kind::Unknown));
        CHECK(!outline.is_blank);
    }
    for (const char* text : {"", " ", " \t\r "})
        CHECK(outline_of(text).is_blank);
}

TEST_CASE("an outline is the same in whatever parts a line arrives") {
    const std::string line =
        R"([{"jsonrpc":"2.0","\u0069d":"a\"b","method":"x","params":{"a":"\\"}},{"method":"y"}])";
    for (std::size_t size = 1; size <= line.size(); ++size) {
        OutlineReader reader;
        for (std::size_t at = 0; at < line.size(); at += size)
            reader.take(std::string_view(line).substr(at, size));
        const Outline outline = reader.finish();
        CHECK(outline.is_complete);
        REQUIRE(outline.items.size() == 2);
        CHECK(outline.items[0].id == R"("a\"b")");
        CHECK(outline.items[1].begin == line.find(R"({"method":"y")"));
    }
}

TEST_CASE("whole numbers are ids however they are written, and keep their value") {
    for (const char* id : {"1.0", "1e3", "1E+3", "100e-2", "0", "-0", "-0.0", "1e308",
                           "123456789012345678901234567890", "9007199254740993.00"}) {
        CAPTURE(id);
        CHECK(is_request_id(id));
    }
    for (const char* id : {"1.5", "1e-1", "0.1", "1e309", "1.", ".1", "1e", "1e+", "e3", "01", "+1",
                           "1e99999999999", "1e3x", ""}) {
        CAPTURE(id);
        CHECK(!is_request_id(id));
    }
    // Half of a character is echoed as it was written; bytes that are no UTF-8 cannot be.
    for (const char* id : {R"("\ud83e")", R"("a\uDD8A b")", R"("\\\ud800")", R"("\ud83e\udd8a")"}) {
        CAPTURE(id);
        CHECK(is_request_id(id));
        CHECK(id_key(id) == id_key(id));
    }
    for (const char* id : {"\"\xed\xa0\xbd\"", R"("\ud8")", R"("\ud83e\x")"})
        CHECK(!is_request_id(id));
    CHECK(id_key("1.0") == id_key("1"));
    CHECK(id_key("1e3") == id_key("1000.00"));
    CHECK(id_key("77.0") == id_key("7.7e1"));
    CHECK(id_key("-0") == id_key("0"));
    CHECK(id_key("-1") != id_key("1"));
    CHECK(id_key("123456789012345678901234567890") != id_key("123456789012345678901234567891"));
}
