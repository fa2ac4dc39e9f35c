// The right to see and change resources: resources of others, and actions of the wrong side.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "tests/integration/market/unlimited_market.h"
#include "tests/support/market_http.h"

using namespace a2h;
using nlohmann::json;
using test::Answer;
using test::server;

namespace {

/// The resources of two agents with each other, and a third agent that has none.
struct Stage {
    platform::Account seller = test::plain_agent(server(), "Seller");
    platform::Account buyer = test::plain_agent(server(), "Buyer");
    platform::Account stranger = test::plain_agent(server(), "Stranger");

    static json made(const Answer& answer) {
        REQUIRE_MESSAGE(answer.status == 200, answer.text);
        return answer.data();
    }
    json post(const platform::Account& who, const std::string& path, const json& body) const {
        return made(test::call(who, "POST", path, body));
    }

    std::string works = post(seller, "/findu-user/api/v1/user/works/change-requests",
                             {{"type", 3}, {"title", "t"}, {"content", "c"}})["worksId"];
    std::string order = post(seller, "/findu-trade/api/v1/orders/create",
                             {{"customerId", buyer.agent_id},
                              {"title", "t"},
                              {"price", 100},
                              {"currency", "CNY"},
                              {"productId", works},
                              {"orderType", 3}})["orderId"];
    std::string address = post(buyer, "/findu-user/api/v1/user/shipping-address",
                               {{"receiverName", "r"},
                                {"phoneNumber", "1"},
                                {"province", "p"},
                                {"city", "c"},
                                {"district", "d"},
                                {"detailAddress", "a"}})["addressId"];
    json capability =
        made(test::call(seller, "PUT", "/v1/agents/" + seller.agent_id + "/capabilities",
                        {{"capabilities", {{{"type", "repair"}}}}}));
    std::string rfp =
        post(buyer, "/v1/rfps",
             {{"title", "t"}, {"description", "d"}, {"capability_type", "repair"}})["rfp_id"];
    std::string proposal = post(seller, "/v1/rfps/" + rfp + "/proposals",
                                {{"price", {{"currency", "CNY"}, {"amount", 5}}}})["proposal_id"];
    std::string session =
        post(buyer, "/v1/sessions", {{"agent_id", seller.agent_id}})["session_id"];
    std::string offer = post(
        seller, "/v1/sessions/" + session + "/messages",
        {{"payload",
          {{"type", "offer"}, {"price", {{"currency", "CNY"}, {"amount", 5}}}}}})["message_id"];
    std::string deal =
        post(buyer, "/v1/sessions/" + session + "/messages",
             {{"payload", {{"type", "accept"}, {"offer_message_id", offer}}}})["deal_id"];
};

struct Resource {
    std::string method;
    std::string before;  ///< the path up to the id
    std::string id;
    std::string after;
    json body = nullptr;
};

std::vector<Resource> private_resources(const Stage& stage) {
    const std::string orders = "/findu-trade/api/v1/orders/";
    const std::string addresses = "/findu-user/api/v1/user/shipping-address/";
    const json nothing = json::object();
    std::vector<Resource> all{
        {"GET", orders, stage.order, "/detail"},
        {"GET", "/findu-trade/api/v1/payment/status/", stage.order, ""},
        {"DELETE", addresses, stage.address, ""},
        {"PUT", addresses, stage.address, "/default"},
        {"PATCH", "/v1/rfps/", stage.rfp, "", {{"status", "closed"}}},
        {"GET", "/v1/rfps/", stage.rfp, ""},
        {"GET", "/v1/rfps/", stage.rfp, "/summary"},
        {"GET", "/v1/rfps/", stage.rfp, "/proposals"},
        {"POST",
         "/v1/rfps/",
         stage.rfp,
         "/proposals",
         {{"price", {{"currency", "CNY"}, {"amount", 5}}}}},
        {"GET", "/v1/proposals/", stage.proposal, ""},
        {"PATCH", "/v1/proposals/", stage.proposal, "", {{"status", "accepted"}}},
        {"GET", "/v1/sessions/", stage.session, ""},
        {"GET", "/v1/sessions/", stage.session, "/messages"},
        {"GET", "/v1/sessions/", stage.session, "/offers"},
        {"POST",
         "/v1/sessions/",
         stage.session,
         "/messages",
         {{"payload", {{"type", "text"}, {"text", "hello"}}}}},
        {"GET", "/v1/deals/", stage.deal, ""},
    };
    for (const char* action :
         {"confirm", "reject", "cancel", "confirm-received", "confirm-service-completed"}) {
        all.push_back({"POST", orders, stage.order, std::string("/") + action, nothing});
    }
    return all;
}

}  // namespace

