#include <array>
#include <memory>

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/approval_store.h"
#include "core/store/event_store.h"
#include "core/wire/json_member.h"
#include "daemon/config/current.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

using FollowParts = Asker;

constexpr int kChangesDefault = 20;
constexpr int kWaitDefault = 25;  // seconds; clients give up a call after 60
constexpr milliseconds kCheckEvery{100};

/// A call that is possible in the present state of an approval, in the form for a model.
json call_row(std::string_view tool, json arguments) {
    return {{"tool", tool}, {"arguments", std::move(arguments)}};
}

struct Place {
    std::string_view actions;  ///< prefix of the action
    std::string_view tool;     ///< shows the result of the action
};
constexpr std::array<Place, 6> kPlaces{{{"order.", "a2h_order_list"},
                                        {"works.", "a2h_works_list"},
                                        {"discussion.", "a2h_discussion_list"},
                                        {"proposal.", "a2h_proposal_list"},
                                        {"profile.", "a2h_profile_get"},
                                        {"payment.", "a2h_payment_methods"}}};

json result_calls(const Approval& approval) {
    for (const Place& place : kPlaces) {
        if (approval.action.starts_with(place.actions)) {
            return json::array({call_row(place.tool, json::object())});
        }
    }
    if (approval.peer_id.empty()) return json::array();
    return json::array({call_row("a2h_inbox_history", {{"peer_id", approval.peer_id}})});
}

json wait_for(std::string_view approval_id) {
    return call_row("a2h_approval_wait", {{"approval_id", approval_id}});
}

json next_calls(const Approval& approval, std::string_view next_approval_id) {
    switch (approval.status) {
        case ApprovalStatus::Pending:
            return json::array({wait_for(approval.id)});
        case ApprovalStatus::Instructed:
            if (!next_approval_id.empty()) return json::array({wait_for(next_approval_id)});
            return json::array({call_row("a2h_create_approval", json::object())});
        case ApprovalStatus::Approved:
            if (approval.outcome == ApprovalOutcome::None ||
                approval.outcome == ApprovalOutcome::Executing) {
                return json::array({wait_for(approval.id)});
            }
            return result_calls(approval);
        case ApprovalStatus::Cancelled:
            if (!next_approval_id.empty()) return json::array({wait_for(next_approval_id)});
            break;
        case ApprovalStatus::Rejected:
        case ApprovalStatus::Expired:
            break;
    }
    return json::array();
}

/// The approval will not change by itself any more.
bool is_settled(const Approval& approval) {
    if (approval.status == ApprovalStatus::Pending) return false;
    return approval.status != ApprovalStatus::Approved ||
           (approval.outcome != ApprovalOutcome::None &&
            approval.outcome != ApprovalOutcome::Executing);
}

Result<json> to_change(store::Database& db, const Event& event, const card::Reader& reader) {
    A2H_ASSIGN_OR_RETURN(auto approval, store::get_approval(db, event.subject));
    const json detail = json::parse(event.detail_json, nullptr, false);
    const std::string next = wire::text_member(detail, "next");
    json change{{"cursor", event.id},
                {"at", to_utc_time(event.created_at_ms)},
                {"change", event.kind.substr(event.kind.find('.') + 1)},
                {"approval_id", event.subject}};
    if (!next.empty()) change["next_approval_id"] = next;
    if (approval) {
        change["approval"] = to_json(*approval, reader);
        change["next_calls"] = next_calls(*approval, next);
    }
    return change;
}

struct Cursor {
    std::optional<std::int64_t> after;  ///< empty: the newest changes
    int limit = kChangesDefault;
    std::string approval_id;  ///< empty: all approvals
    card::Reader reader = i18n::Language::English;
};

Cursor cursor_of(const FollowParts& parts, const Call& call) {
    Cursor cursor;
    const auto given = call.arguments.find("cursor");
    if (given != call.arguments.end()) cursor.after = given->get<std::int64_t>();
    cursor.limit = call.number("limit", kChangesDefault);
    cursor.approval_id = call.text("approval_id");
    cursor.reader = reader_of(parts, call);
    return cursor;
}

