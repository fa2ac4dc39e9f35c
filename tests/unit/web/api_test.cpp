// The data behind the session, and answers.
#include <algorithm>

#include "core/store/assignment_store.h"
#include "core/store/inbox_store.h"
#include "core/store/local_agent_store.h"
#include "core/store/vote_store.h"
#include "daemon/consent/mandates.h"
#include "daemon/web/assets.h"
#include "tests/unit/web/place.h"

using namespace a2h;
using namespace a2h::test;

TEST_CASE("an answer is the session's person's, for what was shown") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter("wang");
    const json done = place.results({approve(approval)});
    CHECK(done[0]["ok"] == true);
    REQUIRE(place.answers.size() == 1);
    const consent::Answer& answer = place.answers[0];
    CHECK(answer.surface == AnswerSurface::Page);
    CHECK(answer.kind == AnswerKind::Approve);
    CHECK(answer.person == "wang");
    CHECK(answer.proof == "apr_1/wang");
    CHECK(answer.digest_seen == approval.digest);
    CHECK(answer.edited_reply_text.empty());
}

TEST_CASE("another text is an edit, the same text is none, and no text sends nothing") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    json item = approve(approval);
    item["text"] = "300 is fine";
    place.results({item});
    CHECK(place.answers.at(0).edited_reply_text.empty());
    item["text"] = "310 is fine";
    place.results({item});
    CHECK(place.answers.at(1).edited_reply_text == "310 is fine");
    item["text"] = " \n";
    const json emptied = place.results({item});
    CHECK(emptied[0]["code"] == "invalid_argument");
    CHECK(place.answers.size() == 2);
}

TEST_CASE("the fingerprint of an edit is the digest that its yes will have") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    const auto fingerprint = [&](const std::string& text) {
        const auto response = place.ask("POST", "/api/fingerprint", place.own(),
                                        json{{"approval_id", "apr_1"}, {"text", text}}.dump());
        return json::parse(response.body)["data"]["digest"].get<std::string>();
    };
    CHECK(fingerprint("310").size() == 64);
    CHECK(fingerprint("310") != fingerprint("311"));
    CHECK(fingerprint("310") != approval.digest);
}

TEST_CASE("options and instructions are understood as everywhere else") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    const auto item = [&](const char* decision, const char* words) {
        return json{{"approval_id", "apr_1"},
                    {"digest", approval.digest},
                    {"decision", decision},
                    {"words", words}};
    };
    place.results({item("option", "say 400"), item("instruct", "offer 420")});
    CHECK(place.answers.at(0).kind == AnswerKind::Option);
    CHECK(place.answers.at(1).kind == AnswerKind::Instruct);
    CHECK(place.answers.at(1).words == "offer 420");
    // A decision without a button is never sent by the page.
    CHECK(place.results({item("option", "say 500")})[0]["code"] == "invalid_argument");
    CHECK(place.results({item("", "yes")})[0]["code"] == "invalid_argument");
    CHECK(place.results({item("APPROVE", "")})[0]["code"] == "invalid_argument");
    CHECK(place.answers.size() == 2);
}

TEST_CASE("several answers each get their own result") {
    Place place;
    const Approval one = question("apr_1");
    const Approval two = question("apr_2");
    REQUIRE(store::insert_approval(*place.database, one));
    REQUIRE(store::insert_approval(*place.database, two));
    place.enter();
    json without_digest = approve(two);
    without_digest.erase("digest");
    const json results =
        place.results({approve(one), approve(question("apr_none")), without_digest});
    REQUIRE(results.size() == 3);
    CHECK(results[0]["ok"] == true);
    CHECK(results[1]["code"] == "not_found");
    CHECK(results[2]["code"] == "invalid_argument");

    place.refusal = Error{ErrorCode::Conflict, "somebody was first"};
    const json late = place.results({approve(one)});
    CHECK(late[0]["code"] == "conflict");
    CHECK(late[0]["approval"]["status"] == "pending");  // as it stands in the database
}

TEST_CASE("the page gets who has agreed and who may, where several must agree") {
    Place place;
    Approval approval = question("apr_1");
    approval.votes_needed = 2;
    approval.voters = {"human", "anna", "bert"};
    approval.asked_by = "wang";
    approval.priority = Priority::High;
    REQUIRE(store::insert_approval(*place.database, approval));
    REQUIRE(store::insert_approval(*place.database, question("apr_2")));
    const auto vote = [&](const char* person, const std::string& digest) {
        REQUIRE(store::insert_vote(*place.database,
                                   {"apr_1", person, digest, AnswerSurface::Page, kNow + 5}));
    };
    vote("anna", approval.digest);
    vote("bert", std::string(64, '0'));  // to other words
    vote("stranger", approval.digest);
    place.enter();
    const json votes{{{"person", "anna"}, {"at_ms", kNow + 5}}};
    const json shown = place.get("/api/approvals/apr_1");
    CHECK(shown["votes"] == votes);
    CHECK(shown["voters"] == json{"human", "anna", "bert"});
    CHECK(shown["votes_needed"] == 2);
    CHECK(shown["asked_by"] == "wang");
    CHECK(shown["priority"] == "high");
    const json listed = place.get("/api/approvals")["approvals"];
    CHECK(listed[0]["votes"] == votes);
    CHECK_FALSE(listed[1].contains("votes"));
}

