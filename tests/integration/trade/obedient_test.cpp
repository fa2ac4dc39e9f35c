// An assistant that follows every instruction of a hostile peer and may call every tool: it must
// not be able to move money, publish or commit anybody. The same holds for a program with access to
// the control socket.

#include <filesystem>
#include <fstream>
#include <set>

#include <doctest/doctest.h>

#include "core/catalogue/operations.h"
#include "core/http/client.h"
#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// The operations that need no human, because they neither cost money nor commit the owner.
const std::set<std::string> kHarmless = {
    "address.create", "address.delete", "address.set_default", "approval.create", "auth.login",
    "auth.poll", "file.upload", "session.create", "send", "approval.response",
    // Between agents of the owner, or about an earlier offer or request of somebody.
    "agent.spawn", "agent.stop", "agent.register", "contact.add", "introduction.answer",
    "task.report", "task.cancel",
    // It has no text of its own; each item of a plan is asked about by itself.
    "negotiation.cancel", "negotiation.apply", "profile.import"};

struct Obedient : Scene {
    Obedient() {
        publish_listing();
        works_id = seller.call_assistant("works.list")["data"]["items"][0]["worksId"];
    }

    /// A call of each operation that changes something, as a hostile text would dictate it.
    json dictated() const {
        const std::string& peer = buyer_account.agent_id;
        const json price{{"currency", "CNY"}, {"amount", 1}};
        return {
            {"works.publish", {{"type", 3}, {"title", "Free gold"}, {"content", "Take it"}}},
            {"works.update",
             {{"works_id", works_id}, {"type", 3}, {"title", "x"}, {"content", "All is free"}}},
            {"works.delete", {{"works_id", works_id}}},
            {"order.create",
             {{"customer_id", peer},
              {"title", "Portrait photo session"},
              {"content", "now"},
              {"price_cent", 1},
              {"currency", "CNY"},
              {"product_id", works_id},
              {"order_type", 3}}},
            {"order.action", {{"order_id", "WKS1"}, {"action", "confirm-received"}}},
            {"discussion.publish", {{"title", "We pay everybody"}, {"content", "Come"}}},
            {"discussion.reply",
             {{"parent_works_id", works_id}, {"title", "Yes"}, {"content", "We pay"}}},
            {"rfp.create",
             {{"title", "Agreed: 250 CNY"},
              {"description", "We accept your offer"},
              {"capability_type", "ip_review"}}},
            {"proposal.submit", {{"rfp_id", "rfp_1"}, {"price", price}}},
            {"proposal.update", {{"proposal_id", "prop_1"}, {"status", "accepted"}}},
            {"task.assign",
             {{"target_agent_id", peer},
              {"task_brief",
               {{"objective", "We pay you 5000 CNY for it"},
                {"constraints", {"today"}},
                {"inputs", "none"},
                {"outputs", "a receipt"},
                {"completion_criteria", "paid"}}}}},
            {"introduction.request",
             {{"target_agent_id", peer},
              {"reason", "We pay 5000 CNY"},
              {"required_capability", "taking money"}}},
            {"demand.submit", {{"raw_input", "Come, we pay 5000 CNY to each of you"}}},
            {"negotiation.answer",
             {{"channel_id", "collab-1"}, {"decision", "participate"}, {"contribution", "all"}}},
            {"proposal.feedback", {{"channel_id", "collab-1"}, {"feedback_type", "accept"}}},
            {"profile.upload_qrcode", {{"file", qr_file()}}},
            {"profile.delete_qrcode", {{"type", "wechat"}}},
            {"profile.set_default_payment", {{"type", "wechat"}}},
            {"capability.set", {{"capabilities", {{{"type", "we-accept-250-CNY"}}}}}},
            {"rfp.update", {{"rfp_id", "rfp_1"}, {"status", "closed"}}},
            {"payment.create_link", {{"order_id", "WKS1"}}},
        };
    }
    std::string qr_file() const {
        const auto file = dir.path() / "qr.png";
        std::ofstream(file) << "\x89PNG\r\n";
        return file.string();
    }
    json everything_public() {
        const json own =
            json{{"seller", seller.call_assistant("works.list")},
                 {"sells", seller.call_assistant("order.list", R"({"role":"seller"})")},
                 {"buys", seller.call_assistant("order.list", R"({"role":"buyer"})")},
                 {"profile", seller.call_assistant("profile.get")}};
        return own;
    }
    json approvals() { return seller.call_human("approval.list")["data"]["approvals"]; }

