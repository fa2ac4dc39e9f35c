#include "tests/integration/daemon/scene.h"

#include <doctest/doctest.h>

#include "core/store/approval_store.h"
#include "core/store/notification_store.h"

namespace a2h::test {
namespace {

constexpr std::string_view kPending = R"({"status":"pending"})";

}  // namespace

using nlohmann::json;

Scene::Scene(DaemonOptions seller_options)
    : seller(dir.path() / "seller", {seller_account}, market.mqtt_url(), std::move(seller_options)),
      buyer(dir.path() / "buyer", {buyer_account}, market.mqtt_url()) {
    REQUIRE_MESSAGE(seller.connected(), seller.log());
    REQUIRE_MESSAGE(buyer.connected(), buyer.log());
}

json Scene::answer(Daemon& daemon, const std::string& id, const std::string& decision,
                   std::string_view pin) {
    return daemon.call_human(
        "approval.answer", json{{"approval_id", id}, {"decision", decision}, {"pin", pin}}.dump());
}

void Scene::publish_listing() {
    const json asked = seller.call_assistant(
        "works.publish", json{{"type", 3},
                              {"title", "Portrait photo session"},
                              {"content", "One hour in the studio, ten edited pictures."},
                              {"expected_price", "280 CNY"},
                              {"service_method", "offline"},
                              {"service_location", "Hangzhou"}}
                             .dump());
    REQUIRE_MESSAGE(asked.contains("error"), asked.dump());
    REQUIRE_MESSAGE(asked["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED", asked.dump());
    const std::string id = asked["error"]["approval_id"];
    REQUIRE(answer(seller, id, "approve")["ok"] == true);
    REQUIRE(eventually([&] { return approval(id)["outcome"] == "executed"; }));
    REQUIRE(
        eventually([&] { return !seller.call_assistant("works.list")["data"]["items"].empty(); }));
}

void Scene::buyer_says(const std::string& text) {
    buyer_sends({{"text", text}});
}

void Scene::buyer_sends(json what) {
    what["target_agent_id"] = seller_account.agent_id;
    // A message of the seller may close the buyer's question in the meantime; the call is then
    // repeated.
    json last;
    REQUIRE_MESSAGE(eventually([&] {
                        last = buyer.call_assistant("send", what.dump());
                        if (last["ok"] == true) return true;
                        REQUIRE_MESSAGE(last["error"].contains("approval_id"), last.dump());
                        last = answer(buyer, last["error"]["approval_id"], "approve");
                        return last["ok"] == true;
                    }),
                    last.dump());
}

void Scene::approve(Daemon& daemon, const std::string& id) {
    // A yes is refused while a newer message of the peer is unread, because that message may renew
    // the question (R45).
    std::string standing = id;
    json last;
    REQUIRE_MESSAGE(eventually([&] {
                        last = answer(daemon, standing, "approve");
                        if (last["ok"] == true) return true;
                        const std::string next = stored_approval(daemon, standing).next_id;
                        if (!next.empty()) standing = next;
                        return false;
                    }),
                    last.dump());
}

json Scene::replies_to_buyer() {
    const json history =
        buyer.call_assistant("inbox.history", json{{"peer_id", seller_account.agent_id}}.dump());
    REQUIRE_MESSAGE(history.value("ok", false), history.dump());
    json replies = json::array();
    for (const json& item : history["data"]["items"]) {
        if (item["direction"] == "in") replies.push_back(item);
    }
    return replies;
}

json Scene::open_approval() {
    return open_approval_of(seller);
}

json Scene::open_approval_of(Daemon& daemon) {
    json open;
    REQUIRE(eventually([&] {
        const json listed = daemon.call_human("approval.list", kPending)["data"]["approvals"];
        if (listed.size() != 1) return false;
        open = listed[0];
        return true;
    }));
    return open;
}

json Scene::approval(const std::string& id) {
    const json all = seller.call_human("approval.list");
    REQUIRE_MESSAGE(all.value("ok", false), all.dump());
    for (const json& entry : all["data"]["approvals"]) {
        if (entry["approval_id"] == id) return entry;
    }
    return json::object();
}

Approval Scene::stored_approval(const Daemon& daemon, const std::string& id) const {
    const auto database =
        store::Database::open(daemon.home() / "a2hd.db", store::Database::Mode::ReadOnly);
    REQUIRE(database);
    return *store::get_approval(**database, id).value();
}

void Scene::deliver(const Daemon& daemon, const std::string& id) const {
    const auto db =
        store::Database::open(daemon.home() / "a2hd.db", store::Database::Mode::ReadWrite);
    REQUIRE(db.has_value());
    Notification told;
    told.agent_id = stored_approval(daemon, id).agent_id;
    told.approval_id = id;
    told.kind = "approval.asked";
    told.channel = "phone";
    told.state = "delivered";
    told.body_json = "{}";
    REQUIRE(store::insert_notification(**db, told).has_value());
}

bool Scene::no_work_left(Daemon& daemon) {
    return eventually([&] {
        const json backlog = daemon.status()["backlog"];
        return backlog["undecided"] == 0 && backlog["queued"] == 0;
    });
}

}  // namespace a2h::test