TEST_CASE("a yes is withdrawn by an answer of its own") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter("anna");
    json item = approve(approval);
    item["decision"] = "withdraw";
    place.results({item});
    REQUIRE(place.answers.size() == 1);
    CHECK(place.answers[0].kind == AnswerKind::Withdraw);
    CHECK(place.answers[0].person == "anna");
    CHECK(place.answers[0].digest_seen == approval.digest);
}

TEST_CASE("a refusal after the time is over says that it is over") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    place.refusal = Error{ErrorCode::Conflict, "somebody was first"};
    CHECK_FALSE(place.results({approve(approval)})[0].contains("over"));
    place.clock.set_wall(approval.answer_by_ms);
    place.enter();
    CHECK(place.results({approve(approval)})[0]["over"] == true);
}

TEST_CASE("numbers and status are asked for one agent") {
    Place place;
    place.enter();
    place.get("/api/stats?agent=ag_seller");
    place.get("/api/status?agent=ag_seller");
    CHECK(place.called == std::vector<std::string>{R"(approval.stats {"agent":"ag_seller"})",
                                                   R"(status {"agent":"ag_seller"})"});
}

TEST_CASE("malformed answers are refused whole") {
    Place place;
    place.enter();
    CHECK(place.answer(json::array()).status == 400);
    CHECK(place.answer(json(51, json::object())).status == 400);
    CHECK(place.answer("all").status == 400);
    for (const char* body :
         {"", "{", "[]", "null", "{\"answers\":{}}", "{\"answers\":[[[[[[]]]]]]}", "\xff"}) {
        CAPTURE(body);
        CHECK(place.ask("POST", "/api/answers", place.own(), body).status >= 400);
    }
    CHECK(place.results({nullptr, 7, "x"}).size() == 3);
    CHECK(place.answers.empty());
}

TEST_CASE("the list shows what waits, page by page, and refuses a cursor it never gave") {
    Place place;
    for (int i = 0; i < 5; ++i) {
        Approval approval = question("apr_" + std::to_string(i));
        approval.answer_by_ms += i;
        REQUIRE(store::insert_approval(*place.database, approval));
    }
    place.enter();
    json page = place.get("/api/approvals?limit=3");
    CHECK(page["open"] == 5);
    CHECK(page["more"] == true);
    CHECK(page["approvals"][0]["id"] == "apr_0");
    CHECK(page["approvals"][0]["amount"] == "300.00 CNY");
    CHECK(page["approvals"][0]["options"] == json{{{"label", "say 400"}, {"kind", "other"}}});
    page = place.get("/api/approvals?limit=3&cursor=" + page["cursor"].get<std::string>());
    CHECK(page["approvals"].size() == 2);
    CHECK(page["more"] == false);
    for (const char* cursor : {"x", "1", "1.x", "-1.2", "1.2.3", "99999999999999999999.1"}) {
        CAPTURE(cursor);
        CHECK(
            place.ask("GET", "/api/approvals?cursor=" + std::string(cursor), place.own()).status ==
            400);
    }
    CHECK(place.get("/api/approvals?limit=100000")["approvals"].size() == 5);
    CHECK(place.get("/api/approvals?limit=-1")["approvals"].size() == 5);
}

TEST_CASE("hidden characters of peers and drafts are shown by their code and reported") {
    Place place;
    Approval approval = question("apr_1");
    approval.reply_text =
        "Pay \xe2\x80\xae"
        "03\x07 now";
    approval.question = "\x1b[31mRed\xe2\x80\xae";
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    const json shown = place.get("/api/approvals/apr_1");
    CHECK(shown["text"] == "Pay [U+202E]03[U+0007] now");
    CHECK(shown["text_hides_something"] == true);
    CHECK(shown["question"] == "[U+001B][31mRed[U+202E]");
    // A draft that was left alone is the draft, and another text is another text.
    json item = approve(approval);
    item["text"] = shown["text"];
    place.results({item});
    CHECK(place.answers.at(0).edited_reply_text.empty());
    item["text"] = "Pay [U+202E]03 now";
    place.results({item});
    CHECK(place.answers.at(1).edited_reply_text == "Pay [U+202E]03 now");
}

