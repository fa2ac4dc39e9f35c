#include "mcp/subscriptions.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/wire/json_member.h"
#include "mcp/framing.h"
#include "mcp/request_id.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kEventsAtOnce = 1000;
constexpr std::string_view kSubscriptionIdKey = "io.modelcontextprotocol/subscriptionId";

/// `params` begins with the member `_meta`, which every message of a stream contains.
std::string stream_params(const std::string& id, const std::string& members) {
    return R"({"_meta":{")" + std::string(kSubscriptionIdKey) + R"(":)" + id + "}" +
           (members.empty() ? "" : "," + members) + "}";
}

std::string json_text(const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

RpcError too_many(std::string words) {
    return {.code = RpcCode::InternalError, .message = std::move(words), .data_json = {}};
}

/// The texts of list `name` in `filter`; nullopt if it is something else.
std::optional<std::vector<std::string>> strings_in(const json& filter, const char* name) {
    std::vector<std::string> strings;
    const auto list = filter.find(name);
    if (list == filter.end()) return strings;
    if (!list->is_array()) return std::nullopt;
    for (const json& one : *list) {
        if (!one.is_string()) return std::nullopt;
        strings.push_back(one.get<std::string>());
    }
    return strings;
}

}  // namespace

Subscriptions::Subscriptions(const Resources& resources, CallDaemon call_daemon, std::string agent,
                             Write write, Times times)
    : resources_(resources),
      call_daemon_(std::move(call_daemon)),
      agent_(std::move(agent)),
      write_(std::move(write)),
      times_(times) {}

Subscriptions::Subscriptions(const Resources& resources, CallDaemon call_daemon, std::string agent,
                             Write write)
    : Subscriptions(resources, std::move(call_daemon), std::move(agent), std::move(write),
                    Times{}) {}

Subscriptions::~Subscriptions() = default;

bool Subscriptions::watch(const std::vector<std::string>& uris) {
    const std::lock_guard lock(mutex_);
    std::size_t more = 0;
    for (const std::string& uri : uris)
        more += Resources::is_constant(uri) || watched_.contains(uri) ? 0 : 1;
    if (watched_.size() + more > kUrisMax) return false;
    for (const std::string& uri : uris) {
        if (!Resources::is_constant(uri)) watched_.try_emplace(uri);
    }
    if (!watched_.empty() && !thread_.joinable()) {
        thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
    changed_.notify_all();
    return true;
}

void Subscriptions::forget_unwatched() {
    std::erase_if(watched_, [&](const auto& row) {
        if (subscribed_.contains(row.first)) return false;
        for (const auto& [key, stream] : streams_) {
            if (stream.uris.contains(row.first)) return false;
        }
        return true;
    });
}

Outcome Subscriptions::subscribe(const json& params, std::stop_token cancelled) {
    const std::string uri = wire::text_member(params, "uri");
    if (!Resources::is_ours(uri)) {
        return RpcError{RpcCode::ResourceNotFound, "Resource not found",
                        R"({"uri":)" + json_text(uri) + "}"};
    }
    {
        const std::lock_guard lock(mutex_);
        subscribed_.insert(uri);
    }
    if (!watch({uri})) {
        const std::lock_guard lock(mutex_);
        subscribed_.erase(uri);
        return too_many("too many resources are subscribed to");
    }
    read_one(uri, true, cancelled);
    return ordered_json::object();
}

Outcome Subscriptions::unsubscribe(const json& params) {
    const std::lock_guard lock(mutex_);
    subscribed_.erase(wire::text_member(params, "uri"));
    forget_unwatched();
    return ordered_json::object();
}

Outcome Subscriptions::listen(const std::string& id, const json& filter,
                              const std::vector<std::string>& known_tasks,
                              std::stop_token cancelled) {
    const auto asked = strings_in(filter, "resourceSubscriptions");
    if (!asked) return invalid_params("resourceSubscriptions must be a list of strings");
    Stream stream{id, {}, {known_tasks.begin(), known_tasks.end()}, false};
    std::vector<std::string> uris;
    for (const std::string& uri : *asked) {
        if (Resources::is_ours(uri) && stream.uris.insert(uri).second) uris.push_back(uri);
    }
    ordered_json honoured = ordered_json::object();
    if (!uris.empty()) honoured["resourceSubscriptions"] = uris;
    if (!known_tasks.empty()) honoured["taskIds"] = known_tasks;
    {
        const std::lock_guard lock(mutex_);
        if (cancelled.stop_requested()) return ordered_json::object();
        if (streams_.size() >= kStreamsMax) return too_many("too many streams are open");
        // Stored before anything is read, so that a cancellation finds it.
        streams_[id_key(id)] = stream;
    }
    if (!watch(uris)) {
        cancel(id_key(id));
        return too_many("too many resources are watched");
    }
    for (const std::string& uri : uris)
        read_one(uri, true, cancelled);
    const std::lock_guard lock(mutex_);
    const auto place = streams_.find(id_key(id));
    if (place == streams_.end()) return ordered_json::object();
    place->second.acknowledged = true;
    write_(request_line(
        {}, "notifications/subscriptions/acknowledged",
        stream_params(id, R"("notifications":)" +
                              honoured.dump(-1, ' ', false, json::error_handler_t::replace))));
    return ordered_json::object();
}

void Subscriptions::cancel(const std::string& id_key) {
    const std::lock_guard lock(mutex_);
    if (streams_.erase(id_key) > 0) forget_unwatched();
}

void Subscriptions::end_streams() {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, stream] : streams_) {
        write_(result_line(
            stream.id, R"({"resultType":"complete",)" + stream_params(stream.id, {}).substr(1)));
    }
    streams_.clear();
    forget_unwatched();
}

