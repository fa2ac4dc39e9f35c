#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "mcp/framing.h"
#include "mcp/outline.h"
#include "mcp/request_id.h"
#include "mcp/tools.h"
#include "mcp/version.h"

using a2h::Error;
using a2h::ErrorCode;
using a2h::catalogue::find_tool;
using namespace a2h::mcp;
using nlohmann::json;
using nlohmann::ordered_json;

namespace {

Message parse_one(const std::string& text) {
    const Line line = parse_line(text);
    REQUIRE(line.messages.size() == 1);
    return line.messages.front();
}

RpcCode parse_error(const std::string& text) {
    const Line line = parse_line(text);
    REQUIRE(!line.messages.empty());
    const Message& message = line.messages.front();
    REQUIRE(message.is_answered());
    return message.problem.code;
}

const std::string kModernMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}})";

Message request(const std::string& method, const std::string& params) {
    return parse_one(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
                     "}}");
}

std::variant<Version, RpcError> classify(const Versions& versions, const std::string& method,
                                         const std::string& params) {
    return versions.classify(request(method, params));
}

std::string nested(int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
}

/// A daemon that answers `text` and remembers what it was asked.
struct FakeDaemon {
    a2h::Result<std::string> answer;
    std::string method = {};
    json params = {};
    bool repeatable = false;

    CallDaemon call() {
        return [this](const DaemonCall& made, std::stop_token) {
            method = made.method;
            params = json::parse(made.params_json);
            repeatable = made.repeatable;
            return answer;
        };
    }
};

ordered_json call(const char* tool, const json& arguments, FakeDaemon& daemon,
                  std::string_view agent = {}) {
    const auto* operation = find_tool(tool);
    REQUIRE(operation != nullptr);
    return call_tool(*operation, arguments, agent, daemon.call(), {});
}

}  // namespace

TEST_CASE("requests, notifications and responses are told apart") {
    CHECK(parse_one(R"({"method":"ping","id":0,"jsonrpc":"2.0"})").kind == Message::Kind::Request);
    CHECK(parse_one(R"({"jsonrpc":"2.0","method":"x"})").kind == Message::Kind::Notification);
    CHECK(parse_one(R"({"jsonrpc":"2.0","id":1,"result":{}})").kind == Message::Kind::Response);
    CHECK(parse_one(R"({"jsonrpc":"2.0","id":1,"error":{}})").kind == Message::Kind::Response);
}

TEST_CASE("an id keeps every digit and escape") {
    for (const char* id : {"9007199254740993", "18446744073709551616123", "-1", "0", "\"\"",
                           R"("a\"\u00e9\/")", "\"你好\""}) {
        CAPTURE(id);
        CHECK(parse_one(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"x"})").id ==
              id);
    }
}

TEST_CASE("an id that is null, broken, boolean or a container makes the message invalid") {
    for (const char* id : {"null", "1.5", "1e-3", "true", "{}", "[1]"}) {
        CAPTURE(id);
        const Message message =
            parse_one(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"x"})");
        CHECK(message.kind == Message::Kind::Invalid);
        CHECK(message.problem.code == RpcCode::InvalidRequest);
        CHECK(message.id.empty());
    }
}

TEST_CASE("an invalid response is still a response, because responses are not answered") {
    for (const char* text :
         {R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}})",
          R"({"jsonrpc":"2.0","id":null,"result":{}})", R"({"jsonrpc":"2.0","id":{},"result":{}})",
          R"({"jsonrpc":"1.0","id":1,"result":{}})", R"({"result":{}})"}) {
        CAPTURE(text);
        CHECK(parse_one(text).kind == Message::Kind::Response);
    }
}

