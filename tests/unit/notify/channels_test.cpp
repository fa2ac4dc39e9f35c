#include "daemon/notify/channels.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/http/server.h"
#include "core/wire/crypto.h"
#include "daemon/notify/notifier.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using notify::Message;

namespace {

Message plain_question() {
    Message message;
    message.id = 7;
    message.kind = "approval.asked";
    message.title = "A2H: your answer is needed";
    message.text = "300 < 3000 & more?";
    message.approval_id = "apr_1";
    message.code = "123456";
    message.link = "http://127.0.0.1:7842/a/apr_1?t=secret";
    return message;
}

std::unique_ptr<notify::Channel> webhook(const std::string& url) {
    return notify::make_webhook_channel({"hook", "webhook", {{"url", url}, {"secret", "s3cret"}}});
}

/// Sets environment variables and puts the old values back.
class Environment {
  public:
    explicit Environment(std::map<std::string, std::optional<std::string>> wanted) {
        for (const auto& [name, value] : wanted) {
            const char* old = getenv(name.c_str());
            before_[name] = old == nullptr ? std::nullopt : std::optional<std::string>(old);
            set(name, value);
        }
    }
    ~Environment() {
        for (const auto& [name, value] : before_)
            set(name, value);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    static void set(const std::string& name, const std::optional<std::string>& value) {
        value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    }
    std::map<std::string, std::optional<std::string>> before_;
};

/// A program named notify-send that does what `script` says, first in PATH.
class FakeNotifySend {
  public:
    explicit FakeNotifySend(const std::string& script)
        : environment_({{"PATH", dir_.path().string() + ":/usr/bin:/bin"},
                        {"DISPLAY", ":99"},
                        {"A2H_TEST_DIR", dir_.path().string()}}) {
        const auto file = dir_.path() / "notify-send";
        std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
        chmod(file.c_str(), 0755);
    }
    std::string recorded() const {
        std::ifstream in(dir_.path() / "argv");
        return {std::istreambuf_iterator<char>(in), {}};
    }

  private:
    test::TempDir dir_;
    Environment environment_;
};

/// A receiver as somebody would write it: checks the signature, then answers `status`.
class Receiver {
  public:
    explicit Receiver(int status, std::string secret = "s3cret")
        : status_(status), secret_(std::move(secret)) {
        auto started = http::Server::start({}, [this](const http::Request& r) { return take(r); });
        REQUIRE(started.has_value());
        server_ = std::move(*started);
    }
    std::string url() const {
        return "http://127.0.0.1:" + std::to_string(server_->port()) + "/hook";
    }
    std::string body;
    std::string content_type;

  private:
    http::Response take(const http::Request& request) {
        http::Response response;
        const std::string expected = "sha256=" + wire::hmac_sha256_hex(secret_, request.body);
        if (request.header("x-a2h-signature") != expected || request.method != "POST") {
            response.status = 401;
            return response;
        }
        body = request.body;
        content_type = request.header("content-type");
        response.status = status_;
        return response;
    }

