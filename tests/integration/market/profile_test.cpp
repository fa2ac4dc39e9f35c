// Profiles, addresses, discussions and leases, through the real market.

#include <doctest/doctest.h>

#include <set>
#include <thread>

#include "core/base/ids.h"
#include "tests/integration/market/shared_market.h"
#include "tests/support/market_http.h"

using namespace a2h;
using nlohmann::json;
using test::Answer;
using test::call;
using test::server;

namespace {

using Account = platform::Account;

constexpr std::string_view kProfile = "/findu-user/api/v1/user/profile/public";
constexpr std::string_view kChange = "/findu-user/api/v1/user/profile/change-requests";
constexpr std::string_view kAddress = "/findu-user/api/v1/user/shipping-address";
constexpr std::string_view kWorks = "/findu-user/api/v1/user/works/";
constexpr std::string_view kLease = "/agent-service/api/v1/agent-runtime/lease/";

Account agent(const std::string& name = "Ann") {
    return test::plain_agent(server(), name);
}

json profile(const Account& account) {
    return call(account, "GET", kProfile).data();
}

Answer change(const Account& account, const std::string& key, const json& value) {
    return call(account, "POST", kChange, {{"key", key}, {"value", value}});
}

/// Uploads a picture (or what passes for one) and answers its public address.
std::string upload(const Account& account, const std::string& type = "profile",
                   const std::string& name = "qr.png", const std::string& mime = "image/png",
                   const std::string& bytes = "\x89PNG\r\n\x1a\nqr") {
    const auto signing = call(account, "POST", "/findu-oss/api/v1/oss_signurl/upload/sign",
                              {{"upload_type", type},
                               {"file_name", name},
                               {"file_size", bytes.size()},
                               {"file_type", mime}});
    REQUIRE_MESSAGE(signing.status == 200, signing.text);
    const std::string url = signing.data()["upload_url"];
    const auto stored = test::send(
        {.method = "PUT", .url = url, .headers = {{"Content-Type", mime}}, .body = bytes});
    REQUIRE_MESSAGE(stored.status == 200, stored.text);
    return url.substr(0, url.find('?'));
}

json address(const std::string& name = "王小明") {
    return {{"receiverName", name},   {"phoneNumber", "+86 138 0000 0000"},
            {"province", "上海市"},   {"city", "上海市"},
            {"district", "浦东新区"}, {"detailAddress", "世纪大道 1 号"}};
}

std::string add_address(const Account& account, const std::string& name = "王小明") {
    const auto answer = call(account, "POST", kAddress, address(name));
    REQUIRE_MESSAGE(answer.status == 200, answer.text);
    return answer.data()["addressId"];
}

/// Ids of an agent's addresses; the default's first, and there must be exactly one.
std::vector<std::string> addresses(const Account& account) {
    std::vector<std::string> ids;
    const auto answer = call(account, "GET", kAddress);
    for (const json& item : answer.data()["items"]) {
        CHECK(item["isDefault"].get<bool>() == ids.empty());
        ids.push_back(item["addressId"]);
    }
    return ids;
}

Answer address_action(const Account& account, std::string method, const std::string& rest) {
    return call(account, std::move(method), std::string(kAddress) + "/" + rest);
}

std::string post(const Account& account, const json& more = json::object()) {
    json body{{"type", 4}, {"title", "谁会修琴?"}, {"content", "求推荐 any luthier?"}};
    body.update(more);
    const auto answer = call(account, "POST", std::string(kWorks) + "change-requests", body);
    REQUIRE_MESSAGE(answer.status == 200, answer.text);
    return answer.data()["worksId"];
}

Answer reply(const Account& account, const Account& owner, const std::string& works_id,
             const json& body) {
    return call(account, "POST", std::string(kWorks) + owner.agent_id + "/" + works_id + "/replies",
                body);
}

Answer replies(const Account& account, const std::string& works_id, const std::string& query = "") {
    return call(account, "GET", std::string(kWorks) + "public/" + works_id + "/replies" + query);
}

Answer lease(const Account& account, const std::string& action, const json& body) {
    return call(account, "POST", std::string(kLease) + action, body);
}

}  // namespace

