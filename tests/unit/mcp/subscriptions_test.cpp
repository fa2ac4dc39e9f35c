// Notices of changes, tasks and progress.
#include <doctest/doctest.h>

#include <set>

#include "mcp/progress.h"
#include "mcp/tasks.h"
#include "tests/support/manual_clock.h"
#include "tests/unit/mcp/host.h"

using namespace std::chrono_literals;
using a2h::test::Host;
using nlohmann::json;

namespace {

const std::string kSubscription = "io.modelcontextprotocol/subscriptionId";
const json kTakesTasks = {{"extensions", {{"io.modelcontextprotocol/tasks", json::object()}}}};

/// A daemon whose status and conversation show how often something happened.
struct Busy : Host {
    int mails = 0;
    int news = 0;

    Busy() {
        on["status"] = [this](const json&) {
            return json{{"received", news}, {"store", {{"commit_us", ++looks_}}}};
        };
        on["inbox.history"] = [this](const json&) { return json{{"count", mails}}; };
        on["approval.wait"] = [](const json&) { return json{{"timed_out", false}}; };
        on["approval.list"] = [](const json& params) {
            json rows = json::array();
            if (params.contains("approval_id")) {
                rows.push_back({{"approval_id", "apr_1"},
                                {"status", "pending"},
                                {"digest", std::string(64, 'd')},
                                {"question", "Upload it?"},
                                {"covers", json::array()}});
            }
            return json{{"approvals", rows}};
        };
    }

  private:
    int looks_ = 0;
};

json listen(Host& host, const json& filter, const json& capabilities = json::object()) {
    const int id = host.request("subscriptions/listen",
                                Host::modern({{"notifications", filter}}, capabilities));
    json first = host.hear();
    if (first.contains("error")) return first;
    CHECK(first["method"] == "notifications/subscriptions/acknowledged");
    CHECK(first["params"]["_meta"][kSubscription] == id);
    return first;
}

json wait_call(const json& capabilities) {
    return Host::modern({{"name", "a2h_approval_wait"}, {"arguments", json::object()}},
                        capabilities);
}

json get_task(Host& host, const json& id) {
    return host.ask("tasks/get", Host::modern({{"taskId", id}}, kTakesTasks));
}

json end_of_task(Host& host, const json& id) {
    json task;
    do {
        task = get_task(host, id)["result"];
    } while (task["status"] == "working");
    return task;
}

}  // namespace

TEST_CASE("a subscriber is notified only when the resource has changed") {
    Busy host;
    host.initialize("2025-11-25");
    CHECK(host.ask("resources/subscribe", {{"uri", "a2h://inbox/ag_bob"}}).contains("result"));
    CHECK(host.ask("resources/subscribe", {{"uri", "a2h://status"}}).contains("result"));
    // The status counts how often it was read: that is no change.
    host.change([&] { host.mails = 1; });
    const json notice = host.hear();
    CHECK(notice["method"] == "notifications/resources/updated");
    CHECK(notice["params"] == json{{"uri", "a2h://inbox/ag_bob"}});
    host.change([&] { host.news = 1; });
    CHECK(host.hear()["params"]["uri"] == "a2h://status");
    CHECK(host.ask("resources/unsubscribe", {{"uri", "a2h://inbox/ag_bob"}}).contains("result"));
    host.change([&] { host.mails = 2; });
    host.change([&] { host.news = 2; });
    CHECK(host.hear()["params"]["uri"] == "a2h://status");
    CHECK(host.silent());
}

