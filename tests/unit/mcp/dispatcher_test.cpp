#include "mcp/dispatcher.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace a2h::mcp;
using nlohmann::json;

namespace {

/// A client in the same process, and a daemon that answers at once or when it is let.
class Dialogue {
  public:
    Dialogue()
        : dispatcher_([this](std::string line) { keep(std::move(line)); },
                      [this](const DaemonCall& call, std::stop_token cancelled) {
                          return daemon(call.method, call.params_json, cancelled);
                      },
                      "") {}

    void say(std::string_view line) { dispatcher_.take_line(line); }

    /// The next answer; empty when none comes.
    std::string hear(std::chrono::milliseconds timeout = 10s) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, timeout, [&] { return !heard_.empty(); })) return {};
        std::string line = std::move(heard_.front());
        heard_.pop_front();
        return line;
    }
    json ask(std::string_view line) {
        say(line);
        return json::parse(hear(), nullptr, false);
    }
    bool silent() {
        const std::lock_guard lock(mutex_);
        return heard_.empty();
    }

    /// Calls stay unanswered until `release`.
    void hold() {
        const std::lock_guard lock(mutex_);
        holding_ = true;
    }
    void release() {
        {
            const std::lock_guard lock(mutex_);
            holding_ = false;
        }
        changed_.notify_all();
    }
    /// Waits until `count` calls have reached the daemon.
    bool called(int count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 10s, [&] { return calls_ >= count; });
    }

  private:
    void keep(std::string line) {
        {
            const std::lock_guard lock(mutex_);
            heard_.push_back(std::move(line));
        }
        changed_.notify_all();
    }
    a2h::Result<std::string> daemon(std::string_view method, std::string_view params,
                                    std::stop_token cancelled) {
        std::unique_lock lock(mutex_);
        ++calls_;
        changed_.notify_all();
        if (!changed_.wait(lock, cancelled, [&] { return !holding_; })) {
            return a2h::fail(a2h::ErrorCode::Timeout, "cancelled");
        }
        return R"({"ok":true,"action":")" + std::string(method) + R"(","data":{"params":)" +
               std::string(params) + "}}";
    }

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::string> heard_;
    bool holding_ = false;
    int calls_ = 0;
    Dispatcher dispatcher_;
};

std::string initialize(std::string_view version) {
    return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
           std::string(version) +
           R"(","capabilities":{},"clientInfo":{"name":"test","version":"1"}}})";
}

std::string status_call(std::string_view id) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
           R"(,"method":"tools/call","params":{"name":"a2h_status","arguments":{}}})";
}

std::string cancel(std::string_view id) {
    return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
           std::string(id) + "}}";
}

/// `members` are followed by `_meta`.
std::string modern_request(std::string_view method, std::string_view members) {
    return R"({"jsonrpc":"2.0","id":3,"method":")" + std::string(method) + R"(","params":{)" +
           std::string(members) +
           R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientCapabilities":{"extensions":{)"
           R"("io.modelcontextprotocol/tasks":{}}}}}})";
}

constexpr const char* kPing = R"({"jsonrpc":"2.0","id":"ping","method":"ping"})";

/// Texts that change with every wording or version and have tests of their own.
std::string without_long_texts(const std::string& line) {
    auto value = nlohmann::ordered_json::parse(line, nullptr, false);
    if (value.is_discarded()) return line;
    if (value.contains("/result/instructions"_json_pointer)) {
        value["result"]["instructions"] = "…";
    }
    for (const char* list : {"tools", "resources", "resourceTemplates", "prompts"}) {
        const auto place = nlohmann::ordered_json::json_pointer("/result/" + std::string(list));
        if (value.contains(place)) value[place] = "…";
    }
    std::string text = value.dump();
    const std::string version = "\"" A2H_VERSION "\"";
    for (std::size_t at = 0; (at = text.find(version, at)) != std::string::npos;)
        text.replace(at, version.size(), "\"VERSION\"");
    return text;
}

