#include <doctest/doctest.h>

#include <string>

#include "daemon/notify/notifier.h"

using namespace a2h;
using i18n::Language;
using notify::Message;

namespace {

Notification row(std::string kind, std::string body = "{}") {
    Notification notification;
    notification.id = 3;
    notification.kind = std::move(kind);
    notification.approval_id = "apr_1";
    notification.body_json = std::move(body);
    return notification;
}

Approval approval() {
    Approval approval;
    approval.id = "apr_1";
    approval.peer_id = "ag_buyer";
    approval.question = "Accept \x1b[2J 300?";
    approval.reply_text = "300 is fine";
    approval.amount_minor = 30'000;
    approval.currency = "CNY";
    approval.provenance = "unverified";
    approval.answer_by_ms = 1'760'000'000'000;
    return approval;
}

bool holds(const Message& message, std::string_view part) {
    return message.text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a question shows what is asked, by whom, the amount, the text and the deadline") {
    const Approval asked = approval();
    const Message message =
        notify::render(row("approval.asked"), &asked, "123456", "http://x/a", Language::English);
    for (const char* part : {"Accept [2J 300?", "ag_buyer (sender not verified)", "300.00 CNY",
                             "300 is fine", "2025-10-0", "a2h approve apr_1"}) {
        CAPTURE(part);
        CHECK(holds(message, part));
    }
    CHECK(message.text.find('\x1b') == std::string::npos);
    CHECK(message.code == "123456");
    CHECK(message.link == "http://x/a");
    CHECK(message.approval_id == "apr_1");
}

TEST_CASE("code and link are fields of their own and never part of the words") {
    const Approval asked = approval();
    const Message message =
        notify::render(row("approval.asked"), &asked, "123456", "http://x/a", Language::Chinese);
    CHECK(!holds(message, "123456"));
    CHECK(!holds(message, "http://x/a"));
    CHECK(holds(message, "300.00 CNY"));
    CHECK(holds(message, "同意"));
}

TEST_CASE("news carries neither code nor link") {
    const Approval about = approval();
    for (const char* kind :
         {"approval.expired", "approval.code_void", "pin.locked", "key.changed", "outbox.dead"}) {
        for (const auto language : {Language::English, Language::Chinese}) {
            const Message message =
                notify::render(row(kind), &about, "123456", "http://x", language);
            CHECK(message.code.empty());
            CHECK(message.link.empty());
            CHECK(!message.title.empty());
            CHECK(!message.text.empty());
        }
    }
}

TEST_CASE("an expiry says whether nobody answered or a yes was not used, and never 'reject'") {
    Approval about = approval();
    about.status = ApprovalStatus::Expired;
    Message message = notify::render(row("approval.expired"), &about, "", "", Language::English);
    CHECK(holds(message, "Nobody answered"));
    CHECK(!holds(message, "reject"));
    about.status = ApprovalStatus::Approved;
    message = notify::render(row("approval.expired"), &about, "", "", Language::English);
    CHECK(holds(message, "You agreed"));
}

TEST_CASE("members of the body are shown printable; what is missing or malformed is left out") {
    const Message dead =
        notify::render(row("outbox.dead", R"({"target_id":"ag_x","error":"gone\u001b[31m"})"),
                       nullptr, "", "", Language::English);
    CHECK(holds(dead, "ag_x"));
    CHECK(holds(dead, "gone[31m"));
    CHECK(notify::render(row("some.news", "not json"), nullptr, "", "", Language::English)
              .text.empty());
    CHECK(holds(
        notify::render(row("some.news", R"({"text":"hello"})"), nullptr, "", "", Language::English),
        "hello"));
    CHECK(holds(notify::render(row("pin.locked", R"({"until":"2025-10-09T08:53:20Z"})"), nullptr,
                               "", "", Language::English),
                "2025-10-0"));
}
