#include "mcp/tasks.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/time_text.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kPollIntervalMs = 1000;
constexpr UnixMs kLifetimeMs = std::chrono::milliseconds(Tasks::kLifetime).count();

RpcError unknown_task() {
    return invalid_params("Unknown or expired task");
}

std::string member_text(std::string_view name, const ordered_json& value) {
    return ordered_json{{name, value}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

Tasks::Tasks(const a2h::Clock& clock, Changed changed)
    : clock_(clock), changed_(std::move(changed)) {}

bool Tasks::is_taken_by(const json& capabilities) {
    return wire::member(wire::member(capabilities, "extensions"), kTasksExtension).is_object();
}

RpcError Tasks::missing_capability() {
    const json needed = {
        {"requiredCapabilities", {{"extensions", {{kTasksExtension, json::object()}}}}}};
    return {RpcCode::MissingCapability, "Missing required client capability", needed.dump()};
}

void Tasks::sweep() {
    const UnixMs oldest = clock_.now_ms() - kLifetimeMs;
    std::erase_if(tasks_, [&](const auto& row) { return row.second.created_ms < oldest; });
}

std::optional<std::string> Tasks::create() {
    const std::lock_guard lock(mutex_);
    sweep();
    if (tasks_.size() >= kTasksMax) {
        // The oldest result is removed to make room.
        auto oldest = tasks_.end();
        for (auto each = tasks_.begin(); each != tasks_.end(); ++each) {
            const bool older =
                oldest == tasks_.end() || each->second.updated_ms < oldest->second.updated_ms;
            if (each->second.is_over() && older) oldest = each;
        }
        if (oldest == tasks_.end()) return std::nullopt;
        tasks_.erase(oldest);
    }
    std::string id = wire::new_token();
    Task& task = tasks_[id];
    task.created_ms = clock_.now_ms();
    task.updated_ms = task.created_ms;
    return id;
}

void Tasks::remove(const std::string& id) {
    const std::lock_guard lock(mutex_);
    tasks_.erase(id);
}

bool Tasks::knows(const std::string& id) {
    const std::lock_guard lock(mutex_);
    sweep();
    return tasks_.contains(id);
}

ordered_json Tasks::to_json(const std::string& id, const Task& task) {
    const char* status = "working";
    if (task.status == Status::InputRequired) status = "input_required";
    if (task.status == Status::Completed) status = "completed";
    if (task.status == Status::Failed) status = "failed";
    if (task.status == Status::Cancelled) status = "cancelled";
    ordered_json object = {{"taskId", id},
                           {"status", status},
                           {"createdAt", to_utc_time(task.created_ms)},
                           {"lastUpdatedAt", to_utc_time(task.updated_ms)},
                           {"ttlMs", kLifetimeMs},
                           {"pollIntervalMs", kPollIntervalMs}};
    if (!task.member.empty()) object.update(ordered_json::parse(task.member));
    return object;
}

ordered_json Tasks::handle(const std::string& id) {
    const std::lock_guard lock(mutex_);
    ordered_json object = to_json(id, tasks_[id]);
    object["resultType"] = "task";
    return object;
}

void Tasks::move(const std::string& id, Status status, std::string member) {
    ordered_json object;
    {
        const std::lock_guard lock(mutex_);
        const auto task = tasks_.find(id);
        if (task == tasks_.end() || task->second.is_over()) return;
        task->second.status = status;
        task->second.updated_ms = clock_.now_ms();
        task->second.member = std::move(member);
        object = to_json(id, task->second);
    }
    changed_(id, object);
}

void Tasks::finish(const std::string& id, const Outcome& outcome) {
    if (const auto* result = std::get_if<ordered_json>(&outcome)) {
        return move(id, Status::Completed, member_text("result", *result));
    }
    const auto& error = std::get<RpcError>(outcome);
    ordered_json object = {{"code", static_cast<int>(error.code)}, {"message", error.message}};
    if (!error.data_json.empty()) object["data"] = ordered_json::parse(error.data_json);
    move(id, Status::Failed, member_text("error", object));
}

void Tasks::ask(const std::string& id, const ordered_json& input_requests) {
    move(id, Status::InputRequired, member_text("inputRequests", input_requests));
}

std::optional<json> Tasks::take_answers(const std::string& id, const json& responses) {
    ordered_json pending;
    json answers;
    {
        const std::lock_guard lock(mutex_);
        const auto task = tasks_.find(id);
        if (task == tasks_.end() || task->second.status != Status::InputRequired) {
            return std::nullopt;
        }
        pending = ordered_json::parse(task->second.member)["inputRequests"];
        answers = json::parse(task->second.answers);
        bool answered = false;
        for (const auto& [name, response] : responses.items()) {
            if (pending.erase(name) == 0) continue;
            answers[name] = response;
            answered = true;
        }
        if (!answered) return std::nullopt;
        task->second.answers = answers.dump(-1, ' ', false, json::error_handler_t::replace);
        // Of two updates at once only one may find everything answered.
        if (pending.empty()) task->second.status = Status::Working;
    }
    if (!pending.empty()) {
        ask(id, pending);
        return std::nullopt;
    }
    move(id, Status::Working, {});
    return answers;
}

Outcome Tasks::get(const std::string& id) {
    const std::lock_guard lock(mutex_);
    sweep();
    const auto task = tasks_.find(id);
    if (task == tasks_.end()) return unknown_task();
    return to_json(id, task->second);
}

Outcome Tasks::cancel(const std::string& id) {
    if (!knows(id)) return unknown_task();
    // A task that has ended stays unchanged, which is not an error.
    move(id, Status::Cancelled, {});
    return ordered_json::object();
}

}  // namespace a2h::mcp