/// Plays a dialogue file: "> line" is said, each "< line" below it is the answer. With A2H_ACCEPT=1
/// the answers are written anew.
std::string replay(const std::string& file_text) {
    Dialogue dialogue;
    std::istringstream in(file_text);
    std::string played;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("< ")) continue;
        played += line + "\n";
        if (!line.starts_with("> ")) continue;
        dialogue.say(line.substr(2));
        // Whatever else the line did has been done when a ping on the same connection is answered;
        // tool calls are waited for by their own answer.
        const bool waits = line.find("tools/call") != std::string::npos ||
                           line.find("resources/") != std::string::npos ||
                           line.find("prompts/get") != std::string::npos ||
                           line.find("completion/") != std::string::npos ||
                           line.find("subscriptions/") != std::string::npos;
        while (true) {
            const std::string answer = dialogue.hear(waits ? 5s : 0ms);
            if (answer.empty()) break;
            played += "< " + without_long_texts(answer) + "\n";
            if (waits) break;
        }
    }
    return played;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::ostringstream content;
    content << in.rdbuf();
    return content.str();
}

}  // namespace

TEST_CASE("golden dialogues of every revision and of bad clients are answered to the letter") {
    const std::filesystem::path folder = A2H_SOURCE_DIR "/tests/golden/mcp";
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".dialogue") continue;
        CAPTURE(entry.path().string());
        ++files;
        const std::string expected = read_file(entry.path());
        const std::string played = replay(expected);
        if (std::getenv("A2H_ACCEPT") != nullptr) std::ofstream(entry.path()) << played;
        CHECK(played == expected);
    }
    CHECK(files >= 6);
}

TEST_CASE("the list of tools is the golden one") {
    const std::filesystem::path file = A2H_SOURCE_DIR "/tests/golden/mcp/tools.json";
    const std::string listed = tool_list(Toolsets::all()).dump(2) + "\n";
    if (std::getenv("A2H_ACCEPT") != nullptr) std::ofstream(file) << listed;
    CHECK(listed == read_file(file));
}

TEST_CASE("a request that is too large is refused under its own id, so that its client goes on") {
    Dialogue dialogue;
    dialogue.say(R"({"method":"tools/call","params":{"text":")" + std::string(kLineBytesMax, 'x') +
                 R"("},"jsonrpc":"2.0","id":"big"})");
    const auto refused = nlohmann::json::parse(dialogue.hear(0ms));
    CHECK(refused["id"] == "big");
    CHECK(refused["error"]["code"] == -32600);
    CHECK(refused["error"]["message"].get<std::string>().find("262144") != std::string::npos);
    dialogue.say(kPing);
    CHECK(nlohmann::json::parse(dialogue.hear(0ms))["id"] == "ping");
}

TEST_CASE("a slow tool delays neither a ping nor another tool") {
    Dialogue dialogue;
    dialogue.ask(initialize("2025-11-25"));
    dialogue.hold();
    dialogue.say(status_call("1"));
    REQUIRE(dialogue.called(1));
    CHECK(dialogue.ask(kPing)["id"] == "ping");
    dialogue.release();
    CHECK(json::parse(dialogue.hear())["id"] == 1);
}

TEST_CASE("after a cancellation nothing more is said about the request") {
    Dialogue dialogue;
    dialogue.ask(initialize("2025-11-25"));
    dialogue.hold();
    for (const char* id : {"1", "9007199254740993", R"("a\u0062")"})
        dialogue.say(status_call(id));
    REQUIRE(dialogue.called(3));
    dialogue.say(cancel("9007199254740993"));
    dialogue.say(cancel("\"ab\""));
    dialogue.say(cancel("9007199254740992"));
    dialogue.say(cancel("\"1\""));
    dialogue.release();
    CHECK(json::parse(dialogue.hear())["id"] == 1);
    CHECK(dialogue.ask(kPing)["id"] == "ping");
    CHECK(dialogue.silent());
}

TEST_CASE("an id that is used twice at once is answered twice") {
    Dialogue dialogue;
    dialogue.ask(initialize("2025-11-25"));
    dialogue.hold();
    dialogue.say(status_call("5"));
    dialogue.say(status_call("5"));
    dialogue.release();
    CHECK(json::parse(dialogue.hear())["id"] == 5);
    CHECK(json::parse(dialogue.hear())["id"] == 5);
}

