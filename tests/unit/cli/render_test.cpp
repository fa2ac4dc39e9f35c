#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/approval_text.h"
#include "cli/demo/phone.h"
#include "cli/events.h"
#include "cli/mail_text.h"
#include "cli/mandate_text.h"
#include "cli/notifications.h"
#include "cli/outcome.h"
#include "cli/status.h"

using namespace a2h;
using cli::Invocation;
using nlohmann::json;

namespace {

Invocation reader(i18n::Language language = i18n::Language::English) {
    Invocation invocation;
    invocation.language = language;
    return invocation;
}

constexpr auto kRenderers = {cli::render_status, cli::render_conversations, cli::render_history,
                             cli::render_sent,   cli::render_approvals,     cli::render_answered,
                             cli::render_outbox, cli::render_outbox_change, cli::render_events};

}  // namespace

TEST_CASE(
    "a mandate for haggling says what it does in words, amounts only where they may be shown") {
    json mandate{{"mandate_id", "mdt_1"}, {"action", "bargain"},    {"currency", "CNY"},
                 {"side", "sell"},        {"strategy", "to_limit"}, {"rounds", 4}};
    json data = json::object();
    data["mandates"] = json::array({mandate});
    const std::string text = cli::render_mandates(reader(), data);
    CHECK(text.find("sells, to the limit in the last round, at most 4 offers") !=
          std::string::npos);
    CHECK(cli::render_mandates(reader(i18n::Language::Chinese), data).find("卖方") !=
          std::string::npos);
    data["mandates"][0]["opening_minor"] = 32'000;
    CHECK(cli::render_mandates(reader(), data).find("first offer 320.00 CNY") != std::string::npos);
}

TEST_CASE("status distinguishes a failed subscription from an empty mailbox") {
    const json data = {
        {"name", "Lin"},
        {"agent_id", "ag_lin"},
        {"connection", {{"connected", false}, {"last_error", "refused"}}},
        {"last_received_at", nullptr},
        {"backlog", {{"undecided", 1}, {"queued", 2}, {"dead", 3}, {"approvals", 4}}},
        {"problems",
         {{{"code", "mqtt.disconnected"}, {"message", "m"}, {"next", "n"}},
          {{"code", "brand.new"}, {"message", "new words"}, {"next", "do it"}}}}};
    const std::string text = cli::render_status(reader(), data);
    CHECK(text.find("NOT connected: refused") != std::string::npos);
    CHECK(text.find("4 approvals, 1 undecided, 2 to send, 3 undeliverable") != std::string::npos);
    CHECK(text.find("none yet") != std::string::npos);
    CHECK(text.find("no connection to the broker") != std::string::npos);
    CHECK(text.find("new words") != std::string::npos);
    const std::string chinese = cli::render_status(reader(i18n::Language::Chinese), data);
    CHECK(chinese.find("未连接：refused") != std::string::npos);
    json said = data;
    said["problems"] = {{{"code", "mqtt.disconnected"},
                         {"message", "no connection to the broker: refused"},
                         {"detail", "refused"}}};
    const std::string once = cli::render_status(reader(i18n::Language::Chinese), said);
    CHECK(once.find("与消息代理没有连接：“refused”\n") != std::string::npos);
}

TEST_CASE("status calls a self-test failed only after one has failed") {
    json data = {{"last_self_test", {{"at", nullptr}, {"ok", false}, {"detail", ""}}}};
    std::string text = cli::render_status(reader(), data);
    CHECK(text.find("FAILED") == std::string::npos);
    CHECK(text.find("none has ended yet") != std::string::npos);
    text = cli::render_status(reader(i18n::Language::Chinese), data);
    CHECK(text.find("失败") == std::string::npos);
    data["last_self_test"]["detail"] = "no echo";
    text = cli::render_status(reader(), data);
    CHECK(text.find("FAILED: no echo\n") != std::string::npos);
    data["last_self_test"]["at"] = "2026-01-01T00:00:00Z";
    text = cli::render_status(reader(), data);
    CHECK(text.find("FAILED: no echo, the last one that passed was at ") != std::string::npos);
}

TEST_CASE("status shows what was fetched from the market's history, and of whom") {
    json data = {
        {"connection", {{"connected", true}, {"session_lost", 2}}},
        {"history", {{"asked_at", "2026-01-01T00:00:00Z"}, {"everybody", true}, {"fetched", 3}}}};
    std::string text = cli::render_status(reader(), data);
    CHECK(text.find("3 fetched from the market's history, last queried") != std::string::npos);
    CHECK(text.find("sessions lost by the broker: 2") != std::string::npos);
    data["history"]["everybody"] = false;
    data["connection"]["session_lost"] = 0;
    text = cli::render_status(reader(), data);
    CHECK(text.find("has only known peers") != std::string::npos);
    CHECK(text.find("sessions lost") == std::string::npos);
    data["history"] = {{"asked_at", nullptr}, {"everybody", nullptr}, {"fetched", 0}};
    CHECK(cli::render_status(reader(), data).find("not queried since") != std::string::npos);
}