TEST_CASE("the id of a line that is too large is read wherever it is") {
    const std::string much = R"("params":{"id":7,"text":")" + std::string(300'000, 'x') + "\"}";
    const auto read = [](const std::string& text) { return outline_of(text).items[0]; };
    const auto id_of = [&](const std::string& text) { return read(text).id; };
    CHECK(id_of(R"({"jsonrpc":"2.0","id":5,"method":"x",)" + much + "}") == "5");
    CHECK(id_of(R"({"method":"x",)" + much + R"(,"jsonrpc":"2.0","id":"a\"b"})") == R"("a\"b")");
    CHECK(id_of(R"({"method":"x",)" + much + R"(,"id":1.5})").empty());
    CHECK(id_of(R"({"method":"x",)" + much + R"(,"id":")" + "\xff\"}").empty());
    CHECK(id_of(std::string(300'000, 'x')).empty());
    CHECK(read(std::string(300'000, 'x')).is_answered());
    CHECK(!read(R"({"jsonrpc":"2.0","method":"x",)" + much + "}").is_answered());
    CHECK(!read(R"({"jsonrpc":"2.0","id":5,"result":{},)" + much + "}").is_answered());
}

TEST_CASE("messages that break JSON-RPC are invalid and keep a good id") {
    CHECK(parse_one(R"({"id":7,"method":"x"})").problem.code == RpcCode::InvalidRequest);
    CHECK(parse_one(R"({"jsonrpc":"1.0","id":7,"method":"x"})").id == "7");
    CHECK(parse_one(R"({"jsonrpc":"2.0","id":7})").problem.code == RpcCode::InvalidRequest);
    CHECK(parse_one(R"({"jsonrpc":"2.0","id":7,"method":5})").problem.code ==
          RpcCode::InvalidRequest);
    CHECK(parse_one(R"({"jsonrpc":"2.0","id":7,"method":"x","params":[1]})").problem.code ==
          RpcCode::InvalidParams);
    CHECK(parse_one("7").problem.code == RpcCode::InvalidRequest);
    CHECK(parse_one("\"x\"").problem.code == RpcCode::InvalidRequest);
}

TEST_CASE("broken UTF-8, deep nesting, doubled names and other non-JSON are parse errors") {
    CHECK(parse_error("{") == RpcCode::ParseError);
    CHECK(parse_error("\x00\xff") == RpcCode::ParseError);
    CHECK(parse_error("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\x28\"}") ==
          RpcCode::ParseError);
    // The depth of a batch is that of its messages.
    CHECK(parse_error(nested(kDepthMax + 2)) == RpcCode::ParseError);
    CHECK(parse_error(nested(100'000)) == RpcCode::ParseError);
    CHECK(parse_error(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"x"})") == RpcCode::ParseError);
    CHECK(parse_error(std::string(kLineBytesMax + 1, '1')) == RpcCode::ParseError);
}

TEST_CASE("a batch is read message by message and its length is limited") {
    const Line line = parse_line(R"([{"jsonrpc":"2.0","id":1,"method":"a"},5,{"jsonrpc":"2.0","id":
        99999999999999999999,"method":"b"}])");
    CHECK(line.is_batch);
    REQUIRE(line.messages.size() == 3);
    CHECK(line.messages[1].kind == Message::Kind::Invalid);
    CHECK(line.messages[2].id == "99999999999999999999");
    CHECK(parse_error("[]") == RpcCode::InvalidRequest);
    CHECK(!parse_line("[]").is_batch);
    std::string many = "[1";
    for (std::size_t i = 0; i < kBatchMax; ++i)
        many += ",1";
    CHECK(parse_error(many + "]") == RpcCode::InvalidRequest);
    CHECK(parse_line(many + "]").messages.size() == 1);
}

TEST_CASE("a broken batch is refused as a whole, and a bad message in a batch by itself") {
    CHECK(parse_error(R"([{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method"])") ==
          RpcCode::ParseError);
    const Line line = parse_line(R"([{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":"\ud83e"}},
        {"jsonrpc":"2.0","id":2,"method":"b"}])");
    REQUIRE(line.messages.size() == 2);
    CHECK(line.messages[0].kind == Message::Kind::Unreadable);
    CHECK(line.messages[0].id == "1");
    CHECK(line.messages[1].kind == Message::Kind::Request);
}

TEST_CASE("a batch that is no JSON in one of its messages is refused as a whole") {
    const std::string ping = R"({"jsonrpc":"2.0","id":7,"method":"ping"})";
    for (const std::string& bad :
         {std::string("x"), std::string("NaN"), std::string("01"), std::string("nul"),
          std::string("\"\xff\""), std::string(R"("\x")"),
          std::string(R"({"jsonrpc":"2.0","id":8,"id":8,"method":"ping"})"),
          std::string(R"({"jsonrpc":"2.0","id":8,"method":"ping","params":{"n":NaN}})"),
          std::string(R"({"jsonrpc":"2.0","method":"x","params":{"n":+1}})"),
          std::string("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"\xc3\x28\"}")}) {
        for (const std::string& text : {"[" + ping + "," + bad + "]", "[" + bad + "," + ping + "]",
                                        "[" + bad + "]", "[" + ping + "," + bad}) {
            CAPTURE(text);
            const Line line = parse_line(text);
            CHECK(!line.is_batch);
            REQUIRE(line.messages.size() == 1);
            CHECK(line.messages[0].kind == Message::Kind::Invalid);
            CHECK(line.messages[0].id.empty());
            CHECK(line.messages[0].problem.code == RpcCode::ParseError);
        }
    }
}

TEST_CASE("a notification that is no JSON is a parse error, and a response never is") {
    const std::string notification = R"({"jsonrpc":"2.0","method":"notifications/x","params":{}})";
    const std::string open = R"({"jsonrpc":"2.0","method":"notifications/x","params":{)";
    for (const std::string& text :
         {notification + "}", notification + "]", notification + " x", notification + notification,
          open, open + "}", open + "}}}",
          std::string(R"({"jsonrpc":"2.0","method":"x","params":NaN})"),
          std::string(R"({"jsonrpc":"2.0","method":"x","method":"x"})"),
          std::string("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":\"\xff\"}"),
          R"({"jsonrpc":"2.0","method":"x","params":")" + std::string(kLineBytesMax, 'y') +
              "\"}}"}) {
        CAPTURE(text.substr(0, 100));
        const Message message = parse_one(text);
        CHECK(message.kind == Message::Kind::Invalid);
        CHECK(message.id.empty());
        CHECK(message.problem.code == RpcCode::ParseError);
    }
    CHECK(parse_one(R"({"jsonrpc":"2.0","id":1,"result":{}}})").kind == Message::Kind::Response);
    CHECK(parse_one(R"({"jsonrpc":"2.0","id":1,"result":{)").kind == Message::Kind::Response);
}

TEST_CASE("ids are the same by value, and a number is never a string") {
    CHECK(id_key(R"("a\u0062")") == id_key(R"("ab")"));
    CHECK(id_key("1") != id_key("\"1\""));
    CHECK(id_key("9007199254740993") != id_key("9007199254740992"));
}

TEST_CASE("a message with its own revision is modern whatever the session is") {
    Versions versions;
    CHECK(std::get<Version>(classify(versions, "tools/list", kModernMeta)) == Version::V2026_07_28);
    versions.begin_session("2025-03-26");
    CHECK(std::get<Version>(classify(versions, "tools/list", kModernMeta)) == Version::V2026_07_28);
    CHECK(std::get<Version>(classify(versions, "tools/list", "")) == Version::V2025_03_26);
}

TEST_CASE("a request may name the revision of its session") {
    Versions versions;
    const auto naming = [](const char* version) {
        return R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + std::string(version) +
               R"("})";
    };
    for (const char* version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
        CAPTURE(version);
        const Version agreed = versions.begin_session(version);
        CHECK(std::get<Version>(classify(versions, "tools/list", naming(version))) == agreed);
    }
    CHECK(std::holds_alternative<RpcError>(classify(versions, "tools/list", naming("2025-11-25"))));
}