TEST_CASE("a new profile has every field of the platform") {
    const auto ann = agent();
    CHECK(profile(ann) == json{{"userId", ann.agent_id},
                               {"nickname", "Ann"},
                               {"avatarUrl", ""},
                               {"bio", ""},
                               {"abilities", json::array()},
                               {"realnameStatus", 0},
                               {"paymentQrcodeUrl", ""},
                               {"alipayQrcodeUrl", ""},
                               {"wechatPayQrcodeUrl", ""},
                               {"paypalEmail", ""},
                               {"defaultPaymentMethod", ""}});
}

TEST_CASE("a profile is changed field by field") {
    const auto ann = agent();
    const auto changed = change(ann, "bio", "修琴二十年 🎻");
    REQUIRE(changed.status == 200);
    CHECK(changed.data()["status"] == "APPROVED");
    CHECK(changed.data()["changeRequestId"].get<std::string>().size() > 10);
    CHECK(change(ann, "nickname", "安老师").status == 200);
    CHECK(change(ann, "abilities", {{{"text", "guitar"}}, {{"text", "修琴"}}}).status == 200);
    CHECK(change(ann, "paypalEmail", "ann@example.org").status == 200);
    const auto now = profile(ann);
    CHECK(now["bio"] == "修琴二十年 🎻");
    CHECK(now["nickname"] == "安老师");
    CHECK(now["abilities"] == json{{{"text", "guitar"}}, {{"text", "修琴"}}});
    CHECK(now["paypalEmail"] == "ann@example.org");
    const auto record = test::send({.url = server().url() + "/v1/agents/" + ann.agent_id});
    CHECK(record.data()["name"] == "安老师");
}

TEST_CASE("a QR code is a picture that the same agent uploaded for its profile") {
    const auto ann = agent();
    const auto eve = agent("Eve");
    const auto qr = upload(ann);
    CHECK(change(ann, "alipayQrcodeUrl", qr).status == 200);
    CHECK(profile(ann)["alipayQrcodeUrl"] == qr);
    CHECK(change(eve, "alipayQrcodeUrl", qr).status == 400);
    CHECK(change(ann, "wechatPayQrcodeUrl", upload(ann, "chatfile")).status == 400);
    CHECK(change(ann, "wechatPayQrcodeUrl", upload(ann, "profile", "a.gif", "image/gif", "GIF89a"))
              .status == 400);
    CHECK(
        change(ann, "wechatPayQrcodeUrl", "https://example.org/files/" + qr.substr(qr.size() - 36))
            .status == 400);
    CHECK(change(ann, "wechatPayQrcodeUrl", "javascript:alert(1)").status == 400);
    CHECK(change(ann, "wechatPayQrcodeUrl", qr + "?x").status == 400);
    CHECK(change(ann, "wechatPayQrcodeUrl", 1).status == 400);
    CHECK(profile(ann)["wechatPayQrcodeUrl"] == "");
}

TEST_CASE("the default payment method has a QR code, and falls back when that goes") {
    const auto ann = agent();
    const auto early = change(ann, "defaultPaymentMethod", "wechat_pay");
    CHECK(early.status == 409);
    CHECK(early.body["message"].get<std::string>().find("wechatPayQrcodeUrl") != std::string::npos);
    REQUIRE(change(ann, "wechatPayQrcodeUrl", upload(ann)).status == 200);
    REQUIRE(change(ann, "paymentQrcodeUrl", upload(ann)).status == 200);
    REQUIRE(change(ann, "defaultPaymentMethod", "wechat_pay").status == 200);
    CHECK(profile(ann)["defaultPaymentMethod"] == "wechat_pay");
    REQUIRE(change(ann, "wechatPayQrcodeUrl", "").status == 200);
    CHECK(profile(ann)["defaultPaymentMethod"] == "qrcode");
    REQUIRE(change(ann, "paymentQrcodeUrl", "").status == 200);
    CHECK(profile(ann)["defaultPaymentMethod"] == "");
    CHECK(change(ann, "defaultPaymentMethod", "cash").status == 400);
    CHECK(change(ann, "defaultPaymentMethod", "").status == 200);
}

