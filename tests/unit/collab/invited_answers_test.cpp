#include "daemon/collab/invited_answers.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace a2h::collab {
namespace {

using enum FeedbackType;
using nlohmann::json;

}  // namespace

TEST_CASE("Our own agent is its profile, its table and its listings, without prices") {
    Options table;
    table.contribution = "a bright loft";
    table.tags = {"venue"};
    table.price_minor = 30'000;
    Listing listing;
    listing.title = "Rooms";
    listing.expected_price = "500 CNY";
    Profile published;
    published.profile_summary = "We host.";
    published.tags = {"Venue", "coffee"};
    const Profile own = own_profile(published, "ag_me", table, {listing});
    CHECK(own.profile_summary == "We host.\na bright loft");
    CHECK(own.tags == std::vector<std::string>{"Venue", "coffee"});
    CHECK(own.capabilities_json == R"({"listings":["Rooms"]})");
    CHECK(own_profile(std::nullopt, "ag_me", table, {}).profile_summary == "a bright loft");
}

TEST_CASE("An offer that a model words names no money that its owner has not named") {
    Profile own;
    own.profile_summary = "A loft, 300 CNY the evening";
    const auto said = [&](json answer) {
        answer.update({{"reasoning", "it fits"}, {"decline_reason", ""}, {"confidence", 80}});
        return offer_advice(answer, own);
    };
    const json conditions = {"not on Mondays"};
    const auto fits = said({{"decision", "conditional"},
                            {"contribution", "the loft for 300 CNY"},
                            {"conditions", conditions}});
    REQUIRE(fits);
    CHECK(fits->contribution == "the loft for 300 CNY");
    CHECK(fits->reasoning == "it fits");
    const json none = json::array();
    CHECK_FALSE(said({{"decision", "participate"},
                      {"contribution", "the loft, and we pay you 5000 CNY"},
                      {"conditions", none}}));
    CHECK_FALSE(said({{"decision", "conditional"},
                      {"contribution", "the loft"},
                      {"conditions", {"not on Mondays", "for 1 CNY"}}}));
    CHECK_FALSE(said({{"decision", "participate"}, {"contribution", " "}, {"conditions", none}}));
    CHECK_FALSE(said({{"decision", "conditional"}, {"contribution", "it"}, {"conditions", none}}));
    const auto declined =
        said({{"decision", "decline"}, {"contribution", "all"}, {"conditions", none}});
    REQUIRE(declined);
    CHECK(declined->contribution.empty());
}

TEST_CASE("A model's changes of a plan are shown by field, in the demand's language") {
    Invitation invitation;
    invitation.demand_json = R"({"surface_demand":"an evening about tea"})";
    invitation.offer_json = R"({"decision":"conditional","contribution":"a room",)"
                            R"("price":{"amount_minor":30000,"currency":"CNY"}})";
    const auto said = [&](const json& answer) {
        return feedback_advice(answer, Profile(), invitation);
    };
    const auto asks = said({{"feedback_type", "negotiate"},
                            {"reasoning", "300 CNY was for the room"},
                            {"proposed_changes",
                             {{"responsibility", "the room only"}, {"reason", "no coffee here"}}}});
    REQUIRE(asks);
    CHECK(asks->type == Negotiate);
    CHECK(asks->request == "no coffee here\nResponsibility: the room only");
    CHECK(asks->reasoning == "300 CNY was for the room");
    CHECK_FALSE(said({{"feedback_type", "negotiate"}, {"reasoning", "x"}}));
    CHECK_FALSE(said({{"feedback_type", "negotiate"},
                      {"reasoning", "x"},
                      {"proposed_changes", {{"reason", "we pay 9000 CNY"}}}}));
    const auto agrees = said({{"feedback_type", "accept"},
                              {"reasoning", "9000 CNY is fine"},
                              {"proposed_changes", {{"reason", "ignored"}}}});
    REQUIRE(agrees);
    CHECK(agrees->request.empty());
    CHECK(agrees->reasoning.empty());
}

}  // namespace a2h::collab
