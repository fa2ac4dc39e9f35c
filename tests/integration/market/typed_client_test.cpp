// A statically typed client goes from its login to a completed order. A published command-line
// client works like this: it decodes each answer into declared fields; a field of another type ends
// the call, and a missing one is empty. The fields declared here are those that it declares.

#include <doctest/doctest.h>

#include <vector>

#include "core/base/ids.h"
#include "tests/integration/market/login_steps.h"

using namespace a2h;
using nlohmann::json;
using test::Answer;
using test::server;

namespace {

enum class Is { Text, Integer, Flag, Object, List };

struct Field {
    const char* name;
    Is type;
};
using Fields = std::vector<Field>;

const Fields kCredentials{
    {"agentId", Is::Text}, {"secret", Is::Text}, {"api_url", Is::Text}, {"mqtt_url", Is::Text}};
const Fields kAcquired{{"role", Is::Text},
                       {"epoch", Is::Integer},
                       {"leaseUntil", Is::Integer},
                       {"leaderInstanceId", Is::Text},
                       {"oldLease", Is::Object}};
const Fields kBeat{
    {"ok", Is::Flag}, {"reason", Is::Text}, {"epoch", Is::Integer}, {"leaseUntil", Is::Integer}};
const Fields kStatus{{"leaderInstanceId", Is::Text},
                     {"epoch", Is::Integer},
                     {"leaseUntil", Is::Integer},
                     {"myRole", Is::Text}};
const Fields kHistory{{"me", Is::Object},    {"partner", Is::Object}, {"items", Is::List},
                      {"page", Is::Integer}, {"limit", Is::Integer},  {"total", Is::Integer}};
const Fields kMessage{{"messageId", Is::Text}, {"senderId", Is::Text}, {"receiverId", Is::Text},
                      {"content", Is::Text},   {"traceId", Is::Text},  {"timestamp", Is::Text}};

bool fits(const json& value, Is type) {
    switch (type) {
        case Is::Text:
            return value.is_string();
        case Is::Integer:
            return value.is_number_integer();
        case Is::Flag:
            return value.is_boolean();
        case Is::Object:
            return value.is_object();
        case Is::List:
            return value.is_array();
    }
    return false;
}

json empty_of(Is type) {
    switch (type) {
        case Is::Text:
            return "";
        case Is::Integer:
            return 0;
        case Is::Flag:
            return false;
        case Is::Object:
        case Is::List:
            break;
    }
    return nullptr;
}

json decode(const json& data, const Fields& fields) {
    REQUIRE(data.is_object());
    json decoded;
    for (const Field& field : fields) {
        CAPTURE(field.name);
        const auto found = data.find(field.name);
        const bool is_empty = found == data.end() || found->is_null();
        if (!is_empty) REQUIRE_MESSAGE(fits(*found, field.type), found->dump());
        decoded[field.name] = is_empty ? empty_of(field.type) : *found;
    }
    return decoded;
}

/// `data` of an answer in the platform's form, or in that of the services.
const json& data_of(const Answer& answer) {
    REQUIRE_MESSAGE(answer.status == 200, answer.text);
    const bool is_good = answer.body.contains("success") ? answer.body["success"] == true
                                                         : answer.body["code"] == "200";
    REQUIRE_MESSAGE(is_good, answer.text);
    return answer.data();
}

struct Client {
    explicit Client(const char* name) {
        namespace steps = test::login;
        const auto begun = steps::begin();
        CHECK(decode(data_of(steps::poll(begun.code)), kCredentials)["agentId"] == "");
        const auto done = steps::answer(begun.url, steps::open(begun.url),
                                        "choice=create&name=" + std::string(name));
        REQUIRE(done.status == 200);
        credentials = decode(data_of(steps::poll(begun.code)), kCredentials);
        account = {.api_base = credentials["api_url"],
                   .agent_id = credentials["agentId"],
                   .keys = {.agent_key = credentials["secret"], .key_pair = {}}};
    }

