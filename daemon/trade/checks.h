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
#include "core/platform/client.h"

namespace a2h::trade {

/// What is looked at before a call of the market.
struct Look {
    platform::Client& market;
    std::string_view action;
    const nlohmann::json& arguments;  ///< checked against the operation's input schema
    /// The market publishes its rules and they are ours (R13): what it would refuse is refused
    /// here. Elsewhere only the wrong side and final states are.
    bool has_our_rules = false;
    UnixMs now_ms = 0;
    std::span<const std::filesystem::path> upload_folders{};  ///< R17
    std::string_view idempotency_key{};  ///< of a call that changes something; empty: none
};

/// What the market says about the thing a call is about: words for the question to the human, and
/// what their yes is bound to. Names and titles are foreign text.
struct Facts {
    std::string arguments_json;  ///< the arguments, completed where the call needs more
    std::string done_json;       ///< not empty: nothing is left to do, this is the answer
    std::string peer;            ///< agent id or nickname of the other side; may be empty
    std::string peer_id;         ///< agent id; empty when not known
    std::string title;           ///< of listing, order, request or post
    std::string price;           ///< in words, where it is no amount
    std::string order_id;
    std::string works_id;
    std::optional<Money> amount;
    std::string context;  ///< what else the human should read
    /// What the market holds about it, whole, as JSON objects under a text's key: where the yes
    /// covers that, every member stands on the card, also those that nobody here knows.
    std::vector<std::pair<std::string_view, std::string>> seen{};
    /// Beside its amount it promises nothing that does not stand in its listing: title and content
    /// of an order are the listing's own, a proposal has neither words nor a date.
    bool is_plain = false;
    /// Of an order: whether its listing is ours, else what it says (`wire::listing_digest`).
    bool has_own_listing = false;
    std::string listing_digest{};
    bool needs_yes = false;    ///< this call does, whatever the action: a file from elsewhere (R17)
    std::string request_json;  ///< what the yes is for; empty: the arguments
};

/// Whether the call is made only after a human's yes (R12). An upload may need one besides, see
/// uploads.h.
bool needs_yes(std::string_view action, const nlohmann::json& arguments);

/// Refuses what the market would refuse, naming what is allowed, without changing anything there.
///
/// Errors:  PermissionDenied for the wrong side; Conflict for the wrong state; InvalidArgument for
///          a wrong price, currency, listing or time; those of `platform::Client::call`.
/// Thread:  any; blocks, two requests at most.
/// Source:  R12 to R15, R21 to R24.
Result<Facts> check_call(const Look& look);

}  // namespace a2h::trade