void Subscriptions::task_changed(const std::string& id, const ordered_json& task) {
    const std::string members = task.dump(-1, ' ', false, json::error_handler_t::replace);
    const std::lock_guard lock(mutex_);
    for (const auto& [key, stream] : streams_) {
        if (!stream.acknowledged || !stream.tasks.contains(id)) continue;
        write_(request_line({}, "notifications/tasks",
                            stream_params(stream.id, members.substr(1, members.size() - 2))));
    }
}

void Subscriptions::notify(const std::string& uri) {
    const std::string member = R"("uri":)" + json_text(uri);
    if (subscribed_.contains(uri)) {
        write_(request_line({}, "notifications/resources/updated", "{" + member + "}"));
    }
    for (const auto& [key, stream] : streams_) {
        if (!stream.acknowledged || !stream.uris.contains(uri)) continue;
        write_(
            request_line({}, "notifications/resources/updated", stream_params(stream.id, member)));
    }
}

void Subscriptions::read_one(const std::string& uri, bool patient,
                             const std::stop_token& cancelled) {
    std::uint64_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        const auto watched = watched_.find(uri);
        if (watched == watched_.end()) return;
        watched->second.read_at = std::chrono::steady_clock::now();
        number = ++reads_;
    }
    const auto content = resources_.content(uri, patient, cancelled);
    const bool unreadable = !content && content.error().code != ErrorCode::NotFound;
    const std::size_t digest = content ? content->digest : 0;
    const std::lock_guard lock(mutex_);
    const auto watched = watched_.find(uri);
    // A later read may have ended before this one.
    if (watched == watched_.end() || watched->second.read_number > number) return;
    // Nothing can be reported while the resource cannot be read. That it can be read again is a
    // change.
    if (unreadable && watched->second.known) return;
    const bool is_new = watched->second.known && watched->second.digest != digest;
    watched->second.digest = digest;
    watched->second.known = true;
    watched->second.read_number = number;
    if (is_new) notify(uri);
}

void Subscriptions::read_all(const std::stop_token& cancelled) {
    std::vector<std::string> due;
    {
        const std::lock_guard lock(mutex_);
        const auto now = std::chrono::steady_clock::now();
        for (const auto& [uri, watched] : watched_) {
            const bool rests =
                Resources::is_remote(uri) && now - watched.read_at < times_.market_rest;
            if (!rests) due.push_back(uri);
        }
    }
    for (const std::string& uri : due) {
        if (cancelled.stop_requested()) return;
        read_one(uri, false, cancelled);
    }
}

void Subscriptions::run(const std::stop_token& stop) {
    std::optional<std::int64_t> cursor;
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait(lock, stop, [&] { return !watched_.empty(); })) return;
        }
        if (wait_for_events(cursor, stop)) {
            read_all(stop);
            continue;
        }
        // Events from that time are found by reading again when a2hd is back.
        cursor.reset();
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, stop, times_.retry, [] { return false; });
    }
}

bool Subscriptions::wait_for_events(std::optional<std::int64_t>& cursor,
                                    const std::stop_token& stop) {
    // For internal use: a model gets notifications and not events.
    json params = {{"face", "human"}, {"wait_seconds", 0}, {"limit", kEventsAtOnce}};
    if (cursor) {
        params["after_id"] = *cursor;
        params["wait_seconds"] = times_.check_every.count();
    }
    if (!agent_.empty()) params["agent"] = agent_;
    const auto answered = call_daemon_({.method = "events.list",
                                        .params_json = params.dump(),
                                        .repeatable = true,
                                        .patient = false},
                                       stop);
    const json envelope = answered ? json::parse(*answered, nullptr, false) : json();
    const json& last_id = wire::member(wire::member(envelope, "data"), "last_id");
    if (!last_id.is_number_integer()) return false;
    cursor = last_id.get<std::int64_t>();
    return true;
}

}  // namespace a2h::mcp
