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
    AnswerKind kind = AnswerKind::Reject;  ///< of the answer, like all members below
    std::string_view words{};
    bool is_proved = false;

    /// Whether the matter is over, and the owner does not want to say something else instead.
    bool is_refusal() const { return by != By::Answer || kind == AnswerKind::Reject; }
    /// Whether the owner, or a2hd on the owner's behalf, has said no. Silence is neither.
    bool is_no() const {
        return by == By::System || (by == By::Answer && kind == AnswerKind::Reject && is_proved);
    }
};

/// What a feature registers for the questions of one action. An empty member means nothing special.
struct ActionRow {
    std::string_view action;
    std::string_view mandate_action{};  ///< action of the mandates that may say yes
    bool question_quotes_peer =
        false;  ///< so it is shown only where the peer's words are marked as quoted
    /// Whether mail of this type is settled elsewhere, so that no card about the action shows it.
    bool (*has_own_way)(std::string_view message_type) = nullptr;
    /// Whether the market's `news`, a payload of its mail, leave a yes to `request` without effect.
    bool (*is_void)(const nlohmann::json& request, const nlohmann::json& news) = nullptr;
    /// What a yes does, in the transaction that uses it. Returns the id of what was created: a
    /// message or a task. Errors: InvalidArgument, Conflict, NotFound and Corrupt are the outcome;
    /// any other error leaves the yes unused. Actions that need more than one transaction have a
    /// `Carrier`.
    Result<std::string> (*carry_out)(store::Database& db, const Approval& approval,
                                     const Policy& policy, UnixMs now_ms) = nullptr;
    /// What follows if there was no yes. Returns the question that replaces it, already opened.
    Result<std::optional<Approval>> (*end)(store::Database& db, const Approval& approval,
                                           const Ending& ending, const Policy& policy,
                                           UnixMs now_ms) = nullptr;
};

/// Adds `rows`, which must live until the process ends; known rows are not added again. Call before
/// other threads start.
void register_actions(std::span<const ActionRow> rows);

/// The row of an action; one without members if no feature has registered it.
///
/// Thread:  any.
const ActionRow& row_of(std::string_view action);

/// Calls the row's `end`.
///
/// Thread:  the store writer, inside the caller's transaction.
Result<std::optional<Approval>> end_without_yes(store::Database& db, const Approval& approval,
                                                const Ending& ending, const Policy& policy,
                                                UnixMs now_ms);

}  // namespace a2h::consent
