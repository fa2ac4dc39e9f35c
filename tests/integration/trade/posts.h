#pragma once

#include <string>

#include "tests/integration/trade/open_table.h"

namespace a2h::test {

constexpr const char* kGreeting = "Good morning!";
constexpr const char* kOffer = "280 CNY for your portrait session, greet me if you accept";

/// The seller's assistant reads what the buyer has written at the market.
struct Posts : OpenTable {
    /// A post of the buyer: 2 demand, 3 service, 4 discussion.
    std::string post(int type, const std::string& title, const std::string& content,
                     nlohmann::json more = nlohmann::json::object()) {
        more.update({{"type", type}, {"title", title}, {"content", content}});
        return submit(more)["worksId"];
    }
    nlohmann::json submit(const nlohmann::json& body) {
        return post_to("/findu-user/api/v1/user/works/change-requests", body);
    }
    nlohmann::json post_to(const std::string& path, const nlohmann::json& body) {
        platform::Request request;
        request.method = "POST";
        request.path = path;
        request.body = body.dump();
        const auto made = peer.call(request);
        REQUIRE_MESSAGE(made, made.error().message);
        return *made;
    }
    std::string reply_to(const std::string& id, const std::string& content) {
        return post_to(
            "/findu-user/api/v1/user/works/" + buyer_account.agent_id + "/" + id + "/replies",
            {{"content", content}})["replyId"];
    }
    nlohmann::json read(const char* action,
                        const nlohmann::json& arguments = nlohmann::json::object()) {
        const nlohmann::json result = seller.call_assistant(action, arguments.dump());
        REQUIRE_MESSAGE(result["ok"] == true, result.dump());
        return result["data"];
    }
    /// Creates another agent of the seller's home; returns its id.
    std::string spawn() {
        const nlohmann::json brief{{"objective", "speak"},
                                   {"constraints", {"none"}},
                                   {"inputs", "none"},
                                   {"outputs", "none"},
                                   {"completion_criteria", "said"}};
        const nlohmann::json call{
            {"role_id", "speaker"}, {"register", true}, {"task_brief", brief}};
        const nlohmann::json made = seller.call_assistant("agent.spawn", call.dump());
        REQUIRE_MESSAGE(made["data"]["registered"] == true, made.dump());
        return made["data"]["agent_id"];
    }
    /// The greeting does not leave.
    void check_waits(const std::string& text = kGreeting) {
        const nlohmann::json result = send({{"text", text}});
        CHECK_MESSAGE(code_in(result) == kAsks, result.dump());
        REQUIRE(no_work_left(seller));
        CHECK(texts_at_buyer(text) == 0);
    }
    void check_leaves(const std::string& text) {
        const nlohmann::json result = send({{"text", text}});
        CHECK_MESSAGE(code_in(result) == "ok", result.dump());
        CHECK(eventually([&] { return texts_at_buyer(text) == 1; }));
    }
    /// The human releases one text to the buyer and declines what else is asked.
    void release(const std::string& text) {
        const nlohmann::json asked = send({{"text", text}});
        REQUIRE_MESSAGE(code_in(asked) == kAsks, asked.dump());
        const std::string id = asked["error"]["approval_id"];
        approve(seller, id);
        REQUIRE(eventually([&] { return texts_at_buyer(text) == 1; }));
        const nlohmann::json rows = seller.call_human("approval.list", R"({"status":"pending"})");
        for (const nlohmann::json& row : rows["data"]["approvals"])
            answer(seller, row["approval_id"], "reject");
    }

    MarketClient peer = market.client(buyer_account);
};

}  // namespace a2h::test