TEST_CASE("the market is not asked for an order at every event") {
    Busy host;
    host.on["order.get"] = [](const json&) { return json{{"status", "PAID"}}; };
    host.initialize("2025-11-25");
    const auto begun = std::chrono::steady_clock::now();
    CHECK(host.ask("resources/subscribe", {{"uri", "a2h://orders/WKS1"}}).contains("result"));
    CHECK(host.ask("resources/subscribe", {{"uri", "a2h://inbox/ag_bob"}}).contains("result"));
    for (int mails = 1; mails <= 5; ++mails) {
        host.change([&] { host.mails = mails; });
        CHECK(host.hear()["params"]["uri"] == "a2h://inbox/ag_bob");
    }
    const auto rests = (std::chrono::steady_clock::now() - begun) / 10s;
    CHECK(host.count_of("order.get") <= 1 + rests);
}

TEST_CASE("nobody waits for events before something that can change is subscribed to") {
    Busy host;
    host.initialize("2025-11-25");
    CHECK(host.ask("resources/read", {{"uri", "a2h://status"}}).contains("result"));
    CHECK(host.ask("resources/subscribe", {{"uri", "a2h://playbooks/sell"}}).contains("result"));
    CHECK(host.count_of("events.list") == 0);
}

TEST_CASE("changes while a2hd is away are reported when it is back") {
    Busy host;
    host.initialize("2024-11-05");
    CHECK(host.ask("resources/subscribe", {{"uri", "a2h://inbox/ag_bob"}}).contains("result"));
    host.change([&] {
        host.refusals["inbox.history"] = "unavailable";
        host.mails = 1;
    });
    REQUIRE(host.called("inbox.history", 2));
    host.change([&] { host.refusals.clear(); });
    CHECK(host.hear()["params"]["uri"] == "a2h://inbox/ag_bob");
}

TEST_CASE("a resource unreadable at subscription is announced once it can be read") {
    Busy host;
    host.refusals["inbox.history"] = "unavailable";
    host.initialize("2025-11-25");
    CHECK(host.ask("resources/subscribe", {{"uri", "a2h://inbox/ag_bob"}}).contains("result"));
    host.change([&] { host.refusals.clear(); });
    CHECK(host.hear()["params"]["uri"] == "a2h://inbox/ag_bob");
}

TEST_CASE("only what has the form of a resource can be subscribed to") {
    Busy host;
    host.initialize("2025-06-18");
    for (const json& bad : {json{{"uri", "a2h://nothing"}}, json{{"uri", 7}}, json::object()}) {
        CHECK(host.ask("resources/subscribe", bad)["error"]["code"] == -32002);
    }
    CHECK(host.ask("resources/subscribe", {{"uri", "a2h://playbooks/sell"}}).contains("result"));
    CHECK(host.ask("resources/unsubscribe", {{"uri", "a2h://never/was"}}).contains("result"));
    CHECK(host.ask("resources/subscribe",
                   Host::modern({{"uri", "a2h://status"}}))["error"]["code"] == -32601);
}

TEST_CASE("2026-07-28: a stream is acknowledged with what is honoured, then reports changes") {
    Busy host;
    const json first = listen(
        host, {{"toolsListChanged", true},
               {"resourceSubscriptions", {"a2h://inbox/ag_bob", "a2h://nothing", "a2h://status"}}});
    CHECK(first["params"]["notifications"] ==
          json{{"resourceSubscriptions", {"a2h://inbox/ag_bob", "a2h://status"}}});
    const json second = listen(host, {{"resourceSubscriptions", {"a2h://inbox/ag_bob"}}});
    host.change([&] { host.mails = 1; });
    std::set<int> told;
    for (int i = 0; i < 2; ++i) {
        const json notice = host.hear();
        CHECK(notice["method"] == "notifications/resources/updated");
        CHECK(notice["params"]["uri"] == "a2h://inbox/ag_bob");
        told.insert(notice["params"]["_meta"][kSubscription].get<int>());
    }
    CHECK(told == std::set<int>{1, 2});
    host.say({{"jsonrpc", "2.0"},
              {"method", "notifications/cancelled"},
              {"params", {{"requestId", 1}}}});
    host.change([&] { host.mails = 2; });
    CHECK(host.hear()["params"]["_meta"][kSubscription] == 2);
    CHECK(host.silent());
}

