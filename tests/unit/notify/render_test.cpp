#include <doctest/doctest.h>

#include <string>

#include "daemon/notify/render.h"

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
    approval.action = "reply.send";
    approval.question = "Accept \x1b[2J 300?";
    approval.reply_text = "300 is fine";
    approval.amount_minor = 30'000;
    approval.currency = "CNY";
    approval.provenance = "unverified";
    approval.answer_by_ms = 1'760'000'000'000;
    return approval;
}

notify::Secrets told() {
    return {"123456", "http://x/a", [](AnswerKind) { return std::string("0123456789abcdef"); }};
}

bool holds(const Message& message, std::string_view part) {
    return message.text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a question shows what is asked, by whom, the amount, the text and the deadline") {
    const Approval asked = approval();
    const Message message =
        notify::render(row("approval.asked"), &asked, told(), Language::English);
    for (const char* part : {"Accept [U+001B][2J 300?", "ag_buyer (unverified sender)",
                             "300.00 CNY", "300 is fine", "2025-10-0", "a2h approve apr_1"}) {
        CAPTURE(part);
        CHECK(holds(message, part));
    }
    CHECK(message.text.find('\x1b') == std::string::npos);
    CHECK(message.code == "123456");
    CHECK(message.link == "http://x/a");
    CHECK(message.approval_id == "apr_1");
}

TEST_CASE("a person whose yes does not count gets no way to say it") {
    const Approval asked = approval();
    notify::Secrets secrets = told();
    secrets.may_approve = false;
    const Message message =
        notify::render(row("approval.asked"), &asked, secrets, Language::English);
    CHECK(message.code == "");
    REQUIRE(message.buttons.size() == 1);
    CHECK(message.buttons[0].choice == AnswerKind::Reject);
    CHECK(!holds(message, "a2h approve"));
    CHECK(holds(message, "Your yes does not count"));
    const auto line =
        notify::group_line(row("approval.asked"), &asked, secrets, 1, Language::English);
    CHECK(line.buttons.size() == 1);
    CHECK(line.words.find("Your yes does not count") != std::string::npos);
    CHECK(notify::group_line(row("approval.asked"), &asked, told(), 1, Language::English)
              .words.find("Your yes does not count") == std::string::npos);
}

TEST_CASE("the command for another person than the owner names that person") {
    const Approval asked = approval();
    notify::Secrets secrets = told();
    secrets.person_option = "anna";
    CHECK(holds(notify::render(row("approval.asked"), &asked, secrets, Language::English),
                "a2h approve apr_1 --person anna"));
}

TEST_CASE("code and link are fields of their own and never part of the words") {
    const Approval asked = approval();
    const Message message =
        notify::render(row("approval.asked"), &asked, told(), Language::Chinese);
    CHECK(!holds(message, "123456"));
    CHECK(!holds(message, "http://x/a"));
    CHECK(holds(message, "300.00 CNY"));
    CHECK(holds(message, "同意"));
}