    json get(const std::string& path, const Fields& fields) const {
        return decode(data_of(test::call(account, "GET", path)), fields);
    }
    json post(const std::string& path, const json& body, const Fields& fields) const {
        return decode(data_of(test::call(account, "POST", path, body)), fields);
    }
    json lease(const char* action, const json& body, const Fields& fields) const {
        return post("/agent-service/api/v1/agent-runtime/lease/" + std::string(action), body,
                    fields);
    }
    json history(const std::string& peer) const {
        return get("/agent-message/api/v1/agents/sessions/messages?sessionId=" +
                       session_id(account.agent_id, peer) + "&page=1&limit=20",
                   kHistory);
    }

    json credentials;
    platform::Account account;
};

const std::string kAddress = "/findu-user/api/v1/user/shipping-address";
const std::string kOrders = "/findu-trade/api/v1/orders/";

}  // namespace

TEST_CASE("the login tells a statically typed client where its market and broker are") {
    const Client client("Ann");
    CHECK(client.credentials["api_url"] == server().url());
    CHECK(client.credentials["mqtt_url"] == server().mqtt_url());
    CHECK(client.get("/findu-user/api/v1/user/profile/public",
                     {{"nickname", Is::Text}})["nickname"] == "Ann");
}

TEST_CASE("a statically typed client listens until another instance takes over") {
    const Client client("Ann");
    const auto acquire = [&](const char* instance) {
        return client.lease("acquire",
                            {{"instanceId", instance},
                             {"clientId", "GID_agent@@@" + client.account.agent_id},
                             {"hostname", "desk"},
                             {"forceTakeover", true}},
                            kAcquired);
    };
    const auto beat = [&](const json& lease, const char* instance) {
        return client.lease("heartbeat", {{"instanceId", instance}, {"epoch", lease["epoch"]}},
                            kBeat);
    };
    const json first = acquire("a");
    CHECK(first["role"] == "leader");
    for (int i = 0; i < 3; ++i) {
        const json kept = beat(first, "a");
        CHECK(kept["ok"] == true);
        CHECK(kept["epoch"] == first["epoch"]);
        CHECK(kept["leaseUntil"] > 0);
    }
    const std::string status = "/agent-service/api/v1/agent-runtime/lease/status?instanceId=";
    CHECK(client.get(status + "a", kStatus)["myRole"] == "leader");
    const json second = acquire("b");
    CHECK(second["role"] == "leader");
    const json lost = beat(first, "a");
    CHECK(lost["ok"] == false);
    CHECK(lost["reason"] != "");
    CHECK(client.get(status + "a", kStatus)["myRole"] == "follower");
    CHECK(beat(second, "b")["ok"] == true);
}

TEST_CASE("a statically typed client keeps its addresses") {
    const Client client("Ann");
    const Fields address{
        {"addressId", Is::Text}, {"city", Is::Text}, {"label", Is::Text}, {"isDefault", Is::Flag}};
    const auto add = [&](bool is_default) {
        return client
            .post(kAddress,
                  {{"receiverName", "Ann"},
                   {"phoneNumber", "1"},
                   {"province", "P"},
                   {"city", "C"},
                   {"district", "D"},
                   {"detailAddress", "X"},
                   {"isDefault", is_default}},
                  address)["addressId"]
            .get<std::string>();
    };
    const std::string first = add(false);
    const std::string second = add(true);
    CHECK(client.get(kAddress + "/" + first, address)["isDefault"] == false);
    CHECK(client.get(kAddress + "/" + second, address)["isDefault"] == true);
    data_of(test::call(client.account, "PUT", kAddress + "/" + first, {{"label", "home"}}));
    data_of(test::call(client.account, "PUT", kAddress + "/" + first + "/default", json::object()));
    const json changed = client.get(kAddress + "/" + first, address);
    CHECK(changed["label"] == "home");
    CHECK(changed["city"] == "C");
    CHECK(changed["isDefault"] == true);
    data_of(test::call(client.account, "DELETE", kAddress + "/" + second, json::object()));
    CHECK(client.get(kAddress, {{"items", Is::List}})["items"].size() == 1);
}

