#include "daemon/trade/offers_in_answer.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using nlohmann::json;

namespace {

constexpr const char* kOurListing = "1111111111111111111111111111a7ee";

trade::OurNames ours() {
    return {.agent_id = "ag_me",
            .agent_ids = {"ag_me", "ag_sibling"},
            .works_ids = {kOurListing},
            .whole_words = {"Li Wei", "\u674e\u4f1f", "Logo design", ""}};
}

/// "orderId o1 ag_peer;" for each thing.
std::string waiting(const json& data, const trade::OurNames& names = ours()) {
    std::string all;
    for (const auto& offer : trade::offers_in(data, names))
        all += offer.name + " " + offer.id + " " + offer.peer_id + ";";
    return all;
}

json with(json row, const json& more) {
    row.update(more);
    return row;
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

json post(int type, const char* words = "Hello, greet me") {
    return {{"worksId", "w1"},    {"agentId", "ag_peer"},
            {"nickname", "Peer"}, {"type", type},
            {"title", words},     {"extendInfo", json::object()},
            {"content", "..."},   {"createdAt", "2026-11-25T15:57:39Z"}};
}

json request(const char* words = "Hello, greet me") {
    return {{"rfp_id", "r1"}, {"creator_agent_id", "ag_peer"}, {"title", words}};
}

json card(const char* words = "Hello, greet me") {
    return {{"agent_id", "ag_peer"},
            {"name", words},
            {"public_key", "abc-Li Wei-abc"},
            {"capabilities", json::array()}};
}

/// The digests of the only thing in `row`.
std::map<std::string, std::string> words(const json& row) {
    const auto found = trade::offers_in(row, ours());
    REQUIRE(found.size() == 1);
    return found.front().words;
}

}  // namespace

TEST_CASE("an order waits for its customer alone, until it is confirmed or refused") {
    CHECK(waiting(order("PENDING_CONFIRM", 1)) == "orderId o1 ag_peer;");
    CHECK(waiting({{"list", {order("PENDING_CONFIRM", 1)}}}) == "orderId o1 ag_peer;");
    CHECK(waiting(order("CONFIRMED", 1)).empty());
    CHECK(waiting(order("REJECTED", 1)).empty());
    CHECK(waiting(order("PENDING_CONFIRM", 2)).empty());
    // Its seller withdrew it before anybody answered its words.
    CHECK(waiting(order("CANCELLED", 1)) == "orderId o1 ag_peer;");
    CHECK(waiting(order("CANCELLED", 2)).empty());
    // The public platform returns internal ids, so the other side is unknown.
    json foreign = order("PENDING_CONFIRM", 1);
    foreign["providerId"] = "10044";
    CHECK(waiting(foreign) == "orderId o1 ;");
    // An unreadable one may wait.
    CHECK(waiting(order("WAITING", 1)) == "orderId o1 ag_peer;");
    CHECK(waiting({{"orderId", "o1"}, {"title", "Hello"}}) == "orderId o1 ;");
    CHECK(waiting({{"orderId", "o1"}, {"orderStatus", "PAID"}, {"notice", "sandbox"}}).empty());
}

TEST_CASE("the other side of an order waits if its card names us") {
    const auto seen = [](const char* name) {
        return waiting(with(order("CONFIRMED", 2),
                            {{"profile", {{"userId", "ag_peer"}, {"nickname", name}}}}));
    };
    CHECK(seen("Say hi and you owe me 900").empty());
    CHECK(seen("Li Wei, say hi and you owe me 900") == "agent_id  ag_peer;");
}

TEST_CASE("an undecided proposal of another agent waits, in a list and in a summary") {
    CHECK(waiting(proposal("ag_peer", "pending")) == "proposal_id p1 ag_peer;");
    CHECK(waiting({{"items", {proposal("ag_peer", "pending")}}}) == "proposal_id p1 ag_peer;");
    CHECK(waiting({{"rfp", json::object()}, {"proposals", {proposal("ag_peer", "pending")}}}) ==
          "proposal_id p1 ag_peer;");
    CHECK(waiting(proposal("ag_peer", "withdrawn")) == "proposal_id p1 ag_peer;");
    CHECK(waiting(proposal("ag_peer", "?")) == "proposal_id p1 ag_peer;");
    CHECK(waiting(proposal("ag_me", "pending")).empty());
    CHECK(waiting(proposal("ag_peer", "rejected")).empty());
    CHECK(waiting(proposal("ag_peer", "accepted")).empty());
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

TEST_CASE("the messages that led to a deal wait like others; its prices and ids do not") {
    json deal{{"deal_id", "d1"},
              {"offered_by", "ag_peer"},
              {"accepted_by", "ag_me"},
              {"proposal_id", "p1"},
              {"status", "accepted"},
              {"supplier_agent_id", "ag_peer"},
              {"price", {{"currency", "CNY"}, {"amount", 5}}}};
    CHECK(waiting({{"items", {deal}}}).empty());
    deal["terms"] = {{"offer", message("ag_peer")},
                     {"session",
                      {{"session_id", "s1"},
                       {"agent_ids", {"ag_me", "ag_peer"}},
                       {"messages", {with(message("ag_peer"), {{"message_id", "m2"}})}}}}};
    CHECK(waiting(deal) == "message_id m1 ag_peer;message_id m2 ag_peer;");
}

TEST_CASE("a post and a reply of another agent wait, whomever they speak to") {
    CHECK(waiting(post(4)) == "worksId w1 ag_peer;");
    CHECK(waiting({{"result", {post(4)}}}) == "worksId w1 ag_peer;");
    json reply{
        {"replyId", "RPL1"}, {"worksId", kOurListing}, {"agentId", "ag_peer"}, {"content", "Yes"}};
    CHECK(waiting({{"items", {reply}}, {"total", 1}}) == "replyId RPL1 ag_peer;");
    reply["type"] = 3;
    CHECK(waiting(reply) == "replyId RPL1 ag_peer;");
    for (const char* mine : {"ag_me", "ag_sibling"}) {
        reply["agentId"] = mine;
        CHECK(waiting(reply).empty());
    }
    reply.erase("agentId");
    CHECK(waiting(reply) == "replyId RPL1 ;");
    // The answers to our own posts and replies have no words.
    CHECK(waiting({{"worksId", "w1"}, {"status", "PUBLISHED"}}).empty());
    CHECK(waiting({{"replyId", "RPL1"}, {"worksId", "w1"}}).empty());
}

TEST_CASE("a publication for everybody waits only if it names us") {
    for (const int type : {2, 3})
        CHECK(waiting(post(type)).empty());
    CHECK(waiting(request()).empty());
    CHECK(waiting(card()).empty());
    for (const char* named : {"to ag_me", "AG_SIBLING:", "li  wei?", "dear Li\nWei, hello",
                              "\uff2c\uff49 Wei", "L\u200bi Wei", "\u8bf7\u674e\u4f1f\u56de\u590d",
                              "LOGO DESIGN", "\u201clogo\u201d \u2013 design\u2019",
                              "lo\u2011go design", "re 1111111111111111111111111111A7EE"}) {
        CAPTURE(named);
        CHECK(waiting(post(2, named)) == "worksId w1 ag_peer;");
        CHECK(waiting(post(3, named)) == "worksId w1 ag_peer;");
        CHECK(waiting(request(named)) == "rfp_id r1 ag_peer;");
        CHECK(waiting(card(named)) == "agent_id ag_peer ag_peer;");
        CHECK(waiting(with(post(3), {{"extendInfo", {{"pois", {named}}}}})) ==
              "worksId w1 ag_peer;");
        CHECK(waiting(with(post(3), {{"extendInfo", {{named, 1}}}})) == "worksId w1 ag_peer;");
        CHECK(waiting(with(post(3), {{"extendInfo", json{{"a", named}}.dump()}})) ==
              "worksId w1 ag_peer;");
        CHECK(waiting(with(post(3), {{"nickname", named}})) == "worksId w1 ag_peer;");
    }
    for (const char* other : {"Li Weiss", "Wei", "Li", "logo designs", "ag_m"}) {
        CAPTURE(other);
        CHECK(waiting(post(3, other)).empty());
    }
}

TEST_CASE("a post whose type the market leaves out is what was searched for, else a discussion") {
    json untyped = post(3);
    untyped.erase("type");
    CHECK(waiting(untyped) == "worksId w1 ag_peer;");
    trade::OurNames names = ours();
    names.asked_type = 3;
    CHECK(waiting(untyped, names).empty());
    names.asked_type = 4;
    CHECK(waiting(untyped, names) == "worksId w1 ag_peer;");
    // Without an author it may be any agent's, unless its id is ours.
    untyped["agentId"] = "";
    CHECK(waiting(untyped) == "worksId w1 ;");
    untyped["worksId"] = kOurListing;
    CHECK(waiting(untyped).empty());
}

TEST_CASE("words in an unknown kind of object wait with every agent that it names") {
    json row{{"review_id", "rev_0123456789abcdef"},
             {"author_agent_id", "ag_peer"},
             {"stars", 5},
             {"remark", "Hello"}};
    const std::string found = waiting({{"reviews", {row}}});
    CHECK(found.starts_with("words "));
    CHECK(found.ends_with(" ag_peer;"));
    CHECK(waiting(with(row, {{"remark", "Bye"}})) != found);
    CHECK(waiting(with(row, {{"author_agent_id", "ag_me"}})).empty());
    CHECK(waiting(with(row, {{"remark", ""}})).empty());
    CHECK(waiting(with(row, {{"remark", {{"text", "Hello"}}}})).ends_with(" ag_peer;"));
    // A card with something else in it is no card.
    CHECK(waiting(with(card(), {{"greeting", "Hello"}})).starts_with("words "));
    // A session names the other agent, and says nothing.
    CHECK(waiting({{"session_id", "ses_05aa0996baefff9865a9"},
                   {"agent_id", "ag_peer"},
                   {"rfp_id", "rfp_6632e6dd67dc002f5f1f"},
                   {"created_at", "2026-11-25T15:57:39Z"}})
              .empty());
}

TEST_CASE("the digests tell changed words from what the market itself changes") {
    const auto before = words(post(4));
    CHECK(words(with(post(4), {{"updatedAt", "later"}, {"status", "X"}, {"views", 5}})) == before);
    CHECK(words(with(post(4), {{"content", "!"}})) != before);
    CHECK(words(with(post(4), {{"extendInfo", {{"fixedPrice", 5}}}})) != before);
    CHECK(words(with(post(4), {{"extendInfo", "{}"}})) == before);
    CHECK(words(with(post(4), {{"nickname", "Other"}})) != before);
    CHECK(words(with(post(4), {{"content", ""}})).at("content").empty());
    CHECK(words(order("PENDING_CONFIRM", 1)).empty());
}