TEST_CASE("invalid changes of a profile are refused and change nothing") {
    const auto ann = agent();
    CHECK(change(ann, "userId", "ag_x").status == 400);
    CHECK(change(ann, "realnameStatus", "1").status == 400);
    CHECK(change(ann, "bio", std::string(501, 'x')).status == 400);
    CHECK(change(ann, "bio", json::object()).status == 400);
    CHECK(change(ann, "nickname", "  ").status == 400);
    CHECK(change(ann, "nickname", std::string(65, 'x')).status == 400);
    CHECK(change(ann, "abilities", "guitar").status == 400);
    CHECK(change(ann, "abilities", {{{"text", ""}}}).status == 400);
    CHECK(change(ann, "abilities", {{{"name", "x"}}}).status == 400);
    CHECK(change(ann, "abilities", json(std::vector<std::string>(21, "x"))).status == 400);
    CHECK(change(ann, "paypalEmail", "not an address").status == 400);
    CHECK(change(ann, "paypalEmail", "a@b@c.org").status == 400);
    CHECK(call(ann, "POST", kChange, {{"key", "bio"}}).status == 400);
    CHECK(call(ann, "POST", kChange, {{"value", "x"}}).status == 400);
    CHECK(profile(ann)["bio"] == "");
    CHECK(profile(ann)["nickname"] == "Ann");
}

TEST_CASE("exactly one address is the default, whatever is added and deleted") {
    const auto ann = agent();
    CHECK(addresses(ann).empty());
    const auto first = add_address(ann, "first");
    CHECK(addresses(ann) == std::vector{first});
    const auto second = add_address(ann, "second");
    const auto third = add_address(ann, "third");
    CHECK(addresses(ann).front() == first);
    CHECK(address_action(ann, "PUT", third + "/default").status == 200);
    CHECK(addresses(ann).front() == third);
    CHECK(address_action(ann, "PUT", third + "/default").status == 200);
    CHECK(addresses(ann).front() == third);
    CHECK(address_action(ann, "DELETE", third).status == 200);
    CHECK(addresses(ann) == std::vector{first, second});
    CHECK(address_action(ann, "DELETE", second).status == 200);
    CHECK(address_action(ann, "DELETE", first).status == 200);
    CHECK(addresses(ann).empty());
    CHECK(address_action(ann, "DELETE", first).code() == "PLATFORM_410");
}

TEST_CASE("an address is shown, and changed in what is named") {
    const auto ann = agent();
    const auto first = add_address(ann, "first");
    const auto shown = address_action(ann, "GET", first).data();
    CHECK(shown["receiverName"] == "first");
    CHECK(shown["isDefault"] == true);
    const std::string path = std::string(kAddress) + "/" + first;
    const auto changed = call(ann, "PUT", path, {{"city", "苏州市"}, {"label", "home"}});
    REQUIRE(changed.status == 200);
    CHECK(changed.data()["city"] == "苏州市");
    CHECK(address_action(ann, "GET", first).data() == changed.data());
    CHECK(changed.data()["receiverName"] == "first");
    CHECK(call(ann, "PUT", path, {{"city", " "}}).status == 400);
    CHECK(call(ann, "PUT", path, {{"city", std::string(65, 'x')}}).status == 400);
    CHECK(address_action(ann, "GET", first).data()["city"] == "苏州市");
    auto second = address("second");
    second["isDefault"] = true;
    REQUIRE(call(ann, "POST", kAddress, second).data()["isDefault"] == true);
    CHECK(addresses(ann).size() == 2);
    CHECK(addresses(ann).back() == first);
}

TEST_CASE("addresses that are added at once still have one default") {
    const auto ann = agent();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&ann] {
            for (int n = 0; n < 5; ++n)
                add_address(ann, std::to_string(n));
        });
    }
    for (auto& thread : threads)
        thread.join();
    CHECK(addresses(ann).size() == 20);
}

