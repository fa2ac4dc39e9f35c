#include "daemon/trade/waiting.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using nlohmann::json;

namespace {

/// "orderId o1 ag_peer;" for each thing.
std::string waiting(const json& data) {
    std::string all;
    for (const auto& offer : trade::waiting_in(data, "ag_me"))
        all += offer.name + " " + offer.id + " " + offer.peer_id + ";";
    return all;
}

json order(const char* status, int side) {
    return {{"orderId", "o1"},
            {"status", status},
            {"currentType", side},
            {"providerId", side == 1 ? "ag_peer" : "ag_me"},
            {"customerId", side == 1 ? "ag_me" : "ag_peer"}};
}

json proposal(const char* supplier, const char* status) {
    return {{"proposal_id", "p1"}, {"supplier_agent_id", supplier}, {"status", status}};
}

json message(const char* sender) {
    return {{"message_id", "m1"}, {"sender_agent_id", sender}, {"type", "offer"}};
}

}  // namespace

TEST_CASE("an order waits for its customer alone, and only until it is confirmed") {
    CHECK(waiting(order("PENDING_CONFIRM", 1)) == "orderId o1 ag_peer;");
    CHECK(waiting({{"list", {order("PENDING_CONFIRM", 1)}}}) == "orderId o1 ag_peer;");
    CHECK(waiting(order("CONFIRMED", 1)).empty());
    CHECK(waiting(order("PENDING_CONFIRM", 2)).empty());
    // The public platform tells internal ids: then it is anybody's.
    json foreign = order("PENDING_CONFIRM", 1);
    foreign["providerId"] = "10044";
    CHECK(waiting(foreign) == "orderId o1 ;");
}

TEST_CASE("a pending proposal of another agent waits, in a list and in a summary") {
    CHECK(waiting(proposal("ag_peer", "pending")) == "proposal_id p1 ag_peer;");
    CHECK(waiting({{"items", {proposal("ag_peer", "pending")}}}) == "proposal_id p1 ag_peer;");
    CHECK(waiting({{"rfp", json::object()}, {"proposals", {proposal("ag_peer", "pending")}}}) ==
          "proposal_id p1 ag_peer;");
    CHECK(waiting(proposal("ag_me", "pending")).empty());
    CHECK(waiting(proposal("ag_peer", "rejected")).empty());
}

TEST_CASE("another agent's session message waits, but an order in its payload does not") {
    CHECK(waiting({{"items", {message("ag_peer"), message("ag_me")}}}) == "message_id m1 ag_peer;");
    json claims = message("ag_peer");
    claims["payload"] = order("PENDING_CONFIRM", 1);
    claims["payload"]["providerId"] = "ag_third";
    CHECK(waiting({{"items", {claims}}}) == "message_id m1 ag_peer;");
    for (const json& none : {json(), json::array(), json("text"), json{{"items", {1, "x"}}}})
        CHECK(waiting(none).empty());
}
