#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/mandate.h"
#include "core/domain/mandate_kind.h"
#include "core/domain/permit.h"
#include "core/platform/client.h"
#include "core/store/database.h"
#include "core/store/mandate_store.h"
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

/// A kind of mandate as its feature registers it.
struct MandateKind : a2h::MandateKind {
    /// Checks the terms that only this kind has. Only a kind that `haggles` has such terms.
    Result<void> (*check)(const MandateTerms& terms) = nullptr;
    /// Returns what such a mandate has used since a time; without this function, its approvals
    /// count.
    Result<store::MandateUsage> (*usage)(store::Database& db, std::string_view mandate_id,
                                         UnixMs since_ms) = nullptr;
};

/// A call of the market whose answer was lost, or is to be confirmed. Things older than
/// `not_before_ms` (unix ms) were made by another call.
struct LostCall {
    platform::Client& market;
    const nlohmann::json& arguments;
    UnixMs not_before_ms;
    /// The id of what the call created, according to its answer; empty: unknown.
    std::string_view created_id{};
    /// The outcomes of other calls: what they have created was not created by this one.
    std::string_view taken{};
};

/// A member of the market's answer that is the id of what was created or, if it names an argument,
/// equal to it. Empty: the answer has no such member.
struct AnswerId {
    std::string_view member{};
    std::string_view argument{};
};

/// The members of a request whose values are the ids of its own matter. That matter does not count
/// as open beside the question, and what the market says about it is no news for its card.
struct OwnIds {
    std::string_view negotiation{};
    /// Orders, proposals and requests for proposals, the one that the question is about first.
    std::span<const std::string_view> at_market{};
};

/// The row that a feature registers for the questions of one action. An empty member means nothing
/// special.
struct ActionRow {
    std::string_view action;
    /// The mandates that may say yes. If there are several, or if not every request has one,
    /// `mandate_of` returns the name of the mandate for a request, or an empty text for none.
    std::span<const MandateKind> mandates{};
    std::string_view (*mandate_of)(const nlohmann::json& request) = nullptr;
    /// The member of the request whose id is the `works_id` of a mandate; empty: the listing.
    std::string_view subject{};
    OwnIds own_ids{};
    /// Whether the arguments of a market call contain only what a mandate can limit.
    bool (*is_bounded)(const nlohmann::json& request) = nullptr;
    bool sends_words = false;   ///< a yes sends `reply_text` to the peer
    bool answers_peer = false;  ///< the text is also the answer to a message of the peer
    bool question_quotes_peer =
        false;  ///< so it is shown only where the peer's words are marked as quoted
    /// The question is also about a step that the peer waits for, so nobody closes it without a
    /// proof.
    bool is_awaited = false;
    /// Whether a message that `rule_id` has decided is the next step in the matter of `request`,
    /// which replaces the card about it, so that no such card shows the message.
    bool (*has_own_way)(const nlohmann::json& request, std::string_view rule_id,
                        std::string_view payload_json) = nullptr;
    /// Whether the market's `news`, a payload of its mail, leave a yes to `request` without effect.
    bool (*is_void)(const nlohmann::json& request, const nlohmann::json& news) = nullptr;
    /// Carries out what a yes allows, in the transaction that uses it. Returns the id of what was
    /// created: a message or a task. Errors: InvalidArgument, Conflict, NotFound and Corrupt are
    /// the outcome; any other error leaves the yes unused. Actions that need more than one
    /// transaction have a `Carrier`, or are calls of the market.
    Result<std::string> (*carry_out)(store::Database& db, const Approval& approval,
                                     const Policy& policy, UnixMs now_ms) = nullptr;
    /// The kind of thing that a yes changes at the market by a call (`MarketCaller`). Calls of one
    /// agent about the same kind are made one after the other. Empty: a yes makes no such call.
    std::string_view market_lane{};
    /// Whether a failure of `carry_out`, or of the carrier, undoes all that the yes to `approval`
    /// has done, and which words replace the reason of the failure; empty: neither.
    std::string_view (*hidden_failure)(const Approval& approval) = nullptr;
    /// The right of a call of the market that needs no yes, because the owner alone reads what it
    /// says, or because it was judged before. `is_free` tells it from calls of the same action that
    /// need one, by the body of the request; without it, all are free.
    Right right_without_yes = Right::None;
    bool (*is_free)(const nlohmann::json& body) = nullptr;
    /// What another agent learns at once from a call without a yes, so that it is held like words.
    enum class Tells {
        Nothing,
        Act,     ///< the owner begins something with it
        Refusal  ///< the owner refuses or withdraws something, which is an answer
    };
    Tells tells_peer = Tells::Nothing;
    /// The calls that belong to this one and have its right, whatever their arguments.
    std::span<const std::string_view> parts{};
    bool uploads = false;          ///< the content of a file, which the yes is for
    bool changes_listing = false;  ///< a listing of the owner says something else afterwards
    /// The id in the market's answer to the call. An answer without it counts as lost.
    AnswerId answer_id{};
    /// Returns the answer that a lost call would have had, as far as the market shows it; null if
    /// nothing shows that it took effect, which does not prove that it did not. Blocks.
    Result<nlohmann::json> (*read_back)(const LostCall& call) = nullptr;
    /// `end` says no to the peer, in a message of its own type with the words of `reject_text`.
    bool says_no = false;
    /// Ends a question that got no yes. Returns the question that replaces it, already opened.
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
/// The actions that have a row, sorted.
///
/// Thread:  any.
std::vector<std::string_view> registered_actions();

/// The ids of the matter that a question is about, by `ActionRow::own_ids`.
struct OwnMatter {
    std::string negotiation_id;           ///< empty: no negotiation
    std::vector<std::string> market_ids;  ///< the one that the question is about first
};
/// Reads them from the stored action. Thread: any.
OwnMatter own_matter_of(const Approval& approval);

/// Calls the row's `hidden_failure`; empty if it has none. Thread: any.
std::string_view hidden_failure(const Approval& approval);

/// Calls the row's `has_own_way`; false if it has none. Thread: any.
bool has_own_way(const Approval& approval, std::string_view rule_id, std::string_view payload_json);

/// The kind of mandate with this name; nullptr if there is none. Thread: any.
const MandateKind* find_mandate_kind(std::string_view name);
/// All kinds of mandates, in the order of their registration. Thread: any.
std::span<const MandateKind* const> mandate_kinds();
/// The types of messages that accept what a peer has offered, and whether a type is one of them.
/// Thread: any.
std::vector<std::string> accepting_types();
bool is_accepting(std::string_view payload_type);
/// Whether a message of this type makes an offer.
///
/// Thread:  any.
bool is_offering(std::string_view payload_type);
/// The kind of mandate that may say yes to `approval`; nullptr if none may. Thread: any.
const MandateKind* mandate_kind_of(const Approval& approval);

/// Calls the row's `end`; nullopt if it has none.
///
/// Errors:  those of `end`.
/// Thread:  the store writer, inside the caller's transaction.
Result<std::optional<Approval>> end_without_yes(store::Database& db, const Approval& approval,
                                                const Ending& ending, const Policy& policy,
                                                UnixMs now_ms);

}  // namespace a2h::consent
