#include "core/wire/task_brief.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using namespace a2h::wire;
using nlohmann::json;

namespace {

using Names = std::vector<std::string>;

json whole_brief() {
    return json::parse(R"({
        "objective": "做一个简单的计算器",
        "constraints": ["HTML + JavaScript", "静态网页"],
        "inputs": "数字和运算符",
        "outputs": "页面上的结果",
        "completion_criteria": "四则运算正确",
        "collaborators": [{"agentId": "agent-ui-designer", "role": "UI设计师",
            "description": "界面问题问它",
            "interfaceSpec": {"services": "设计", "inputFormat": "草图", "output_format": "CSS",
                              "examples": ["按钮"]}}],
        "references": ["现有的计算器"],
        "priority": "high"
    })");
}

}  // namespace

TEST_CASE("a whole brief is read and written with our names") {
    const auto read = read_task_brief(whole_brief());
    REQUIRE(read.has_value());
    CHECK(read->objective == "做一个简单的计算器");
    CHECK(read->constraints == Names{"HTML + JavaScript", "静态网页"});
    REQUIRE(read->collaborators.size() == 1);
    CHECK(read->collaborators[0].agent_id == "agent-ui-designer");
    REQUIRE(read->collaborators[0].interface_spec.has_value());
    CHECK(read->collaborators[0].interface_spec->input_format == "草图");
    CHECK(read->references == Names{"现有的计算器"});
    CHECK(read->priority == "high");

    const json written = write_task_brief(*read);
    CHECK(written["collaborators"][0]["agent_id"] == "agent-ui-designer");
    CHECK(written["collaborators"][0]["interface_spec"]["input_format"] == "草图");
    CHECK(read_task_brief(written).value() == *read);
    CHECK(task_brief_with_snake_case(whole_brief()) == written);
}

TEST_CASE("all that a brief lacks is named at once, in order (R41)") {
    const Names all = {"objective", "constraints", "inputs", "outputs", "completion_criteria"};
    CHECK(missing_fields(json::object()) == all);
    CHECK(missing_fields(nullptr) == all);
    CHECK(missing_fields("do it") == all);
    CHECK(missing_fields(json::array({whole_brief()})) == all);

    json brief = whole_brief();
    brief["objective"] = "";
    brief["outputs"] = nullptr;
    brief["constraints"] = {"", ""};
    CHECK(missing_fields(brief) == Names{"objective", "constraints", "outputs"});
    const auto read = read_task_brief(brief);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().code == ErrorCode::InvalidArgument);
    CHECK(read.error().message == "invalid_task_brief: missing objective, constraints, outputs");
}

TEST_CASE("a brief may say that there are no constraints, and in camelCase what completes it") {
    json brief = whole_brief();
    brief["constraints"] = json::array();
    brief["completionCriteria"] = brief["completion_criteria"];
    brief.erase("completion_criteria");
    CHECK(missing_fields(brief).empty());
    const auto read = read_task_brief(brief);
    REQUIRE(read.has_value());
    CHECK(read->constraints.empty());
    CHECK(read->completion_criteria == "四则运算正确");
}

TEST_CASE("members of another type are named beside the missing ones") {
    json brief = whole_brief();
    brief.erase("inputs");
    brief["constraints"] = "HTML";
    brief["priority"] = 1;
    brief["references"] = {"a", 2};
    brief["collaborators"][0].erase("agentId");
    brief["collaborators"].push_back(5);
    const auto read = read_task_brief(brief);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().message ==
          "invalid_task_brief: missing inputs; constraints must be a list of texts; "
          "collaborators[0].agent_id is missing; collaborators[1] must be an object; "
          "references[1] must be a text; priority must be a text");
}

TEST_CASE("an unknown member of a brief is left alone") {
    json brief = whole_brief();
    brief["budget"] = 5;
    CHECK(read_task_brief(brief).has_value());
    CHECK(task_brief_with_snake_case(brief)["budget"] == 5);
}

TEST_CASE("an interface spec has its three texts") {
    CHECK_FALSE(read_interface_spec("x").has_value());
    const auto read = read_interface_spec({{"services", "tests"}, {"examples", {1}}});
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().message ==
          "input_format must be a text; output_format must be a text; examples[0] must be a text");
    const InterfaceSpec spec{"tests", "a path", "", {"run all"}};
    CHECK(read_interface_spec(write_interface_spec(spec)).value() == spec);
}