TEST_CASE("another agent's address does not exist") {
    const auto ann = agent();
    const auto eve = agent("Eve");
    const auto mine = add_address(ann);
    const auto other = add_address(eve);
    for (const std::string& id : {mine, std::string("ADR0")}) {
        CHECK(address_action(eve, "DELETE", id).status == 404);
        CHECK(address_action(eve, "GET", id).status == 404);
        CHECK(call(eve, "PUT", std::string(kAddress) + "/" + id, {{"city", "x"}}).status == 404);
        CHECK(address_action(eve, "PUT", id + "/default").status == 404);
    }
    CHECK(addresses(eve) == std::vector{other});
    CHECK(addresses(ann) == std::vector{mine});
}

TEST_CASE("fields of an address have limits, and there are at most 50") {
    const auto ann = agent();
    const auto status = [&ann](const std::string& field, const json& value) {
        auto body = address();
        body[field] = value;
        return call(ann, "POST", kAddress, body).status;
    };
    CHECK(status("receiverName", std::string(65, 'x')) == 400);
    CHECK(status("receiverName", " ") == 400);
    CHECK(status("phoneNumber", nullptr) == 400);
    CHECK(status("detailAddress", std::string(257, 'x')) == 400);
    CHECK(status("city", 7) == 400);
    CHECK(status("label", std::string(33, 'x')) == 400);
    CHECK(status("unknown", "fields of newer clients pass") == 200);
    CHECK(status("detailAddress", std::string(256, 'x')) == 200);
    for (int i = 2; i < 50; ++i)
        add_address(ann);
    CHECK(status("label", "51st") == 409);
    CHECK(addresses(ann).size() == 50);
}

TEST_CASE("a discussion has replies, replies to replies, and posts that answer it") {
    const auto ann = agent();
    const auto bob = agent("Bob");
    const auto works = post(ann);
    const auto first = reply(bob, ann, works, {{"content", "我会"}});
    REQUIRE_MESSAGE(first.status == 200, first.text);
    const std::string first_id = first.data()["replyId"];
    const auto second =
        reply(ann, ann, works, {{"content", "太好了"}, {"parentReplyId", first_id}});
    REQUIRE(second.status == 200);
    const auto answering = post(bob, {{"title", "我的看法"}, {"parentWorksId", works}});
    const auto list = replies(ann, works);
    REQUIRE(list.status == 200);
    CHECK(list.data()["total"] == 3);
    const json& items = list.data()["items"];
    CHECK(items.size() == 3);
    for (const json& item : items) {
        CHECK(item["worksId"] == works);
        if (item["replyId"] == first_id) {
            CHECK(item["agentId"] == bob.agent_id);
            CHECK(item["nickname"] == "Bob");
            CHECK(item["content"] == "我会");
            CHECK(item["parentReplyId"] == "");
        } else if (item["replyId"] == answering) {
            CHECK(item["title"] == "我的看法");
        } else {
            CHECK(item["parentReplyId"] == first_id);
        }
    }
}

TEST_CASE("pages of replies do not overlap and hold all") {
    const auto ann = agent();
    const auto works = post(ann);
    for (int i = 0; i < 7; ++i)
        REQUIRE(reply(ann, ann, works, {{"content", std::to_string(i)}}).status == 200);
    std::set<std::string> seen;
    for (const char* page : {"0", "1", "2", "3"}) {
        const auto answer = replies(ann, works, std::string("?pageSize=3&pageNum=") + page);
        CHECK(answer.data()["total"] == 7);
        for (const json& item : answer.data()["items"])
            CHECK(seen.insert(item["replyId"]).second);
    }
    CHECK(seen.size() == 7);
    CHECK(replies(ann, works, "?pageSize=0").status == 400);
    CHECK(replies(ann, works, "?pageSize=101").status == 400);
    CHECK(replies(ann, works, "?pageNum=-1").status == 400);
    CHECK(replies(ann, works, "?page=-1").status == 400);
}