TEST_CASE("2026-07-28: the end of the program ends each stream with its result") {
    Busy host;
    listen(host, json::object());
    host.end();
    const json last = host.hear();
    CHECK(last["id"] == 1);
    CHECK(last["result"] == json{{"resultType", "complete"}, {"_meta", {{kSubscription, 1}}}});
}

TEST_CASE("2026-07-28: filters of a wrong form and too many streams are refused") {
    Busy host;
    CHECK(host.ask("subscriptions/listen", Host::modern())["error"]["code"] == -32602);
    for (const json& bad :
         {json{{"resourceSubscriptions", "a2h://status"}}, json{{"resourceSubscriptions", {7}}}}) {
        CHECK(listen(host, bad)["error"]["code"] == -32602);
    }
    CHECK(listen(host, {{"taskIds", {"x"}}})["error"]["code"] == -32021);
    for (std::size_t i = 0; i < a2h::mcp::Subscriptions::kStreamsMax; ++i)
        listen(host, json::object());
    CHECK(listen(host, json::object())["error"]["code"] == -32603);
}

TEST_CASE("an id that is a string names its stream as a string") {
    Busy host;
    host.say({{"jsonrpc", "2.0"},
              {"id", "s\"1"},
              {"method", "subscriptions/listen"},
              {"params", Host::modern({{"notifications", json::object()}})}});
    CHECK(host.hear()["params"]["_meta"][kSubscription] == "s\"1");
}

TEST_CASE("a waiting tool is a task for clients with tasks, and its end is notified") {
    Busy host;
    host.hold("approval.wait");
    const json begun = host.ask("tools/call", wait_call(kTakesTasks))["result"];
    CHECK(begun["resultType"] == "task");
    CHECK(begun["status"] == "working");
    const json id = begun["taskId"];
    CHECK(id.get<std::string>().size() >= 32);
    CHECK(get_task(host, id)["result"]["status"] == "working");
    CHECK(get_task(host, id)["result"]["resultType"] == "complete");
    const json first = listen(host, {{"taskIds", {id, "unknown"}}}, kTakesTasks);
    CHECK(first["params"]["notifications"]["taskIds"] == json{id});
    host.release();
    const json notice = host.hear();
    CHECK(notice["method"] == "notifications/tasks");
    CHECK(notice["params"]["taskId"] == id);
    CHECK(notice["params"]["status"] == "completed");
    CHECK(notice["params"]["_meta"].contains(kSubscription));
    const json task = get_task(host, id)["result"];
    CHECK(task["result"]["structuredContent"]["data"]["timed_out"] == false);
    CHECK(task["result"]["isError"] == false);
}

TEST_CASE("other clients and other tools get results, not tasks") {
    Busy host;
    CHECK(host.ask("tools/call", wait_call(json::object()))["result"]["resultType"] == "complete");
    json quick = wait_call(kTakesTasks);
    quick["name"] = "a2h_status";
    CHECK(host.ask("tools/call", quick)["result"]["resultType"] == "complete");
    host.initialize("2025-11-25", kTakesTasks);
    const json legacy = host.ask("tools/call", {{"name", "a2h_approval_wait"}})["result"];
    CHECK(!legacy.contains("taskId"));
    CHECK(host.ask("tasks/get", {{"taskId", "x"}})["error"]["code"] == -32601);
}

TEST_CASE("tasks are not for clients that did not declare them, and unknown ones are refused") {
    Busy host;
    for (const char* method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
        CAPTURE(method);
        const json undeclared = host.ask(method, Host::modern({{"taskId", "x"}}));
        CHECK(undeclared["error"]["code"] == -32021);
        CHECK(undeclared["error"]["data"]["requiredCapabilities"] == kTakesTasks);
        for (const json& id : {json("x"), json(7), json()}) {
            CHECK(
                host.ask(method, Host::modern({{"taskId", id}, {"inputResponses", json::object()}},
                                              kTakesTasks))["error"]["code"] == -32602);
        }
    }
}

