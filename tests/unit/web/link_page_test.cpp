#include "daemon/web/link_page.h"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/web/html.h"
#include "tests/unit/web/place.h"

using namespace a2h;
using consent::Answer;
using consent::Answered;
using test::header;

namespace {

/// The daemon's answers behind the page.
struct Daemon {
    std::map<std::string, Approval> approvals;
    std::vector<Answer> answers;
    std::optional<Error> failure;
    i18n::Language language = i18n::Language::English;
    std::optional<Approval> next;
    web::Callbacks callbacks;

    Daemon() {
        Approval approval;
        approval.id = "apr_1";
        approval.peer_id = "ag_buyer";
        approval.action = "reply.send";
        approval.action_json = R"({"action":"reply.send"})";
        approval.digest = "d1";
        approval.question = "Accept 300 CNY?";
        approval.context = "ag_buyer: 300?\nwe: 450";
        approval.reply_text = "300 is fine\nSee you";
        approval.reject_text = "450 it is";
        approval.amount_minor = 30'000;
        approval.currency = "CNY";
        approval.provenance = "verified";
        approval.requested_by = "rule:counter-offer";
        approval.created_at_ms = 1'760'000'000'000;
        approval.answer_by_ms = 1'760'086'400'000;
        approvals[approval.id] = approval;
        callbacks.language_of = [this](std::string_view person) {
            return person == "anna" ? i18n::Language::Chinese : language;
        };
        callbacks.load = [this](const std::string& id) -> Result<Approval> {
            if (failure && failure->code != ErrorCode::Conflict) return fail(*failure);
            const auto found = approvals.find(id);
            if (found == approvals.end()) return fail(ErrorCode::NotFound, "none");
            return found->second;
        };
        callbacks.link_token = [](const Approval& a, std::string_view person) {
            return "token-" + a.id + a.digest + (person == kOwner ? "" : std::string(person));
        };
        callbacks.answer = [this](Answer answer) -> Result<Answered> {
            answers.push_back(answer);
            if (failure) return fail(*failure);
            Answered answered;
            answered.approval = approvals[answer.approval_id];
            answered.next = next;
            return answered;
        };
    }
    Approval& only() { return approvals["apr_1"]; }

