// Every request is answered under its id, whatever is wrong with it, and nothing else is.
#include <doctest/doctest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "mcp/framing.h"
#include "tests/unit/mcp/host.h"

using a2h::mcp::kBatchMax;
using a2h::mcp::kDepthMax;
using a2h::mcp::kLineBytesMax;
using a2h::test::Host;
using nlohmann::json;

namespace {

std::string deep_object(int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i)
        text += R"({"a":)";
    return text + "1" + std::string(static_cast<std::size_t>(depth), '}');
}

/// Arguments that are JSON for most programs and not for us, with a word of the reason.
const std::vector<std::pair<std::string, std::string>>& unreadable_arguments() {
    static const std::vector<std::pair<std::string, std::string>> kAll = {
        {R"({"detail":"a\ud83e"})", "an incomplete character"},
        {R"({"detail":"\udd8a b"})", "an incomplete character"},
        {R"({"n":1e999})", "out of range"},
        {R"({"detail":"full","detail":"full"})", "twice"},
        {R"({"detail":)" + deep_object(kDepthMax) + "}", "too deep"},
        {R"({"n":NaN})", "not JSON"},
        {"{\"detail\":\"\xff\"}", "not UTF-8"},
    };
    return kAll;
}

std::string call_line(const std::string& id, const std::string& arguments,
                      const std::string& more = {}) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{)" + more +
           R"("name":"a2h_status","arguments":)" + arguments + "}}";
}

const std::string kMuch(kLineBytesMax, 'y');

/// Whether `host` says nothing about `line`. The ping is answered on this thread.
bool is_ignored(Host& host, const std::string& line) {
    host.say_line(line);
    host.say_line(R"({"jsonrpc":"2.0","id":"after","method":"ping"})");
    return host.hear()["id"] == "after";
}

json answer_to(Host& host, const std::string& line) {
    host.say_line(line);
    return host.hear();
}

}  // namespace

TEST_CASE("a call whose arguments cannot be read is refused as a result that says why") {
    const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{}},)";
    for (const auto& [arguments, reason] : unreadable_arguments()) {
        CAPTURE(arguments);
        for (const bool modern : {false, true}) {
            Host host;
            if (!modern) host.initialize("2025-06-18");
            const json answer =
                answer_to(host, call_line("9", arguments, modern ? meta : std::string()));
            CHECK(answer["id"] == 9);
            REQUIRE(answer.contains("result"));
            CHECK(answer["result"]["isError"] == true);
            CHECK(answer["result"].contains("resultType") == modern);
            const json& error = answer["result"]["structuredContent"]["error"];
            CHECK(error["code"] == "invalid_argument");
            CHECK(error["message"].get<std::string>().find(reason) != std::string::npos);
            CHECK(error["next"].get<std::string>().find("a2h_status") != std::string::npos);
            CHECK(host.count_of("status") == 0);
        }
    }
}

TEST_CASE("another request that cannot be read gets an error with its id") {
    for (const auto& [arguments, reason] : unreadable_arguments()) {
        CAPTURE(arguments);
        Host host;
        host.initialize("2025-06-18");
        const json answer =
            answer_to(host, R"({"jsonrpc":"2.0","method":"resources/read","params":)" + arguments +
                                R"(,"id":"q\"1"})");
        CHECK(answer["id"] == "q\"1");
        CHECK(answer["error"]["code"] == -32700);
        CHECK(answer["error"]["message"].get<std::string>().find(reason) != std::string::npos);
        // A tool that does not exist has no form of its own.
        host.say_line(R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x",)"
                      R"("arguments":)" +
                      arguments + "}}");
        CHECK(host.hear()["error"]["code"] == -32700);
    }
    Host host;
    CHECK(answer_to(host, R"({"jsonrpc":"2.0","id":5,"method":"ping",})")["id"] == 5);
}

TEST_CASE("a notification is never answered, whatever its params and its size are") {
    Host host;
    host.initialize("2025-03-26");
    for (const char* method : {"notifications/initialized", "notifications/cancelled", "ping"}) {
        for (const std::string& params :
             {std::string("null"), std::string("[]"), std::string("5"), std::string("\"x\""),
              std::string("{}"), std::string(R"({"x":"\ud83e"})"), "\"" + kMuch + "\""}) {
            CAPTURE(method);
            CHECK(is_ignored(host, R"({"jsonrpc":"2.0","method":")" + std::string(method) +
                                       R"(","params":)" + params + "}"));
        }
    }
    std::string many = R"({"jsonrpc":"2.0","method":"x"})";
    for (std::size_t i = 0; i < kBatchMax; ++i)
        many += R"(,{"jsonrpc":"2.0","method":"x"})";
    CHECK(is_ignored(host, "[" + many + "]"));
    const std::string large = R"({"jsonrpc":"2.0","method":"x","params":{"x":")" + kMuch + "\"}}";
    CHECK(is_ignored(host, "[" + large + "]"));
    CHECK(is_ignored(host, R"({"jsonrpc":"1.0","method":"x"})"));
}

