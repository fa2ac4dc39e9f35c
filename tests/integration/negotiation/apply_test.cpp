// A final plan becomes offers, briefs and requests for proposals at a real market, each with its
// own yes; the requester's a2hd is killed on the way.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

#include "core/base/clock.h"
#include "core/store/database.h"
#include "core/store/outbox_store.h"
#include "daemon/consent/approvals.h"
#include "tests/integration/negotiation/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

const json kAccept{{"feedback_type", "accept"}};
const json kUnhappy{{"feedback_type", "negotiate"}, {"adjustment_request", "all else"}};

/// A room for 120.50 EUR and a talk without a price are agreed; no agent agrees to bring the
/// photos.
struct Plan : Round {
    Puppet& room = add("room", {{{"decision", "participate"},
                                 {"contribution", "a room for 30"},
                                 {"price", {{"amount_minor", 12'050}, {"currency", "EUR"}}}},
                                {kAccept}});
    Puppet& speaker =
        add("speaker", {{{"decision", "participate"}, {"contribution", "a talk"}}, {kAccept}});
    Puppet& camera =
        add("camera", {{{"decision", "participate"}, {"contribution", "photos"}}, {kUnhappy}});

    std::string agree(const std::string& text = "An evening in Berlin") {
        const std::string demand = submit({{"raw_input", text}});
        REQUIRE(until(demand, "finalized"));
        REQUIRE(view(demand)["outcome"] == "partial");
        return demand;
    }
    json apply(const std::string& demand, const json& more = json::object()) {
        json arguments{{"demand_id", demand}};
        arguments.update(more);
        const json result = daemon.call_assistant("negotiation.apply", arguments.dump());
        REQUIRE_MESSAGE(result["ok"] == true, result.dump());
        return result["data"]["items"];
    }
    json questions(const std::string& status) {
        const json arguments{{"status", status}, {"limit", 100}};
        return daemon.call_human("approval.list", arguments.dump())["data"]["approvals"];
    }
    json answer(const std::string& id, const std::string& decision) {
        const json arguments{{"approval_id", id}, {"decision", decision}, {"pin", Daemon::kPin}};
        return daemon.call_human("approval.answer", arguments.dump());
    }
    std::size_t sent() {
        const auto db =
            store::Database::open(daemon.home() / "a2hd.db", store::Database::Mode::ReadOnly)
                .value();
        return store::list_outbox(*db, requester.agent_id, std::nullopt, 100).value().size();
    }
    json requests() {
        return *market.client(requester).call("rfp.list",
                                              {{"role", "creator"}, {"page_size", 100}});
    }
    /// Of one of the plan's plan actions.
    std::string outcome_of(const std::string& demand, std::size_t place) {
        return view(demand)["deeds"][place].value("outcome", "");
    }
    bool becomes(const std::string& demand, std::size_t place, const std::string& outcome) {
        return eventually([&] {
            pump();
            return outcome_of(demand, place) == outcome;
        });
    }
};

/// Payloads that are offers.
std::vector<json> offers_to(Puppet& puppet) {
    std::vector<json> offers;
    for (const auto& [id, payload] : puppet.received("chat.request")) {
        if (payload.value("type", "") == "offer") offers.push_back(payload);
    }
    return offers;
}

std::string id_of(const json& item) {
    return item.value("approval_id", "");
}

}  // namespace

TEST_CASE("each part waits for its own yes, nothing leaves before, and nothing is asked twice") {
    Plan plan;
    const std::string demand = plan.agree();
    const json shown = plan.view(demand)["deeds"];
    REQUIRE(shown.size() == 3);
    CHECK_FALSE(shown.dump().find("approval_id") != std::string::npos);
    const std::size_t sent_before = plan.sent();

    const json items = plan.apply(demand);
    REQUIRE(items.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CAPTURE(items[i].dump());
        CHECK(items[i]["ok"] == true);
        CHECK(items[i]["status"] == "pending");
        CHECK(items[i]["subject"] == shown[i]["subject"]);
    }
    CHECK(items[0]["as"] == "offers");
    CHECK(items[0]["subject"] == plan.room.agent_id());
    CHECK(items[1]["as"] == "briefs");
    CHECK(items[1]["subject"] == plan.speaker.agent_id());
    CHECK(items[2]["as"] == "rfps");
    const json asked = plan.questions("pending");
    REQUIRE(asked.size() == 3);
    const auto offer = std::find_if(asked.begin(), asked.end(), [&](const json& question) {
        return question["approval_id"] == id_of(items[0]);
    });
    REQUIRE(offer != asked.end());
    CHECK((*offer)["amount_minor"] == 12'050);
    CHECK((*offer)["currency"] == "EUR");

    // The same again, by an assistant and by the human.
    for (const json& again :
         {plan.apply(demand),
          plan.daemon.call_human("negotiation.apply",
                                 json{{"demand_id", demand}}.dump())["data"]["items"]}) {
        REQUIRE(again.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(id_of(again[i]) == id_of(items[i]));
            CHECK(again[i]["before"] == true);
        }
    }
    CHECK(plan.questions("pending").size() == 3);
    CHECK(plan.sent() == sent_before);
    CHECK(plan.requests()["items"].empty());
}

TEST_CASE("a no affects no other item, and a yes carries out exactly what was agreed, once") {
    Plan plan;
    const std::string demand = plan.agree();
    const std::size_t sent_before = plan.sent();
    const json items = plan.apply(demand);
    REQUIRE(plan.answer(id_of(items[1]), "reject")["ok"] == true);
    CHECK(plan.questions("pending").size() == 2);
    REQUIRE(plan.answer(id_of(items[0]), "approve")["ok"] == true);
    REQUIRE(plan.becomes(demand, 0, "executed"));
    CHECK(plan.requests()["items"].empty());
    REQUIRE(plan.answer(id_of(items[2]), "approve")["ok"] == true);
    REQUIRE(plan.becomes(demand, 2, "executed"));
    REQUIRE(eventually([&] {
        plan.pump();
        return offers_to(plan.room).size() == 1;
    }));
    CHECK(offers_to(plan.room)[0]["price"] == json{{"amount", 120.5}, {"currency", "EUR"}});
    const json requests = plan.requests()["items"];
    REQUIRE(requests.size() == 1);
    CHECK(requests[0]["title"] == items[2]["subject"]);

    const json after = plan.apply(demand);
    CHECK(after[0]["outcome"] == "executed");
    CHECK(after[1]["status"] == "rejected");
    CHECK(after[2]["outcome"] == "executed");
    CHECK(plan.questions("pending").empty());
    CHECK(plan.sent() == sent_before + 1);
    CHECK(plan.requests()["items"].size() == 1);
    CHECK(plan.speaker.received("task_assignment").empty());
}

TEST_CASE("one kind alone: a cancelled item is asked again, and others learn nothing") {
    Plan plan;
    const std::string demand = plan.agree();
    const json items = plan.apply(demand, {{"as", "briefs"}});
    REQUIRE(items.size() == 2);
    CHECK(items[0]["subject"] == plan.room.agent_id());
    // The offer that is usual for this part, the brief that was asked for besides, and the rest.
    CHECK(plan.view(demand)["deeds"].size() == 4);
    REQUIRE(plan.answer(id_of(items[1]), "approve")["ok"] == true);
    REQUIRE(eventually([&] {
        plan.pump();
        return plan.speaker.received("task_assignment").size() == 1;
    }));
    const json brief = plan.speaker.received("task_assignment").begin()->second["task_brief"];
    CHECK(brief["objective"] == "a talk");
    CHECK(plan.room.received("task_assignment").empty());
    CHECK(plan.camera.received("task_assignment").empty());

    // It was not carried out in time, so it can be asked again, as another question.
    plan.daemon.stop();
    {
        const auto db =
            store::Database::open(plan.daemon.home() / "a2hd.db", store::Database::Mode::ReadWrite)
                .value();
        REQUIRE(db->begin());
        REQUIRE(consent::call_off(*db, id_of(items[0]), "over", {}, SystemClock().now_ms()));
        REQUIRE(db->commit());
    }
    plan.daemon.start();
    const auto may_be_asked = [&](const std::string& as) {
        std::vector<std::string> subjects;
        const json plan_actions = plan.view(demand)["deeds"];
        for (const json& plan_action : plan_actions) {
            if (plan_action["as"] == as && plan_action.value("may_be_asked", false))
                subjects.push_back(plan_action["subject"]);
        }
        return subjects;
    };
    // Without a kind that part becomes an offer.
    CHECK(may_be_asked("offers") == std::vector<std::string>{plan.room.agent_id()});
    CHECK(may_be_asked("briefs").empty());
    const json again = plan.apply(demand, {{"as", "briefs"}});
    CHECK(again[0]["status"] == "pending");
    CHECK(id_of(again[0]) != id_of(items[0]));
    CHECK_FALSE(again[0].contains("before"));
    CHECK(id_of(again[1]) == id_of(items[1]));
}

TEST_CASE("only a final plan is carried out, and only by its owner") {
    Round round;
    round.add("one", {{{"decision", "decline"}, {"decline_reason", "busy"}}, {kAccept}});
    const std::string demand = round.submit();
    REQUIRE(round.until(demand, "failed"));
    const auto apply = [&](const json& arguments) {
        return round.daemon.call_human("negotiation.apply", arguments.dump())["error"]["code"];
    };
    CHECK(apply({{"demand_id", demand}}) == "conflict");
    CHECK(apply({{"demand_id", "d-none"}}) == "PLATFORM_410");
    CHECK(apply({{"demand_id", demand}, {"as", "gifts"}}) == "invalid_argument");
    CHECK_FALSE(round.view(demand).contains("deeds"));
}

TEST_CASE("a2h negotiate apply says what is asked, and what became of it") {
    Plan plan;
    const std::string demand = plan.agree();
    const auto a2h = [&](const std::vector<std::string>& arguments, std::string_view input = {},
                         const std::string& language = "en_US.UTF-8") {
        return plan.daemon.a2h(arguments, input, language);
    };
    const auto has = [](const std::string& text, std::string_view words) {
        CAPTURE(text);
        CAPTURE(words);
        CHECK(text.find(words) != std::string::npos);
    };
    const std::string before = a2h({"negotiate", "show", demand}).out;
    has(before, "An offer of 120.50 EUR");
    has(before, "not asked yet");
    has(before, "a2h negotiate apply " + demand);
    CHECK(plan.questions("pending").empty());

    const auto asked = a2h({"negotiate", "apply", demand});
    CHECK(asked.status == 0);
    const json questions = plan.questions("pending");
    REQUIRE(questions.size() == 3);
    for (const json& question : questions)
        has(asked.out, "waits for your approval: " + id_of(question));
    const json again = json::parse(a2h({"negotiate", "apply", demand, "--json"}).out);
    std::string ids;
    for (const json& item : again["data"]["items"])
        ids += (ids.empty() ? "" : ",") + id_of(item);
    has(asked.out, "a2h approve " + ids);
    has(a2h({"negotiate", "apply", demand}, {}, "zh_CN.UTF-8").out, "等您同意");
    CHECK(plan.questions("pending").size() == 3);

    CHECK(a2h({"approve", ids, "--pin-stdin"}, std::string(Daemon::kPin) + "\n").status == 0);
    for (const std::size_t place : {0, 1, 2})
        REQUIRE(plan.becomes(demand, place, "executed"));
    const std::string after = a2h({"negotiate", "show", demand}).out;
    has(after, "done");
    CHECK(after.find("waits for your approval") == std::string::npos);
    CHECK(after.find("negotiate apply") == std::string::npos);

    CHECK(a2h({"negotiate", "apply"}).status == 2);
    CHECK(a2h({"negotiate", "apply", "d-none"}).status == 1);
    CHECK(a2h({"negotiate", "apply", demand, "--as", "gifts"}).status == 1);
    CHECK(a2h({"negotiate", "apply", demand, "--as", "briefs", "--agent", "ag_nobody"}).status ==
          1);
}

TEST_CASE("a question is not asked twice in the same words, but the others are asked") {
    Plan plan;
    const std::string first = plan.agree();
    for (auto& puppet : plan.puppets)
        puppet->forget();
    const std::string second = plan.agree();
    const json waiting = plan.apply(first);
    const auto asked = plan.daemon.a2h({"negotiate", "apply", second});
    CHECK(asked.status == 1);
    CHECK(asked.out.find("could not be asked: the same question is already waiting") !=
          std::string::npos);
    const json items = plan.apply(second);
    CHECK(items[0]["ok"] == false);
    CHECK(items[0]["error"]["code"] == "conflict");
    CHECK(items[1]["status"] == "pending");
    CHECK(plan.questions("pending").size() == 4);
    REQUIRE(plan.answer(id_of(waiting[0]), "reject")["ok"] == true);
    CHECK(plan.apply(second)[0]["status"] == "pending");
    CHECK(plan.questions("pending").size() == 4);
}

TEST_CASE("Ctrl-C leaves a2h negotiate, and the negotiation goes on") {
    Round round;
    Puppet& slow = round.add("slow", {nullptr, {kAccept}});
    Process command(
        {.argv = {A2H_BIN_DIR "/a2h", "negotiate", "An evening in Berlin", "--invite",
                  slow.agent_id(), "--pin-stdin"},
         .environment = {{"A2H_HOME", round.daemon.home().string()}, {"LC_ALL", "en_US.UTF-8"}},
         .stderr_file = round.dir.path() / "a2h.err",
         .pipe_stdin = true});
    command.write(std::string(Daemon::kPin) + "\n");
    // The last event before it waits for the invited agents.
    REQUIRE(eventually([&] {
        round.pump();
        return slow.invitations().size() == 1;
    }));
    while (true) {
        const auto line = command.read_line(std::chrono::seconds(30));
        REQUIRE(line.has_value());
        if (line->find("Invited 1") != std::string::npos) break;
    }
    command.signal(SIGINT);
    CHECK(command.wait(std::chrono::seconds(30)) == 130);
    std::ostringstream said;
    said << std::ifstream(round.dir.path() / "a2h.err").rdbuf();
    const json list = round.daemon.call_human("negotiation.list")["data"]["items"];
    REQUIRE(list.size() == 1);
    const std::string demand = list[0]["demand_id"];
    CHECK(said.str().find("a2h negotiate show " + demand) != std::string::npos);
    CHECK(said.str().find("a2h negotiate cancel " + demand) != std::string::npos);
    CHECK(round.view(demand)["state"] == "collecting");

    slow.say(round.requester.agent_id, "offer_response",
             {{"channel_id", list[0]["channel_id"]},
              {"agent_id", slow.agent_id()},
              {"decision", "participate"},
              {"contribution", "a room"}});
    REQUIRE(round.until(demand, "finalized"));
    CHECK(round.daemon.a2h({"negotiate", "show", demand}).out.find("agreed") != std::string::npos);
}

TEST_CASE("killed while the questions are created: each exists once, and none is lost") {
    Plan plan;
    for (const char* point : {"apply.1", "apply.2", "apply.3"}) {
        for (int pass = 1; pass <= 3; ++pass) {
            const std::string fault = point + (":" + std::to_string(pass));
            CAPTURE(fault);
            const std::string demand = plan.agree("An evening, " + fault);
            const std::size_t before = plan.questions("pending").size();
            plan.daemon.stop();
            auto doomed = plan.start_doomed(fault);
            plan.call_doomed("negotiation.apply", {{"demand_id", demand}});
            REQUIRE(doomed->wait(std::chrono::seconds(30)).has_value());
            plan.daemon.start();
            REQUIRE(plan.daemon.connected());
            const json items = plan.apply(demand);
            REQUIRE(items.size() == 3);
            std::set<std::string> ids;
            int from_before = 0;
            for (const json& item : items) {
                CHECK(item["status"] == "pending");
                ids.insert(id_of(item));
                from_before += item.contains("before");
            }
            CHECK(ids.size() == 3);
            CHECK(from_before == (std::string_view(point) == "apply.3" ? pass : pass - 1));
            CHECK(plan.questions("pending").size() == before + 3);
            for (const std::string& id : ids)
                REQUIRE(plan.answer(id, "reject")["ok"] == true);
            REQUIRE(plan.until_told());
            for (auto& puppet : plan.puppets)
                puppet->forget();
        }
    }
    CHECK(plan.requests()["items"].empty());
}

TEST_CASE("killed right after the yes: it is carried out once") {
    Plan plan;
    const std::string demand = plan.agree();
    const json items = plan.apply(demand);
    for (const json& item : items) {
        REQUIRE(plan.answer(id_of(item), "approve")["ok"] == true);
        plan.daemon.kill();
        plan.daemon.start();
        REQUIRE(plan.daemon.connected());
    }
    REQUIRE(plan.becomes(demand, 0, "executed"));
    REQUIRE(plan.becomes(demand, 1, "executed"));
    REQUIRE(eventually([&] {
        plan.pump();
        return !offers_to(plan.room).empty() && !plan.speaker.received("task_assignment").empty();
    }));
    REQUIRE(eventually(
        [&] {
            plan.pump();
            return plan.outcome_of(demand, 2) == "executed";
        },
        std::chrono::seconds(60)));
    CHECK(plan.requests()["items"].size() == 1);
    const json after = plan.apply(demand);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(id_of(after[i]) == id_of(items[i]));
    CHECK(offers_to(plan.room).size() == 1);
    CHECK(plan.speaker.received("task_assignment").size() == 1);
}
