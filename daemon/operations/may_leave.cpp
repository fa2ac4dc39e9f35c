#include "daemon/operations/may_leave.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/store/open_matter_store.h"
#include "core/wire/agent_messages.h"
#include "core/wire/permit_digest.h"
#include "daemon/agents/local_agents.h"
#include "daemon/agents/mail_words.h"
#include "daemon/decide/decision.h"
#include "daemon/decide/free_words.h"
#include "daemon/mail/standing.h"
#include "daemon/operations/sender.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

/// Ids of orders and listings are chosen by the market: one word without spaces.
bool is_market_id(std::string_view text) {
    constexpr std::size_t kIdMax = 64;
    return text.size() <= kIdMax && std::all_of(text.begin(), text.end(), [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == ':';
           });
}

/// Members that only say what a message is about and commit to nothing; the digits of an id are not
/// an amount. Another function checks whether the id is known.
bool is_reference(std::string_view name, const json& value) {
    if (!value.is_string() || !is_reference_name(name)) return false;
    const auto& id = value.get_ref<const std::string&>();
    return is_named_by_market(name) ? is_market_id(id) : is_wordless_id(id);
}

bool is_harmless(std::string_view name, const json& value) {
    return is_reference(name, value) || (name == "type" && (value == "text" || value == "inquiry"));
}

bool is_words(std::string_view name, const json& value) {
    return (name == "text" || name == "note" || name == "summary") && value.is_string();
}

/// A name that the protocol does not define consists of the sender's own words.
bool is_own_name(std::string_view name) {
    return !agents::is_known_member(name) && !is_reference_name(name);
}

/// The verdict on one member, independent of the others, because its reader sees it as a text of
/// its own. An agent's id is given by the market and says nothing.
bool is_free_member(const json& value, bool judges_words) {
    if (value.is_null() || value == false) return true;
    if (value.is_string()) {
        const auto& words = value.get_ref<const std::string&>();
        return !judges_words || words.empty() || is_agent_id(words) ||
               decide::are_free_words(words);
    }
    if (!value.is_structured()) return false;
    for (const auto& [name, member] : value.items()) {
        if (value.is_object() && is_own_name(name)) return false;
        if (!is_reference(name, member) && !is_free_member(member, judges_words)) return false;
    }
    return true;
}

Result<Hold> hold_of_peer(const Sender& sender, const store::Between& about) {
    A2H_ASSIGN_OR_RETURN(const auto standing,
                         mail::standing_with(sender.kernel.reader, sender.agents, about));
    switch (standing) {
        case mail::Standing::Quiet:
            return Hold::None;
        case mail::Standing::Open:
            return Hold::Open;
        case mail::Standing::Unread:
            return Hold::Unread;
    }
    A2H_CHECK(false);
}

Result<Hold> hold_of_mail(const Sender& sender, const Caller& caller, const OutboxMessage& message,
                          AssistantWords choice) {
    if (sender.residents.is_ours(message.target_id) || caller.is_proved()) return Hold::None;
    if (choice == AssistantWords::Ask) return Hold::Owner;
    const bool judges_words = choice != AssistantWords::Open;
    if (!is_free_mail(message.message_type, message.payload_json, judges_words)) return Hold::Words;
    if (!judges_words) return Hold::None;
    return hold_of_peer(sender, {.agent_id = message.agent_id, .peer_id = message.target_id});
}

Right right_of_words(const Caller& caller) {
    return caller.is_proved() ? Right::OwnHand : Right::Harmless;
}

/// The cause that claims `right` (daemon/consent/causes.cpp).
std::string cause_of(Right right, std::string_view tool) {
    const std::string name = right == Right::OwnHand      ? "hand:"
                             : right == Right::Unreviewed ? "unreviewed:"
                                                          : "tool:";
    return name + std::string(tool);
}

AssistantWords choice_of_owner(const Sender& sender, const Call& call) {
    return call.caller.is_proved() ? AssistantWords::Review : sender.config->assistant_words;
}

}  // namespace

bool is_free_mail(std::string_view message_type, const std::string& payload_json,
                  bool judges_words) {
    const json payload = json::parse(payload_json, nullptr, false);
    if (!payload.is_object()) return false;
    const auto type = parse_agent_message_type(message_type);
    const bool is_between_agents = type && *type != AgentMessageType::General;
    for (const auto& [name, value] : payload.items()) {
        const MessageMember* member = type ? row_of(*type).find(name) : nullptr;
        if ((member != nullptr && member->says_nothing) || is_harmless(name, value)) continue;
        if (!is_words(name, value) && !is_between_agents) return false;
        if (is_own_name(name) || !is_free_member(value, judges_words)) return false;
    }
    return true;
}

Result<Hold> Judge::judge(const Sender& sender, const Call& call, std::string_view tool,
                          OutboxMessage& message) {
    const AssistantWords choice = choice_of_owner(sender, call);
    A2H_ASSIGN_OR_RETURN(const Hold hold, hold_of_mail(sender, call.caller, message, choice));
    if (hold != Hold::None) return hold;
    const Right right =
        choice == AssistantWords::Open ? Right::Unreviewed : right_of_words(call.caller);
    message.cause = cause_of(right, tool);
    message.judged = Judged(right, wire::permit_digest(message));
    return hold;
}

void Judge::let_leave(const Caller& caller, std::string_view tool, OutboxMessage& message) {
    const Right right = right_of_words(caller);
    message.cause = cause_of(right, tool);
    message.judged = Judged(right, {});
}

Result<Hold> hold_of_words(const Sender& sender, const std::string& words,
                           const std::vector<store::Between>& peers) {
    if (sender.config->assistant_words == AssistantWords::Ask) return Hold::Owner;
    if (!decide::are_free_words(words)) return Hold::Words;
    return hold_of_act(sender, peers);
}

Result<Hold> hold_of_act(const Sender& sender, const std::vector<store::Between>& peers) {
    Hold held = Hold::None;
    for (const store::Between& about : peers) {
        if (sender.residents.is_ours(about.peer_id)) continue;
        const auto hold = hold_of_peer(sender, about);
        if (!hold || *hold == Hold::Open) return hold;
        if (*hold != Hold::None) held = *hold;
    }
    return held;
}

Result<Hold> hold_of_refusal(const Sender& sender, const std::vector<store::Between>& peers) {
    A2H_ASSIGN_OR_RETURN(const auto hold, hold_of_act(sender, peers));
    const bool leaves_home = std::any_of(peers.begin(), peers.end(), [&](const auto& about) {
        return !sender.residents.is_ours(about.peer_id);
    });
    return hold == Hold::None && leaves_home ? Hold::Words : hold;
}

std::string reason_of(Hold hold, i18n::Language language) {
    switch (hold) {
        case Hold::None:
        case Hold::Words:
            return {};
        case Hold::Owner:
            return "\n" + i18n::text(language, "daemon.held_owner");
        case Hold::Open:
            return "\n" + i18n::text(language, "daemon.held_open");
        case Hold::Unread:
            return "\n" + i18n::text(language, "daemon.held_unread");
    }
    A2H_CHECK(false);
}

}  // namespace a2h::operations