TEST_CASE("nothing of a batch that is no JSON is done, and one error says so") {
    for (const char* version : {"2024-11-05", "2025-03-26"}) {
        for (const char* bad : {"x", "NaN", "\"\xff\"", R"({"a":1,"a":2})"}) {
            CAPTURE(bad);
            Host host;
            host.initialize(version);
            const json answer = answer_to(host, "[" + call_line("7", "{}") + "," + bad + "]");
            REQUIRE(answer.is_object());
            CHECK(answer["id"].is_null());
            CHECK(answer["error"]["code"] == -32700);
            CHECK(is_ignored(host, ""));
            CHECK(host.count_of("status") == 0);
        }
    }
}

TEST_CASE("a notification that is no JSON is answered like any other text that is none") {
    const std::string begun = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{)";
    for (const char* end : {"", "}", "}}}", "\"requestId\":1}}}", "\"requestId\":NaN}}"}) {
        CAPTURE(end);
        Host host;
        host.initialize("2025-06-18");
        const json answer = answer_to(host, begun + end);
        REQUIRE(answer.contains("id"));
        CHECK(answer["id"].is_null());
        CHECK(answer["error"]["code"] == -32700);
    }
}

TEST_CASE("a response is never answered, however its names are written and whatever its size is") {
    Host host;
    host.initialize("2025-06-18");
    for (const char* id : {"null", "9", "{}"}) {
        for (const char* name : {"result", R"(r\u0065sult)", R"(\u0065rror)"}) {
            for (const std::string& text : {std::string(R"(\ud83e)"), kMuch}) {
                CAPTURE(name);
                CHECK(is_ignored(host, R"({"jsonrpc":"2.0","id":)" + std::string(id) + ",\"" +
                                           name + R"(":{"x":")" + text + "\"}}"));
            }
        }
    }
}

TEST_CASE("a line of blanks is ignored like an empty one") {
    Host host;
    host.initialize("2025-11-25");
    for (const std::string& line : {std::string(), std::string("  "), std::string(" \t \r"),
                                    std::string(kMuch.size() + 1, ' ')})
        CHECK(is_ignored(host, line));
}

TEST_CASE("a request that is too large is refused under its id, wherever that is") {
    Host host;
    host.initialize("2025-06-18");
    const std::string params = R"("params":{"x":")" + kMuch + "\"}";
    for (const std::string& line :
         {R"({"jsonrpc":"2.0","id":9,"method":"ping",)" + params + "}",
          R"({"jsonrpc":"2.0","method":"ping",)" + params + R"(,"id":9})",
          R"({"jsonrpc":"2.0","\u0069d":9,"method":"ping",)" + params + "}"}) {
        const json answer = answer_to(host, line);
        CHECK(answer["id"] == 9);
        CHECK(answer["error"]["message"].get<std::string>().find("262144") != std::string::npos);
    }
}

TEST_CASE("each request of a batch that is too large is refused under its id") {
    Host host;
    host.initialize("2025-03-26");
    const std::string line = R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0",)"
                             R"("method":"x","params":{"x":")" +
                             kMuch + R"("}},{"jsonrpc":"2.0","id":2,"method":"ping"}])";
    const json answers = answer_to(host, line);
    REQUIRE(answers.size() == 2);
    CHECK(answers[0]["id"] == 1);
    CHECK(answers[1]["id"] == 2);
    CHECK(answers[1].contains("error"));
}

TEST_CASE("in a session without batches each request of a batch is refused under its id") {
    for (const char* version : {"2025-06-18", "2025-11-25"}) {
        CAPTURE(version);
        Host host;
        host.initialize(version);
        host.say_line(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","id":"b",)"
                      R"("method":"tools/list"},{"jsonrpc":"2.0","method":"x"},8])");
        const json first = host.hear();
        CHECK(first["id"] == 1);
        CHECK(first["error"]["code"] == -32600);
        CHECK(host.hear().value("id", json()).is_null());
        CHECK(host.hear()["id"] == "b");
        CHECK(host.silent());
        CHECK(is_ignored(host, R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])"));
    }
}

TEST_CASE("each request of a batch of too many messages is refused under its id") {
    for (const bool is_oversized : {false, true}) {
        for (const char* version : {"2025-03-26", "2025-11-25"}) {
            CAPTURE(is_oversized);
            CAPTURE(version);
            Host host;
            host.initialize(version);
            const int count = is_oversized ? 9000 : 300;
            std::string line = "[1,2";
            for (int id = 0; id < count; ++id)
                line += R"(,{"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})";
            line += R"(,{"jsonrpc":"2.0","method":"x"}])";
            REQUIRE((line.size() > kLineBytesMax) == is_oversized);
            host.say_line(line);
            CHECK(host.hear().value("id", json()).is_null());
            for (int id = 0; id < count; ++id) {
                const json answer = host.hear();
                REQUIRE(answer["id"] == id);
                REQUIRE(answer["error"]["code"] == -32600);
            }
            CHECK(host.silent());
        }
    }
}