TEST_CASE("a statically typed client replies to another's discussion under its own name") {
    const Client author("Author");
    const Client reader("Reader");
    const std::string works = "/findu-user/api/v1/user/works/";
    const std::string topic = author.post(works + "change-requests",
                                          {{"type", 4}, {"title", "who?"}, {"content", "Where?"}},
                                          {{"worksId", Is::Text}})["worksId"];
    reader.post(works + reader.account.agent_id + "/" + topic + "/replies", {{"content", "here"}},
                {{"replyId", Is::Text}});
    const json replies = author.get(works + "public/" + topic + "/replies?page=1&pageSize=10",
                                    {{"items", Is::List}})["items"];
    REQUIRE(replies.size() == 1);
    CHECK(replies[0]["agentId"] == reader.account.agent_id);
    // Neither call changes the kind of a post.
    CHECK(test::call(author.account, "POST", works + "change-requests",
                     {{"worksId", topic}, {"type", 3}, {"title", "for sale"}})
              .status == 409);
}

TEST_CASE("two statically typed clients complete an order and read its messages") {
    http::ClientRequest health;
    health.url = server().url() + "/healthz";
    REQUIRE(test::eventually([&] { return test::send(health).body["relay"] == "connected"; },
                             std::chrono::seconds(20)));
    const Client seller("Seller");
    const Client buyer("Buyer");
    const std::string works = seller.post("/findu-user/api/v1/user/works/change-requests",
                                          {{"type", 3},
                                           {"title", "laptop repair"},
                                           {"content", "the same day"},
                                           {"extendInfo", {{"expectedPrice", "280 CNY"}}}},
                                          {{"worksId", Is::Text}, {"status", Is::Text}})["worksId"];
    const Fields order{{"orderId", Is::Text}, {"status", Is::Text}};
    const std::string id = seller.post(kOrders + "create",
                                       {{"providerId", seller.account.agent_id},
                                        {"customerId", buyer.account.agent_id},
                                        {"title", "laptop repair"},
                                        {"content", "today"},
                                        {"price", 28'000},
                                        {"currency", "CNY"},
                                        {"productId", works},
                                        {"orderType", 3}},
                                       order)["orderId"];
    const auto move = [&](const Client& by, const char* action) {
        return by.post(kOrders + id + "/" + action, json::object(), order)["status"];
    };
    CHECK(move(buyer, "confirm") == "CONFIRMED");
    CHECK(move(seller, "confirm-received") == "PAID");
    CHECK(move(buyer, "confirm-service-completed") == "COMPLETED");

    const json listed = buyer.get(kOrders + "purchase-orders?page=1&pageSize=20",
                                  {{"total", Is::Integer}, {"list", Is::List}})["list"];
    REQUIRE(listed.size() == 1);
    const json row = decode(listed[0], {{"orderId", Is::Text},
                                        {"currentType", Is::Integer},
                                        {"profile", Is::Object},
                                        {"gmtCreate", Is::Text}});
    CHECK(row["orderId"] == id);
    CHECK(row["currentType"] == 1);
    CHECK(row["gmtCreate"] != "");
    CHECK(row["profile"]["userId"] == seller.account.agent_id);

    const std::string market =
        data_of(test::send({.url = server().url() + "/v1/market"}))["agent_id"];
    REQUIRE(test::eventually([&] { return buyer.history(market)["total"] == 4; }));
    const json history = buyer.history(market);
    CHECK(history["partner"]["nickname"] == "A2H Market");
    for (const json& item : history["items"]) {
        const json message = decode(item, kMessage);
        CHECK(message["senderId"] == market);
        CHECK(json::parse(message["content"].get<std::string>())["payload"]["orderId"] == id);
    }
    CHECK(buyer.history(seller.account.agent_id)["total"] == 0);
}
