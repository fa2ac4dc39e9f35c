#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/platform/client.h"

namespace a2h::trade {

/// A call of the market that is checked before it is made.
struct CallContext {
    platform::Client& market;
    std::string_view action;
    const nlohmann::json& arguments;  ///< checked against the operation's input schema
    /// The market publishes its rules and they are ours (R13), so calls that it would refuse are
    /// refused here. On other markets only the wrong side and final states are refused.
    bool has_our_rules = false;
    UnixMs now_ms = 0;
    std::span<const std::filesystem::path> upload_folders{};  ///< see R17
    std::string_view idempotency_key{};  ///< for a call that changes something; empty: none
    /// The question that was answered with yes; null before it, and for a call that needs none.
    const Approval* yes = nullptr;
    /// Receives every answer of the market to a check, whatever becomes of the call, because the
    /// question or the error may repeat its words (R46).
    std::vector<nlohmann::json>* answers = nullptr;

    /// Calls the market for a check. Blocks.
    ///
    /// Errors:  those of `platform::Client::read`.
    Result<nlohmann::json> ask(std::string_view called, const nlohmann::json& with) const;
};

/// The market's facts about the subject of a call: words for the question to the human, and the
/// facts that their yes depends on. Names and titles are foreign text.
struct Facts {
    std::string done_json;  ///< not empty: nothing has to be done, and this is the answer
    std::string peer;       ///< agent id or nickname of the other side; may be empty
    std::string peer_id;    ///< agent id; empty if unknown
    std::vector<std::string> peer_ids{};  ///< if the call tells several agents something
    std::string title;                    ///< of the listing, order, request or post
    std::string price;                    ///< in words if it is not an amount
    std::string order_id;
    std::string works_id;
    std::optional<Money> amount;
    std::string context;  ///< further text for the human
    /// Everything that the market holds about it, as JSON objects, each with the locale key of its
    /// title. If the yes covers it, every member is shown on the card, including unknown ones.
    std::vector<std::pair<std::string_view, std::string>> seen{};
    /// The members that the call changes, as JSON objects before and after it; empty: no change of
    /// something that exists. The card shows them side by side.
    std::string before_json{};
    std::string after_json{};
    /// Besides its amount it promises only what its listing says: title and content of an order are
    /// those of the listing; a proposal has neither words nor a date.
    bool is_plain = false;
    bool has_own_listing = false;  ///< an order of a listing of ours
    /// For an order of somebody else's listing: the digest of what the listing says
    /// (`wire::listing_digest`).
    std::string listing_digest{};
    bool needs_yes =
        false;  ///< this call needs one, whatever its action: a file from another folder (R17)
    std::string request_json;  ///< what the yes is for, completed; empty: the arguments
};

/// Whether the call needs a human's yes (R12). An upload may need one as well, see uploads.h.
bool needs_yes(std::string_view action, const nlohmann::json& arguments);

/// Refuses what the market would refuse, naming what is allowed, without changing anything at the
/// market.
///
/// Errors:  PermissionDenied for the wrong side; Conflict for the wrong state; InvalidArgument for
///          a wrong price, currency, listing or time; NotFound without a payment code of the type;
///          Corrupt if the market's answer lacks what it must say; those of
///          `platform::Client::read`.
/// Thread:  any; blocks for at most two requests.
/// Source:  R12 to R15, R21 to R24.
Result<Facts> check_call(const CallContext& call);

}  // namespace a2h::trade