TEST_CASE("a page of replies may be named by page, which counts from 1") {
    const auto ann = agent();
    const auto works = post(ann);
    for (int i = 0; i < 5; ++i)
        REQUIRE(reply(ann, ann, works, {{"content", std::to_string(i)}}).status == 200);
    const auto contents = [&](const std::string& query) {
        std::string all;
        const auto answer = replies(ann, works, "?pageSize=2&" + query);
        for (const json& item : answer.data()["items"])
            all += item["content"].get<std::string>();
        return all;
    };
    CHECK(contents("page=1") == contents("pageNum=0"));
    CHECK(contents("page=2") == contents("pageNum=1"));
    CHECK(contents("page=3") == contents("pageNum=2"));
    CHECK(contents("page=4") == "");
    CHECK(contents("page=0") == contents("pageNum=0"));
    CHECK(contents("page=3&pageNum=0") == contents("pageNum=0"));
}

TEST_CASE("replies go to a post of that agent, and to replies of that post") {
    const auto ann = agent();
    const auto bob = agent("Bob");
    const auto works = post(ann);
    const auto other = post(ann);
    CHECK(reply(bob, agent("Eve"), works, {{"content", "x"}}).status == 404);
    // A published client names its own agent in the path.
    CHECK(reply(bob, bob, works, {{"content", "x"}}).status == 200);
    CHECK(reply(bob, ann, "00a7ee", {{"content", "x"}}).status == 404);
    CHECK(reply(bob, ann, works, {{"content", " "}}).status == 400);
    CHECK(reply(bob, ann, works, {{"content", std::string(2001, 'x')}}).status == 400);
    CHECK(reply(bob, ann, works, json::object()).status == 400);
    const auto there = reply(bob, ann, other, {{"content", "x"}});
    CHECK(reply(bob, ann, works, {{"content", "x"}, {"parentReplyId", there.data()["replyId"]}})
              .status == 404);
    CHECK(replies(bob, "00a7ee").code() == "PLATFORM_410");
    const auto orphan =
        call(bob, "POST", std::string(kWorks) + "change-requests",
             {{"type", 4}, {"title", "t"}, {"content", "c"}, {"parentWorksId", "00a7ee"}});
    CHECK(orphan.status == 404);
    CHECK(call(ann, "POST", std::string(kWorks) + "change-requests",
               {{"worksId", works}, {"parentWorksId", works}})
              .status == 400);
}

TEST_CASE("with a post its replies go") {
    const auto ann = agent();
    const auto works = post(ann);
    REQUIRE(reply(ann, ann, works, {{"content", "x"}}).status == 200);
    CHECK(call(ann, "DELETE", std::string(kWorks) + works).status == 200);
    CHECK(replies(ann, works).status == 404);
}

TEST_CASE("one instance of an agent leads until another takes over") {
    const auto ann = agent();
    const std::string client_id = "GID_agent@@@" + ann.agent_id + "_rt_a";
    const auto first = lease(ann, "acquire", {{"instanceId", "a"}, {"clientId", client_id}}).data();
    CHECK(first["role"] == "leader");
    CHECK(lease(ann, "acquire", {{"instanceId", "a"}}).data()["epoch"] == first["epoch"]);
    const auto second = lease(ann, "acquire", {{"instanceId", "b"}}).data();
    CHECK(first["ok"] == true);
    CHECK(first["reason"] == "");
    CHECK(second["role"] == "follower");
    CHECK(second["ok"] == false);
    CHECK(second["reason"] == "another instance leads");
    CHECK(second["leaderInstanceId"] == "a");
    const auto taken = lease(ann, "takeover", {{"instanceId", "b"}}).data();
    CHECK(taken["role"] == "leader");
    CHECK(taken["epoch"].get<int>() == first["epoch"].get<int>() + 1);
    const auto beat = [&](const char* instance, const json& epoch) {
        return lease(ann, "heartbeat", {{"instanceId", instance}, {"epoch", epoch}}).data();
    };
    CHECK(beat("a", first["epoch"])["role"] == "follower");
    CHECK(beat("a", first["epoch"])["ok"] == false);
    CHECK(beat("a", first["epoch"])["reason"] != "");
    CHECK(beat("b", taken["epoch"])["role"] == "leader");
    CHECK(beat("b", taken["epoch"])["ok"] == true);
    CHECK(beat("b", taken["epoch"])["reason"] == "");
    const auto old = beat("b", first["epoch"]);
    CHECK(old["ok"] == false);
    CHECK(old["role"] == "follower");
    CHECK(old["reason"] == "the epoch is out of date");
    CHECK(lease(ann, "acquire", {{"instanceId", "a"}, {"forceTakeover", true}}).data()["role"] ==
          "leader");
    const auto status = call(ann, "GET", std::string(kLease) + "status?instanceId=a").data();
    CHECK(status["role"] == "leader");
    CHECK(status["myRole"] == "leader");
    CHECK(status["ok"] == true);
    CHECK(call(ann, "GET", std::string(kLease) + "status").data()["role"] == "follower");
}

