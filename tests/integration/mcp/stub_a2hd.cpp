// Stands in for a2hd where only the way to it is tested: same socket, same lock, canned answers.
//   stub_a2hd --home DIR
// A text "mail" that is sent is an event: the status counts it, and who waits for events is
// answered. A text "hold" is answered when the next text "release" is sent. It appends one line to
// DIR/run/starts each time it runs, and ends at once when a file DIR/refuse exists.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/control/framing.h"
#include "core/control/home.h"
#include "core/control/server.h"

namespace {

using a2h::control::raw_member;
using a2h::control::Server;

std::string member(std::string_view object, std::string_view key) {
    return std::string(raw_member(object, key).value_or("null"));
}

/// A page of a long conversation in the scripts that are the hardest for tokenizers.
std::string long_history(const std::string& params) {
    const int limit = std::atoi(member(params, "limit").c_str());
    std::string text;
    for (int i = 0; i < 20; ++i) {
        text +=
            "Ten slides for 300.50 CNY, ready on 2026-11-21T18:30:00Z, order 7Yh3kQ92xLp0. "
            "您好，我想请您制作十页幻灯片，今晚八点前能交付吗？预算不超过三百元。"
            "🙂"
            " ";
    }
    std::string items;
    for (int i = 0; i < limit; ++i) {
        items += std::string(i == 0 ? "" : ",") + R"({"message_id":"msg_1763750400123_0badf00d)" +
                 std::to_string(i) + R"(","direction":"in","provenance":"verified","text":")" +
                 text + R"(","payload":{"text":")" + text + R"("},"state":null})";
    }
    return R"({"peer_id":"ag_bob","items":[)" + items + R"(],"page":1,"more":true})";
}

/// Events and the callers that wait for the next one.
class Events {
  public:
    int count() {
        const std::lock_guard lock(mutex_);
        return count_;
    }
    void happen() {
        std::vector<Waiting> answered;
        {
            const std::lock_guard lock(mutex_);
            ++count_;
            answered.swap(waiting_);
        }
        for (const Waiting& one : answered)
            one.respond(line(one.id));
    }
    void list(const std::string& id, const std::string& after, const Server::Respond& respond) {
        {
            const std::lock_guard lock(mutex_);
            if (after == std::to_string(count_)) {
                waiting_.push_back({id, respond});
                return;
            }
        }
        respond(line(id));
    }

  private:
    struct Waiting {
        std::string id;
        Server::Respond respond;
    };
    std::string line(const std::string& id) {
        return R"({"jsonrpc":"2.0","id":)" + id +
               R"(,"result":{"ok":true,"action":"events.list","data":{"events":[],"last_id":)" +
               std::to_string(count()) + "}}}";
    }

    std::mutex mutex_;
    int count_ = 1;
    std::vector<Waiting> waiting_;
};

Events& events() {
    static Events all;
    return all;
}

/// The result of `method` with `params`, both JSON text.
std::string result_of(const std::string& method, const std::string& params) {
    const std::string head = R"({"ok":true,"action":)" + method + R"(,"data":)";
    if (method == "\"works.publish\"") {
        return R"({"ok":false,"action":"works.publish","error":{)"
               R"("code":"PLATFORM_CONFIRMATION_REQUIRED","message":"A human's yes is missing.",)"
               R"("next":"Tell the user.","approval_id":"apr_00112233445566778899"}})";
    }
    if (method == "\"inbox.history\"") return head + long_history(params) + "}";
    if (method == "\"approval.list\"") return head + R"({"approvals":[]}})";
    if (method == "\"status\"") {
        return head + R"({"agent_id":"ag_stub","pid":)" + std::to_string(::getpid()) +
               R"(,"mails":)" + std::to_string(events().count()) + R"(,"params":)" + params + "}}";
    }
    if (method == "\"inbox.list\"") return head + R"({"conversations":[{"peer_id":"ag_bob"}]}})";
    if (method == "\"order.list\"") return head + R"({"items":[{"orderId":"WKS1"}]}})";
    return head + R"({"params":)" + params + "}}";
}

/// The answers that were held back, each a call of `Respond` with its line.
class Held {
  public:
    void add(std::function<void()> answer) {
        const std::lock_guard lock(mutex_);
        answers_.push_back(std::move(answer));
    }
    void release() {
        std::vector<std::function<void()>> answers;
        {
            const std::lock_guard lock(mutex_);
            answers.swap(answers_);
        }
        for (const auto& answer : answers)
            answer();
    }

  private:
    std::mutex mutex_;
    std::vector<std::function<void()>> answers_;
};

Held& held() {
    static Held all;
    return all;
}

void answer(const std::string& line, const Server::Respond& respond) {
    const std::string params = member(line, "params");
    const std::string text = member(params, "text");
    if (text == "\"never answer\"") return;
    if (text == "\"die\"") ::_exit(9);
    if (text == "\"mail\"") events().happen();
    if (member(line, "method") == "\"events.list\"") {
        return events().list(member(line, "id"), member(params, "after_id"), respond);
    }
    if (text == "\"release\"") held().release();
    const std::string answered = R"({"jsonrpc":"2.0","id":)" + member(line, "id") +
                                 R"(,"result":)" + result_of(member(line, "method"), params) + "}";
    if (text == "\"hold\"") return held().add([respond, answered] { respond(answered); });
    respond(answered);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 || std::string_view(argv[1]) != "--home") return 2;
    const a2h::control::Home home{argv[2]};
    std::filesystem::create_directories(home.run_dir());
    std::ofstream(home.run_dir() / "starts", std::ios::app) << ::getpid() << '\n';
    if (std::filesystem::exists(home.root / "refuse")) {
        std::fputs("<3>There is no agent here, run a2h init\n", stderr);
        return 1;
    }
    const int lock = ::open(home.lock_file().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0 || ::flock(lock, LOCK_EX | LOCK_NB) != 0) return 3;

    sigset_t ends;
    ::sigemptyset(&ends);
    ::sigaddset(&ends, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &ends, nullptr);
    const auto server = Server::start(home.socket_file(), answer);
    if (!server) return 4;
    std::puts("listening");
    std::fflush(stdout);
    int number = 0;
    ::sigwait(&ends, &number);
    return 0;
}
