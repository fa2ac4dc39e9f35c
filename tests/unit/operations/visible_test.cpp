// Nothing that people cannot see gets past the door of the operations, in no text and no name.
#include <doctest/doctest.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/fence.h"
#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"
#include "daemon/operations/operation.h"
#include "tests/support/identity.h"
#include "tests/support/unseen.h"

using namespace a2h;
using nlohmann::json;
using test::utf8;

namespace {

/// Every operation of the catalogue, each of which keeps the arguments that reach it.
struct Door {
    Agents agents;
    struct NoProof final : operations::OwnerProof {
        void check_pin(const std::string&, const std::string&, const std::string&,
                       std::function<void(Result<std::string>)> done) const override {
            done(fail(ErrorCode::Unauthenticated, "no PIN here"));
        }
    } no_proof;
    operations::Table table{agents, no_proof};
    json passed;
    std::string answer;

    Door() {
        auto agent = std::make_unique<Agent>(test::identity_of("ag_owner"), 0U);
        agents["ag_owner"] = std::move(agent);
        for (const catalogue::Operation& operation : catalogue::operations()) {
            table.add(operation.action,
                      [this](const operations::Call& call, const operations::Reply& reply) {
                          passed = call.arguments;
                          reply(operations::ok_result(call.action, json::object()));
                      });
        }
    }

    /// True if the arguments, as JSON, reached the operation.
    bool passes(std::string_view action, const std::string& arguments) {
        passed = nullptr;
        table.run_line(R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(action) +
                           R"(","params":)" + arguments + "}",
                       [this](const std::string& said) { answer = said; });
        return !passed.is_null();
    }
    bool passes(std::string_view action, json arguments, bool is_human) {
        if (is_human) arguments["face"] = "human";
        return passes(action, arguments.dump());
    }
};

std::string quoted(const std::string& text) {
    return json(text).dump();
}

/// A value that fits `schema`.
json filled(const json& schema, const std::string& name = {}) {
    if (schema.contains("enum")) return schema["enum"][0];
    const json types = schema.value("type", json("string"));
    const std::string type = types.is_array() ? types[0] : types;
    if (type == "array") return json::array({filled(schema.value("items", json::object()), name)});
    if (type == "boolean") return false;
    if (type == "integer" || type == "number") return schema.value("minimum", 1);
    if (type == "object") {
        json object = json::object();
        const json members = schema.value("properties", json{{"own", {{"type", "string"}}}});
        for (const auto& [member, of] : members.items())
            object[member] = filled(of, member);
        return object;
    }
    if (name.find("currency") != std::string::npos) return "CNY";
    const std::string pattern = schema.value("pattern", "");
    if (pattern.find("ag_") != std::string::npos || pattern.starts_with("^(ag|")) return "ag_bob";
    if (pattern.find("apr_") != std::string::npos) return "apr_1";
    if (pattern.find("deal_") != std::string::npos) return "deal_1";
    if (pattern.find("[^/ ]+/") != std::string::npos) return "image/png";
    if (name.ends_with("_id")) return "0b5e6f0e-3c3a-4d2b-9a51-6f1c2d3e4f50";
    if (pattern.find("https") != std::string::npos) return "https://files.example/a.png";
    if (name == "code") return "123456";
    return "13800000000";
}

/// The place of each text of `value`, at any depth.
void collect_texts(const json& value, const json::json_pointer& place,
                   std::vector<json::json_pointer>& texts) {
    if (value.is_string()) return texts.push_back(place);
    if (value.is_object()) {
        for (const auto& [name, member] : value.items())
            collect_texts(member, place / name, texts);
    } else if (value.is_array()) {
        for (std::size_t at = 0; at < value.size(); ++at)
            collect_texts(value[at], place / at, texts);
    }
}

}  // namespace

TEST_CASE("a text with any code point is refused, or passes as it is shown") {
    Door door;
    std::size_t refused = 0;
    for (char32_t c = 0; c <= test::kLastCodePoint; ++c) {
        const bool is_surrogate = c >= 0xD800 && c <= 0xDFFF;
        const std::string text = "a" + utf8(c) + "b";
        // A surrogate as JSON writes it.
        char escaped[16];
        std::snprintf(escaped, sizeof escaped, "\"\\u%04x\"", static_cast<unsigned>(c));
        const std::string written = is_surrogate ? std::string(escaped) : quoted(text);
        const bool passed =
            door.passes("send", R"({"target_agent_id":"ag_bob","text":)" + written + "}");
        refused += passed ? 0 : 1;
        const bool holds = passed ? !is_surrogate && !test::is_unseen(c) &&
                                        door.passed["text"] == text && shown_whole(text) == text
                                  : is_surrogate || test::is_unseen(c);
        if (!holds) FAIL_CHECK(test::code_of(c) << ": " << door.answer);
    }
    MESSAGE(refused << " code points are refused");
    CHECK(refused > 900'000);
}

TEST_CASE("a refusal names the character and where it stands, and does not repeat it") {
    Door door;
    for (char32_t c = 0; c <= test::kLastCodePoint; ++c) {
        if (!test::is_assigned_unseen(c)) continue;
        const std::string call =
            R"({"target_agent_id":"ag_bob","text":)" + quoted("中 " + utf8(c)) + "}";
        const bool holds = !door.passes("send", call) &&
                           door.answer.find("U+") != std::string::npos &&
                           door.answer.find("(character 3)") != std::string::npos &&
                           test::first_unseen(door.answer).empty();
        if (!holds) FAIL_CHECK(test::code_of(c) << ": " << door.answer);
    }
}

TEST_CASE("a name of a member that people cannot see is refused, at any depth") {
    Door door;
    for (char32_t c = 0; c <= test::kLastCodePoint; ++c) {
        if (!test::is_assigned_unseen(c)) continue;
        const std::string name = quoted("na" + utf8(c) + "me") + ":1";
        for (const std::string& payload : {"{" + name + "}", R"({"a":[{"b":{)" + name + "}}]}"}) {
            const bool passed = door.passes(
                "send", R"({"target_agent_id":"ag_bob","extra_payload":)" + payload + "}");
            if (passed) FAIL_CHECK(test::code_of(c) << " in " << payload);
        }
    }
    CHECK(door.passes("send", R"({"target_agent_id":"ag_bob","extra_payload":{"a":[{"b":1}]}})"));
}

TEST_CASE("no text of any operation of an assistant has an unseen character, whoever calls it") {
    Door door;
    int walked = 0;
    for (const catalogue::Operation& operation : catalogue::operations()) {
        if (!operation.is_for_assistants()) continue;
        CAPTURE(operation.action);
        const json call = filled(catalogue::input_schema(operation));
        std::vector<json::json_pointer> texts;
        collect_texts(call, json::json_pointer(), texts);
        for (const bool is_human : {false, true}) {
            if (!operation.needs_proof) {
                CHECK_MESSAGE(door.passes(operation.action, call, is_human), door.answer);
            }
            for (const json::json_pointer& place : texts) {
                // Of a code only the digits are read, and nobody is shown it.
                if (place.to_string() == "/code") continue;
                CAPTURE(place.to_string());
                for (const char32_t c : {0x202E, 0x200B, 0xE0041, 0xE000, 0x378, 0x3164, 0x7F}) {
                    json changed = call;
                    changed[place] = changed[place].get<std::string>() + utf8(c);
                    CHECK_FALSE(door.passes(operation.action, changed, is_human));
                }
                ++walked;
            }
        }
    }
    CHECK(walked > 200);
}