TEST_CASE("an unsupported revision is refused with the supported ones, also inside a session") {
    Versions versions;
    versions.begin_session("2025-11-25");
    for (const char* requested : {"1900-01-01", "v999.0.0", "2025-11-25", ""}) {
        CAPTURE(requested);
        const auto version = classify(versions, "server/discover",
                                      R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" +
                                          std::string(requested) +
                                          R"(","io.modelcontextprotocol/clientCapabilities":{}})");
        REQUIRE(std::holds_alternative<RpcError>(version));
        CHECK(std::get<RpcError>(version).code == RpcCode::UnsupportedProtocolVersion);
        const json data = json::parse(std::get<RpcError>(version).data_json);
        CHECK(data["requested"] == requested);
        CHECK(data["supported"][0] == "2026-07-28");
        // A refused revision is not offered in the same answer.
        CHECK(std::find(data["supported"].begin(), data["supported"].end(), requested) ==
              data["supported"].end());
    }
}

TEST_CASE("a modern message needs revision and capabilities") {
    const Versions versions;
    for (const char* params :
         {"", R"("_meta":{})", R"("_meta":7)",
          R"("_meta":{"io.modelcontextprotocol/protocolVersion":7})",
          R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})",
          R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
          R"("io.modelcontextprotocol/clientCapabilities":[]})"}) {
        CAPTURE(params);
        const auto version = classify(versions, "server/discover", params);
        REQUIRE(std::holds_alternative<RpcError>(version));
        CHECK(std::get<RpcError>(version).code == RpcCode::InvalidParams);
    }
}