TEST_CASE("an incomplete character in an id is echoed as it was written") {
    Host host;
    host.initialize("2025-11-25");
    for (const char* id : {R"("\ud83e")", R"("a\uDD8A b")"}) {
        CAPTURE(id);
        host.say_line(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"ping"})");
        const std::string answer = host.hear_line();
        CHECK(answer.find(R"("id":)" + std::string(id) + ",") != std::string::npos);
        CHECK(answer.find("an incomplete character") != std::string::npos);
        host.say_line(call_line(id, "{}"));
        const std::string refusal = host.hear_line();
        CHECK(refusal.find(R"("id":)" + std::string(id) + R"(,"result")") != std::string::npos);
    }
}

TEST_CASE("waits above the limit are refused at once, because their time would pass") {
    constexpr int kMax = a2h::mcp::Calls::kTimedRunningMax;
    Host host;
    host.initialize("2025-11-25");
    host.on["approval.wait"] = [](const json&) { return json::object(); };
    host.hold("approval.wait");
    const json wait{{"name", "a2h_approval_wait"},
                    {"arguments", {{"approval_id", "apr_1"}, {"timeout_seconds", 1}}}};
    for (int i = 0; i < kMax; ++i)
        host.request("tools/call", wait);
    const int id = host.request("tools/call", wait);
    const json answer = host.hear();
    CHECK(answer["id"] == id);
    CHECK(answer["result"]["isError"] == true);
    CHECK(answer["result"]["structuredContent"]["error"]["message"] ==
          "too many calls are waiting");
    CHECK(host.called("approval.wait", kMax));
    host.release();
    for (int i = 0; i < kMax; ++i)
        CHECK(host.hear()["result"]["isError"] == false);
    CHECK(host.count_of("approval.wait") == kMax);
}

TEST_CASE("an id is echoed as it was written") {
    Host host;
    host.initialize("2025-06-18");
    CHECK(answer_to(host, R"({"jsonrpc":"2.0","\u0069d":9,"method":"ping"})")["id"] == 9);
    CHECK(answer_to(host, R"({"jsonrpc":"2.0","id":1.0,"method":"ping"})")["id"].dump() == "1.0");
    CHECK(answer_to(host, R"({"jsonrpc":"2.0","id":1e3,"method":"ping"})")["id"] == 1000);
    CHECK(answer_to(host, R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})")["error"]["code"] ==
          -32600);
}

TEST_CASE("a call is cancelled by the value of its id, also of one above 64 bits") {
    const std::vector<std::pair<std::string, std::string>> ids = {
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {"77", "7.7e1"},
        {"1.0", "1"},
        {R"("w1")", R"("\u0077\u0031")"}};
    for (const auto& [id, cancelled] : ids) {
        CAPTURE(id);
        Host host;
        host.initialize("2025-06-18");
        host.on["status"] = [](const json&) { return json::object(); };
        host.hold("status");
        host.say_line(call_line(id, "{}"));
        REQUIRE(host.called("status"));
        // The reason is not readable, and cancels nevertheless.
        host.say_line(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)"
                      R"({"reason":"\ud83e","request\u0049d":)" +
                      cancelled + "}}");
        host.end();
        CHECK(host.silent());
    }
}

TEST_CASE("revisions that server/discover and refusals list may be named in a request") {
    constexpr const char* kVersion = "io.modelcontextprotocol/protocolVersion";
    for (const char* session : {"", "2025-06-18"}) {
        CAPTURE(session);
        Host host;
        if (*session != '\0') host.initialize(session);
        std::vector<json> lists = {
            host.ask("server/discover", Host::modern())["result"]["supportedVersions"]};
        for (const char* method : {"server/discover", "tools/list"}) {
            json params = Host::modern();
            params["_meta"][kVersion] = "2025-11-25";
            const json error = host.ask(method, params)["error"];
            CHECK(error["code"] == -32022);
            lists.push_back(error["data"]["supported"]);
        }
        for (const json& list : lists) {
            REQUIRE(!list.empty());
            for (const json& version : list) {
                json params = Host::modern();
                params["_meta"][kVersion] = version;
                CHECK(host.ask("tools/list", params).contains("result"));
            }
        }
    }
    Host host;
    const json refusal = host.ask("tools/list");
    CHECK(refusal["error"]["code"] == -32602);
    CHECK(refusal["error"]["message"].get<std::string>().ends_with(R"(one of ["2026-07-28"])"));
}
