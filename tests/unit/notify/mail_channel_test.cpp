#include <doctest/doctest.h>

#include "daemon/notify/channels.h"
#include "daemon/notify/mail_text.h"
#include "tests/support/mail_server.h"
#include "tests/support/process.h"
#include "tests/unit/notify/channel_desk.h"

using namespace a2h;
using notify::Message;
using namespace a2h::test;

namespace {

std::unique_ptr<notify::Channel> channel_to(const MailServer& server) {
    return notify::make_email_channel(settings(
        "email",
        {{"server", server.url()}, {"from", "a2h@example.org"}, {"to", "me@example.org"}}));
}

}  // namespace

TEST_CASE("a mail reaches a real mail server with its text, code, link and picture") {
    MailServer server;
    const auto channel = channel_to(server);
    Message message = question();
    message.pictures = {picture()};
    const auto delivered = channel->deliver(message);
    REQUIRE(delivered.has_value());
    CHECK(delivered->words.find("me@example.org") != std::string::npos);
    const std::string mail = server.mails().at(0);
    CHECK(mail.find("To: <me@example.org>") != std::string::npos);
    CHECK(mail.find("Subject: =?UTF-8?B?") != std::string::npos);
    const auto python =
        test::run({"/usr/bin/python3", "-c",
                   "import sys,email,email.policy\n"
                   "m=email.message_from_string(sys.stdin.read(),policy=email.policy.default)\n"
                   "print(m['subject']);print(m.get_body().get_content())\n"
                   "print([ (p.get_filename(),p.get_content()) for p in m.iter_attachments()])"},
                  {{"PYTHONIOENCODING", "utf-8"}}, mail);
    CHECK(python.out.find("A2H: your answer is needed") == 0);
    for (const std::string& part : {question().code, question().link, std::string("好")}) {
        CHECK(python.out.find(part) != std::string::npos);
    }
    CHECK(python.out.find("('shoe_.png', b'\\x89PNG") != std::string::npos);
}

TEST_CASE("the result of a mailed question is a mail in the same thread") {
    MailServer server;
    const auto channel = channel_to(server);
    const auto delivered = channel->deliver(question());
    REQUIRE(delivered.has_value());
    CHECK(channel->follows_up());
    const std::string first = delivered->receipt;
    REQUIRE(!first.empty());
    REQUIRE(channel->update(first, final_state()).has_value());
    Message expired = final_state();
    expired.thread = first;
    REQUIRE(channel->deliver(expired).has_value());
    int follow_ups = 0;
    for (const std::string& mail : server.mails()) {
        if (mail.find("Message-ID: <" + first + ">") != std::string::npos) {
            CHECK(mail.find("In-Reply-To") == std::string::npos);
            continue;
        }
        CHECK(mail.find("In-Reply-To: <" + first + ">") != std::string::npos);
        CHECK(mail.find("References: <" + first + ">") != std::string::npos);
        ++follow_ups;
    }
    CHECK(follow_ups == 2);
}

TEST_CASE("a mail server that is not there, and an address that is none") {
    const std::string url = "smtp://127.0.0.1:" + std::to_string(test::free_port());
    const auto code = [&](const std::string& server, const std::string& to) {
        return notify::make_email_channel(
                   settings("email", {{"server", server}, {"from", "a@example.org"}, {"to", to}}))
            ->deliver(question())
            .error()
            .code;
    };
    CHECK(code(url, "b@example.org") == ErrorCode::Unavailable);
    CHECK(code(url, "b@example.org>\r\nRCPT TO:<c@example.org") == ErrorCode::InvalidArgument);
    CHECK(code("http://127.0.0.1/", "b@example.org") == ErrorCode::InvalidArgument);
}

TEST_CASE("a subject of any length is encoded words, and no character is cut") {
    Message message;
    message.title.clear();
    for (int i = 0; i < 60; ++i)
        message.title += "好a";
    const std::string mail = notify::mail_text({"a@b", "c@d", 1'760'000'000, "id@b"}, message);
    const auto python = test::run({"/usr/bin/python3", "-c",
                                   "import sys,email,email.policy\n"
                                   "print(email.message_from_string(sys.stdin.read(),policy=email."
                                   "policy.default)['subject'])"},
                                  {{"PYTHONIOENCODING", "utf-8"}}, mail);
    CHECK(python.out == message.title + "\n");
    for (std::size_t at = 0; at < mail.size();) {
        const auto end = mail.find("\r\n", at);
        CHECK(end - at <= 998);
        at = end + 2;
    }
}