TEST_CASE("a draft with tabs and line breaks of any kind is left alone when nobody touched it") {
    Place place;
    Approval approval = question("apr_1");
    approval.reply_text = "Item\tprice\r\nslides\t300\n";
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    const json shown = place.get("/api/approvals/apr_1");
    CHECK(shown["text"] == "Item\tprice\nslides\t300\n");
    CHECK(shown["text_hides_something"] == false);
    json item = approve(approval);
    place.results({item});
    item["text"] = shown["text"];
    place.results({item});
    item["text"] = "Item price\nslides 300\n";
    place.results({item});
    REQUIRE(place.answers.size() == 3);
    CHECK(place.answers[0].edited_reply_text.empty());
    CHECK(place.answers[1].edited_reply_text.empty());
    CHECK(place.answers[2].edited_reply_text == "Item price\nslides 300\n");
}

TEST_CASE("a refused answer names the character that nobody sees") {
    Place place;
    const Approval approval = question("apr_1");
    REQUIRE(store::insert_approval(*place.database, approval));
    place.enter();
    place.refusal = Error{ErrorCode::InvalidArgument, "the text contains an invisible character"};
    json item = approve(approval);
    item["text"] = "300 \u200bis fine";
    CHECK(place.results({item})[0]["unseen"] == json{{"code", "U+200B"}, {"position", 5}});
    item["text"] = "300";
    CHECK_FALSE(place.results({item})[0].contains("unseen"));
    item["decision"] = "instruct";
    item["words"] = "\ufeff";
    CHECK(place.results({item})[0]["unseen"] == json{{"code", "U+FEFF"}, {"position", 1}});
}

TEST_CASE("one approval comes with its trail, its messages and its request") {
    Place place;
    Approval approval = question("apr_1");
    approval.action_json = R"({"request":{"title":"Portrait","price":280}})";
    REQUIRE(store::insert_approval(*place.database, approval));
    REQUIRE(store::append_audit(*place.database, "apr_1", "asked", "{}", kNow));
    InboxMessage message;
    message.agent_id = "ag_seller";
    message.sender_id = "ag_buyer";
    message.message_type = "chat.request";
    for (const auto& [id, provenance] :
         {std::pair("msg_1", Provenance::Verified), std::pair("msg_2", Provenance::Forged)}) {
        message.message_id = id;
        message.provenance = provenance;
        message.payload_json = R"({"text":"300 ok?"})";
        message.payload_hash = id;
        message.received_at_ms = kNow;
        REQUIRE(store::insert_inbox(*place.database, message));
    }
    place.enter();
    const json shown = place.get("/api/approvals/apr_1");
    CHECK(shown["audit"][0]["what"] == "asked");
    REQUIRE(shown["messages"].size() == 1);
    CHECK(shown["messages"][0]["text"] == "300 ok?");
    CHECK(shown["messages"][0]["is_chat"] == true);
    CHECK(shown["answers_peer"] == true);
    std::string covers;
    for (const json& line : shown["covers"])
        covers += line["kind"].get<std::string>() + " " + line["value"].get<std::string>() + "\n";
    CHECK(covers.find("member Portrait\nmember 280\n") != std::string::npos);
    CHECK(place.ask("GET", "/api/approvals/apr_2", place.own()).status == 404);
    CHECK(place.ask("GET", "/api/approvals/", place.own()).status == 404);
    CHECK(place.get("/api/messages?agent=ag_seller&peer=ag_buyer")["messages"].size() == 1);
    CHECK(place.get("/api/conversations?agent=ag_seller")["conversations"].size() == 1);
    CHECK(place.get("/api/contacts?agent=ag_seller")["contacts"].empty());
}

TEST_CASE("the page shows who made whom and the story of a task, without what would do harm") {
    Place place;
    LocalAgent agent;
    agent.agent_id = "ag_child";
    agent.parent_id = "ag_seller";
    agent.role_id = "researcher";
    REQUIRE(store::insert_local_agent(*place.database, agent));
    Assignment task;
    task.task_id = "t1";
    task.agent_id = "ag_child";
    task.peer_id = "ag_seller";
    task.brief_json = R"({"objective":"find three","constraints":["one","two"]})";
    REQUIRE(store::insert_assignment(*place.database, task));
    AssignmentEntry report;
    report.agent_id = "ag_child";
    report.task_id = "t1";
    report.peer_id = "ag_seller";
    report.kind = "report";
    report.detail_json = R"({"status":"blocked","summary":"see \u202emoc.live"})";
    REQUIRE(store::add_assignment_entry(*place.database, report));
    place.enter();
    const json agents = place.get("/api/agents")["agents"];
    REQUIRE(agents.size() == 1);
    CHECK(agents[0]["parent_id"] == "ag_seller");
    CHECK(agents[0]["open_tasks"] == 1);
    CHECK(!agents[0].contains("secret_key"));
    const json tasks = place.get("/api/tasks?agent=ag_child")["tasks"];
    REQUIRE(tasks.size() == 1);
    CHECK(tasks[0]["brief"]["constraints"] == "one\ntwo");
    CHECK(tasks[0]["story"][0]["status"] == "blocked");
    CHECK(tasks[0]["story"][0]["text"].get<std::string>().find("\u202e") == std::string::npos);
    CHECK(place.get("/api/tasks?agent=ag_seller")["tasks"].empty());
}