    http::Response get(std::string id = "apr_1", std::string token = "token-apr_1d1",
                       std::string lang = {}) {
        http::Request request;
        request.method = "GET";
        request.path = "/a/" + id;
        request.query = {{"t", std::move(token)}, {"lang", std::move(lang)}};
        return web::serve(callbacks, request);
    }
    http::Response post(std::map<std::string, std::string> fields) {
        fields.emplace("t", "token-apr_1d1");
        fields.emplace("digest", "d1");
        http::Request request;
        request.method = "POST";
        request.path = "/a/apr_1/answer";
        request.headers = {{"content-type", "application/x-www-form-urlencoded"}};
        for (const auto& [name, value] : fields) {
            request.body +=
                (request.body.empty() ? "" : "&") + name + "=" + web::percent_encode(value);
        }
        return web::serve(callbacks, request);
    }
};

bool holds(const http::Response& response, std::string_view part) {
    return response.body.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the page shows what is asked, by whom, how sure, and what is sent on yes and on no") {
    Daemon daemon;
    const auto page = daemon.get();
    CHECK(page.status == 200);
    for (const char* part :
         {"Accept 300 CNY?", "300.00 CNY", "ag_buyer", "verified", "your rules (counter-offer)",
          "ag_buyer: 300?\nwe: 450", "300 is fine\nSee you", "450 it is", "Answer by",
          "value=\"approve\"", "value=\"reject\"", "value=\"instruct\"", "lang=\"en\""}) {
        CAPTURE(part);
        CHECK(holds(page, part));
    }
    CHECK(daemon.answers.empty());
}

TEST_CASE("the page speaks the owner's language, or the one asked for") {
    Daemon daemon;
    CHECK(holds(daemon.get("apr_1", "token-apr_1d1", "zh"), "如果同意，将发送"));
    daemon.language = i18n::Language::Chinese;
    const auto page = daemon.get();
    CHECK(holds(page, "<html lang=\"zh-CN\">"));
    CHECK(holds(page, "拒绝"));
    CHECK(holds(daemon.get("apr_1", "token-apr_1d1", "en"), "If you agree, this is sent"));
}

TEST_CASE("a link is its person's: another name opens nothing, and answers are that person's") {
    Daemon daemon;
    const auto get = [&](const std::string& person, const std::string& token) {
        http::Request request;
        request.method = "GET";
        request.path = "/a/apr_1";
        request.query = {{"t", token}, {"p", person}};
        return web::serve(daemon.callbacks, request);
    };
    const auto shown = get("wang", "token-apr_1d1wang");
    CHECK(shown.status == 200);
    CHECK(holds(shown, "name=\"p\" value=\"wang\""));
    CHECK(holds(shown, "&amp;p=wang"));
    CHECK(get("wang", "token-apr_1d1").status == 404);
    CHECK(get("human", "token-apr_1d1wang").status == 404);
    CHECK(get("li", "token-apr_1d1wang").status == 404);
    const auto posted =
        daemon.post({{"p", "wang"}, {"t", "token-apr_1d1wang"}, {"choice", "reject"}});
    CHECK(header(posted, "Location").find("&p=wang") != std::string::npos);
    REQUIRE(daemon.answers.size() == 1);
    CHECK(daemon.answers[0].person == "wang");
    CHECK(daemon.answers[0].proof == "token-apr_1d1wang");
}

TEST_CASE("a link shows the page in its person's language, a wrong one in the daemon's") {
    Daemon daemon;
    http::Request request;
    request.method = "GET";
    request.path = "/a/apr_1";
    request.query = {{"t", "token-apr_1d1anna"}, {"p", "anna"}};
    CHECK(holds(web::serve(daemon.callbacks, request), "<html lang=\"zh-CN\">"));
    request.query = {{"t", "wrong"}, {"p", "anna"}};
    CHECK(holds(web::serve(daemon.callbacks, request), "<html lang=\"en\">"));
}

TEST_CASE("a wrong token, an unknown approval and any other path are the same 404") {
    Daemon daemon;
    const auto strip_nonce = [](std::string body) {
        const auto at = body.find("nonce=\"");
        return body.erase(at, 7 + 32);
    };
    const auto wrong = daemon.get("apr_1", "token-apr_1d2");
    CHECK(wrong.status == 404);
    const auto expected = strip_nonce(wrong.body);
    for (const auto& other : {daemon.get("apr_2", "token-apr_1d1"), daemon.get("apr_1", ""),
                              daemon.get("", "x"), daemon.get("apr_1/x", "token-apr_1d1")}) {
        CHECK(other.status == 404);
        CHECK(strip_nonce(other.body) == expected);
    }
    CHECK(daemon.post({{"t", "wrong"}, {"choice", "approve"}}).status == 404);
    http::Request elsewhere;
    elsewhere.method = "GET";
    elsewhere.path = "/";
    CHECK(web::serve(daemon.callbacks, elsewhere).status == 404);
    elsewhere.method = "DELETE";
    elsewhere.path = "/a/apr_1";
    CHECK(web::serve(daemon.callbacks, elsewhere).status == 404);
    CHECK(daemon.answers.empty());
}

TEST_CASE("without a link key no token opens anything") {
    Daemon daemon;
    daemon.callbacks.link_token = [](const Approval&, std::string_view) { return std::string(); };
    CHECK(daemon.get("apr_1", "").status == 404);
}

TEST_CASE("every page forbids scripts, framing, foreign forms, caching and referrers") {
    Daemon daemon;
    const auto page = daemon.get();
    const std::string policy = header(page, "Content-Security-Policy");
    for (const char* part : {"default-src 'none'", "form-action 'self'", "base-uri 'none'",
                             "frame-ancestors 'none'"}) {
        CHECK(policy.find(part) != std::string::npos);
    }
    CHECK(policy.find("unsafe") == std::string::npos);
    CHECK(header(page, "Referrer-Policy") == "no-referrer");
    CHECK(header(page, "X-Content-Type-Options") == "nosniff");
    CHECK(header(page, "Cache-Control") == "no-store");
    CHECK(!holds(page, "<script"));
    CHECK(!holds(page, "http://"));
    CHECK(!holds(page, "https://"));
    const auto nonce = policy.substr(policy.find("'nonce-") + 7, 32);
    CHECK(holds(page, "<style nonce=\"" + nonce + "\">"));
    CHECK(header(daemon.get(), "Content-Security-Policy") != policy);
}

TEST_CASE("the page does not call somebody at the terminal the assistant") {
    Daemon daemon;
    Approval& approval = daemon.only();
    approval.requested_by = std::string(kTerminalCause) + "send";
    CHECK(holds(daemon.get(), "somebody at the terminal of this account"));
    CHECK(!holds(daemon.get(), "your assistant"));
    approval.requested_by = "tool:send";
    CHECK(holds(daemon.get(), "your assistant"));
}

TEST_CASE("nothing that a peer or an assistant wrote becomes markup") {
    Daemon daemon;
    const std::string evil = "<script>alert(1)</script>\"'></textarea><img src=x>&amp;\x1b[31m";
    Approval& approval = daemon.only();
    for (std::string* text :
         {&approval.question, &approval.context, &approval.reply_text, &approval.reject_text,
          &approval.peer_id, &approval.requested_by, &approval.currency}) {
        *text = evil;
    }
    approval.options = {evil};
    const auto check = [&] {
        const auto page = daemon.get();
        CHECK(page.status == 200);
        CHECK(!holds(page, "<script"));
        CHECK(!holds(page, "<img"));
        CHECK(!holds(page, "></textarea><"));
        CHECK(!holds(page, "\x1b"));
        CHECK(holds(page, "&lt;script&gt;"));
    };
    check();
    approval.action = "works.publish";
    approval.action_json = R"({"request":{"<script>":"<img src=x>","n":{"a":"<script>"}}})";
    check();
    approval.status = ApprovalStatus::Instructed;
    approval.answer_text = evil;
    check();
    approval.status = ApprovalStatus::Approved;
    approval.outcome_detail = evil;
    check();
}

TEST_CASE("a platform action shows every parameter that the yes covers, and no text box") {
    Daemon daemon;
    daemon.only().action = "works.publish";
    daemon.only().action_json = R"({"request":{"title":"PPT design","price":30000,"tags":["a"]}})";
    const auto page = daemon.get();
    for (const char* part :
         {"Publish a listing", "Title", "PPT design", "30000", "&quot;tags&quot; = "}) {
        CHECK(holds(page, part));
    }
    CHECK(!holds(page, "name=\"reply_text\""));
}

TEST_CASE("a yes carries token, digest and no edit when the text was left alone") {
    Daemon daemon;
    const auto response =
        daemon.post({{"choice", "approve"}, {"reply_text", "300 is fine\r\nSee you"}});
    CHECK(response.status == 303);
    CHECK(header(response, "Location") == "/a/apr_1?t=token-apr_1d1&lang=en");
    REQUIRE(daemon.answers.size() == 1);
    const Answer& answer = daemon.answers[0];
    CHECK(answer.kind == AnswerKind::Approve);
    CHECK(answer.surface == AnswerSurface::Page);
    CHECK(answer.proof == "token-apr_1d1");
    CHECK(answer.digest_seen == "d1");
    CHECK(answer.edited_reply_text.empty());
}

TEST_CASE("a draft that a field changes is no edit when it was left alone") {
    Daemon daemon;
    daemon.only().reply_text = "\nItem\tprice\r\nslides\u200b";
    const auto page = daemon.get();
    CHECK(holds(page, ">\n\nItem&#9;price\nslides[U+200B]</textarea>"));
    const std::string sent = "\r\nItem\tprice\r\nslides[U+200B]";  // as a browser sends it
    CHECK(daemon.post({{"choice", "approve"}, {"reply_text", sent}}).status == 303);
    CHECK(daemon.answers.at(0).edited_reply_text.empty());
    daemon.post({{"choice", "approve"}, {"reply_text", sent + "!"}});
    CHECK(daemon.answers.at(1).edited_reply_text == "\nItem\tprice\nslides[U+200B]!");
}

TEST_CASE("a refused text names the character that nobody sees") {
    Daemon daemon;
    daemon.callbacks.answer = [](const Answer&) -> Result<Answered> {
        return fail(ErrorCode::InvalidArgument, "the text contains an invisible character");
    };
    const auto typed = [&](const std::string& text) {
        return daemon.post({{"choice", "instruct"}, {"text", text}});
    };
    CHECK(typed("a\u200b").status == 400);
    CHECK(holds(typed("a\u200b"), "cannot be seen, U+200B (character 2)"));
    CHECK(holds(typed("\u200b"), "cannot be seen, U+200B (character 1)"));
    CHECK(holds(typed("a"), "empty or too long"));
}

TEST_CASE("a changed text is an edit, and an emptied one sends nothing at all") {
    Daemon daemon;
    daemon.post({{"choice", "approve"}, {"reply_text", "280\r\nplease"}});
    REQUIRE(daemon.answers.size() == 1);
    CHECK(daemon.answers[0].edited_reply_text == "280\nplease");
    const auto emptied = daemon.post({{"choice", "approve"}, {"reply_text", " \r\n"}});
    CHECK(emptied.status == 400);
    CHECK(holds(emptied, "Nothing was sent"));
    CHECK(daemon.post({{"choice", "approve"}}).status == 400);
    CHECK(daemon.answers.size() == 1);
}

TEST_CASE("a question without a draft asks for a text first and is closed only by its own button") {
    Daemon daemon;
    daemon.only().reply_text.clear();
    const auto page = daemon.get();
    for (const char* part :
         {"Your answer", "Send this answer", "value=\"close\"", "Close without answering"}) {
        CHECK(holds(page, part));
    }
    CHECK(!holds(page, ">Approve<"));
    const auto empty = daemon.post({{"choice", "approve"}, {"reply_text", " "}});
    CHECK(empty.status == 400);
    CHECK(holds(empty, "write an answer first"));
    CHECK(daemon.answers.empty());
    CHECK(daemon.post({{"choice", "approve"}, {"reply_text", "Yes, at ten"}}).status == 303);
    CHECK(daemon.answers.at(0).edited_reply_text == "Yes, at ten");
    CHECK(daemon.post({{"choice", "close"}, {"reply_text", ""}}).status == 303);
    CHECK(daemon.answers.at(1).kind == AnswerKind::Approve);
    CHECK(daemon.answers.at(1).edited_reply_text.empty());
    daemon.only().status = ApprovalStatus::Approved;
    daemon.only().outcome = ApprovalOutcome::Executed;
    const auto closed = daemon.get();
    CHECK(holds(closed, "Closed without an answer"));
    CHECK(!holds(closed, "Approved"));
    // A question with a draft has no such button.
    Daemon other;
    CHECK(other.post({{"choice", "close"}}).status == 400);
}

TEST_CASE("a no is a no, whatever else the form holds") {
    Daemon daemon;
    CHECK(daemon.post({{"choice", "reject"}, {"reply_text", "3000"}}).status == 303);
    REQUIRE(daemon.answers.size() == 1);
    CHECK(daemon.answers[0].kind == AnswerKind::Reject);
    CHECK(daemon.answers[0].edited_reply_text.empty());
}

TEST_CASE("an instruction leads to the page of its draft, in the same language") {
    Daemon daemon;
    Approval draft = daemon.only();
    draft.id = "apr_2";
    daemon.next = draft;
    const auto response =
        daemon.post({{"choice", "instruct"}, {"text", "还价到 450"}, {"lang", "zh-CN"}});
    CHECK(header(response, "Location") == "/a/apr_2?t=token-apr_2d1&lang=zh");
    CHECK(daemon.answers[0].kind == AnswerKind::Instruct);
    CHECK(daemon.answers[0].words == "还价到 450");
}

TEST_CASE("where several must agree, the page says who has and lets them take it back") {
    Daemon daemon;
    Approval& approval = daemon.only();
    approval.votes_needed = 2;
    approval.voters = {"human", "<b>anna"};
    std::vector<std::string> votes{"<b>anna"};
    daemon.callbacks.votes = [&](const Approval&) -> Result<std::vector<std::string>> {
        return votes;
    };
    auto page = daemon.get();
    CHECK(holds(page, "1 of 2 agreed"));
    CHECK(holds(page, "&lt;b&gt;anna"));
    CHECK(holds(page, "value=\"approve\""));
    CHECK(!holds(page, "value=\"withdraw\""));

    votes.push_back("human");
    page = daemon.get();
    CHECK(holds(page, "value=\"withdraw\""));
    CHECK(!holds(page, "value=\"approve\""));
    CHECK(holds(page, " readonly"));
    CHECK(daemon.post({{"choice", "withdraw"}}).status == 303);
    CHECK(daemon.answers.at(0).kind == AnswerKind::Withdraw);
}

TEST_CASE("a person whose yes does not count can only say no") {
    Daemon daemon;
    Approval& approval = daemon.only();
    approval.voters = {"anna"};
    SUBCASE("others decide") {}
    SUBCASE("this person has chosen the words") {
        approval.voters.emplace_back("human");
        approval.asked_by = "human";
    }
    const auto page = daemon.get();
    CHECK(!holds(page, "value=\"approve\""));
    CHECK(!holds(page, "value=\"close\""));
    CHECK(holds(page, "value=\"reject\""));
    CHECK(holds(page, " readonly"));
    CHECK(holds(page, "yes from 1 of these people: anna."));
    CHECK(holds(page, "Your yes does not count"));
}

TEST_CASE("a person whose yes does not count sees that beside the question") {
    Daemon daemon;
    daemon.callbacks.answer = [](const Answer&) -> Result<Answered> {
        return fail(ErrorCode::PermissionDenied, "not yours");
    };
    const auto page = daemon.post({{"choice", "approve"}, {"reply_text", "300 is fine\nSee you"}});
    CHECK(page.status == 403);
    CHECK(holds(page, "others decide"));
    CHECK(holds(page, "Accept 300 CNY?"));
}

TEST_CASE("R10: listed words in the instruction box mean what they always mean") {
    Daemon daemon;
    daemon.post({{"choice", "instruct"}, {"text", "不同意"}});
    CHECK(daemon.answers[0].kind == AnswerKind::Reject);
}

TEST_CASE("suggested answers are buttons, and what was not suggested is no option") {
    Daemon daemon;
    daemon.only().options = {"Counter with 400", "reject", "同意"};
    const auto page = daemon.get();
    CHECK(holds(page, "name=\"option\" value=\"Counter with 400\""));
    CHECK(!holds(page, "name=\"option\" value=\"reject\""));
    CHECK(daemon.post({{"option", "Counter with 400"}}).status == 303);
    CHECK(daemon.answers[0].kind == AnswerKind::Option);
    CHECK(daemon.post({{"option", "Counter with 4000"}}).status == 400);
    CHECK(daemon.post({{"option", "同意"}}).status == 400);
    CHECK(daemon.answers.size() == 1);
}

TEST_CASE("forms that this page cannot have sent change nothing") {
    Daemon daemon;
    CHECK(daemon.post({{"choice", "maybe"}}).status == 400);
    CHECK(daemon.post({}).status == 400);
    CHECK(daemon.post({{"choice", "reject"}, {"digest", ""}}).status == 400);
    http::Request request;
    request.method = "POST";
    request.path = "/a/apr_1/answer";
    request.headers = {{"content-type", "text/plain"}};
    request.body = "t=token-apr_1d1&digest=d1&choice=approve";
    CHECK(web::serve(daemon.callbacks, request).status == 400);
    request.headers = {{"content-type", "application/x-www-form-urlencoded"}};
    request.body = "t=%zz";
    CHECK(web::serve(daemon.callbacks, request).status == 400);
    CHECK(daemon.answers.empty());
}

TEST_CASE("a late answer shows the current state") {
    Daemon daemon;
    daemon.failure = Error{ErrorCode::Conflict, "answered"};
    daemon.only().status = ApprovalStatus::Rejected;
    daemon.only().surface = AnswerSurface::Terminal;
    daemon.only().answered_at_ms = 1'760'000'000'000;
    const auto page = daemon.post({{"choice", "approve"}, {"reply_text", "x"}});
    CHECK(page.status == 409);
    CHECK(holds(page, "Rejected"));
    CHECK(holds(page, "in the terminal"));
    CHECK(holds(page, "role=\"alert\""));
}

TEST_CASE("an answer that is refused for another reason than lateness is told that reason") {
    Daemon daemon;
    daemon.failure = Error{ErrorCode::Conflict, "anna has already said yes to this"};
    const auto page = daemon.post({{"choice", "approve"}, {"reply_text", "x"}});
    CHECK(page.status == 409);
    CHECK(holds(page, "nothing was changed: anna has already said yes to this"));
    CHECK_FALSE(holds(page, "too late"));
}

TEST_CASE("a closed question says what closed it and links to the one that stands") {
    Daemon daemon;
    Approval& old = daemon.only();
    Approval next = old;
    next.id = "apr_3";
    next.since_text = "• <b>all sorted</b>\n";
    next.also_text = "Do you deliver?";
    daemon.approvals[next.id] = next;
    old.status = ApprovalStatus::Cancelled;
    old.closed_by = ClosedBy::Renewed;
    old.next_id = "apr_2";
    std::string asked;
    daemon.callbacks.standing = [&](const std::string& id) -> Result<Approval> {
        asked = id;
        return daemon.approvals["apr_3"];
    };
    const auto page = daemon.get();
    CHECK(asked == "apr_2");
    CHECK(holds(page, "the peer has written since"));
    CHECK(holds(page, "href=\"/a/apr_3?t=token-apr_3d1&amp;lang=en\""));
    CHECK(holds(daemon.get("apr_1", "token-apr_1d1", "zh"), "对方后来又写了消息"));
    const auto standing = daemon.get("apr_3", "token-apr_3d1");
    CHECK(holds(standing, "Said by them and still open"));
    CHECK(holds(standing, "&lt;b&gt;all sorted&lt;/b&gt;"));
    CHECK(holds(standing, "They also asked"));
    SUBCASE("not once that has been answered, too") {
        daemon.approvals["apr_3"].status = ApprovalStatus::Approved;
        CHECK_FALSE(holds(daemon.get(), "href=\"/a/apr_3"));
    }
}

TEST_CASE("a missing answer of the daemon and a refused text are reported as such") {
    Daemon daemon;
    daemon.failure = Error{ErrorCode::InvalidArgument, "too long"};
    daemon.callbacks.load = [&](const std::string&) -> Result<Approval> { return daemon.only(); };
    CHECK(daemon.post({{"choice", "instruct"}, {"text", "x"}}).status == 400);
    daemon.failure = Error{ErrorCode::Timeout, "5 s"};
    const auto late = daemon.post({{"choice", "reject"}});
    CHECK(late.status == 503);
    CHECK(holds(late, "the current state"));
    daemon.callbacks.load = [](const std::string&) -> Result<Approval> {
        return fail(ErrorCode::Unavailable, "starting");
    };
    CHECK(daemon.get().status == 503);
}

TEST_CASE("final states are shown, without a form and without calling an expiry a refusal") {
    Daemon daemon;
    Approval& approval = daemon.only();
    const auto shows = [&](std::string_view words) {
        const auto page = daemon.get();
        CHECK(!holds(page, "<form"));
        return holds(page, words);
    };
    approval.status = ApprovalStatus::Expired;
    CHECK(shows("Expired without an answer"));
    CHECK(!holds(daemon.get(), "Rejected"));
    approval.status = ApprovalStatus::Cancelled;
    CHECK(shows("Cancelled"));
    approval.status = ApprovalStatus::Approved;
    const std::map<ApprovalOutcome, const char*> outcomes{
        {ApprovalOutcome::None, "carried out soon"},
        {ApprovalOutcome::Executing, "being carried out"},
        {ApprovalOutcome::Executed, "Approved and sent"},
        {ApprovalOutcome::Failed, "failed"},
        {ApprovalOutcome::Unknown, "not yet known"},
        {ApprovalOutcome::Expired, "will not be carried out any more"}};
    for (const auto& [outcome, words] : outcomes) {
        approval.outcome = outcome;
        CHECK(shows(words));
    }
    approval.outcome = ApprovalOutcome::Executed;
    approval.unsent = 1;
    CHECK(shows("Approved. It is sent as soon as"));
    approval.surface = AnswerSurface::Code;
    approval.answered_at_ms = 1'760'000'000'000;
    CHECK(shows("through the assistant, with the code"));
}