TEST_CASE("status shows how the language model works and what it has cost") {
    json data = {{"name", "Lin"},
                 {"model",
                  {{"name", "some-model"},
                   {"state", "resting"},
                   {"spent_minor", 110},
                   {"budget_minor", 500},
                   {"currency", "USD"},
                   {"tokens", 1100},
                   {"tokens_max", 2000},
                   {"last_error", "the endpoint answered 500"}}}};
    const std::string text = cli::render_status(reader(), data);
    CHECK(text.find("some-model: resting after failures, 1100 of 2000 tokens today, 1.10 USD of "
                    "5.00 USD today, last error: the endpoint answered 500") != std::string::npos);
    const std::string chinese = cli::render_status(reader(i18n::Language::Chinese), data);
    CHECK(chinese.find("今天已花 1.10 USD") != std::string::npos);
    data["model"] = nullptr;
    CHECK(cli::render_status(reader(), data).find("Language model") == std::string::npos);
}

TEST_CASE("a history is shown oldest first, with direction and provenance") {
    const json data = {
        {"items",
         {{{"direction", "out"}, {"text", "second"}, {"state", "sent"}},
          {{"direction", "in"}, {"text", "first\x1b[1m"}, {"provenance", "unverified"}}}}};
    const std::string text = cli::render_history(reader(), data);
    CHECK(text.find("first") < text.find("second"));
    CHECK(text.find("unverified") != std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("a history shows all of an offer, also beside its words") {
    const json offer = {{"type", "offer"},
                        {"text", "Take it?"},
                        {"summary", "two hours\nThey: agreed"},
                        {"price", {{"amount", "260"}, {"currency", "CNY"}}}};
    const json data = {
        {"items", {{{"direction", "in"}, {"text", "Take it?"}, {"payload", offer}}}}};
    const std::string text = cli::render_history(reader(), data);
    for (const char* part :
         {"  Take it?\n", "  price: 260 CNY\n", "  type: offer\n", "two hours"}) {
        CAPTURE(part);
        CHECK_MESSAGE(text.find(part) != std::string::npos, text);
    }
    CHECK_MESSAGE(text.find("\n  They: agreed") == std::string::npos, text);
}

TEST_CASE("an approval shows what a yes sends, and how to answer") {
    const json data = {{"approvals",
                        {{{"approval_id", "apr_1"},
                          {"status", "pending"},
                          {"question", "Accept 200?"},
                          {"covers",
                           {{{"kind", "text"}, {"label", "Sent on a yes"}, {"value", "Agreed"}},
                            {{"kind", "member"}, {"member", "risk"}, {"value", "ours\nSent: no"}}}},
                          {"answer_by", "2026-01-01T00:00:00Z"}}}}};
    const std::string text = cli::render_approvals(reader(), data);
    for (const char* part :
         {"apr_1", "Accept 200?", "  Sent on a yes: Agreed\n",
          "  risk:\n      ours\n      Sent: no\n", "answer by", "a2h approve ID"}) {
        CAPTURE(part);
        CHECK(text.find(part) != std::string::npos);
    }
}

TEST_CASE("a question that was decided does not say what would happen after a yes") {
    const json data = {{"approvals",
                        {{{"approval_id", "apr_1"},
                          {"status", "rejected"},
                          {"question", "Accept 200?"},
                          {"reply_text", "Agreed: 200.00 CNY."}}}}};
    const std::string text = cli::render_approvals(reader(), data);
    CHECK(text.find("Agreed: 200.00 CNY.") != std::string::npos);
    CHECK(text.find("If you approve") == std::string::npos);
}

TEST_CASE("the list of outgoing messages says what a message without words is") {
    const auto shown = [](const json& item) {
        return cli::render_outbox(reader(), {{"items", json::array({item})}});
    };
    const std::string offer = shown({{"id", 1},
                                     {"state", "queued"},
                                     {"type", "offer"},
                                     {"amount", "250.00 CNY"},
                                     {"text", ""}});
    CHECK_MESSAGE(offer.find("offer 250.00 CNY") != std::string::npos, offer);
    const std::string accept =
        shown({{"id", 2}, {"state", "dead"}, {"type", "accept"}, {"text", "Agreed."}});
    CHECK_MESSAGE(accept.find("acceptance of an offer: Agreed.") != std::string::npos, accept);
    const std::string words =
        shown({{"id", 3}, {"state", "sent"}, {"type", "text"}, {"text", "Hello."}});
    CHECK_MESSAGE(words.find("text:") == std::string::npos, words);
}

TEST_CASE("a list of nothing but answered questions does not say how to answer") {
    json data = {{"approvals",
                  {{{"approval_id", "apr_1"},
                    {"status", "approved"},
                    {"outcome", "executed"},
                    {"question", "Accept 200?"}}}}};
    const std::string text = cli::render_approvals(reader(), data);
    CHECK(text.find("Accept 200?") != std::string::npos);
    CHECK(text.find("a2h approve ID") == std::string::npos);
    CHECK_FALSE(text.ends_with('\n'));
    data["approvals"].push_back(
        {{"approval_id", "apr_2"}, {"status", "pending"}, {"question", "Accept 300?"}});
    CHECK(cli::render_approvals(reader(), data).find("a2h approve ID") != std::string::npos);
}

TEST_CASE("an owner whose yes does not count is told so, and is offered no approval") {
    json data = {{"approvals",
                  {{{"approval_id", "apr_1"},
                    {"status", "pending"},
                    {"question", "Accept 200?"},
                    {"owner_may_approve", false}}}}};
    const std::string text = cli::render_approvals(reader(), data);
    CHECK(text.find("Your yes does not count") != std::string::npos);
    CHECK(text.find("a2h approve") == std::string::npos);
    CHECK(text.find("a2h reject ID") != std::string::npos);
    CHECK(cli::render_approval(reader(), data).find("Your yes does not count") !=
          std::string::npos);
    data["approvals"].push_back({{"approval_id", "apr_2"},
                                 {"status", "pending"},
                                 {"question", "Accept 300?"},
                                 {"owner_may_approve", true}});
    CHECK(cli::render_approvals(reader(), data).find("a2h approve ID") != std::string::npos);
}

TEST_CASE("a yes that sent nothing is called closed without an answer") {
    const json data = {{"approval_id", "apr_1"},
                       {"status", "approved"},
                       {"outcome", "executed"},
                       {"closed_without_answer", true}};
    CHECK(cli::render_answered(reader(), data) == "apr_1: closed without an answer");
}

TEST_CASE("an instruction's draft is shown with the command that confirms it") {
    const std::string text = cli::render_answered(reader(), {{"approval_id", "apr_1"},
                                                             {"status", "instructed"},
                                                             {"next_approval_id", "apr_2"},
                                                             {"next_reply_text", "450 CNY"}});
    CHECK(text.find("450 CNY") != std::string::npos);
    CHECK(text.find("a2h approve apr_2") != std::string::npos);
}

TEST_CASE("a list of notifications says in whose place somebody was asked") {
    const json data = {{"items",
                        {{{"person", "bert"},
                          {"instead_of", "anna"},
                          {"channel", "phone"},
                          {"kind", "approval.asked"},
                          {"state", "delivered"},
                          {"outcome", "taken"}}}}};
    CHECK(cli::render_notifications(reader(), data).find("bert (for anna)") != std::string::npos);
}

TEST_CASE("answers of another shape render to something") {
    for (const auto& render : kRenderers) {
        for (const json& data : {json::object(), json{{"items", 5}, {"approvals", "x"}},
                                 json{{"items", {1, nullptr, json::array()}},
                                      {"approvals", {nullptr}},
                                      {"events", {{{"at", 5}}}},
                                      {"problems", {"x"}},
                                      {"agents", {1, 2}},
                                      {"conversations", {false}}}}) {
            CHECK_NOTHROW(render(reader(), data));
        }
    }
}

TEST_CASE("an envelope holds action and data") {
    const auto report = cli::report("up", {{"started", true}}, "text");
    CHECK(json::parse(report.envelope) ==
          json{{"ok", true}, {"action", "up"}, {"data", {{"started", true}}}});
}

TEST_CASE("the demo's browser reads our forms as a browser does") {
    const auto forms = cli::read_forms(
        "<p>x</p><form method=\"post\" action=\"/a/1/answer\"><input type=\"hidden\" name=\"t\" "
        "value=\"a&amp;b\"><textarea name=\"reply_text\">\nTwo\nlines &lt;3</textarea>"
        "<button name=\"choice\" value=\"approve\">Yes</button></form><form action=\"/b\"></form>");
    REQUIRE(forms.size() == 2);
    CHECK(forms[0].action == "/a/1/answer");
    CHECK(cli::form_body(forms[0], "choice", "approve") ==
          "t=a%26b&reply_text=Two%0Alines%20%3C3&choice=approve");
    CHECK(cli::read_forms("<form").empty());
    CHECK(cli::read_forms("<form action=\"/\"><textarea name=\"x\">").size() == 1);
}