TEST_CASE("an answer that the listing lacks is offered for it, and goes there in one call") {
    Place place;
    for (const char* id : {"apr_fact", "apr_known"})
        REQUIRE(store::insert_approval(*place.database, question(id)));
    place.enter("wang");
    const json results =
        place.results({approve(question("apr_fact")), approve(question("apr_known"))});
    CHECK(results[0]["can_learn"] == true);
    CHECK(results[1]["can_learn"] == false);
    CHECK(place.get("/api/approvals/apr_fact")["can_learn"] == true);
    const std::string body = json{{"approval_id", "apr_fact"}}.dump();
    CHECK(place.ask("POST", "/api/learn", {{"cookie", place.cookie}}, body).status == 403);
    CHECK(place.ask("POST", "/api/learn", place.own(), R"({"approval_id":"apr_0"})").status == 404);
    CHECK(place.learned.empty());
    CHECK(place.ask("POST", "/api/learn", place.own(), body).status == 200);
    CHECK(place.learned == std::vector<std::string>{"wang apr_fact "});
}

TEST_CASE("mandates are shown to people with their amounts, and one call ends one or all") {
    Place place;
    MandateTerms terms;
    terms.agent_id = "ag_seller";
    terms.action = "reply.send";
    terms.currency = "CNY";
    terms.amount_from_minor = 28'000;
    terms.count_per_day = 3;
    terms.starts_ms = kNow;
    terms.ends_ms = kNow + 86'400'000;
    REQUIRE(mandates::give(*place.database, terms, {"human", AnswerSurface::Terminal}, kNow));
    place.enter("wang");
    const json shown = place.get("/api/mandates?agent=ag_seller")["mandates"];
    REQUIRE(shown.size() == 1);
    CHECK(shown[0]["amount_from"] == "280.00 CNY");
    CHECK(shown[0]["count_per_day"] == 3);

    const auto revoke = [&](const json& body) {
        return place.ask("POST", "/api/mandates/revoke", place.own(), body.dump()).status;
    };
    CHECK(revoke({{"agent_id", "ag_seller"}, {"mandate_id", "mdt_1"}}) == 200);
    CHECK(revoke({{"agent_id", "ag_seller"}, {"all", true}}) == 200);
    CHECK(revoke({{"agent_id", "ag_seller"}}) == 400);
    CHECK(revoke({{"all", true}}) == 400);
    CHECK(revoke("all") == 400);
    CHECK(place.revoked == std::vector<std::string>{"wang ag_seller mdt_1", "wang ag_seller "});
    CHECK(place.ask("POST", "/api/mandates/revoke", {{"cookie", place.cookie}}, "{}").status ==
          403);
}

TEST_CASE("the embedded page loads nothing from elsewhere and makes no markup of text") {
    Place place;
    place.enter();
    std::string all = place.ask("GET", "/", place.own()).body + "/app/app.css\"";
    const std::string page = all;
    // The page names all files, so that the browser asks for all of them at once.
    constexpr std::string_view kFolder = "/app/";
    for (auto at = page.find(kFolder); at != std::string::npos; at = page.find(kFolder, at + 1)) {
        const std::string path = page.substr(at, page.find('"', at) - at);
        CAPTURE(path);
        const auto file = place.ask("GET", path);
        REQUIRE(file.status == 200);
        all += file.body;
        constexpr std::string_view kImport = "from \"./";
        for (auto import = file.body.find(kImport); import != std::string::npos;
             import = file.body.find(kImport, import + 1)) {
            const auto begin = import + kImport.size();
            const std::string name = file.body.substr(begin, file.body.find('"', begin) - begin);
            CAPTURE(name);
            CHECK(page.find("/" + name + "\"") != std::string::npos);
        }
    }
    CHECK(all.find("class OpenView") != std::string::npos);
    for (const char* forbidden : {"innerHTML", "outerHTML", "insertAdjacentHTML", "eval(",
                                  "document.write", "@import", "https://", "style=\""}) {
        CAPTURE(forbidden);
        CHECK(all.find(forbidden) == std::string::npos);
    }
}
