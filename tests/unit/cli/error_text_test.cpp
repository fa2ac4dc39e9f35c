#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/error_text.h"

using namespace a2h;
using cli::Invocation;
using nlohmann::json;

namespace {

Invocation reader(i18n::Language language = i18n::Language::English) {
    Invocation invocation;
    invocation.language = language;
    return invocation;
}

std::string next_of(const json& error) {
    return cli::next_step(reader(), error);
}

}  // namespace

TEST_CASE("a next step is named only where the error has one meaning") {
    for (const char* code : {"PLATFORM_410", "PLATFORM_90005", "PLATFORM_401", "invalid_argument",
                             "conflict", "unsupported", "resource_exhausted"}) {
        CAPTURE(code);
        CHECK(next_of({{"code", code}, {"message", "m"}, {"next", "Call a2h_status."}}).empty());
    }
    CHECK(next_of({{"code", "PLATFORM_90005"}, {"about", "wrong_pin"}}).find("Check the PIN") == 0);
    CHECK(next_of({{"code", "conflict"}, {"about", "home_served"}}).find("down") !=
          std::string::npos);
    CHECK(next_of({{"code", "unavailable"}}).find("status") != std::string::npos);
    CHECK(next_of({{"code", "unavailable"}, {"about", "not_every_channel"}}).empty());
    const json question{{"code", "PLATFORM_CONFIRMATION_REQUIRED"}, {"approval_id", "apr_1"}};
    CHECK(next_of(question).find("approve apr_1") != std::string::npos);
    const json brief{{"code", "invalid_task_brief"}, {"missing_fields", {"objective"}}};
    CHECK(next_of(brief).find("objective") != std::string::npos);
}

TEST_CASE("an error is told in the person's language, and English of a2hd is quoted apart") {
    const Invocation chinese = reader(i18n::Language::Chinese);
    const json gone{{"code", "PLATFORM_410"}, {"message", "there is no backup /b"}};
    CHECK(cli::error_text(reader(), gone) == "there is no backup /b");
    CHECK(cli::error_text(chinese, gone) == "没有找到。\n  原文：“there is no backup /b”");
    const json nobody{{"code", "agent_not_found"}, {"message", "m"}, {"agentId", "ag_x"}};
    CHECK(cli::error_text(chinese, nobody) == "没有 ag_x 这个智能体：本机没有，市场也不认得");
    const json limit{{"code", "invalid_argument"}, {"about", "mandate_needs_limit"}};
    CHECK(cli::error_text(chinese, limit) == "授权必须限定每天或每周的次数或总额");
    CHECK(cli::error_text(chinese, {{"code", "brand_new"}, {"message", "m\x1b"}}) == "m[U+001B]");
}

TEST_CASE("a question that waits is repeated without our English") {
    json asked{{"code", "PLATFORM_CONFIRMATION_REQUIRED"},
               {"message", "this needs your human's yes: 发吗？"},
               {"question", "发吗？"}};
    CHECK(cli::error_text(reader(i18n::Language::Chinese), asked) == "需要先得到您的同意：发吗？");
    CHECK(cli::error_text(reader(), asked) == "this needs your yes: 发吗？");
    asked.erase("question");
    CHECK(cli::error_text(reader(), asked) == "this needs your yes");
}

TEST_CASE("each channel that did not take the test has a line of its own") {
    const json error{{"code", "unavailable"},
                     {"about", "not_every_channel"},
                     {"message", "m"},
                     {"channels",
                      {{{"channel", "mail"}, {"ok", true}},
                       {{"channel", "phone"}, {"ok", false}, {"detail", "refused"}}}}};
    CHECK(cli::error_text(reader(), error) ==
          "not every channel took the test notification\n  phone: refused");
    CHECK(cli::error_text(reader(i18n::Language::Chinese), error) ==
          "测试通知没有在所有渠道送达\n  phone：“refused”");
}
