#include <memory>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/notification_store.h"
#include "core/wire/json_member.h"
#include "daemon/config/current.h"
#include "daemon/kernel/kernel.h"
#include "daemon/notify/channel_trial.h"
#include "daemon/notify/notification_queue.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct NotifyParts {
    const kernel::Kernel& kernel;
    const Current<Config>& config;
    const Current<notify::Audience>& audience;
};

constexpr int kNotificationsListed = 50;

/// The results of all channels in order; `done` is called when all have answered.
struct Trial {
    std::size_t left = 0;
    json results = json::array();
    bool all_reached = true;
    Reply reply;
};

void finish(Trial& trial, const std::string& action) {
    if (trial.all_reached) return trial.reply(ok_result(action, {{"channels", trial.results}}));
    std::string message = "not every channel took the test notification";
    for (const json& tried : trial.results) {
        if (tried["ok"] == false) {
            message += "; " + tried["channel"].get<std::string>() + ": " +
                       tried["detail"].get<std::string>();
        }
    }
    json result =
        error_result_about(action, {ErrorCode::Unavailable, message}, "not_every_channel",
                           "Look at channels[].detail and put the channel right in config.toml.");
    result["error"]["channels"] = trial.results;
    trial.reply(result);
}

void start(const NotifyParts& parts, const std::shared_ptr<notify::Channel>& channel,
           std::size_t place, const std::shared_ptr<Trial>& trial, const std::string& action) {
    using Outcome = Result<std::string>;
    parts.kernel.run_blocking<Outcome>(
        [channel, language = parts.config->language] {
            return notify::try_channel(*channel, language);
        },
        [trial, place, action](const Outcome& outcome) {
            trial->results[place]["ok"] = outcome.has_value();
            trial->results[place]["detail"] = outcome ? *outcome : outcome.error().message;
            trial->all_reached = trial->all_reached && outcome;
            if (--trial->left == 0) finish(*trial, action);
        },
        [] { return Outcome(fail(ErrorCode::Unavailable, "a2hd is too busy")); });
}

json notification_json(const Notification& row) {
    json object{{"id", row.id},
                {"person", row.person},
                {"channel", row.channel},
                {"step", row.step + 1},
                {"priority", to_string(row.priority)},
                {"kind", row.kind},
                {"state", row.state},
                {"outcome", row.outcome},
                {"attempts", row.attempts},
                {"created_at", to_utc_time(row.created_at_ms)},
                {"updated_at", to_utc_time(row.updated_at_ms)}};
    if (!row.approval_id.empty()) object["approval_id"] = row.approval_id;
    const json body = json::parse(row.body_json, nullptr, false);
    const std::string other = wire::text_member(body, "instead_of");
    if (!other.empty()) object["instead_of"] = other;
    if (row.state == "queued" || row.state == "waiting") {
        object["next_attempt_at"] = to_utc_time(row.next_attempt_ms);
    }
    return object;
}

void handle_notify_test(const NotifyParts& parts, const Call& call, const Reply& reply) {
    const std::string name = call.text("channel");
    const auto channels =
        notify::channels_in_use(parts.audience->channels, parts.config->approval.people, name);
    if (channels.empty()) {
        reply(error_result(call.action, {ErrorCode::NotFound,
                                         name.empty() ? "no channel is configured"
                                                      : "there is no channel \"" + name + "\""}));
        return;
    }
    const auto trial = std::make_shared<Trial>();
    trial->left = channels.size();
    trial->reply = reply;
    for (const auto& channel : channels) {
        trial->results.push_back({{"channel", channel->name()}, {"kind", channel->kind()}});
    }
    for (std::size_t place = 0; place < channels.size(); ++place)
        start(parts, channels[place], place, trial, call.action);
}

Result<json> handle_notify_list(const NotifyParts& parts, const Call&) {
    A2H_ASSIGN_OR_RETURN(const auto rows,
                         store::list_notifications(parts.kernel.reader, kNotificationsListed));
    return json{{"items", wire::array_of(rows, notification_json)}};
}

}  // namespace

void add_notify(Table& table, const AllParts& all) {
    const NotifyParts parts{all.kernel, all.config, all.audience};
    table.add("notify.test", with(parts, handle_notify_test));
    table.add("notify.list", with(parts, handle_notify_list));
}

}  // namespace a2h::operations
