// A dialog of the assistant's program shows every code point of Unicode that people cannot see by
// its code.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "mcp/human_dialog.h"
#include "tests/support/unseen.h"

using namespace a2h;
using nlohmann::json;

TEST_CASE("a dialog shows every unseen code point of a question by its code") {
    for (const test::UnseenText& hidden : test::unseen_texts()) {
        const json approval{{"approval_id", "apr_1"},
                            {"status", "pending"},
                            {"digest", "d"},
                            {"question", "May I? " + hidden.text},
                            {"covers",
                             {{{"label", "Text"}, {"value", hidden.text}},
                              {{"member", hidden.text}, {"value", "x"}}}}};
        const json listed{{"ok", true},
                          {"data", {{"approvals", json::array({approval})}, {"more", false}}}};
        const mcp::HumanDialog dialog(
            [said = listed.dump()](const mcp::DaemonCall&, std::stop_token) {
                return Result<std::string>(said);
            },
            "ag_seller");
        const auto question = dialog.question_about("apr_1", {});
        REQUIRE(question.has_value());
        // The question, the value and the name of a member.
        std::string rest = question->message;
        CHECK(test::first_unseen(rest).empty());
        for (const char* begin : {"May I? ", "\nText: ", "\na"}) {
            const std::size_t at = rest.find(begin);
            REQUIRE(at != std::string::npos);
            rest.erase(0, at);
            if (const std::string code = test::first_missing(rest, hidden); !code.empty())
                FAIL_CHECK("behind '" << begin << "' a dialog does not show " << code);
        }
    }
}