TEST_CASE("a cancelled task stays cancelled") {
    Busy host;
    host.hold("approval.wait");
    const json id = host.ask("tools/call", wait_call(kTakesTasks))["result"]["taskId"];
    REQUIRE(host.called("approval.wait"));
    CHECK(host.ask("tasks/cancel", Host::modern({{"taskId", id}}, kTakesTasks)).contains("result"));
    CHECK(get_task(host, id)["result"]["status"] == "cancelled");
    host.release();
    CHECK(host.ask("tasks/cancel", Host::modern({{"taskId", id}}, kTakesTasks)).contains("result"));
    const json task = get_task(host, id)["result"];
    CHECK(task["status"] == "cancelled");
    CHECK(!task.contains("result"));
}

TEST_CASE("a dialog that a task needs is asked for by the task, and answered by tasks/update") {
    Busy host;
    json capabilities = kTakesTasks;
    capabilities["elicitation"] = json::object();
    host.refusals["file.upload"] = "PLATFORM_CONFIRMATION_REQUIRED";
    host.on["approval.elicit"] = [](const json&) { return json::object(); };
    host.on["approval.wait"] = [](const json&) { return json{{"done", true}}; };
    const json upload = Host::modern(
        {{"name", "a2h_file_upload"}, {"arguments", {{"file", "/tmp/x.png"}}}}, capabilities);
    const json id = host.ask("tools/call", upload)["result"]["taskId"];
    json task = end_of_task(host, id);
    REQUIRE(task["status"] == "input_required");
    CHECK(task["inputRequests"]["approval"]["method"] == "elicitation/create");
    const auto update = [&](const json& responses) {
        return host.ask(
            "tasks/update",
            Host::modern({{"taskId", id}, {"inputResponses", responses}}, capabilities));
    };
    CHECK(update({{"unknown", json::object()}}).contains("result"));
    CHECK(get_task(host, id)["result"]["status"] == "input_required");
    const json yes = {{"action", "accept"},
                      {"content", {{"decision", "approve"}, {"code", "123456"}}}};
    CHECK(update({{"approval", yes}})["result"]["resultType"] == "complete");
    task = end_of_task(host, id);
    CHECK(task["status"] == "completed");
    CHECK(task["result"]["structuredContent"]["data"]["done"] == true);
    CHECK(host.called("approval.elicit"));
    CHECK(update({{"approval", yes}}).contains("result"));  // answered already: ignored
}

TEST_CASE("an invalid dialog answer ends the task with a refusal and releases nothing") {
    Busy host;
    json capabilities = kTakesTasks;
    capabilities["elicitation"] = json::object();
    host.refusals["file.upload"] = "PLATFORM_CONFIRMATION_REQUIRED";
    const json upload = Host::modern(
        {{"name", "a2h_file_upload"}, {"arguments", {{"file", "/tmp/x.png"}}}}, capabilities);
    const json id = host.ask("tools/call", upload)["result"]["taskId"];
    REQUIRE(end_of_task(host, id)["status"] == "input_required");
    const json update = {{"taskId", id}, {"inputResponses", {{"approval", "yes"}}}};
    CHECK(host.ask("tasks/update", Host::modern(update, capabilities)).contains("result"));
    const json task = end_of_task(host, id);
    CHECK(task["status"] == "failed");
    CHECK(task["error"]["code"] == -32602);
    CHECK(!task.contains("result"));
}