TEST_CASE("news carries neither code nor link") {
    const Approval about = approval();
    for (const char* kind : {"approval.expired", "approval.code_void", "code.locked", "pin.locked",
                             "key.changed", "outbox.dead"}) {
        for (const auto language : {Language::English, Language::Chinese}) {
            const Message message = notify::render(row(kind), &about, told(), language);
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
    Message message = notify::render(row("approval.expired"), &about, {}, Language::English);
    CHECK(holds(message, "Nobody answered"));
    CHECK(!holds(message, "reject"));
    about.status = ApprovalStatus::Approved;
    message = notify::render(row("approval.expired"), &about, {}, Language::English);
    CHECK(holds(message, "You approved this"));
}

TEST_CASE("members of the body are shown printable; what is missing or malformed is left out") {
    const Message dead =
        notify::render(row("outbox.dead", R"({"peer_id":"ag_x","error":"gone\u001b[31m"})"),
                       nullptr, {}, Language::English);
    CHECK(holds(dead, "ag_x"));
    CHECK(holds(dead, "gone[U+001B][31m"));
    CHECK(
        notify::render(row("some.news", "not json"), nullptr, {}, Language::English).text.empty());
    CHECK(holds(
        notify::render(row("some.news", R"({"text":"hello"})"), nullptr, {}, Language::English),
        "hello"));
    CHECK(holds(notify::render(row("pin.locked", R"({"until":"2025-10-09T08:53:20Z"})"), nullptr,
                               {}, Language::English),
                "2025-10-0"));
}

TEST_CASE("a button's data is read back, and other data is refused") {
    const auto pressed =
        notify::parse_button(notify::button_id(9'000'000'000, AnswerKind::Reject, "abc123"));
    REQUIRE(pressed.has_value());
    CHECK(pressed->row == 9'000'000'000);
    CHECK(pressed->choice == AnswerKind::Reject);
    CHECK(pressed->token == "abc123");
    for (const char* bad : {"", ".", "1.y", "1.y.", "x.y.abc", "-1.y.abc", "0.y.abc", "1.z.abc",
                            "1yyabc", "99999999999999999999.y.abc", "1.y", "1..abc"}) {
        CAPTURE(bad);
        CHECK(!notify::parse_button(bad).has_value());
    }
    CHECK(!notify::parse_button("1.y." + std::string(100, 'a')).has_value());
    CHECK(notify::button_id(9'223'372'036'854'775'807, AnswerKind::Approve, std::string(24, 'f'))
              .size() <= 64);
}

TEST_CASE("a text that is too long to be shown whole has no button that says yes") {
    const auto fits = [](const Message& shown) { return shown.text.size() <= 1200; };
    Approval asked = approval();
    Message message = notify::fitted(
        notify::render(row("approval.asked"), &asked, told(), Language::English), fits);
    REQUIRE(message.buttons.size() == 2);
    asked.reply_text = std::string(2000, 'x');
    message = notify::fitted(
        notify::render(row("approval.asked"), &asked, told(), Language::English), fits);
    REQUIRE(message.buttons.size() == 1);
    CHECK(message.buttons[0].choice == AnswerKind::Reject);
    CHECK(message.code.empty());
    CHECK(holds(message, "only the beginning"));
    CHECK(!holds(message, "a2h approve "));
}

TEST_CASE("a message that does not show the words of a no has no button that says it") {
    Approval asked = approval();
    asked.reject_text = "We cannot agree to 300.00 CNY.";
    const auto fitted_to = [&](std::size_t most) {
        return notify::fitted(
            notify::render(row("approval.asked"), &asked, told(), Language::English),
            [most](const Message& shown) { return shown.text.size() <= most; });
    };
    CHECK(fitted_to(1200).buttons.size() == 2);
    CHECK(holds(fitted_to(1200), asked.reject_text));
    asked.reply_text = std::string(2000, 'x');
    CHECK(fitted_to(1200).buttons.empty());
    asked.reject_text.clear();
    CHECK(fitted_to(1200).buttons.size() == 1);
}

TEST_CASE("a line of a group has no button that sends words which it does not show") {
    Approval asked = approval();
    asked.reject_text = "We cannot agree to 300.00 CNY.";
    notify::Secrets secrets = told();
    for (const bool may_approve : {true, false}) {
        CAPTURE(may_approve);
        secrets.may_approve = may_approve;
        const auto line =
            notify::group_line(row("approval.asked"), &asked, secrets, 1, Language::English);
        CHECK(line.buttons.empty());
        CHECK(line.words.find("You can still say no") == std::string::npos);
        CHECK(line.words.find("not everything is shown here") != std::string::npos);
    }
}

TEST_CASE("a final card says who answered, where and what came of it, and asks nothing more") {
    Approval about = approval();
    about.status = ApprovalStatus::Approved;
    about.outcome = ApprovalOutcome::Unknown;
    about.answered_by = "anna";
    about.surface = AnswerSurface::Button;
    const Message message = notify::render_final(row("approval.asked"), about, Language::English);
    CHECK(holds(message, "anna agreed by button"));
    CHECK(holds(message, "not yet known"));
    CHECK(message.buttons.empty());
    CHECK(message.code.empty());
    CHECK(message.link.empty());
    about.status = ApprovalStatus::Expired;
    CHECK(holds(notify::render_final(row("approval.asked"), about, Language::English),
                "Nobody answered"));
}

TEST_CASE("a group names the first things, numbers their answers and counts the rest") {
    const Approval asked = approval();
    std::vector<notify::GroupLine> lines;
    for (int number = 1; number <= 3; ++number) {
        lines.push_back(
            notify::group_line(row("approval.asked"), &asked, told(), number, Language::English));
    }
    const Message message = notify::render_group(lines, 1000, "http://page", Language::English);
    CHECK(message.title.find("1000") != std::string::npos);
    CHECK(holds(message, "997 more"));
    CHECK(holds(message, "2. Accept [U+001B][2J 300? · 300.00 CNY · ag_buyer (unverified sender)"));
    CHECK(holds(message, "“300 is fine” (apr_1)"));
    CHECK(message.link == "http://page");
    REQUIRE(message.buttons.size() == 6);
    CHECK(message.buttons[5].label == "3 Reject");
    CHECK(message.buttons[5].number == 3);
    CHECK(message.text.find("http://x/a") == std::string::npos);
    CHECK(message.linked_text.find("http://x/a") != std::string::npos);
}

TEST_CASE("a group has a yes only for texts that its line shows whole") {
    Approval asked = approval();
    const auto choices = [&] {
        std::string all;
        for (const auto& button :
             notify::group_line(row("approval.asked"), &asked, told(), 1, Language::English)
                 .buttons)
            all += button.choice == AnswerKind::Approve ? 'y' : 'n';
        return all;
    };
    CHECK(choices() == "yn");
    asked.reply_text = "first\nsecond";
    CHECK(choices() == "n");
    asked.reply_text = std::string(200, 'x');
    CHECK(choices() == "n");
    for (const char* text : {"5\" long", "“so” it is", "5″ long"}) {
        CAPTURE(text);
        asked.reply_text = text;  // a quotation shows other marks
        CHECK(choices() == "n");
        const auto line =
            notify::group_line(row("approval.asked"), &asked, told(), 1, Language::English);
        CHECK(line.words.find("if yes, this is sent") == std::string::npos);
    }
    asked.reply_text = "5' long";
    CHECK(choices() == "yn");
    asked.status = ApprovalStatus::Rejected;
    asked.answered_by = "anna";
    CHECK(choices().empty());
    CHECK(notify::group_line(row("approval.asked"), &asked, told(), 1, Language::English)
              .words.find("anna rejected") != std::string::npos);
}

TEST_CASE("a substitute learns in whose place they are asked") {
    const Approval asked = approval();
    CHECK(holds(notify::render(row("approval.asked", R"({"instead_of":"anna"})"), &asked, told(),
                               Language::English),
                "anna has not answered"));
}
