#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/daemon_call.h"
#include "cli/handlers.h"
#include "cli/render.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

std::optional<std::int64_t> to_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
    return number;
}

Failure not_a_number(const Invocation& invocation, std::string_view name) {
    return {
        std::string(kUsageCode),
        invocation.text("cli.not_a_number", {{"name", name}, {"value", invocation.value(name)}}),
        {},
        {}};
}

Outcome change_outbox(const Invocation& invocation, std::string_view action) {
    if (invocation.has("--held") && !invocation.has("ID")) {
        json all_held = json::object();
        all_held["all_held"] = true;
        return call_daemon(invocation, action, std::move(all_held), render_outbox_change);
    }
    const auto id = to_number(invocation.value("ID"));
    if (!id) return not_a_number(invocation, "ID");
    return call_daemon(invocation, action, {{"id", *id}}, render_outbox_change);
}

}  // namespace

Outcome run_inbox(const Invocation& invocation) {
    json params = json::object();
    if (invocation.has("--limit")) {
        const auto limit = to_number(invocation.value("--limit"));
        if (!limit) return not_a_number(invocation, "--limit");
        params["limit"] = *limit;
    }
    if (!invocation.has("PEER")) {
        return call_daemon(invocation, "inbox.list", params, render_conversations);
    }
    params["peer_id"] = invocation.value("PEER");
    return call_daemon(invocation, "inbox.history", params, render_history);
}

Outcome run_send(const Invocation& invocation) {
    return call_daemon(
        invocation, "send",
        {{"target_agent_id", invocation.value("PEER")}, {"text", invocation.value("TEXT")}},
        render_sent);
}

Outcome run_outbox_list(const Invocation& invocation) {
    json params = json::object();
    if (invocation.has("--state")) params["state"] = invocation.value("--state");
    return call_daemon(invocation, "outbox.list", params, render_outbox);
}

Outcome run_outbox_requeue(const Invocation& invocation) {
    return change_outbox(invocation, "outbox.requeue");
}

Outcome run_outbox_drop(const Invocation& invocation) {
    return change_outbox(invocation, "outbox.drop");
}

}  // namespace a2h::cli
