// Approvals that are shown to the human in a dialog of the client.
#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "mcp/client_requests.h"
#include "mcp/dispatcher.h"
#include "mcp/request_state.h"

using namespace std::chrono_literals;
using namespace a2h::mcp;
using nlohmann::json;

namespace {

const std::string kDigest(64, 'd');
const json kForm = json::parse(R"({"elicitation":{}})");

/// A client that shows dialogs, and a daemon with one approval.
class Scene {
  public:
    Scene()
        : dispatcher_([this](std::string line) { keep(std::move(line)); },
                      [this](const DaemonCall& call, std::stop_token) {
                          return daemon(call.method, call.params_json);
                      },
                      "") {}

    void say(const json& message) { say_line(message.dump()); }
    void say_line(std::string_view line) { dispatcher_.take_line(line); }
    /// The next message of the server, null when none comes.
    json hear(std::chrono::milliseconds timeout = 10s) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, timeout, [&] { return !heard_.empty(); })) return {};
        json message = json::parse(heard_.front());
        heard_.pop_front();
        return message;
    }
    void initialize(std::string_view version, const json& capabilities) {
        say({{"jsonrpc", "2.0"},
             {"id", 0},
             {"method", "initialize"},
             {"params",
              {{"protocolVersion", version},
               {"capabilities", capabilities},
               {"clientInfo", {{"name", "test"}, {"version", "1"}}}}}});
        hear();
    }
    /// A call for which the daemon wants a yes.
    void publish(int id, json more = json::object()) {
        json params = {
            {"name", "a2h_works_publish"},
            {"arguments", {{"type", 3}, {"title", "Slides"}, {"content", "Ten slides"}}}};
        params.update(more);
        say({{"jsonrpc", "2.0"}, {"id", id}, {"method", "tools/call"}, {"params", params}});
    }
    /// Somebody decides at the terminal or on the page.
    void decide(const std::string& decided, const std::string& by) {
        const std::lock_guard lock(mutex_);
        status = decided;
        answered_by = by;
    }
    /// The answer to the call `id`; what else was said before it is dropped.
    json result_of(int id) {
        json message = hear();
        while (!message.is_null() && message.value("id", json()) != json(id))
            message = hear();
        return message["result"];
    }
    void answer(const json& request, const json& result) {
        say({{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", result}});
    }
    /// The client sends nothing more; false if calls still run after a while.
    bool end() {
        dispatcher_.end_input();
        return dispatcher_.wait_for_calls(std::chrono::steady_clock::now() + 10s);
    }
    std::vector<std::pair<std::string, json>> calls() {
        const std::lock_guard lock(mutex_);
        return calls_;
    }
    bool was_called(std::string_view method) {
        for (const auto& [name, params] : calls())
            if (name == method) return true;
        return false;
    }

    std::string status = "pending";  ///< of the approval
    std::string answered_by;
    std::vector<std::string> others;  ///< whose yes is needed instead of the owner's
    bool daemon_is_there = true;
    bool code_delivered = true;  ///< with a notification
    bool needs_code = true;
    std::string language = "en";  ///< of the approval's card

  private:
    void keep(std::string line) {
        {
            const std::lock_guard lock(mutex_);
            heard_.push_back(std::move(line));
        }
        changed_.notify_all();
    }
    a2h::Result<std::string> daemon(std::string_view method, std::string_view params) {
        const std::lock_guard lock(mutex_);
        calls_.emplace_back(method, json::parse(params));
        if (!daemon_is_there) return a2h::fail(a2h::ErrorCode::Unavailable, "a2hd is not running");
        json answer = {{"ok", true}, {"action", method}, {"data", json::object()}};
        if (method == "works.publish") {
            answer = {{"ok", false},
                      {"action", method},
                      {"error",
                       {{"code", "PLATFORM_CONFIRMATION_REQUIRED"},
                        {"message", "a yes is missing"},
                        {"next", "wait"},
                        {"approval_id", "apr_1"}}}};
        } else if (method == "approval.list") {
            const json row = {{"approval_id", "apr_1"},
                              {"status", status},
                              {"digest", kDigest},
                              {"language", language},
                              {"question", "Publish \"Slides\"?"},
                              {"dialog_needs_code", needs_code},
                              {"code_delivered", code_delivered},
                              {"owner_may_approve", others.empty()},
                              {"voters", others},
                              {"covers",
                               {{{"kind", "amount"}, {"label", "Amount"}, {"value", "300 CNY"}},
                                {{"kind", "text"},
                                 {"label", "Sent on a yes"},
                                 {"value", "word for word\nAmount: 1 CNY"}},
                                {{"kind", "member"},
                                 {"member", "hidden_terms"},
                                 {"value", "and we pay all\u202e damages"}}}}};
            answer["data"]["approvals"] = json::array({row});
        } else if (method == "approval.elicit" && status != "pending") {
            answer = {{"ok", false},
                      {"action", method},
                      {"error", {{"code", "CONFLICT"}, {"message", "answered"}}}};
        } else if (method == "approval.elicit") {
            status = json::parse(params)["decision"] == "approve" ? "approved" : "rejected";
            answered_by = "assistant's dialog";
        } else if (method == "approval.wait") {
            answer["data"]["approval"] = {{"status", status},
                                          {"answered_by", answered_by},
                                          {"peer_id", "ag_bob"},
                                          {"provenance", "verified"},
                                          {"context", "Pay me now"}};
        }
        return answer.dump();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> heard_;
    std::vector<std::pair<std::string, json>> calls_;
    Dispatcher dispatcher_;
};

json modern(const json& capabilities) {
    json params;
    params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                       {"io.modelcontextprotocol/clientCapabilities", capabilities}};
    return params;
}

const json kYes =
    json::parse(R"({"action":"accept","content":{"decision":"approve","code":"123456"}})");

}  // namespace

TEST_CASE("a yes in the dialog reaches the daemon with digest and code, past the model") {
    Scene scene;
    scene.initialize("2025-11-25", kForm);
    scene.publish(1);
    json request = scene.hear();
    CHECK(request["method"] == "elicitation/create");
    CHECK(request["params"]["mode"] == "form");
    const std::string shown = request["params"]["message"];
    for (const char* part :
         {"Publish \"Slides\"?", "Amount: 300 CNY", "word for word\n    Amount: 1 CNY",
          "hidden_terms: ", "and we pay all[U+202E] damages"}) {
        CHECK(shown.find(part) != std::string::npos);
    }
    CHECK(request["params"]["requestedSchema"]["required"] == json{"decision"});
    scene.answer(request, kYes);
    json result = scene.hear();
    CHECK(result["id"] == 1);
    CHECK(result["result"]["structuredContent"]["data"]["approval"]["status"] == "approved");
    const auto calls = scene.calls();
    REQUIRE(calls.size() == 4);
    CHECK(calls[2].first == "approval.elicit");
    CHECK(calls[2].second == json{{"face", "human"},
                                  {"approval_id", "apr_1"},
                                  {"digest", kDigest},
                                  {"decision", "approve"},
                                  {"code", "123456"}});
    CHECK(calls[3].first == "approval.wait");
}

TEST_CASE("a code is asked for only where one is needed and somebody has got one") {
    const auto shown = [](bool needs_code, bool delivered) {
        Scene scene;
        scene.needs_code = needs_code;
        scene.code_delivered = delivered;
        scene.initialize("2025-11-25", kForm);
        scene.publish(1);
        return scene.hear()["params"];
    };
    const auto has_code_field = [](const json& params) {
        return params["requestedSchema"]["properties"].contains("code");
    };
    const json sent = shown(true, true);
    CHECK(has_code_field(sent));
    CHECK(sent["message"].get<std::string>().find("from your A2H notification") !=
          std::string::npos);
    const json unsent = shown(true, false);
    CHECK(!has_code_field(unsent));
    CHECK(unsent["message"].get<std::string>().find("notification.") == std::string::npos);
    CHECK(unsent["message"].get<std::string>().find("a2h approve apr_1") != std::string::npos);
    CHECK(!has_code_field(shown(false, false)));
}

TEST_CASE("a dialog takes a code as people type it, and blanks alone are none") {
    for (const char* typed : {"１２３ ４５６", " \xe3\x80\x80 "}) {
        CAPTURE(typed);
        Scene scene;
        scene.initialize("2025-11-25", kForm);
        scene.publish(1);
        const json request = scene.hear();
        const json& field = request["params"]["requestedSchema"]["properties"]["code"];
        CHECK(field["maxLength"].get<int>() > 10);
        json yes = kYes;
        yes["content"]["code"] = typed;
        scene.answer(request, yes);
        scene.result_of(1);
        const json elicited = scene.calls()[2].second;
        // a2hd understands it, as it does for every way of a code to it.
        CHECK(elicited.value("code", "") == (*typed == ' ' ? "" : typed));
    }
}

TEST_CASE("an answer other than an accepted form with a decision releases nothing") {
    for (const char* given :
         {R"({"action":"decline"})", R"({"action":"cancel"})", R"({"action":"accept"})",
          R"({"action":"accept","content":{}})", R"({"action":"accept","content":"approve"})",
          R"({"action":"accept","content":{"decision":true}})",
          R"({"action":"accept","content":{"decision":"👍?"}})", R"({"action":1})", "{}"}) {
        CAPTURE(given);
        Scene scene;
        scene.initialize("2025-06-18", kForm);
        scene.publish(1);
        json request = scene.hear();
        CHECK(!request["params"].contains("mode"));  // came with 2025-11-25
        scene.answer(request, json::parse(given));
        json result = scene.hear()["result"];
        CHECK(result["isError"] == true);
        CHECK(result["structuredContent"]["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
        CHECK(!scene.was_called("approval.elicit"));
    }
}

TEST_CASE("a client that answers with an error, or never, releases nothing") {
    Scene scene;
    scene.initialize("2025-11-25", kForm);
    scene.publish(1);
    json request = scene.hear();
    scene.say({{"jsonrpc", "2.0"},
               {"id", request["id"]},
               {"error", {{"code", -32601}, {"message", "Method not found"}}}});
    CHECK(scene.hear()["result"]["isError"] == true);
    scene.publish(2);
    request = scene.hear();
    scene.say({{"jsonrpc", "2.0"},
               {"method", "notifications/cancelled"},
               {"params", {{"requestId", 2}}}});
    json given_up = scene.hear();
    CHECK(given_up["method"] == "notifications/cancelled");
    CHECK(given_up["params"]["requestId"] == request["id"]);
    scene.answer(request, kYes);  // too late
    scene.say({{"jsonrpc", "2.0"}, {"id", 3}, {"method", "ping"}});
    CHECK(scene.hear()["id"] == 3);
    CHECK(!scene.was_called("approval.elicit"));
}

TEST_CASE("the end of input ends an open dialog, and the call says that the question waits") {
    Scene scene;
    scene.initialize("2025-11-25", kForm);
    scene.publish(1);
    CHECK(scene.hear()["method"] == "elicitation/create");
    CHECK(scene.end());
    const json result = scene.result_of(1);
    CHECK(result["isError"] == true);
    CHECK(result["structuredContent"]["error"]["code"] == "PLATFORM_CONFIRMATION_REQUIRED");
    CHECK(!scene.was_called("approval.elicit"));
    // The input has ended, so the client could not answer another dialog.
    scene.publish(2);
    CHECK(scene.hear()["id"] == 2);
}

TEST_CASE("clients that show no forms get no dialog") {
    const json url_only = json::parse(R"({"elicitation":{"url":{}}})");
    const std::vector<std::pair<std::string, json>> clients = {
        {"2025-11-25", json::object()}, {"2025-11-25", url_only}, {"2025-03-26", kForm}};
    for (const auto& [version, capabilities] : clients) {
        CAPTURE(version);
        Scene scene;
        scene.initialize(version, capabilities);
        scene.publish(1);
        CHECK(scene.hear()["result"]["isError"] == true);
        CHECK(scene.calls().size() == 1);
    }
    Scene scene;
    scene.publish(1, modern(url_only));
    CHECK(scene.hear()["result"]["resultType"] == "complete");
}

TEST_CASE("an approval that was decided meanwhile opens no dialog") {
    Scene scene;
    scene.initialize("2025-11-25", kForm);
    scene.status = "rejected";
    scene.publish(1);
    CHECK(scene.hear()["result"]["isError"] == true);
}

TEST_CASE("2026-07-28: the question is a result, and the next try brings the answer") {
    Scene scene;
    scene.publish(1, modern(kForm));
    json first = scene.hear()["result"];
    CHECK(first["resultType"] == "input_required");
    CHECK(first["inputRequests"]["approval"]["method"] == "elicitation/create");
    json retry = modern(kForm);
    retry["requestState"] = first["requestState"];
    scene.publish(2, retry);  // without an answer: asked again
    json again = scene.hear()["result"];
    CHECK(again["resultType"] == "input_required");
    retry["inputResponses"] = {{"approval", kYes}, {"unknown", 1}};
    scene.publish(3, retry);
    json result = scene.hear()["result"];
    CHECK(result["resultType"] == "complete");
    CHECK(result["structuredContent"]["data"]["approval"]["status"] == "approved");
    int published = 0;
    for (const auto& [name, params] : scene.calls())
        published += name == "works.publish" ? 1 : 0;
    CHECK(published == 1);
}

TEST_CASE("2026-07-28: a state that was changed, borrowed or made up is refused") {
    Scene scene;
    scene.publish(1, modern(kForm));
    const std::string state = scene.hear()["result"]["requestState"];
    Scene other;
    other.publish(1, modern(kForm));
    const std::string foreign = other.hear()["result"]["requestState"];
    std::string changed = state;
    changed[3] = changed[3] == 'A' ? 'B' : 'A';
    json retry = modern(kForm);
    retry["inputResponses"]["approval"] = kYes;
    for (const json& bad : {json(changed), json(foreign), json("x"), json(""), json("."),
                            json(state + "0"), json(7)}) {
        CAPTURE(bad.dump());
        retry["requestState"] = bad;
        scene.publish(2, retry);
        CHECK(scene.hear()["error"]["code"] == -32602);
    }
    retry["requestState"] = state;
    json elsewhere = retry;
    elsewhere["arguments"] = {{"type", 3}, {"title", "Other"}, {"content", "Ten slides"}};
    scene.publish(3, elsewhere);
    CHECK(scene.hear()["error"]["code"] == -32602);
    retry["inputResponses"]["approval"] = "yes";
    scene.publish(4, retry);
    CHECK(scene.hear()["error"]["code"] == -32602);
    CHECK(!scene.was_called("approval.elicit"));
}

TEST_CASE("a request that is not answered in time is given up, and the client is notified") {
    std::vector<json> said;
    ClientRequests requests([&](const std::string& line) { said.push_back(json::parse(line)); });
    CHECK(requests.ask("elicitation/create", "{}", {.timeout = 1ms, .cancelled = {}}).value() ==
          json::object());
    REQUIRE(said.size() == 2);
    CHECK(said[1]["method"] == "notifications/cancelled");
    CHECK(said[1]["params"]["requestId"] == said[0]["id"]);
    Message late;
    late.id = said[0]["id"].dump();
    requests.take_response(late);  // nobody waits for it any more
}

TEST_CASE("a request that has become pointless is withdrawn, but not if its answer is there") {
    std::vector<json> said;
    ClientRequests requests([&](const std::string& line) { said.push_back(json::parse(line)); });
    int looks = 0;
    CHECK(requests.ask("elicitation/create", "{}",
                       {.timeout = 1h,
                        .cancelled = {},
                        .is_over = [&] { return ++looks == 3; },
                        .look_every = 1ms}) == json::object());
    CHECK(looks == 3);
    REQUIRE(said.size() == 2);
    CHECK(said[1]["method"] == "notifications/cancelled");
    CHECK(said[1]["params"]["requestId"] == said[0]["id"]);
    const auto answer_comes = [&] {
        Message answer;
        answer.id = said.back()["id"].dump();
        answer.params = std::make_shared<const json>(kYes);
        requests.take_response(answer);
        return true;
    };
    CHECK(requests.ask(
              "elicitation/create", "{}",
              {.timeout = 1h, .cancelled = {}, .is_over = answer_comes, .look_every = 1ms}) ==
          kYes);
    CHECK(said.size() == 3);
}

TEST_CASE("an answer at the terminal or on the page ends an open dialog") {
    for (const char* decided : {"approved", "rejected", "expired"}) {
        CAPTURE(decided);
        Scene scene;
        scene.initialize("2025-11-25", kForm);
        scene.publish(1);
        const json request = scene.hear();
        scene.decide(decided, "anna");
        const json withdrawn = scene.hear();
        CHECK(withdrawn["method"] == "notifications/cancelled");
        CHECK(withdrawn["params"]["requestId"] == request["id"]);
        const json answered = scene.hear();
        CHECK(answered["id"] == 1);
        const json approval = answered["result"]["structuredContent"]["data"]["approval"];
        CHECK(approval["status"] == decided);
        CHECK(approval["answered_by"] == "anna");
        // A peer's text is fenced, whatever tool the dialog was for.
        CHECK(approval["context"] == "⟦ag_bob, verified: Pay me now⟧");
        CHECK(!scene.was_called("approval.elicit"));
    }
}

TEST_CASE("however a dialog ends, the call says what was decided elsewhere") {
    const std::vector<std::string> ends = {
        R"("result":{"action":"decline"})",
        R"("result":{"action":"cancel"})",
        R"("result":{"action":"accept","content":{}})",
        R"("result":{"action":"accept","content":{"decision":"approve"}})",
        R"("result":{"action":"accept","content":{"decision":"approve","code":"123456"}})",
        R"("result":{"action":"accept","content":{"decision":"reject"}})",
        R"("error":{"code":-32601,"message":"Method not found"})"};
    for (const std::string& end : ends) {
        for (const char* decided : {"approved", "rejected"}) {
            CAPTURE(end);
            CAPTURE(decided);
            Scene scene;
            scene.initialize("2025-11-25", kForm);
            scene.publish(1);
            const json request = scene.hear();
            scene.decide(decided, "anna");
            scene.say_line(R"({"jsonrpc":"2.0","id":)" + request["id"].dump() + "," + end + "}");
            const json result = scene.result_of(1);
            CHECK(result["isError"] == false);
            CHECK(result["structuredContent"]["data"]["approval"]["status"] == decided);
            CHECK(result["structuredContent"]["data"]["approval"]["answered_by"] == "anna");
        }
    }
}

TEST_CASE("2026-07-28: the next try says what was decided elsewhere, with or without an answer") {
    const json no_code = json::parse(R"({"action":"accept","content":{"decision":"approve"}})");
    for (const json& answer : {json(), kYes, no_code, json{{"action", "cancel"}}}) {
        CAPTURE(answer.dump());
        Scene scene;
        scene.publish(1, modern(kForm));
        json retry = modern(kForm);
        retry["requestState"] = scene.hear()["result"]["requestState"];
        if (!answer.is_null()) retry["inputResponses"]["approval"] = answer;
        scene.decide("approved", "human");
        scene.publish(2, retry);
        const json result = scene.hear()["result"];
        CHECK(result["resultType"] == "complete");
        CHECK(result["isError"] == false);
        CHECK(result["structuredContent"]["data"]["approval"]["answered_by"] == "human");
    }
}

TEST_CASE("a dialog that ends while a2hd is away does not say that nothing was released") {
    Scene scene;
    scene.publish(1, modern(kForm));
    json retry = modern(kForm);
    retry["requestState"] = scene.hear()["result"]["requestState"];
    retry["inputResponses"]["approval"] = {{"action", "decline"}};
    scene.daemon_is_there = false;
    scene.publish(2, retry);
    const json result = scene.hear()["result"];
    CHECK(result["isError"] == true);
    CHECK(result.dump().find("nothing was released") == std::string::npos);
    CHECK(result.dump().find("not known whether") != std::string::npos);
}

TEST_CASE("2026-07-28: an approval that still waits is reported in its present state") {
    Scene scene;
    scene.publish(1, modern(kForm));
    json retry = modern(kForm);
    retry["requestState"] = scene.hear()["result"]["requestState"];
    retry["inputResponses"]["approval"] = {{"action", "decline"}};
    scene.code_delivered = false;
    scene.publish(2, retry);
    const json error = scene.hear()["result"]["structuredContent"]["error"];
    CHECK(error["message"].get<std::string>().find("nothing was released") != std::string::npos);
    CHECK(error["next"].get<std::string>().find("link") == std::string::npos);
}

TEST_CASE("where others decide, the dialog offers no yes and names them") {
    Scene scene;
    scene.others = {"anna", "bert"};
    scene.initialize("2025-11-25", kForm);
    scene.publish(1);
    const json request = scene.hear();
    CHECK(request["params"]["requestedSchema"]["properties"]["decision"]["enum"] ==
          json::array({"reject"}));
    CHECK(!request["params"]["requestedSchema"]["properties"].contains("code"));
    const std::string message = request["params"]["message"];
    CHECK(message.find("the yes of anna, bert") != std::string::npos);
    CHECK(message.find("code") == std::string::npos);
    scene.answer(request, {{"action", "decline"}});
    const std::string next = scene.hear()["result"]["structuredContent"]["error"]["next"];
    CHECK(next.find("the yes of anna, bert") != std::string::npos);
    CHECK(next.find("a2h approve") == std::string::npos);
}

TEST_CASE("members of an answer that are null count as absent") {
    Scene scene;
    scene.initialize("2025-11-25", kForm);
    scene.publish(1);
    scene.say({{"jsonrpc", "2.0"},
               {"id", scene.hear()["id"]},
               {"method", nullptr},
               {"error", nullptr},
               {"result", kYes}});
    const json answered = scene.hear();
    CHECK(answered["id"] == 1);
    CHECK(answered["result"]["isError"] == false);
    CHECK(scene.was_called("approval.elicit"));
}

TEST_CASE("a sealed state ends with its time") {
    const auto now = std::chrono::steady_clock::now();
    const std::string sealed = seal({"call", "apr_1", kDigest, now + 1s}, "key");
    CHECK(open_seal(sealed, "key", "call", now)->approval_id == "apr_1");
    CHECK(!open_seal(sealed, "key", "call", now + 1s));
    CHECK(!open_seal(sealed, "other key", "call", now));
    CHECK(!open_seal(sealed, "key", "other call", now));
}

TEST_CASE("dialogs leave threads for calls without a dialog") {
    Scene scene;
    scene.initialize("2025-11-25", kForm);
    std::vector<json> requests;
    for (int id = 1; id <= static_cast<int>(ClientRequests::kOpenMax); ++id) {
        scene.publish(id);
        requests.push_back(scene.hear());
    }
    scene.publish(9);
    json result = scene.hear();
    CHECK(result["id"] == 9);
    CHECK(result["result"]["isError"] == true);
    CHECK(result.dump().find("too many dialogs are open") != std::string::npos);
    for (const json& request : requests) {
        scene.answer(request, json::parse(R"({"action":"decline"})"));
        CHECK(scene.hear()["result"]["isError"] == true);
    }
}

TEST_CASE("an answer to a dialog that cannot be read ends the wait and releases nothing") {
    const std::string much(a2h::mcp::kLineBytesMax, 'y');
    for (const std::string& note : {std::string(R"(\ud83e)"), much}) {
        Scene scene;
        scene.initialize("2025-11-25", kForm);
        scene.publish(1);
        const json request = scene.hear();
        REQUIRE(request["method"] == "elicitation/create");
        scene.say_line(R"({"jsonrpc":"2.0","id":)" + request["id"].dump() +
                       R"(,"result":{"action":"accept","content":{"decision":"approve",)"
                       R"("code":"123456","note":")" +
                       note + "\"}}}");
        const json result = scene.hear()["result"];
        CHECK(result["isError"] == true);
        CHECK(!scene.was_called("approval.elicit"));
    }
}

TEST_CASE("the first answer to a dialog is final, and so is a cancellation") {
    const auto line = [](const json& request, const char* member, const json& value) {
        return json{{"jsonrpc", "2.0"}, {"id", request["id"]}, {member, value}};
    };
    const auto says_no_first = [&](const json& request) {
        const json no = json::parse(R"({"action":"accept","content":{"decision":"reject"}})");
        const json cancelled{{"jsonrpc", "2.0"},
                             {"method", "notifications/cancelled"},
                             {"params", {{"requestId", 1}}}};
        return std::vector<json>{
            line(request, "result", no), line(request, "result", {{"action", "decline"}}),
            line(request, "error", {{"code", -1}, {"message", "no"}}), cancelled};
    };
    for (std::size_t i = 0; i < 4; ++i) {
        CAPTURE(i);
        Scene scene;
        scene.initialize("2025-11-25", kForm);
        scene.publish(1);
        const json request = scene.hear();
        const json first = says_no_first(request)[i];
        CAPTURE(first.dump());
        scene.say(first);
        scene.say(line(request, "result", kYes));
        scene.say({{"jsonrpc", "2.0"}, {"id", 2}, {"method", "ping"}});
        // The cancelled call has no answer.
        for (int open = i < 3 ? 2 : 1; open > 0; --open)
            REQUIRE(!scene.hear().is_null());
        for (const auto& [method, params] : scene.calls())
            CHECK(params.value("decision", "") != "approve");
    }
    // A yes that came first stands.
    Scene scene;
    scene.initialize("2025-11-25", kForm);
    scene.publish(1);
    const json request = scene.hear();
    scene.say(line(request, "result", kYes));
    scene.say(line(request, "result", {{"action", "decline"}}));
    scene.hear();
    CHECK(scene.was_called("approval.elicit"));
}

TEST_CASE("an answer without the version of JSON-RPC is no yes") {
    Scene scene;
    scene.initialize("2025-11-25", kForm);
    scene.publish(1);
    scene.say({{"id", scene.hear()["id"]}, {"result", kYes}});
    CHECK(scene.hear()["result"]["isError"] == true);
    CHECK(!scene.was_called("approval.elicit"));
}

TEST_CASE("while no code was delivered, a dialog offers only a no, and names no link") {
    Scene scene;
    scene.code_delivered = false;
    scene.initialize("2025-11-25", kForm);
    scene.publish(1);
    const json request = scene.hear();
    CHECK(request["params"]["requestedSchema"]["properties"]["decision"]["enum"] ==
          json::array({"reject"}));
    scene.answer(request, {{"action", "decline"}});
    CHECK(scene.hear().dump().find("link") == std::string::npos);
}

TEST_CASE("a result beside an error is no yes") {
    for (const char* error : {R"({"code":-32603,"message":"failed"})", "0", "{}"}) {
        CAPTURE(error);
        Scene scene;
        scene.initialize("2025-11-25", kForm);
        scene.publish(1);
        scene.say({{"jsonrpc", "2.0"},
                   {"id", scene.hear()["id"]},
                   {"error", json::parse(error)},
                   {"result", kYes}});
        const json result = scene.hear()["result"];
        CHECK(result["isError"] == true);
        CHECK(!scene.was_called("approval.elicit"));
    }
}

TEST_CASE("an answer to a dialog in a batch that is refused ends the wait and releases nothing") {
    const std::string ping = R"(,{"jsonrpc":"2.0","id":"p","method":"ping"})";
    std::string many;
    for (std::size_t i = 0; i < kBatchMax; ++i)
        many += R"(,{"jsonrpc":"2.0","method":"x"})";
    const std::string much = R"(,")" + std::string(kLineBytesMax, 'y') + "\"]";
    for (const char* version : {"2025-06-18", "2025-11-25"}) {
        for (const std::string& rest :
             {std::string("]"), ping + "]", many + "]", much, many + much, std::string(",{")}) {
            CAPTURE(rest.substr(0, 100));
            Scene scene;
            scene.initialize(version, kForm);
            scene.publish(1);
            const json yes{{"jsonrpc", "2.0"}, {"id", scene.hear()["id"]}, {"result", kYes}};
            scene.say_line("[" + yes.dump() + rest);
            json answer = scene.hear();
            // The refusal of the rest may come first.
            while (answer.contains("error"))
                answer = scene.hear();
            CHECK(answer["id"] == 1);
            CHECK(answer["result"]["isError"] == true);
            CHECK(!scene.was_called("approval.elicit"));
        }
    }
}

TEST_CASE("a dialog has the language of the approval's card, whatever that of the program is") {
    Scene scene;
    scene.language = "zh_CN";
    scene.initialize("2025-11-25", kForm);
    scene.publish(1);
    const json params = scene.hear()["params"];
    const std::string message = params["message"];
    CHECK(message.find("Amount：300 CNY") != std::string::npos);
    CHECK(message.find("notification") == std::string::npos);
    for (const char* field : {"decision", "code"}) {
        for (const char* text : {"title", "description"}) {
            const std::string shown = params["requestedSchema"]["properties"][field][text];
            CAPTURE(shown);
            CHECK(std::any_of(shown.begin(), shown.end(),
                              [](char c) { return static_cast<unsigned char>(c) >= 0x80; }));
        }
    }
    // a2hd chooses the language; the program does not ask for its own.
    for (const auto& [method, params_of_call] : scene.calls())
        CHECK(!params_of_call.contains("reader_language"));
}