TEST_CASE("leases are an agent's own and are asked for properly") {
    const auto ann = agent();
    const auto bob = agent("Bob");
    REQUIRE(lease(ann, "acquire", {{"instanceId", "a"}}).data()["role"] == "leader");
    CHECK(lease(bob, "acquire", {{"instanceId", "b"}}).data()["role"] == "leader");
    const auto foreign =
        lease(bob, "acquire", {{"instanceId", "b"}, {"clientId", "GID_agent@@@" + ann.agent_id}});
    CHECK(foreign.status == 403);
    CHECK(foreign.body["success"] == false);
    CHECK(lease(bob, "acquire", json::object()).status == 400);
    CHECK(lease(bob, "heartbeat", {{"instanceId", "b"}, {"epoch", "many"}}).status == 400);
    CHECK(lease(bob, "acquire", {{"instanceId", std::string(65, 'x')}}).status == 400);
    CHECK(call(bob, "GET", std::string(kLease) + "acquire").status == 405);
}

TEST_CASE(
    "none of these resources is shown to somebody who does not sign, or signs late or badly") {
    const auto ann = agent();
    const std::vector<std::pair<std::string, std::string>> requests{
        {"GET", std::string(kProfile)},
        {"POST", std::string(kChange)},
        {"GET", std::string(kAddress)},
        {"POST", std::string(kAddress)},
        {"GET", std::string(kAddress) + "/x"},
        {"PUT", std::string(kAddress) + "/x"},
        {"DELETE", std::string(kAddress) + "/x"},
        {"PUT", std::string(kAddress) + "/x/default"},
        {"POST", std::string(kWorks) + ann.agent_id + "/x/replies"},
        {"GET", std::string(kWorks) + "public/x/replies"},
        {"POST", "/findu-oss/api/v1/oss_signurl/upload/sign"},
        {"POST", std::string(kLease) + "acquire"},
        {"POST", std::string(kLease) + "heartbeat"},
        {"POST", std::string(kLease) + "takeover"},
        {"GET", std::string(kLease) + "status"}};
    for (const auto& [method, path] : requests) {
        CAPTURE(method);
        CAPTURE(path);
        const std::string body = method == "POST" || method == "PUT" ? "{}" : "";
        CHECK(test::send({.method = method, .url = server().url() + path, .body = body}).code() ==
              "PLATFORM_90005");
        CHECK(
            test::send(test::plain_request(ann, method, path, body, test::now_s() - 400)).code() ==
            "PLATFORM_90005");
        auto stranger = ann;
        stranger.keys.agent_key = "wrong";
        CHECK(test::send(test::plain_request(stranger, method, path, body)).code() ==
              "PLATFORM_90005");
        const auto nonce = random_hex(16);
        const auto replayed = test::nonce_request(ann, method, path, body, nonce);
        CHECK(test::send(replayed).code() != "PLATFORM_90005");
        CHECK(test::send(replayed).code() == "PLATFORM_90005");
    }
}
