#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/deed_store.h"
#include "core/store/demand_store.h"
#include "core/wire/canonical.h"
#include "daemon/demand/realise.h"
#include "daemon/demand/steps.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

/// One plan on its way to what is done; its deeds go one after the other.
struct Applying {
    Runtime& runtime;
    std::string action;
    Face face;
    Agent& agent;
    std::string channel_id;
    demand::Realisation as;
    std::vector<demand::Deed> left;
    json items;
    Reply reply;
};

json item_of(const std::string& subject, const json& result) {
    json item{{"subject", subject}, {"ok", result.value("ok", false)}};
    for (const char* name : {"data", "error"}) {
        if (result.contains(name)) item[name] = result[name];
    }
    return item;
}

/// Done, or put to the human: it must not be asked again.
bool is_under_way(const json& item) {
    if (item["ok"] == true) return true;
    return item.contains("error") && item["error"].contains("approval_id");
}

void apply_next(const std::shared_ptr<Applying>& applying);

store::StoredDeed row_of(const Applying& applying, const std::string& subject) {
    return {applying.channel_id,
            std::string(to_string(applying.as)),
            subject,
            {},
            applying.runtime.context.clock.now_ms()};
}

/// Writes `work` and goes on.
void write_then_next(const std::shared_ptr<Applying>& applying, store::Writer::Work work) {
    applying->runtime.context.write(
        store::Writer::Priority::Grouped, std::move(work), [applying](const Result<void>& written) {
            if (written) return apply_next(applying);
            applying->reply(error_result(applying->action, written.error()));
        });
}

void keep(const std::shared_ptr<Applying>& applying, const json& item) {
    store::StoredDeed deed = row_of(*applying, item["subject"]);
    if (!is_under_way(item)) {
        return write_then_next(
            applying, [deed](store::Database& db) { return store::release_deed(db, deed); });
    }
    deed.result_json = wire::canonical_json(item);
    write_then_next(applying, [deed](store::Database& db) { return store::settle_deed(db, deed); });
}

void handle_deed(Runtime& runtime, const Call& call, const Reply& reply) {
    if (call.action == "task.assign") return handle_task_assign(runtime, call, reply);
    if (call.action == "send") return handle_send(runtime, call, reply);
    handle_market(runtime, call, reply);
}

void make(const std::shared_ptr<Applying>& applying, const demand::Deed& deed) {
    const json arguments = json::parse(deed.arguments_json);
    handle_deed(applying->runtime, Call{deed.action, applying->face, applying->agent, arguments},
                [applying, subject = deed.subject](const json& result) {
                    json item = item_of(subject, result);
                    applying->items.push_back(item);
                    keep(applying, item);
                });
}

json claimed_before(const store::StoredDeed& deed) {
    json item = json::parse(deed.result_json, nullptr, false);
    if (!item.is_object()) item = {{"subject", deed.subject}, {"ok", false}, {"unknown", true}};
    item["before"] = true;
    return item;
}

/// Claims the next one, so that nobody else makes it, and makes it.
void apply_next(const std::shared_ptr<Applying>& applying) {
    if (applying->left.empty()) {
        return applying->reply(ok_result(applying->action, {{"channel_id", applying->channel_id},
                                                            {"as", to_string(applying->as)},
                                                            {"items", applying->items}}));
    }
    const demand::Deed deed = std::move(applying->left.front());
    applying->left.erase(applying->left.begin());
    auto claimed = std::make_shared<std::optional<store::StoredDeed>>();
    applying->runtime.context.write(
        store::Writer::Priority::Grouped,
        [row = row_of(*applying, deed.subject), claimed](store::Database& db) -> Result<void> {
            const auto is_ours = store::claim_deed(db, row);
            if (!is_ours) return fail(is_ours.error());
            if (*is_ours) return {};
            auto before = store::get_deed(db, row);
            if (!before) return fail(before.error());
            *claimed = std::move(*before);
            return {};
        },
        [applying, deed, claimed](const Result<void>& written) {
            if (!written) return applying->reply(error_result(applying->action, written.error()));
            if (!*claimed) return make(applying, deed);
            applying->items.push_back(claimed_before(**claimed));
            apply_next(applying);
        });
}

Result<demand::Run> finished_run(store::Database& db, const Call& call) {
    const std::string id = call.text("demand_id");
    auto channel = store::channel_of_demand(db, id);
    if (channel && !*channel) channel = store::get_channel(db, id);
    if (!channel) return fail(channel.error());
    if (!*channel || (*channel)->agent_id != call.agent_id()) {
        return fail(ErrorCode::NotFound, "there is no negotiation " + id);
    }
    auto run = demand::read_run(db, (*channel)->channel_id);
    if (!run) return fail(run.error());
    if ((*run)->channel.state != ChannelState::Finalized) {
        return fail(ErrorCode::Conflict, "negotiation " + id + " is " +
                                             std::string(to_string((*run)->channel.state)) +
                                             "; only what was finalised can be made real");
    }
    return std::move(**run);
}

}  // namespace

void handle_negotiation_apply(Runtime& runtime, const Call& call, const Reply& reply) {
    const auto run = finished_run(runtime.context.reader, call);
    if (!run) return reply(error_result(call.action, run.error()));
    const demand::Realisation as = *demand::parse_realisation(call.text("as"));
    const auto gaps =
        wire::read_gaps(json::parse(run->channel.gaps_json, nullptr, /*allow_exceptions=*/false));
    auto applying = std::make_shared<Applying>(
        Applying{runtime, call.action, call.face, call.agent, run->channel.channel_id, as,
                 demand::deeds_of(*run, gaps, as), json::array(), reply});
    apply_next(applying);
}

}  // namespace a2h::operations
