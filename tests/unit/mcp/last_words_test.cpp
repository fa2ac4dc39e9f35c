// Output after the end of input, and how long it may take.
#include "mcp/last_words.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <utility>

#include "tests/unit/mcp/pipe.h"

using namespace std::chrono_literals;
using namespace a2h::mcp;
using a2h::test::Pipe;
using nlohmann::json;

namespace {

/// A client at the other end of a pipe. Calls of a2hd that wait end by `answer`, or when they are
/// stopped.
class Client {
  public:
    explicit Client(std::chrono::milliseconds patience)
        : output_(out_.write_end.get(), -1, patience),
          dispatcher_([this](std::string line) { output_.write(std::move(line)); },
                      [this](const DaemonCall& call, std::stop_token cancelled) {
                          return daemon(call, std::move(cancelled));
                      },
                      "") {
        ::signal(SIGPIPE, SIG_IGN);
        dispatcher_.take_line(
            R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":)"
            R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t"}}})");
        CHECK(hear()["id"] == 0);
    }
    ~Client() {
        answer();
        stop_reading();
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    void say(int id, std::string_view method, const json& params = json::object()) {
        dispatcher_.take_line(
            json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump());
    }
    void call(int id, std::string_view tool, const json& arguments = json::object()) {
        say(id, "tools/call", {{"name", tool}, {"arguments", arguments}});
    }
    /// The next line, which must be whole; null if none comes.
    json hear() {
        char bytes[65536];
        std::size_t end = 0;
        while ((end = heard_.find('\n')) == std::string::npos) {
            pollfd readable{out_.read_end.get(), POLLIN, 0};
            if (::poll(&readable, 1, 10'000) != 1) return {};
            const ssize_t got = ::read(out_.read_end.get(), bytes, sizeof bytes);
            if (got <= 0) return {};
            heard_.append(bytes, static_cast<std::size_t>(got));
        }
        json message = json::parse(heard_.substr(0, end));
        heard_.erase(0, end + 1);
        return message;
    }
    void stop_reading() { out_.read_end.reset(); }
    /// a2hd answers everything from now on.
    void answer() {
        {
            const std::lock_guard lock(mutex_);
            answers_ = true;
        }
        changed_.notify_all();
    }
    std::future<a2h::Result<void>> end() {
        return std::async(std::launch::async, [this] { return finish(dispatcher_, output_); });
    }

  private:
    a2h::Result<std::string> daemon(const DaemonCall& call, std::stop_token cancelled) {
        const json params = json::parse(call.params_json);
        const bool waits = params.value("timeout_seconds", 25) > 0;
        std::unique_lock lock(mutex_);
        if (waits && !changed_.wait(lock, cancelled, [&] { return answers_; })) {
            return a2h::fail(a2h::ErrorCode::Timeout, "cancelled");
        }
        return json{{"ok", true}, {"action", call.method}, {"data", {{"waited", waits}}}}.dump();
    }

    Pipe out_;
    std::string heard_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool answers_ = false;
    Output output_;
    Dispatcher dispatcher_;
};

}  // namespace

TEST_CASE("after the end of input every answer is written whole, however late it is read") {
    Client client(1min);
    constexpr int kCount = 50;
    for (int id = 1; id <= kCount; ++id)
        client.say(id, "tools/list");
    auto end = client.end();
    CHECK(end.wait_for(300ms) == std::future_status::timeout);
    for (int id = 1; id <= kCount; ++id) {
        const json answer = client.hear();
        REQUIRE(answer["id"] == id);
        REQUIRE(answer["result"]["tools"].size() > 10);
    }
    CHECK(end.get());
}

TEST_CASE("after the end of input calls that a2hd has not answered yet are waited for") {
    Client client(1min);
    client.call(1, "a2h_status");
    client.call(2, "a2h_status", {{"detail", "full"}});
    auto end = client.end();
    CHECK(end.wait_for(300ms) == std::future_status::timeout);
    client.answer();
    CHECK(end.get());
    CHECK(client.hear()["result"]["isError"] == false);
    CHECK(client.hear()["result"]["isError"] == false);
}

TEST_CASE("a call that is not answered is given up in the end, and that is an error") {
    Client client(300ms);
    client.call(1, "a2h_status");
    const auto end = client.end().get();
    REQUIRE(!end);
    CHECK(end.error().code == a2h::ErrorCode::Timeout);
    CHECK(end.error().message.find("not answered") != std::string::npos);
}

TEST_CASE("a client that does not read is given up in the end, and that is an error") {
    Client client(300ms);
    for (int id = 1; id <= 50; ++id)
        client.say(id, "tools/list");
    const auto end = client.end().get();
    REQUIRE(!end);
    CHECK(end.error().code == a2h::ErrorCode::Timeout);
    CHECK(end.error().message.find("not read") != std::string::npos);
}

TEST_CASE("nothing is waited for once nobody reads the answers") {
    Client client(1min);
    client.call(1, "a2h_status");
    auto end = client.end();
    CHECK(end.wait_for(300ms) == std::future_status::timeout);
    client.stop_reading();
    CHECK(end.wait_for(10s) == std::future_status::ready);
    CHECK(end.get());
}

TEST_CASE("the end of input ends waits with the present state") {
    Client client(1min);
    client.call(1, "a2h_approval_wait", {{"approval_id", "apr_1"}, {"timeout_seconds", 50}});
    client.call(2, "a2h_approval_wait");
    CHECK(client.end().get());
    for (int i = 0; i < 2; ++i) {
        const json result = client.hear()["result"];
        CHECK(result["isError"] == false);
        CHECK(result["structuredContent"]["data"]["waited"] == false);
    }
}
