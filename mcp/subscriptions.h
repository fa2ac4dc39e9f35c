#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "mcp/daemon_call.h"
#include "mcp/resources.h"
#include "mcp/version.h"

namespace a2h::mcp {

/// Notifies clients when a resource or a task has changed.
///
/// A thread, started by the first subscription, waits for events of a2hd. After each event, and
/// every `Times::check_every`, it reads the watched resources again and compares them. It starts no
/// daemon.
///
/// Thread:  any.
/// Source:  MCP 2025-11-25, "Resources", Subscriptions; MCP 2026-07-28, "Subscriptions".
class Subscriptions {
  public:
    using Write = std::function<void(std::string line)>;

    static constexpr std::size_t kUrisMax = 1000;
    static constexpr std::size_t kStreamsMax = 64;

    struct Times {
        std::chrono::seconds check_every{25};          ///< also how long a request to a2hd waits
        std::chrono::milliseconds market_rest{10000};  ///< between two reads of one order
        std::chrono::milliseconds retry{1000};         ///< while a2hd does not answer
    };

    /// `resources` must outlive the object.
    Subscriptions(const Resources& resources, CallDaemon call_daemon, std::string agent,
                  Write write, Times times);
    Subscriptions(const Resources& resources, CallDaemon call_daemon, std::string agent,
                  Write write);
    ~Subscriptions();
    Subscriptions(const Subscriptions&) = delete;
    Subscriptions& operator=(const Subscriptions&) = delete;

    /// resources/subscribe, up to 2025-11-25. Changes after it returned are noticed.
    ///
    /// Errors:  ResourceNotFound; InternalError if too much is watched.
    Outcome subscribe(const nlohmann::json& params, std::stop_token cancelled);
    Outcome unsubscribe(const nlohmann::json& params);

    /// subscriptions/listen: confirms the accepted subscriptions and opens the stream of request
    /// `id`, raw text. `known_tasks` are the requested tasks that exist.
    ///
    /// Errors:  InvalidParams; InternalError if too much is open.
    Outcome listen(const std::string& id, const nlohmann::json& filter,
                   const std::vector<std::string>& known_tasks, std::stop_token cancelled);
    /// The client has cancelled that request: nothing more is sent about it.
    void cancel(const std::string& id_key);
    /// Ends every stream with its result, because the program is about to end.
    void end_streams();

    /// Notifies the listeners of task `id`; `task` is the result of tasks/get.
    void task_changed(const std::string& id, const nlohmann::ordered_json& task);

  private:
    struct Watched {
        std::size_t digest = 0;
        bool known = false;             ///< read at least once
        std::uint64_t read_number = 0;  ///< number of the read with this digest
        std::chrono::steady_clock::time_point read_at{};
    };
    struct Stream {
        std::string id;  ///< raw text
        std::set<std::string> uris;
        std::set<std::string> tasks;
        bool acknowledged = false;  ///< nothing may be sent before that
    };

    bool watch(const std::vector<std::string>& uris);
    void forget_unwatched();
    void read_one(const std::string& uri, bool patient, const std::stop_token& cancelled);
    void read_all(const std::stop_token& cancelled);
    void notify(const std::string& uri);

    void run(const std::stop_token& stop);
    /// Waits for events after `cursor` and updates it; false if a2hd did not answer.
    bool wait_for_events(std::optional<std::int64_t>& cursor, const std::stop_token& stop);

    const Resources& resources_;
    const CallDaemon call_daemon_;
    const std::string agent_;
    const Write write_;
    const Times times_;

    std::mutex mutex_;  ///< held while writing, because nothing may follow a cancellation
    std::condition_variable_any changed_;
    std::map<std::string, Watched> watched_;
    std::set<std::string> subscribed_;       ///< by resources/subscribe
    std::map<std::string, Stream> streams_;  ///< keyed by `id_key`
    std::uint64_t reads_ = 0;
    std::jthread thread_;  ///< last, because it uses everything above
};

}  // namespace a2h::mcp
