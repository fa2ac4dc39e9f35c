#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"

namespace a2h::consent {

/// How a question ended without a yes.
struct Ending {
    enum class By { Time, System, Answer };
    By by = By::Time;
    AnswerKind kind = AnswerKind::Reject;  ///< of an answer, as all members below
    std::string_view words{};
    bool is_proved = false;

    /// Whether it is over, and not because the owner would rather say something else.
    bool is_refusal() const { return by != By::Answer || kind == AnswerKind::Reject; }
    /// Whether the owner, or a2hd for the owner, has said no; silence says nothing.
    bool is_no() const {
        return by == By::System || (by == By::Answer && kind == AnswerKind::Reject && is_proved);
    }
};

/// What a feature registers for the questions of one action. An empty member: nothing special.
struct ActionRow {
    std::string_view action;
    std::string_view mandate_action{};  ///< of the mandates that may say yes
    bool question_quotes_peer = false;  ///< so it stands only where peers' words are fenced
    /// Whether mail of this type has its own way, so that no card about the action shows it.
    bool (*has_own_way)(std::string_view message_type) = nullptr;
    /// Whether the market's `news`, a payload of its mail, leave a yes to `request` without effect.
    bool (*is_void)(const nlohmann::json& request, const nlohmann::json& news) = nullptr;
    /// What a yes does, in the transaction that uses it. Returns the id of what was made: a message
    /// or a task. Errors: InvalidArgument, Conflict, NotFound and Corrupt are the outcome; any
    /// other one leaves the yes unused. Actions that take more have a `Carrier`.
    Result<std::string> (*carry_out)(store::Database& db, const Approval& approval,
                                     const Policy& policy, UnixMs now_ms) = nullptr;
    /// What follows when there was none. Returns the question that stands instead, already opened.
    Result<std::optional<Approval>> (*end)(store::Database& db, const Approval& approval,
                                           const Ending& ending, const Policy& policy,
                                           UnixMs now_ms) = nullptr;
};

/// Adds `rows`, which live until the process ends; those that are known already are not added
/// again. Before other threads start.
void register_actions(std::span<const ActionRow> rows);

/// The row of an action; one without members when no feature has registered any. Thread: any.
const ActionRow& row_of(std::string_view action);

/// Calls the row's `end`. Thread: the store writer, inside the caller's transaction.
Result<std::optional<Approval>> end_without_yes(store::Database& db, const Approval& approval,
                                                const Ending& ending, const Policy& policy,
                                                UnixMs now_ms);

}  // namespace a2h::consent