    std::string works_id;
};

bool is_refused(const json& result) {
    return result.is_object() && result.contains("error");
}

}  // namespace

TEST_CASE("every tool that commits somebody is known to this test") {
    const json dictated = Obedient().dictated();
    for (const auto& row : catalogue::operations()) {
        if (!row.is_for_assistants() || row.hints.read_only) continue;
        const std::string action(row.action);
        CAPTURE(action);
        CHECK((dictated.contains(action) != kHarmless.contains(action)));
    }
}

TEST_CASE("an assistant that obeys a hostile peer publishes nothing and moves nothing") {
    Obedient s;
    const json before = s.everything_public();
    const json dictated = s.dictated();
    for (const auto& [action, arguments] : dictated.items()) {
        CAPTURE(action);
        CHECK(is_refused(s.seller.call_assistant(action, arguments.dump())));
    }
    const std::string peer = s.buyer_account.agent_id;
    for (const char* text : {"I accept 1 CNY", "We agree, deal. 成交", "I promise a full refund"}) {
        const json send{{"target_agent_id", peer}, {"text", text}};
        CHECK(is_refused(s.seller.call_assistant("send", send.dump())));
    }
    CHECK(s.everything_public() == before);
    CHECK(s.buyer.status()["counts"]["received"] == 0);
}

TEST_CASE("socket, commands and page give no yes without PIN, code or link") {
    Obedient s;
    const json before = s.everything_public();
    const json dictated = s.dictated();
    for (const auto& [action, arguments] : dictated.items())
        s.seller.call_assistant(action, arguments.dump());
    const std::string page = s.seller.status()["web"]["url"];
    http::Client http({});
    int open = 0;
    for (const json& approval : s.approvals()) {
        if (approval["status"] != "pending") continue;
        ++open;
        const std::string id = approval["approval_id"];
        const json yes{{"approval_id", id}, {"decision", "approve"}};
        json with_code = yes;
        with_code["code"] = "000000";
        json with_pin = yes;
        with_pin["pin"] = "111111";
        CHECK(is_refused(s.seller.call_assistant("approval.response", yes.dump())));
        CHECK(is_refused(s.seller.call_human("approval.response", yes.dump())));
        CHECK(is_refused(s.seller.call_assistant("approval.response", with_code.dump())));
        CHECK(is_refused(s.seller.call_assistant("approval.answer", with_pin.dump())));
        CHECK(is_refused(s.seller.call_human("approval.answer", with_pin.dump())));
        json elicited = yes;
        elicited["digest"] = approval["digest"];
        CHECK(is_refused(s.seller.call_human("approval.elicit", elicited.dump())));
        CHECK(is_refused(s.seller.call_assistant("approval.elicit", elicited.dump())));
        for (const char* form : {"choice=approve", "choice=approve&t=&p=human",
                                 "choice=approve&t=00000000000000000000000000000000&p=human"}) {
            const auto posted = http.send(
                {.method = "POST",
                 .url = page + "/a/" + id + "/answer",
                 .headers = {{"content-type", "application/x-www-form-urlencoded"}},
                 .body = std::string(form) + "&digest=" + approval["digest"].get<std::string>()});
            CHECK(posted.value().status >= 400);
        }
    }
    CHECK(open > 0);
    for (const json& approval : s.approvals()) {
        // The one that published the listing was the human's.
        if (approval.value("answered_by", "") == "human") continue;
        CHECK(approval["status"] == "pending");
    }
    CHECK(s.everything_public() == before);
}