TEST_CASE("before a session only initialize and ping may come without a revision") {
    const Versions versions;
    CHECK(std::holds_alternative<Version>(classify(versions, "initialize", "")));
    CHECK(std::holds_alternative<Version>(classify(versions, "ping", "")));
    const auto version = classify(versions, "tools/list", "");
    REQUIRE(std::holds_alternative<RpcError>(version));
    CHECK(std::get<RpcError>(version).message.find("initialize") != std::string::npos);
}

TEST_CASE("initialize agrees on a legacy revision: the asked one, else the latest") {
    Versions versions;
    CHECK(versions.begin_session("2024-11-05") == Version::V2024_11_05);
    CHECK(versions.begin_session("2025-06-18") == Version::V2025_06_18);
    CHECK(versions.begin_session("2026-07-28") == Version::V2025_11_25);
    CHECK(versions.begin_session("1.0") == Version::V2025_11_25);
}

TEST_CASE("batches are accepted in sessions up to 2025-03-26") {
    Versions versions;
    CHECK(!versions.batches_allowed());
    versions.begin_session("2024-11-05");
    CHECK(versions.batches_allowed());
    versions.begin_session("2025-03-26");
    CHECK(versions.batches_allowed());
    versions.begin_session("2025-06-18");
    CHECK(!versions.batches_allowed());
}

TEST_CASE("each revision gets the members of tools and results that it knows") {
    const auto fitted = [](Version version) {
        ordered_json result = {{"tools", tool_list(Toolsets::all())},
                               {"structuredContent", 1},
                               {"resultType", "complete"},
                               {"ttlMs", 1},
                               {"cacheScope", "public"},
                               {"_meta", {}}};
        fit_result(result, version);
        std::string names;
        for (const auto& [name, value] : result.items())
            names += name + " ";
        names += "| ";
        for (const auto& [name, value] : result["tools"][0].items())
            names += name + " ";
        return names;
    };
    CHECK(fitted(Version::V2024_11_05) == "tools | name description inputSchema ");
    CHECK(fitted(Version::V2025_03_26) == "tools | name description inputSchema annotations ");
    const std::string full = "| name title description inputSchema outputSchema annotations ";
    CHECK(fitted(Version::V2025_06_18) == "tools structuredContent " + full);
    CHECK(fitted(Version::V2025_11_25) == "tools structuredContent " + full);
    CHECK(fitted(Version::V2026_07_28) ==
          "tools structuredContent resultType ttlMs cacheScope _meta " + full);
}

TEST_CASE("every listed tool says all four hints") {
    for (const ordered_json& tool : tool_list(Toolsets::all())) {
        for (const char* hint :
             {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}) {
            CHECK(tool["annotations"][hint].is_boolean());
        }
    }
}