TEST_CASE("a task with several questions goes on when the last is answered") {
    a2h::ManualClock clock(1'800'000'000'000);
    std::vector<std::string> told;
    a2h::mcp::Tasks tasks(clock, [&](const std::string&, const auto& task) {
        told.push_back(task["status"].template get<std::string>());
    });
    const std::string id = tasks.create().value();
    const auto state = [&] { return std::get<nlohmann::ordered_json>(tasks.get(id)); };
    CHECK(!tasks.take_answers(id, {{"a", 1}}));
    tasks.ask(id, {{"a", {{"method", "x"}}}, {"b", {{"method", "y"}}}});
    CHECK(!tasks.take_answers(id, {{"c", 3}}));
    CHECK(!tasks.take_answers(id, {{"a", 1}}));
    CHECK(state()["inputRequests"].size() == 1);
    CHECK(state()["inputRequests"].contains("b"));
    CHECK(!tasks.take_answers(id, {{"a", 9}}));  // answered already
    CHECK(tasks.take_answers(id, {{"b", 2}}) == json{{"a", 1}, {"b", 2}});
    CHECK(state()["status"] == "working");
    tasks.finish(id, a2h::mcp::RpcError{a2h::mcp::RpcCode::InternalError, "broken", R"({"x":1})"});
    CHECK(json(state()["error"]) ==
          json{{"code", -32603}, {"message", "broken"}, {"data", {{"x", 1}}}});
    tasks.finish(id, nlohmann::ordered_json::object());  // it is over
    CHECK(told ==
          std::vector<std::string>{"input_required", "input_required", "working", "failed"});
}

TEST_CASE("tasks end with their time, and finished ones make room for new ones") {
    a2h::ManualClock clock(1'800'000'000'000);
    a2h::mcp::Tasks tasks(clock, [](const std::string&, const auto&) {});
    const auto first = tasks.create();
    REQUIRE(first);
    clock.advance(59min);
    CHECK(tasks.knows(*first));
    std::vector<std::string> ids;
    while (const auto id = tasks.create())
        ids.push_back(*id);
    CHECK(ids.size() == a2h::mcp::Tasks::kTasksMax - 1);
    tasks.finish(ids.front(), nlohmann::ordered_json::object());
    CHECK(tasks.create());
    CHECK(!tasks.knows(ids.front()));
    clock.advance(2min);
    CHECK(!tasks.knows(*first));
    CHECK(tasks.knows(ids.back()));
}

TEST_CASE("a request with a progress token gets progress until it is answered") {
    std::mutex mutex;
    std::condition_variable said;
    std::vector<json> lines;
    a2h::mcp::Progress progress(
        [&](const std::string& line) {
            const std::lock_guard lock(mutex);
            lines.push_back(json::parse(line));
            said.notify_all();
        },
        1ms);
    {
        const auto other = progress.watch(json::object(), "no token");
        const auto watch = progress.watch({{"_meta", {{"progressToken", "t"}}}}, "still at work");
        std::unique_lock lock(mutex);
        REQUIRE(said.wait_for(lock, 10s, [&] { return lines.size() >= 3; }));
    }
    const std::lock_guard lock(mutex);
    double last = -1;
    for (const json& line : lines) {
        CHECK(line["method"] == "notifications/progress");
        CHECK(line["params"]["progressToken"] == "t");
        CHECK(line["params"]["message"] == "still at work");
        CHECK(line["params"]["progress"].get<double>() > last);
        last = line["params"]["progress"].get<double>();
    }
}

TEST_CASE("a modern request inside a batch is refused, so that the batch is answered") {
    Busy host;
    host.initialize("2025-03-26");
    const json listen_request = {{"jsonrpc", "2.0"},
                                 {"id", 5},
                                 {"method", "subscriptions/listen"},
                                 {"params", Host::modern({{"notifications", json::object()}})}};
    host.say(json::array({listen_request, {{"jsonrpc", "2.0"}, {"id", 6}, {"method", "ping"}}}));
    const json answers = host.hear();
    REQUIRE(answers.size() == 2);
    CHECK(answers[0]["error"]["code"] == -32600);
    CHECK(answers[1]["id"] == 6);
}
