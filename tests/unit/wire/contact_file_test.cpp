#include "core/wire/contact_file.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using namespace a2h::wire;
using nlohmann::json;

namespace {

json file_of_two() {
    return json::parse(R"({"contactRegistries": {"agent-xxx": [
        {"id": "agent-yyy", "role": "程序员", "source": "parent",
         "addedAt": "2026-01-05T12:00:00.000+08:00"},
        {"id": "agent-zzz", "role": "测试员",
         "interfaceSpec": {"services": "代码测试服务", "input_format": "代码文件路径",
                           "output_format": "测试报告"},
         "source": "introduction", "introducedBy": "agent-yyy",
         "addedAt": "2026-01-05T12:30:00.000+08:00"}]}})");
}

std::string faults_of(const json& file) {
    const auto read = read_contact_file(file);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().code == ErrorCode::InvalidArgument);
    return read.error().message;
}

}  // namespace

TEST_CASE("a file of contacts is read and written in its documented form") {
    const auto read = read_contact_file(file_of_two());
    REQUIRE(read.has_value());
    const auto& contacts = read->at("agent-xxx");
    REQUIRE(contacts.size() == 2);
    CHECK(contacts[0].agent_id == "agent-xxx");
    CHECK(contacts[0].source == ContactSource::Parent);
    CHECK(contacts[0].added_at_ms == 1'767'585'600'000);
    CHECK(contacts[1].introduced_by == "agent-yyy");
    REQUIRE(contacts[1].interface_spec.has_value());
    CHECK(contacts[1].interface_spec->services == "代码测试服务");
    CHECK(write_contact_file(*read) == file_of_two());
}

TEST_CASE("an agent without contacts keeps its empty registry, and no key is written") {
    ContactRegistries registries;
    registries["ag_a"];
    Contact known{.agent_id = "ag_b",
                  .peer_id = "ag_c",
                  .source = ContactSource::System,
                  .introduced_by = {},
                  .role = "user",
                  .interface_spec = {},
                  .key_id = "kid",
                  .public_key = "key"};
    registries["ag_b"].push_back(known);
    const json file = write_contact_file(registries);
    CHECK(file["contactRegistries"]["ag_a"] == json::array());
    CHECK(file.dump().find("kid") == std::string::npos);
    const auto read = read_contact_file(file);
    REQUIRE(read.has_value());
    CHECK(read->size() == 2);
}

TEST_CASE("every source can be imported, and other members of the file are left alone") {
    json file = {{"roles", {1}}, {"contactRegistries", {{"root", json::array()}}}};
    int number = 0;
    for (const char* source :
         {"system", "parent", "preset", "introduction", "first_message", "manual"}) {
        file["contactRegistries"]["root"].push_back({{"id", "a" + std::to_string(number++)},
                                                     {"role", ""},
                                                     {"source", source},
                                                     {"addedAt", "2026-01-05T12:00:00Z"}});
    }
    CHECK(read_contact_file(file).value().at("root").size() == 6);
}

TEST_CASE("every fault of a file is named with its place") {
    CHECK(faults_of(json::array()) == "/contactRegistries: must be an object");
    CHECK(faults_of({{"contactRegistries", {{"ag_a", 5}}}}) ==
          "/contactRegistries/ag_a: must be a list");
    const json file = json::parse(R"({"contactRegistries": {
        "a b\n": [],
        "ag_a": [
            {"id": "ag_b", "role": 5, "source": "friend", "addedAt": "2026-01-05T12:00:00"},
            {"id": "ag_b", "role": "", "source": "manual", "introducedBy": "ag_c",
             "addedAt": "2026-01-05T12:00:00Z", "interfaceSpec": {"services": "x"}},
            {"id": "ag_a", "role": "", "source": "manual", "addedAt": "2026-01-05T12:00:00Z"},
            {"id": "a/b", "role": "", "source": "manual", "addedAt": "0000-01-01T00:00:00+14:00"},
            "ag_d"]}})");
    CHECK(faults_of(file) ==
          "/contactRegistries/a b: is not an agent id\n"
          "/contactRegistries/ag_a/0/role: must be a text of up to 200 characters\n"
          "/contactRegistries/ag_a/0/source: must be system, parent, preset, introduction, "
          "first_message or manual\n"
          "/contactRegistries/ag_a/0/addedAt: must be an ISO 8601 time with an offset, not before "
          "1970\n"
          "/contactRegistries/ag_a/1/interfaceSpec: input_format must be a text; output_format "
          "must be a text\n"
          "/contactRegistries/ag_a/1/introducedBy: is allowed only with source introduction\n"
          "/contactRegistries/ag_a/1/id: occurs twice\n"
          "/contactRegistries/ag_a/2/id: is the agent itself\n"
          "/contactRegistries/ag_a/3/id: must be an id: 1 to 64 letters, digits and _ - . :\n"
          "/contactRegistries/ag_a/3/addedAt: must be an ISO 8601 time with an offset, not before "
          "1970\n"
          "/contactRegistries/ag_a/4: must be an object");
}

TEST_CASE("the first hundred of very many faults are named and the others counted") {
    json entries = json::array();
    for (int i = 0; i < 150; ++i)
        entries.push_back(i);
    const std::string said = faults_of({{"contactRegistries", {{"ag_a", entries}}}});
    CHECK(said.find("/99: must be") != std::string::npos);
    CHECK(said.find("/100: must be") == std::string::npos);
    CHECK(said.ends_with("\nand 50 more"));
}