    int status_;
    std::string secret_;
    std::unique_ptr<http::Server> server_;
};

ErrorCode webhook_error(int status) {
    Receiver receiver(status);
    auto outcome = webhook(receiver.url())->deliver(plain_question());
    REQUIRE(!outcome.has_value());
    CHECK(outcome.error().message.find(std::to_string(status)) != std::string::npos);
    return outcome.error().code;
}

}  // namespace

TEST_CASE("the terminal channel shows text, link and code on the terminal") {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(master >= 0);
    REQUIRE(grantpt(master) == 0);
    REQUIRE(unlockpt(master) == 0);
    char name[128];
    REQUIRE(ptsname_r(master, name, sizeof name) == 0);
    const int kept_open = open(name, O_RDWR | O_NOCTTY);
    auto outcome = notify::make_terminal_channel(name)->deliver(plain_question());
    REQUIRE(outcome.has_value());
    CHECK(outcome->words.find("terminal") != std::string::npos);
    char buffer[2048];
    const ssize_t count = read(master, buffer, sizeof buffer);
    REQUIRE(count > 0);
    const std::string shown(buffer, static_cast<std::size_t>(count));
    for (const auto& part : {plain_question().text, plain_question().code, plain_question().link}) {
        CHECK(shown.find(part) != std::string::npos);
    }
    close(kept_open);
    close(master);
}

TEST_CASE("without a terminal nobody is reached, and the channel says so") {
    auto outcome = notify::make_terminal_channel("/dev/null")->deliver(plain_question());
    REQUIRE(!outcome.has_value());
    CHECK(outcome.error().code == ErrorCode::Unavailable);
    CHECK(!notify::make_terminal_channel("/no/such/tty")->deliver(plain_question()).has_value());
}

TEST_CASE("notify-send gets title and escaped text as arguments, never code or link") {
    FakeNotifySend fake(R"(printf '%s\n' "$@" > "$A2H_TEST_DIR/argv")");
    Message message = plain_question();
    message.title = "-$(touch /tmp/x); `id`";
    auto outcome = notify::make_desktop_channel()->deliver(message);
    REQUIRE(outcome.has_value());
    CHECK(outcome->words.find("is unknown") != std::string::npos);
    CHECK(fake.recorded() ==
          "--app-name=A2H\n--urgency=critical\n--\n-$(touch /tmp/x); `id`\n"
          "300 &lt; 3000 &amp; more?\n");
}

TEST_CASE("notify-send expands nothing of the text: a backslash stays one") {
    FakeNotifySend fake(R"(printf '%s\n' "$@" > "$A2H_TEST_DIR/argv")");
    Message message = plain_question();
    message.title = R"(C:\new)";
    message.text = R"(“yes”\nYou have agreed.\074 C:\temp\)";
    REQUIRE(notify::make_desktop_channel()->deliver(message));
    // What g_strcompress makes of the body is the text.
    CHECK(fake.recorded().ends_with(
        "--\nC:\\new\n“yes”\\\\nYou have agreed.\\\\074 C:\\\\temp\\\\\n"));
}

TEST_CASE("a notify-send that fails is quoted, and one that hangs is killed") {
    {
        FakeNotifySend fake("echo 'no server' >&2; exit 1");
        auto outcome = notify::make_desktop_channel()->deliver(plain_question());
        REQUIRE(!outcome.has_value());
        CHECK(outcome.error().code == ErrorCode::Unavailable);
        CHECK(outcome.error().message.find("no server") != std::string::npos);
    }
    FakeNotifySend fake("echo $$ > \"$A2H_TEST_DIR/argv\"; exec sleep 600");
    auto outcome =
        notify::make_desktop_channel(std::chrono::milliseconds(300))->deliver(plain_question());
    REQUIRE(!outcome.has_value());
    CHECK(outcome.error().code == ErrorCode::Unavailable);
    if (!fake.recorded().empty()) CHECK(kill(std::stoi(fake.recorded()), 0) != 0);
}

TEST_CASE("without a desktop session or without notify-send nobody is reached") {
    {
        const Environment none({{"DISPLAY", std::nullopt},
                                {"WAYLAND_DISPLAY", std::nullopt},
                                {"DBUS_SESSION_BUS_ADDRESS", std::nullopt}});
        auto outcome = notify::make_desktop_channel()->deliver(plain_question());
        REQUIRE(!outcome.has_value());
        CHECK(outcome.error().code == ErrorCode::Unavailable);
    }
    const Environment bare({{"DISPLAY", ":99"}, {"PATH", "/nonexistent"}});
    auto outcome = notify::make_desktop_channel()->deliver(plain_question());
    REQUIRE(!outcome.has_value());
    CHECK(outcome.error().message.find("libnotify-bin") != std::string::npos);
}

TEST_CASE("the webhook posts signed JSON and says no more than that it was taken") {
    Receiver receiver(204);
    auto outcome = webhook(receiver.url())->deliver(plain_question());
    REQUIRE(outcome.has_value());
    CHECK(outcome->words.find("204") != std::string::npos);
    CHECK(receiver.content_type == "application/json");
    const auto body = nlohmann::json::parse(receiver.body);
    CHECK(body["version"] == 1);
    CHECK(body["id"] == 7);
    CHECK(body["kind"] == "approval.asked");
    CHECK(body["approval_id"] == "apr_1");
    CHECK(body["code"] == "123456");
    CHECK(body["link"] == plain_question().link);
    CHECK(body["text"] == plain_question().text);
    CHECK(body["language"] == "en");
}

TEST_CASE("a receiver with another secret refuses, and trying again is pointless") {
    Receiver receiver(204, "other");
    auto outcome = webhook(receiver.url())->deliver(plain_question());
    REQUIRE(!outcome.has_value());
    CHECK(outcome.error().code == ErrorCode::InvalidArgument);
    CHECK(receiver.body.empty());
}

TEST_CASE("429, 500 and 503 are tried again; 400, 404 and a redirect are not") {
    for (const int status : {429, 500, 503})
        CHECK(webhook_error(status) == ErrorCode::Unavailable);
    for (const int status : {302, 400, 404}) {
        CHECK(webhook_error(status) == ErrorCode::InvalidArgument);
    }
}

TEST_CASE("a webhook that nobody listens on is unavailable") {
    const std::string url = "http://127.0.0.1:" + std::to_string(test::free_port()) + "/";
    auto outcome = webhook(url)->deliver(plain_question());
    REQUIRE(!outcome.has_value());
    CHECK(outcome.error().code == ErrorCode::Unavailable);
}

TEST_CASE("terminal and desktop are always there, the webhook when it is named") {
    notify::Options options{.channels = {"webhook", "desktop", "terminal"},
                            .webhook_url = "https://example.org/hook",
                            .webhook_secret = "s"};
    auto channels = notify::make_channels(options);
    REQUIRE(channels.has_value());
    REQUIRE(channels->size() == 3);
    CHECK((*channels)[0]->name() == "terminal");
    CHECK((*channels)[2]->name() == "webhook");
    CHECK((*channels)[2]->is_machine());
    CHECK(
        notify::make_channels({.channels = {}, .webhook_url = {}, .webhook_secret = {}})->size() ==
        2);
}

TEST_CASE("unknown kinds, unsafe addresses and a missing secret are refused") {
    const auto refused = [](std::vector<std::string> names, std::string url, std::string secret) {
        auto made = notify::make_channels({.channels = std::move(names),
                                           .webhook_url = std::move(url),
                                           .webhook_secret = std::move(secret)});
        return !made && made.error().code == ErrorCode::InvalidArgument;
    };
    CHECK(refused({"sms"}, "", ""));
    CHECK(refused({"webhook"}, "", "s"));
    CHECK(refused({"webhook"}, "http://example.org/", "s"));
    CHECK(refused({"webhook"}, "http://127.0.0.1@example.org/", "s"));
    CHECK(refused({"webhook"}, "http://127.0.0.1.example.org/", "s"));
    CHECK(refused({"webhook"}, "ftp://example.org/", "s"));
    CHECK(refused({"webhook"}, "https://example.org/", ""));
    CHECK(!refused({"webhook"}, "http://[::1]:8080/x", "s"));
    CHECK(!refused({"webhook"}, "http://localhost/x", "s"));
}
