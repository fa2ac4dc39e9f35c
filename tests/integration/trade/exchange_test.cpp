// A request for proposals through the tools of two daemons at a real market.

#include <doctest/doctest.h>

#include <algorithm>

#include "core/wire/listing_digest.h"
#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

json data(Daemon& daemon, const char* action, const json& call) {
    const json result = daemon.call_assistant(action, call.dump());
    REQUIRE_MESSAGE(result.value("ok", false), result.dump());
    return result["data"];
}

/// The result of `call` after the human's yes.
json approved(Scene& s, Daemon& daemon, const char* action, const json& call) {
    const json asked = daemon.call_assistant(action, call.dump());
    REQUIRE_MESSAGE(asked.contains("error"), asked.dump());
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    const std::string id = asked["error"]["approval_id"];
    REQUIRE(s.answer(daemon, id, "approve")["ok"] == true);
    json row;
    REQUIRE(eventually([&] {
        const json all = daemon.call_human("approval.list")["data"]["approvals"];
        for (const json& entry : all) {
            if (entry["approval_id"] == id) row = entry;
        }
        return row["outcome"] != "none" && row["outcome"] != "executing";
    }));
    REQUIRE_MESSAGE(row["outcome"] == "executed", row.dump());
    return json::parse(row["outcome_detail"].get<std::string>());
}

}  // namespace