/// `{changes, cursor, more}`.
Result<json> read_changes(const FollowParts& parts, const std::string& agent_id,
                          const Cursor& cursor) {
    store::Database& db = parts.kernel.reader;
    A2H_ASSIGN_OR_RETURN(auto events, store::approval_events(db, {agent_id, cursor.approval_id,
                                                                  cursor.after, cursor.limit + 1}));
    const bool more = static_cast<int>(events.size()) > cursor.limit;
    if (more && cursor.after) events.pop_back();
    if (more && !cursor.after) events.erase(events.begin());
    json changes = json::array();
    for (const Event& event : events) {
        A2H_ASSIGN_OR_RETURN(auto change, to_change(db, event, cursor.reader));
        changes.push_back(std::move(change));
    }
    const std::int64_t last = events.empty() ? cursor.after.value_or(0) : events.back().id;
    return json{{"changes", std::move(changes)},
                {"cursor", last},
                {"more", more && cursor.after.has_value()}};
}

struct WaitingFollower {
    std::string action;
    std::string agent_id;
    Cursor cursor;
    int checks_left = 0;
    Reply reply;
};

/// The answer to a wait for one approval; nullopt while the wait continues.
Result<std::optional<json>> settled_one(const FollowParts& parts, const WaitingFollower& waiting,
                                        bool is_last) {
    A2H_ASSIGN_OR_RETURN(auto approval,
                         store::get_approval(parts.kernel.reader, waiting.cursor.approval_id));
    if (!approval || approval->agent_id != waiting.agent_id) {
        return fail(ErrorCode::NotFound,
                    "there is no approval " + waiting.cursor.approval_id.substr(0, 40));
    }
    if (!is_settled(*approval) && !is_last) return std::optional<json>();
    A2H_ASSIGN_OR_RETURN(auto data, read_changes(parts, waiting.agent_id, waiting.cursor));
    std::string next;
    for (const json& change : data["changes"]) {
        const std::string named = wire::text_member(change, "next_approval_id");
        if (!named.empty()) next = named;
    }
    data["approval"] = to_json(*approval, waiting.cursor.reader);
    data["next_calls"] = next_calls(*approval, next);
    data["timed_out"] = !is_settled(*approval);
    return std::optional<json>(std::move(data));
}

Result<std::optional<json>> any_change(const FollowParts& parts, const WaitingFollower& waiting,
                                       bool is_last) {
    A2H_ASSIGN_OR_RETURN(auto data, read_changes(parts, waiting.agent_id, waiting.cursor));
    const bool nothing = data["changes"].empty();
    if (nothing && !is_last) return std::optional<json>();
    data["timed_out"] = nothing;
    return std::optional<json>(std::move(data));
}

void check(const FollowParts& parts, const std::shared_ptr<WaitingFollower>& waiting) {
    const bool is_last = --waiting->checks_left <= 0;
    const auto answer = waiting->cursor.approval_id.empty() ? any_change(parts, *waiting, is_last)
                                                            : settled_one(parts, *waiting, is_last);
    if (!answer) {
        waiting->reply(error_result(waiting->action, answer.error()));
    } else if (*answer) {
        waiting->reply(ok_result(waiting->action, **answer));
    } else {
        parts.kernel.loop.call_after(kCheckEvery, [&parts, waiting] { check(parts, waiting); });
    }
}

Result<json> handle_approval_changes(const FollowParts& parts, const Call& call) {
    return read_changes(parts, call.agent_id(), cursor_of(parts, call));
}

void handle_approval_wait(const FollowParts& parts, const Call& call, const Reply& reply) {
    auto waiting = std::make_shared<WaitingFollower>();
    waiting->action = call.action;
    waiting->agent_id = call.agent_id();
    waiting->cursor = cursor_of(parts, call);
    waiting->reply = reply;
    const int seconds = call.number("timeout_seconds", kWaitDefault);
    waiting->checks_left = 1 + static_cast<int>(std::chrono::seconds(seconds) / kCheckEvery);
    if (waiting->cursor.approval_id.empty() && !waiting->cursor.after) {
        // A caller that names neither wants everything that happens from now on.
        Cursor newest;
        newest.limit = 1;
        const auto now = read_changes(parts, call.agent_id(), newest);
        waiting->cursor.after = now ? (*now)["cursor"].get<std::int64_t>() : 0;
    }
    check(parts, waiting);
}

}  // namespace

void add_follow(Table& table, const AllParts& all) {
    const FollowParts& parts = all.sender;
    table.add("approval.changes", with(parts, handle_approval_changes));
    table.add("approval.wait", with(parts, handle_approval_wait));
}

}  // namespace a2h::operations
