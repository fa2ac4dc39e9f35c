#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "mcp/dispatcher.h"

namespace a2h::test {

/// A client and a daemon around one `Dispatcher`. The daemon answers `on[method](params)` as data,
/// or what a row of `refusals` says; an unknown method is not reachable.
class Host {
  public:
    using json = nlohmann::json;

    std::map<std::string, std::function<json(const json& params)>> on;
    std::map<std::string, std::string> refusals;  ///< code by method

    /// `change_count`: as of `DaemonLink`; without it nothing is remembered.
    explicit Host(mcp::ChangeCount change_count = {})
        : dispatcher_([this](std::string line) { keep(std::move(line)); },
                      [this](const mcp::DaemonCall& call, std::stop_token cancelled) {
                          return daemon(call, std::move(cancelled));
                      },
                      "", mcp::Toolsets::all(), std::move(change_count)) {}
    ~Host() {
        // Calls that are held would keep the dispatcher's threads.
        release();
    }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    void initialize(std::string_view version, const json& capabilities = json::object()) {
        ask("initialize", {{"protocolVersion", version},
                           {"capabilities", capabilities},
                           {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
    }
    static json modern(json params = json::object(), const json& capabilities = json::object()) {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
        return params;
    }

    void say(const json& message) { say_line(message.dump()); }
    void say_line(std::string_view line) { dispatcher_.take_line(line); }
    int request(std::string_view method, const json& params = json::object()) {
        say({{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", params}});
        return last_id_;
    }
    /// The next message; null when none comes.
    json hear(std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
        const std::string line = hear_line(timeout);
        return line.empty() ? json() : json::parse(line);
    }
    /// The same as written; empty when none comes.
    std::string hear_line(std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, timeout, [&] { return !heard_.empty(); })) return {};
        std::string line = std::move(heard_.front());
        heard_.pop_front();
        return line;
    }
    json ask(std::string_view method, const json& params = json::object()) {
        request(method, params);
        return hear();
    }
    bool silent() {
        const std::lock_guard lock(mutex_);
        return heard_.empty();
    }
    /// The end of input; false if calls still run after a while.
    bool end() {
        dispatcher_.end_input();
        return dispatcher_.wait_for_calls(std::chrono::steady_clock::now() +
                                          std::chrono::seconds(10));
    }

    /// Calls of `method` do not return until `release` or their cancellation.
    void hold(std::string method) {
        const std::lock_guard lock(mutex_);
        held_ = std::move(method);
    }
    void release() { hold({}), changed_.notify_all(); }
    /// Waits until `method` was called `count` times.
    bool called(const std::string& method, int count = 1) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(10),
                                 [&] { return calls_[method] >= count; });
    }
    int count_of(const std::string& method) {
        const std::lock_guard lock(mutex_);
        return calls_[method];
    }
    /// Changes what the daemon answers while it may be asked.
    void change(const std::function<void()>& what) {
        {
            const std::lock_guard lock(mutex_);
            what();
            ++event_;
        }
        changed_.notify_all();
    }

  private:
    void keep(std::string line) {
        {
            const std::lock_guard lock(mutex_);
            heard_.push_back(std::move(line));
        }
        changed_.notify_all();
    }
    Result<std::string> daemon(const mcp::DaemonCall& call, std::stop_token cancelled) {
        const std::string method(call.method);
        const json params = json::parse(call.params_json);
        std::unique_lock lock(mutex_);
        ++calls_[method];
        changed_.notify_all();
        if (!changed_.wait(lock, cancelled, [&] { return held_ != method; })) {
            return fail(ErrorCode::Timeout, "cancelled");
        }
        if (method == "events.list") return events(lock, params, cancelled);
        if (const auto refusal = refusals.find(method); refusal != refusals.end()) {
            return json{{"ok", false},
                        {"action", method},
                        {"error",
                         {{"code", refusal->second},
                          {"message", "refused"},
                          {"next", "wait"},
                          {"approval_id", "apr_1"}}}}
                .dump();
        }
        const auto row = on.find(method);
        if (row == on.end()) return fail(ErrorCode::Unavailable, "a2hd is not running");
        return json{{"ok", true}, {"action", method}, {"data", row->second(params)}}.dump();
    }
    /// Answers as a2hd does: if there is an event after `after_id`, or at once if no wait is
    /// requested.
    Result<std::string> events(std::unique_lock<std::mutex>& lock, const json& params,
                               std::stop_token cancelled) {
        if (params.contains("after_id")) {
            const int after = params["after_id"];
            if (!changed_.wait(lock, cancelled, [&] { return event_ > after; })) {
                return fail(ErrorCode::Timeout, "cancelled");
            }
        }
        return json{{"ok", true},
                    {"action", "events.list"},
                    {"data", {{"events", json::array()}, {"last_id", event_}}}}
            .dump();
    }

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::string> heard_;
    std::map<std::string, int> calls_;
    std::string held_;
    int event_ = 7;
    int last_id_ = 0;
    mcp::Dispatcher dispatcher_;
};

}  // namespace a2h::test