TEST_CASE("a request finds its supplier, whose proposal is compared and accepted") {
    Scene s;
    approved(s, s.seller, "capability.set",
             {{"capabilities", {{{"type", "ip_review"}, {"domains", {"悬疑"}}}}}});
    const json rfp = approved(s, s.buyer, "rfp.create",
                              {{"title", "Review of a story"},
                               {"description", "A report within a day"},
                               {"capability_type", "ip_review"},
                               {"domain_filters", {"悬疑"}},
                               {"budget", {{"currency", "CNY"}, {"max", 10'000}}}});
    const std::string rfp_id = rfp["rfp_id"];
    const json seen = data(s.seller, "rfp.list", {{"role", "supplier"}});
    CHECK(seen["items"][0]["rfp_id"] == rfp_id);
    const json proposal = approved(s, s.seller, "proposal.submit",
                                   {{"rfp_id", rfp_id},
                                    {"price", {{"currency", "CNY"}, {"amount", 5000}}},
                                    {"delivery_at", "2099-01-01"}});
    const std::string proposal_id = proposal["proposal_id"];
    const json summary = data(s.buyer, "rfp.summary", {{"rfp_id", rfp_id}});
    CHECK(summary["count"] == 1);
    CHECK(summary["proposals"][0]["within_budget"] == true);
    CHECK(s.seller.call_assistant(
              "proposal.update",
              json{{"proposal_id", proposal_id}, {"status", "accepted"}}.dump())["error"]["code"] ==
          "PLATFORM_401");
    const json accepted = approved(s, s.buyer, "proposal.update",
                                   {{"proposal_id", proposal_id}, {"status", "accepted"}});
    CHECK(accepted["status"] == "accepted");
    const json cards = s.buyer.call_human("approval.list")["data"]["approvals"];
    const auto card = std::find_if(cards.begin(), cards.end(), [](const json& one) {
        return one["action"] == "proposal.update";
    });
    REQUIRE(card != cards.end());
    CHECK((*card)["question"].dump().find("Review of a story") != std::string::npos);
    for (const char* shown : {"2099-01-01", "A report within a day"}) {
        CAPTURE(std::string(shown));
        CHECK((*card)["context"].dump().find(shown) != std::string::npos);
    }
    approved(s, s.buyer, "rfp.update", {{"rfp_id", rfp_id}, {"status", "closed"}});
    CHECK(s.seller.call_assistant(
              "proposal.submit",
              json{{"rfp_id", rfp_id}, {"price", {{"currency", "CNY"}, {"amount", 1}}}}
                  .dump())["error"]["code"] == "conflict");
}

TEST_CASE("R46: an assistant neither withdraws nor rejects a proposal without a yes") {
    Scene s;
    const json rfp = approved(
        s, s.buyer, "rfp.create",
        {{"title", "Ten pictures"}, {"description", "Of a shop"}, {"capability_type", "photo"}});
    // Later than the request, of whose news the seller would not have answered the words.
    approved(s, s.seller, "capability.set", {{"capabilities", {{{"type", "photo"}}}}});
    const json proposal =
        approved(s, s.seller, "proposal.submit",
                 {{"rfp_id", rfp["rfp_id"]}, {"price", {{"currency", "CNY"}, {"amount", 50}}}});
    Daemon* actor = &s.seller;
    std::string status = "withdrawn";
    std::string question = "Withdraw your proposal of 50.00 CNY";
    SUBCASE("a supplier, and nothing is open") {}
    SUBCASE("a creator, and the proposal itself is open") {
        actor = &s.buyer;
        status = "rejected";
        question = "Reject the proposal of";
    }
    SUBCASE("a supplier, and an offer is open") {
        s.buyer_says("Withdraw your proposal, and you take 40 CNY instead.");
        s.open_approval();
    }
    const json call{{"proposal_id", proposal["proposal_id"]}, {"status", status}};
    const json said = actor->call_assistant("proposal.update", call.dump());
    REQUIRE_MESSAGE(said["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED", said.dump());
    const auto status_now = [&] {
        return data(s.buyer, "proposal.get", {{"proposal_id", proposal["proposal_id"]}})["status"];
    };
    const std::string id = said["error"]["approval_id"];
    const json cards = actor->call_human("approval.list", R"({"status":"pending"})");
    CHECK_MESSAGE(cards.dump().find(question) != std::string::npos, cards.dump());
    CHECK(status_now() == "pending");
    REQUIRE(s.answer(*actor, id, "approve")["ok"] == true);
    CHECK(eventually([&] { return status_now() == status; }));
}

TEST_CASE("a proposal whose request has changed since its card was shown is asked about again") {
    Scene s;
    approved(s, s.seller, "capability.set", {{"capabilities", {{{"type", "photo"}}}}});
    const json rfp = approved(s, s.buyer, "rfp.create",
                              {{"title", "Ten pictures"},
                               {"description", "Of a shop"},
                               {"capability_type", "photo"},
                               {"deadline_at", "2098-01-01T00:00:00Z"}});
    const json call{{"rfp_id", rfp["rfp_id"]}, {"price", {{"currency", "CNY"}, {"amount", 50}}}};
    const json asked = s.seller.call_assistant("proposal.submit", call.dump());
    const std::string id = asked["error"]["approval_id"];
    approved(s, s.buyer, "rfp.update",
             {{"rfp_id", rfp["rfp_id"]}, {"deadline_at", "2099-01-01T00:00:00Z"}});
    REQUIRE(s.answer(s.seller, id, "approve")["ok"] == true);
    const json again = s.open_approval();
    CHECK(again["approval_id"] != id);
    CHECK(again["context"].get<std::string>().find("2099-01-01") != std::string::npos);
    const json before = s.approval(id);
    CHECK(before["outcome"] == "failed");
    CHECK(before["outcome_detail"].get<std::string>().find(again["approval_id"]) !=
          std::string::npos);
    CHECK(data(s.buyer, "rfp.summary", {{"rfp_id", rfp["rfp_id"]}})["count"] == 0);

    REQUIRE(s.answer(s.seller, again["approval_id"], "approve")["ok"] == true);
    CHECK(eventually([&] { return s.approval(again["approval_id"])["outcome"] == "executed"; }));
    CHECK(data(s.buyer, "rfp.summary", {{"rfp_id", rfp["rfp_id"]}})["count"] == 1);
}

TEST_CASE("R48: a mandate covers a proposal to the request that a person has seen, and no other") {
    Scene s;
    approved(s, s.seller, "capability.set", {{"capabilities", {{{"type", "photo"}}}}});
    const auto request = [&](const char* description) -> std::string {
        return approved(s, s.buyer, "rfp.create",
                        {{"title", "Ten pictures"},
                         {"description", description},
                         {"capability_type", "photo"},
                         {"deadline_at", "2098-01-01T00:00:00Z"}})["rfp_id"];
    };
    const std::string seen = request("Of a shop");
    const auto give = [&](const std::string& rfp_id, json more) {
        more.update({{"action", "proposal.submit"},
                     {"currency", "CNY"},
                     {"amount_from_minor", 3'000},
                     {"count_per_day", 9},
                     {"pin", Daemon::kPin}});
        if (!rfp_id.empty()) more["works_id"] = rfp_id;
        return s.seller.call_human("mandate.give", more.dump());
    };
    const auto pin = [&](const std::string& rfp_id) -> json {
        return {{"listing_digest",
                 wire::listing_digest(data(s.seller, "rfp.get", {{"rfp_id", rfp_id}}))}};
    };
    const auto propose = [&](const std::string& rfp_id) {
        const json call{{"rfp_id", rfp_id}, {"price", {{"currency", "CNY"}, {"amount", 50}}}};
        return s.seller.call_assistant("proposal.submit", call.dump());
    };
    CHECK(give("", json::object())["error"]["code"] == "invalid_argument");
    CHECK(give(seen, json::object())["error"]["code"] == "invalid_argument");
    REQUIRE(give(seen, pin(seen))["ok"] == true);
    const json done = propose(seen);
    CHECK_MESSAGE(done["ok"] == true, done.dump());

    const std::string other = request("Of a shop. Whoever answers pays all later pictures.");
    const std::string moved = request("Of a house");
    CHECK(give(seen, pin(other))["error"]["code"] == "conflict");
    REQUIRE(give(moved, pin(moved))["ok"] == true);
    approved(s, s.buyer, "rfp.update",
             {{"rfp_id", moved}, {"deadline_at", "2099-01-01T00:00:00Z"}});
    CHECK(propose(other)["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(propose(moved)["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
}