TEST_CASE("another's resource answers exactly like one that does not exist") {
    const Stage stage;
    for (const Resource& resource : private_resources(stage)) {
        CAPTURE(resource.method + " " + resource.before + "…" + resource.after);
        std::string absent = resource.id;
        for (auto at = absent.rbegin(); at != absent.rbegin() + 8; ++at)
            *at = *at == '0' ? '1' : '0';
        const auto ask = [&](const std::string& id) {
            return test::call(stage.stranger, resource.method,
                              resource.before + id + resource.after, resource.body);
        };
        const auto foreign = ask(resource.id);
        CHECK(foreign.status == 404);
        CHECK(foreign.code() == "PLATFORM_410");
        CHECK(foreign.text == ask(absent).text);
    }
    const json checkout = {{"orderId", stage.order}};
    CHECK(
        test::call(stage.stranger, "POST", "/findu-trade/api/v1/payment/paypal/checkout", checkout)
            .code() == "PLATFORM_410");
    const std::string history = "/agent-message/api/v1/agents/sessions/messages?sessionId=";
    const auto talk = history + session_id(stage.seller.agent_id, stage.buyer.agent_id);
    const auto foreign = test::call(stage.stranger, "GET", talk);
    CHECK(foreign.code() == "PLATFORM_410");
    CHECK(foreign.text ==
          test::call(stage.stranger, "GET", history + session_id("ag_1", "ag_2")).text);
}

TEST_CASE("the wrong role is refused with PLATFORM_401 wherever the caller may know of the thing") {
    const Stage stage;
    const std::string orders = "/findu-trade/api/v1/orders/" + stage.order + "/";
    const auto code = [](const platform::Account& who, const std::string& method,
                         const std::string& path,
                         const json& body) { return test::call(who, method, path, body).code(); };
    const json none = json::object();
    CHECK(code(stage.seller, "POST", orders + "confirm", none) == "PLATFORM_401");
    CHECK(code(stage.seller, "POST", orders + "reject", none) == "PLATFORM_401");
    CHECK(code(stage.buyer, "POST", orders + "cancel", none) == "PLATFORM_401");
    CHECK(code(stage.buyer, "POST", orders + "confirm-received", none) == "PLATFORM_401");
    CHECK(code(stage.seller, "POST", orders + "confirm-service-completed", none) == "PLATFORM_401");
    CHECK(code(stage.buyer, "DELETE", "/findu-user/api/v1/user/works/" + stage.works, nullptr) ==
          "PLATFORM_401");
    CHECK(code(stage.seller, "PATCH", "/v1/rfps/" + stage.rfp, {{"status", "closed"}}) ==
          "PLATFORM_401");
    CHECK(code(stage.seller, "GET", "/v1/rfps/" + stage.rfp + "/summary", nullptr) ==
          "PLATFORM_401");
    CHECK(code(stage.seller, "PATCH", "/v1/proposals/" + stage.proposal,
               {{"status", "accepted"}}) == "PLATFORM_401");
    CHECK(code(stage.buyer, "PATCH", "/v1/proposals/" + stage.proposal,
               {{"status", "withdrawn"}}) == "PLATFORM_401");
    CHECK(code(stage.buyer, "PUT", "/v1/agents/" + stage.seller.agent_id + "/capabilities",
               {{"capabilities", json::array()}}) == "PLATFORM_401");
    CHECK(code(stage.buyer, "POST", "/mqtt-token/api/v1/token",
               {{"client_id", "GID_agent@@@" + stage.seller.agent_id}}) == "PLATFORM_401");
}
