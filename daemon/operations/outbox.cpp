#include <functional>
#include <memory>

#include <nlohmann/json.hpp>

#include "core/base/money.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/store/outbox_store.h"
#include "core/wire/json_member.h"
#include "core/wire/payload.h"
#include "daemon/consent/door.h"
#include "daemon/consent/unsent.h"
#include "daemon/effects/rows.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"
#include "daemon/outcome/commits.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct OutboxParts {
    const kernel::Kernel& kernel;
    const outcome::Commits& commits;
};

constexpr int kOutboxListed = 100;

/// With its currency; empty if the message names no price.
std::string price_of(const wire::PayloadView& payload) {
    const auto price = parse_money(payload.offer_amount, payload.offer_currency);
    return price ? to_text(*price) : std::string();
}

json outbox_json(const OutboxMessage& message) {
    const wire::PayloadView payload = wire::view_payload(message.payload_json);
    return {{"id", message.id},
            {"target_id", message.target_id},
            {"message_id", message.message_id},
            {"type", payload.type},
            {"amount", price_of(payload)},
            {"text", preview(payload.text)},
            {"state", to_string(message.state)},
            {"right", to_string(message.permit_right)},
            {"permitted_by", message.permitted_by},
            {"attempts", message.attempts},
            {"last_error", message.last_error},
            {"created_at", to_utc_time(message.created_at_ms)},
            {"expires_at", to_utc_time(message.expires_at_ms)}};
}

/// A row that was forged or changed never leaves, so it is not queued again.
Result<void> check_permit(store::Database& db, std::int64_t id) {
    A2H_ASSIGN_OR_RETURN(const auto message, store::get_outbox(db, id));
    if (!message) return {};
    A2H_ASSIGN_OR_RETURN(const bool permitted, consent::has_permit(db, *message));
    if (permitted) return {};
    return fail(ErrorCode::PermissionDenied,
                "message " + message->message_id +
                    " has no permit, or was changed after it was given, so it cannot be sent");
}

/// A change of one row, or of all rows that a restore held.
struct OutboxChange {
    std::function<Result<void>(store::Database&, std::int64_t id)> one;
    std::function<Result<std::int64_t>(store::Database&)> held;
    OutboxState state;
};

void change(const OutboxParts& parts, const Call& call, const Reply& reply, OutboxChange change) {
    const bool all_held = call.arguments.value("all_held", false);
    const std::int64_t id = call.number("id", 0);
    if (all_held == (id != 0)) {
        reply(error_result(call.action, {ErrorCode::InvalidArgument, "give id or all_held"}));
        return;
    }
    auto count = std::make_shared<std::int64_t>(1);
    parts.kernel.write(
        store::Writer::Priority::Urgent,
        [change, id, count](store::Database& db) -> Result<void> {
            if (id != 0) return change.one(db, id);
            A2H_ASSIGN_OR_RETURN(const auto changed, change.held(db));
            *count = changed;
            return {};
        },
        [&parts, action = call.action, id, count, reply,
         state = change.state](const Result<void>& written) {
            if (!written) {
                reply(error_result(action, written.error()));
                return;
            }
            parts.commits.rows_written();
            json data{{"state", to_string(state)}, {"count", *count}};
            if (id != 0) data["id"] = id;
            reply(ok_result(action, std::move(data)));
        });
}

Result<json> handle_outbox_list(const OutboxParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto list,
                         store::list_outbox(parts.kernel.reader, call.agent_id(),
                                            parse_outbox_state(call.text("state")), kOutboxListed));
    return json{{"items", wire::array_of(list, outbox_json)}};
}

void handle_outbox_requeue(const OutboxParts& parts, const Call& call, const Reply& reply) {
    const UnixMs now_ms = parts.kernel.clock.now_ms();
    change(parts, call, reply,
           {[now_ms](store::Database& db, std::int64_t id) -> Result<void> {
                A2H_TRY(check_permit(db, id));
                A2H_TRY(store::requeue_outbox(db, id, now_ms, effects::kOutboxLifetimeMs));
                A2H_ASSIGN_OR_RETURN(const auto message, store::get_outbox(db, id));
                return consent::record_queued_again(db, *message, now_ms);
            },
            [agent = call.agent_id(), now_ms](store::Database& db) {
                return store::requeue_held_outbox(db, agent, now_ms, effects::kOutboxLifetimeMs);
            },
            OutboxState::Queued});
}

void handle_outbox_drop(const OutboxParts& parts, const Call& call, const Reply& reply) {
    const UnixMs now_ms = parts.kernel.clock.now_ms();
    change(parts, call, reply,
           {[now_ms](store::Database& db, std::int64_t id) -> Result<void> {
                A2H_TRY(store::drop_outbox(db, id, now_ms));
                A2H_ASSIGN_OR_RETURN(const auto message, store::get_outbox(db, id));
                return consent::record_unsent(db, *message, "the owner has dropped it", now_ms);
            },
            [agent = call.agent_id(), now_ms](store::Database& db) {
                return store::drop_held_outbox(db, agent, now_ms);
            },
            OutboxState::Dropped});
}

}  // namespace

void add_outbox(Table& table, const AllParts& all) {
    const OutboxParts parts{all.kernel, all.commits};
    table.add("outbox.list", with(parts, handle_outbox_list));
    table.add("outbox.requeue", with(parts, handle_outbox_requeue));
    table.add("outbox.drop", with(parts, handle_outbox_drop));
}

}  // namespace a2h::operations