TEST_CASE("R16: the daemon's envelope is the result, as text and structured") {
    FakeDaemon daemon{.answer = std::string(R"({"ok":true,"action":"status","data":{"a":1}})")};
    const ordered_json result = call("a2h_status", {{"detail", "full"}}, daemon);
    CHECK(result["content"][0]["text"] == *daemon.answer);
    CHECK(result["structuredContent"]["data"]["a"] == 1);
    CHECK(result["isError"] == false);
    CHECK(daemon.method == "status");
    CHECK(daemon.params == json{{"face", "assistant"}});
}

TEST_CASE("R16: ok:false is an error result that keeps the whole envelope") {
    FakeDaemon daemon{
        .answer = std::string(R"({"ok":false,"action":"works.publish","error":{"code":)"
                              R"("PLATFORM_CONFIRMATION_REQUIRED","message":"m","next":"n",)"
                              R"("approval_id":"apr_1"}})")};
    const ordered_json result =
        call("a2h_works_publish", {{"type", 3}, {"title", "t"}, {"content", "c"}}, daemon, "ag_me");
    CHECK(result["isError"] == true);
    CHECK(result["structuredContent"]["error"]["approval_id"] == "apr_1");
    CHECK(daemon.params["agent"] == "ag_me");
    CHECK(daemon.params["title"] == "t");
}

TEST_CASE("an assistant cannot pass itself off as a human or as another agent") {
    FakeDaemon daemon{.answer = std::string("{}")};
    for (const char* name : {"face", "agent", "pin"}) {
        CAPTURE(name);
        const ordered_json result = call("a2h_status", {{name, "human"}}, daemon);
        CHECK(result["isError"] == true);
        CHECK(daemon.method.empty());
    }
}

TEST_CASE("wrong arguments are an error result that names member and range") {
    FakeDaemon daemon{.answer = std::string("{}")};
    const ordered_json result =
        call("a2h_inbox_history", {{"peer_id", "ag_bob"}, {"limit", 101}}, daemon);
    CHECK(result["isError"] == true);
    const ordered_json& error = result["structuredContent"]["error"];
    CHECK(error["code"] == "invalid_argument");
    CHECK(error["message"] == "limit is 101; allowed is 1 to 100");
    CHECK(error["next"] != "");
    CHECK(daemon.method.empty());
}

TEST_CASE("only calls that may be repeated are offered to be repeated") {
    FakeDaemon daemon{.answer = std::string(R"({"ok":true})")};
    call("a2h_status", json::object(), daemon);
    CHECK(daemon.repeatable);
    call("a2h_send", {{"target_agent_id", "ag_bob"}, {"text", "hi"}}, daemon);
    CHECK(!daemon.repeatable);
}

TEST_CASE("a lost answer to a send says that it may have taken effect") {
    FakeDaemon daemon{.answer = a2h::fail(ErrorCode::Timeout, "no answer")};
    const ordered_json sent =
        call("a2h_send", {{"target_agent_id", "ag_bob"}, {"text", "hi"}}, daemon);
    CHECK(sent["structuredContent"]["error"]["code"] == "timeout");
    CHECK(sent["content"][0]["text"].get<std::string>().find("not known") != std::string::npos);
    const ordered_json read = call("a2h_status", json::object(), daemon);
    CHECK(read["content"][0]["text"].get<std::string>().find("not known") == std::string::npos);
}

TEST_CASE("a result that no shortening makes small enough is refused with advice") {
    json members = json::object();
    for (std::size_t i = 0; i < kResultBytesMax / 8; ++i)
        members[std::to_string(i)] = i;
    const std::string big = json{{"ok", true}, {"action", "status"}, {"data", members}}.dump();
    FakeDaemon daemon{.answer = big};
    const ordered_json result = call("a2h_status", {{"detail", "full"}}, daemon);
    CHECK(result["isError"] == true);
    CHECK(result["structuredContent"]["error"]["code"] == "resource_exhausted");
}

TEST_CASE("an answer that is no envelope is refused") {
    for (const char* text : {"7", "[]", "{", "{}", R"({"ok":1})"}) {
        CAPTURE(text);
        FakeDaemon daemon{.answer = std::string(text)};
        const ordered_json result = call("a2h_status", json::object(), daemon);
        CHECK(result["structuredContent"]["error"]["code"] == "internal");
    }
}