TEST_CASE("a batch is answered by one array when the last answer is there") {
    Dialogue dialogue;
    dialogue.ask(initialize("2025-03-26"));
    dialogue.hold();
    dialogue.say("[" + status_call("1") + "," + std::string(kPing) + "," + status_call("3") +
                 R"(,7,{"jsonrpc":"2.0","method":"notifications/x"}])");
    REQUIRE(dialogue.called(2));
    CHECK(dialogue.silent());
    dialogue.say(cancel("3"));
    dialogue.release();
    const json answers = json::parse(dialogue.hear());
    REQUIRE(answers.size() == 3);
    std::set<std::string> ids;
    for (const json& answer : answers)
        ids.insert(answer["id"].dump());
    CHECK(ids == std::set<std::string>{"1", "\"ping\"", "null"});
}

TEST_CASE("a batch without requests is not answered") {
    Dialogue dialogue;
    dialogue.ask(initialize("2024-11-05"));
    dialogue.say(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])");
    CHECK(dialogue.ask(kPing)["id"] == "ping");
    CHECK(dialogue.silent());
}

TEST_CASE("two protocol revisions are served at the same time") {
    Dialogue dialogue;
    const std::string modern =
        R"({"jsonrpc":"2.0","id":"m","method":"tools/list","params":{"_meta":{)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    CHECK(dialogue.ask(modern)["result"]["resultType"] == "complete");
    dialogue.ask(initialize("2024-11-05"));
    CHECK(dialogue.ask(modern)["result"]["tools"][0].contains("outputSchema"));
    const json legacy = dialogue.ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    CHECK(!legacy["result"]["tools"][0].contains("outputSchema"));
    CHECK(!legacy["result"].contains("ttlMs"));
}

TEST_CASE("instructions fit what clients show") {
    Dialogue dialogue;
    const json answer = dialogue.ask(initialize("2025-11-25"));
    CHECK(answer["result"]["instructions"].get<std::string>().size() < 2048);
}

TEST_CASE("random damage to good lines never ends the server") {
    Dialogue dialogue;
    std::mt19937 random(11);
    const std::vector<std::string> good = {
        initialize("2025-03-26"),
        status_call("1"),
        "[" + status_call("2") + "]",
        kPing,
        R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{}}})",
        cancel("1"),
        modern_request("resources/list", R"("cursor":"100",)"),
        modern_request("resources/read", R"("uri":"a2h://inbox/ag_bob",)"),
        modern_request("prompts/get", R"("name":"sell","arguments":{"peer":"ag_bob"},)"),
        modern_request("completion/complete",
                       R"("ref":{"type":"ref/prompt","name":"sell"},"argument":{"name":"peer",)"
                       R"("value":"a"},)"),
        modern_request("subscriptions/listen",
                       R"("notifications":{"resourceSubscriptions":["a2h://status"],)"
                       R"("taskIds":["x"]},)"),
        modern_request("tasks/update", R"("taskId":"x","inputResponses":{"approval":{}},)"),
        R"({"jsonrpc":"2.0","id":4,"method":"resources/subscribe","params":{"uri":"a2h://status"}})"};
    for (int round = 0; round < 3000; ++round) {
        std::string line = good[random() % good.size()];
        for (std::size_t damage = random() % 4; damage > 0; --damage) {
            const std::size_t at = random() % line.size();
            switch (random() % 3) {
                case 0:
                    line[at] = static_cast<char>(random() % 256);
                    break;
                case 1:
                    line.erase(at, 1 + random() % 5);
                    break;
                default:
                    line.insert(at, line.substr(random() % line.size(), random() % 20));
            }
            if (line.empty()) line = "x";
        }
        dialogue.say(line);
    }
    dialogue.say(R"({"jsonrpc":"2.0","id":"last","method":"ping"})");
    std::string line;
    do {
        line = dialogue.hear();
        // Whatever the input, the output is one line of valid JSON.
        CHECK(json::accept(line));
        CHECK(line.find('\n') == std::string::npos);
    } while (line.find("\"last\"") == std::string::npos);
}
