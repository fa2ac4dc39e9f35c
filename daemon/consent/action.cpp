#include "daemon/consent/action.h"

#include <iterator>

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/card/options.h"
#include "daemon/consent/actions.h"

namespace a2h::consent {
namespace {

using nlohmann::json;

constexpr std::size_t kDetailBytesMax = 4'000;
constexpr std::size_t kShortTextBytesMax = 200;

void put(json& object, const char* name, std::string_view text) {
    if (!text.empty()) object[name] = text;
}

std::string text_member(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Makes the card say that the words accept nothing at the market (R73).
void leave_offer(json& object) {
    object["peers_offer"] = "not_accepted";
}

/// An option that is the yes, such as "Accept 250.00 CNY", is the yes to the old text.
void forget_yes(json& object) {
    const auto kinds = object.find("options");
    if (kinds == object.end() || !kinds->is_object()) return;
    for (auto kind = kinds->begin(); kind != kinds->end();)
        kind = *kind == to_string(OptionKind::Yes) ? kinds->erase(kind) : std::next(kind);
}

/// Removes what only the old text sent: the acceptance, and the time before which it was to leave.
void keep_refusal_only(json& object) {
    const json refusal = wire::member(wire::member(object, "request"), "refusal");
    object.erase("request");
    if (!refusal.is_null()) object["request"] = {{"refusal", refusal}};
}

}  // namespace

std::string canonical_action(const Ask& ask, std::string_view policy_version) {
    json object = json::object();
    put(object, "action", ask.action);
    put(object, "peer_id", ask.peer_id);
    put(object, "text", ask.reply_text);
    put(object, "reject_text", ask.reject_text);
    put(object, "order_id", ask.order_id);
    put(object, "works_id", ask.works_id);
    if (ask.amount_minor) object["amount_minor"] = *ask.amount_minor;
    put(object, "currency", ask.currency);
    json kinds = card::kinds_json(ask.options, !ask.reply_text.empty());
    if (!kinds.is_null()) object["options"] = std::move(kinds);
    if (ask.leaves_offer) leave_offer(object);
    put(object, "policy_version", policy_version);
    // A bare question is bound to its words, because other words are another question.
    if (ask.reply_text.empty() && ask.request_json.empty()) put(object, "question", ask.question);
    if (!ask.request_json.empty()) {
        json request = json::parse(ask.request_json, nullptr, false);
        if (request.is_discarded()) request = ask.request_json;
        object["request"] = std::move(request);
    }
    return wire::canonical_json(object);
}

bool accepts_offer(const Approval& approval) {
    if (!row_of(approval.action).answers_peer) return false;
    const json object = json::parse(approval.action_json, nullptr, false);
    const json& payload = wire::member(wire::member(object, "request"), "payload");
    return is_accepting(wire::text_member(payload, "type"));
}

Approval with_reply_text(Approval approval, std::string_view text) {
    json object = json::parse(approval.action_json, nullptr, false);
    if (!object.is_object()) object = json::object();
    object["text"] = text;
    forget_yes(object);
    if (accepts_offer(approval) && is_plain_yes(text)) {
        object["request"]["payload"]["text"] = text;
    } else {
        if (accepts_offer(approval)) leave_offer(object);
        keep_refusal_only(object);
        object.erase("amount_minor");
        object.erase("currency");
        approval.amount_minor.reset();
        approval.currency.clear();
    }
    approval.action_json = wire::canonical_json(object);
    approval.digest = wire::sha256_hex(approval.action_json);
    approval.reply_text = text;
    return approval;
}

bool is_intact(const Approval& approval) {
    const json action = json::parse(approval.action_json, nullptr, false);
    return action.is_object() && wire::sha256_hex(approval.action_json) == approval.digest &&
           text_member(action, "action") == approval.action &&
           text_member(action, "peer_id") == approval.peer_id &&
           text_member(action, "text") == approval.reply_text &&
           text_member(action, "reject_text") == approval.reject_text;
}

Result<json> arguments_of(const Approval& approval) {
    A2H_ASSIGN_OR_RETURN(auto action, wire::parse_json(approval.action_json));
    const auto request = action.find("request");
    if (request == action.end() || !request->is_object())
        return fail(ErrorCode::Corrupt, "approval " + approval.id + " holds no request");
    return *request;
}

std::string outcome_detail(const json& result) {
    std::string text = wire::canonical_json(result);
    if (text.size() <= kDetailBytesMax || !result.is_object()) return text;
    json brief = json::object();
    for (const auto& [name, value] : result.items()) {
        if (value.is_primitive() && value.dump().size() <= kShortTextBytesMax) brief[name] = value;
    }
    return wire::canonical_json(brief);
}

ActionIds ids_of_action(std::string_view action_json) {
    const json object = json::parse(action_json, nullptr, false);
    if (!object.is_object()) return {};
    return {text_member(object, "order_id"), text_member(object, "works_id")};
}

std::string payload_of_action(std::string_view action_json) {
    const json object = json::parse(action_json, nullptr, false);
    const json& payload = wire::member(wire::member(object, "request"), "payload");
    return payload.is_object() ? wire::canonical_json(payload) : std::string();
}

std::string refusal_of_action(const Approval& approval) {
    const json object = json::parse(approval.action_json, nullptr, false);
    json refusal = wire::member(wire::member(object, "request"), "refusal");
    if (!refusal.is_object()) return {};
    refusal["text"] = approval.reject_text;
    return wire::canonical_json(refusal);
}

UnixMs act_before_ms(std::string_view action_json) {
    const json object = json::parse(action_json, nullptr, false);
    const json& named = wire::member(wire::member(object, "request"), "act_before_ms");
    return named.is_number_integer() ? named.get<UnixMs>() : 0;
}

}  // namespace a2h::consent
