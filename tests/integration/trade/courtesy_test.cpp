// A peer's message that a rule does not answer may have been an acceptance.

#include "tests/integration/trade/open_table.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

struct Courtesies : OpenTable {
    /// The buyer says it, and a rule of the seller does not answer.
    void is_met_with_silence(const std::string& text) {
        buyer_says(text);
        const std::string peer = buyer_account.agent_id;
        json newest;
        REQUIRE_MESSAGE(
            eventually([&] {
                newest = seller.call_assistant("inbox.history", json{{"peer_id", peer}}.dump());
                newest = newest["data"]["items"].empty() ? json() : newest["data"]["items"][0];
                return newest.dump().find(text) != std::string::npos &&
                       newest.value("status", "") != "pending";
            }),
            newest.dump());
        REQUIRE(eventually([&] { return no_work_left(seller); }));
        const json waiting = seller.call_human("approval.list", R"({"status":"pending"})");
        REQUIRE_MESSAGE(waiting["data"]["approvals"].empty(), waiting.dump());
    }
    std::string code_of_closing() { return code({{"text", "Have a nice day!"}}); }
};

}  // namespace

TEST_CASE("R46: a message taken for a courtesy stays open until the human answers") {
    const std::vector<std::string> said = {"Yes, portrait session, see you tomorrow!",
                                           "See you tomorrow?", "OK then?", "ok", "好的，明天见"};
    for (const std::string& text : said) {
        CAPTURE(text);
        Courtesies s;
        s.is_met_with_silence(text);
        const json waits = s.send({{"text", "Have a nice day!"}});
        REQUIRE_MESSAGE(OpenTable::code_in(waits) == kAsks, waits.dump());
        CHECK(s.texts_at_buyer("Have a nice day!") == 0);
        // A yes to any text answers the messages before it; a no answers nothing.
        REQUIRE(s.answer(s.seller, waits["error"]["approval_id"], "reject")["ok"] == true);
        const json asked = s.send({{"text", "Which style do you prefer?"}});
        REQUIRE_MESSAGE(OpenTable::code_in(asked) == kAsks, asked.dump());
        const std::string id = asked["error"]["approval_id"];
        REQUIRE(s.answer(s.seller, id, "approve")["ok"] == true);
        REQUIRE(eventually([&] { return s.approval(id)["outcome"] == "executed"; }));
        CHECK(s.code({{"text", "Good evening!"}}) == "ok");
    }
}

TEST_CASE("R46: greetings and thanks leave nothing open") {
    Courtesies s;
    for (const std::string text :
         {"Hello!", "Thanks a lot!", "Good morning, thank you.", "你好！", "谢谢"}) {
        CAPTURE(text);
        s.is_met_with_silence(text);
        CHECK(s.code_of_closing() == "ok");
    }
}
