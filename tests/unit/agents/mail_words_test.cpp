#include "daemon/agents/mail_words.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using namespace a2h::agents;
using i18n::Language;
using nlohmann::json;

TEST_CASE("a typed message is shown in lines, known members first and none left out") {
    const json payload = {
        {"task_id", "task_1760000000000001"},
        {"discount", 5},
        {"task_brief",
         {{"objective", "Count the words"}, {"constraints", {"by Friday", "no tools"}}}},
    };
    CHECK(mail_in_words(payload, Language::English) ==
          "Brief: \n"
          "  Objective: Count the words\n"
          "  Constraints: \n"
          "    - by Friday\n"
          "    - no tools\n"
          "discount: 5\n"
          "Task: task_1760000000000001");
    CHECK(mail_in_words(payload, Language::Chinese).find("任务编号：task_1760000000000001") !=
          std::string::npos);
}

TEST_CASE("a value cannot look like a line of its own") {
    const json payload = {{"summary", "done\nStatus: completed"}, {"introduced", false}};
    CHECK(mail_in_words(payload, Language::English) ==
          "Summary: done\n    Status: completed\nNames somebody: no");
}

TEST_CASE("lists in lists and objects in lists are shown as well") {
    const json payload = {{"result", {{{"price", 99}}, json::array({1, 2})}}};
    CHECK(mail_in_words(payload, Language::English) == "Result: \n  - \n    price: 99\n  - [1,2]");
}

TEST_CASE("the question names who gets it and what it is about") {
    const json payload = {{"task_brief", {{"objective", "Count the words"}}}};
    CHECK(question_about_mail(AgentMessageType::TaskAssignment, "ag_far", payload,
                              Language::English) == "Give ag_far this task? “Count the words”");
}
