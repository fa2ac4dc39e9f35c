// Recorded messages between two agents and to one agent, and the market's own agent.

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/time_text.h"
#include "market/api/body.h"
#include "market/api/resources.h"
#include "market/store/event_store.h"
#include "market/store/message_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::int64_t kPageSize = 20;
constexpr std::int64_t kIncomingPageSize = 100;

bool is_party(std::string_view id) {
    return is_agent_id(id) || is_market_sender_id(id);
}

/// The other agent of `session` (R5).
///
/// Errors:  NotFound if the caller is not one of the two, so that nobody learns who talks to whom.
Result<std::string> partner_in(const std::string& session, const std::string& caller) {
    for (std::size_t at = session.find('_'); at != std::string::npos;
         at = session.find('_', at + 1)) {
        const std::string first = session.substr(0, at);
        const std::string second = session.substr(at + 1);
        if (!is_party(first) || !is_party(second)) continue;
        if (session_id(first, second) != session || first == second) continue;
        if (first == caller) return second;
        if (second == caller) return first;
    }
    return fail(ErrorCode::NotFound, "there is no such session of yours");
}

/// Messages of the market are stored under its agent's id and returned with the id in their
/// envelope.
std::string stored_id(const ApiParts& parts, const std::string& shown) {
    const OwnAgent& own = parts.own_agent;
    return shown == own.sender_id() ? own.agent.agent_id : shown;
}

std::string shown_id(const ApiParts& parts, const std::string& stored) {
    const OwnAgent& own = parts.own_agent;
    return stored == own.agent.agent_id ? own.sender_id() : stored;
}

json row_of(const ApiParts& parts, const RecordedMessage& message) {
    const std::string at = to_envelope_time(message.recorded_at_ms);
    return {{"messageId", message.message_id},
            {"senderId", shown_id(parts, message.sender_id)},
            {"receiverId", message.target_id},
            {"content", message.envelope_json},
            {"traceId", message.trace_id},
            {"timestamp", at},
            {"createdAt", at}};
}

/// One published client reads the two parties as objects; the other does not read them.
Result<json> party_row(ApiParts& parts, const std::string& id) {
    A2H_ASSIGN_OR_RETURN(const auto agent, parts.agents.find(stored_id(parts, id)));
    return json{{"agentId", id}, {"nickname", agent ? agent->name : ""}};
}

Result<json> show_history(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto partner,
                         partner_in(text_or(call.query, "sessionId"), call.caller.agent_id));
    A2H_ASSIGN_OR_RETURN(auto partner_row, party_row(parts, partner));
    const std::string session = session_id(call.caller.agent_id, stored_id(parts, partner));
    const std::int64_t page = std::max<std::int64_t>(integer_of(call.query, "page", 1), 1);
    const std::int64_t limit = integer_of(call.query, "limit", kPageSize);
    const UnixMs since_ms = kept_since(parts.clock.now_ms(), parts.history_kept);
    A2H_ASSIGN_OR_RETURN(const auto found,
                         parts.database.read_with(store::list_messages, session, since_ms,
                                                  (page - 1) * limit, limit));
    json rows = json::array();
    for (const RecordedMessage& message : found.messages)
        rows.push_back(row_of(parts, message));
    return json{{"me", {{"agentId", call.caller.agent_id}, {"nickname", call.caller.name}}},
                {"partner", std::move(partner_row)},
                {"items", rows},
                {"records", rows},  // one published client reads this
                {"page", page},
                {"limit", limit},
                {"total", found.total}};
}

/// The caller requests further pages from `after` until there is no more.
Result<json> list_incoming(ApiParts& parts, const Call& call) {
    const std::int64_t after = integer_of(call.query, "after", 0);
    const std::int64_t limit = integer_of(call.query, "limit", kIncomingPageSize);
    const UnixMs since_ms = kept_since(parts.clock.now_ms(), parts.history_kept);
    A2H_ASSIGN_OR_RETURN(const auto found,
                         parts.database.read_with(store::list_incoming, call.caller.agent_id, after,
                                                  since_ms, limit));
    json items = json::array();
    for (const RecordedMessage& message : found.messages) {
        items.push_back({{"message_id", message.message_id},
                         {"sender_id", shown_id(parts, message.sender_id)},
                         {"envelope", message.envelope_json},
                         {"recorded_at", to_envelope_time(message.recorded_at_ms)}});
    }
    return json{{"items", items}, {"after", found.after}, {"more", found.more}};
}

Result<json> show_waiting(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto waiting,
                         parts.database.read_with(store::waiting_events, call.caller.agent_id));
    return json{{"oldest", waiting.oldest}, {"newest", waiting.newest}};
}

Result<json> show_market(ApiParts& parts, const Call&) {
    const Agent& own = parts.own_agent.agent;
    return json{{"agent_id", parts.own_agent.sender_id()},
                {"name", own.name},
                {"key_id", own.key_id},
                {"public_key", own.public_key},
                {"mqtt_url", parts.mqtt_url}};
}

constexpr std::array kHistorySchemas{
    NamedSchema{"RecordedMessage", R"({"type":"object","required":["messageId","senderId",
        "receiverId","content","traceId","timestamp","createdAt"],"properties":{
        "messageId":{"type":"string"},"senderId":{"type":"string"},
        "receiverId":{"type":"string"},
        "content":{"type":"string","description":"the envelope as it was published"},
        "traceId":{"type":"string"},
        "timestamp":{"type":"string","description":"when the market recorded it"},
        "createdAt":{"type":"string"}}})"},
    NamedSchema{"Party", R"({"type":"object","required":["agentId","nickname"],"properties":{
        "agentId":{"type":"string"},
        "nickname":{"type":"string","description":"empty for an unknown agent"}}})"},
    NamedSchema{"IncomingMessage", R"({"type":"object","required":["message_id","sender_id",
        "envelope","recorded_at"],"properties":{
        "message_id":{"type":"string"},"sender_id":{"type":"string"},
        "envelope":{"type":"string","description":"as it was published"},
        "recorded_at":{"type":"string","description":"when the market recorded it"}},
        "additionalProperties":false})"},
};

constexpr std::array kHistoryRoutes{
    Route{.method = "GET",
          .path = "/agent-message/api/v1/agents/sessions/messages",
          .form = Form::Flagged,
          .summary = "Lists the messages between the caller and another agent, newest first.",
          .query_schema = R"({"type":"object","required":["sessionId"],"properties":{
            "sessionId":{"type":"string","maxLength":128,
                "description":"the two agent ids, sorted by bytes and joined by _"},
            "page":{"type":"integer","minimum":0,"maximum":1000000,
                "description":"1 is the first page, and so is 0"},
            "limit":{"type":"integer","minimum":1,"maximum":100}}})",
          .data_schema = R"({"type":"object","required":["me","partner","items","records","page",
            "limit","total"],"properties":{"me":{"$ref":"#/components/schemas/Party"},
            "partner":{"$ref":"#/components/schemas/Party"},
            "items":{"type":"array","items":{"$ref":"#/components/schemas/RecordedMessage"}},
            "records":{"type":"array","description":"the same as items",
                "items":{"$ref":"#/components/schemas/RecordedMessage"}},
            "page":{"type":"integer"},"limit":{"type":"integer"},"total":{"type":"integer"}}})",
          .handler = show_history},
    Route{.method = "GET",
          .path = "/v1/messages",
          .summary = "Lists all messages to the caller after a position in the market's record, "
                     "oldest first.",
          .query_schema = R"({"type":"object","properties":{
            "after":{"type":"integer","minimum":0,"maximum":9007199254740991,
                "description":"position of the last answer; 0, or one that the record has not reached: the beginning"},
            "limit":{"type":"integer","minimum":1,"maximum":100,
                "description":"a page of large messages ends sooner"}}})",
          .data_schema = R"({"type":"object","required":["items","after","more"],"properties":{
            "items":{"type":"array","items":{"$ref":"#/components/schemas/IncomingMessage"}},
            "after":{"type":"integer"},"more":{"type":"boolean"}},
            "additionalProperties":false})",
          .handler = list_incoming},
    Route{.method = "GET",
          .path = "/v1/messages/waiting",
          .summary = "Returns the range of the market's events for the caller that the broker has "
                     "not acknowledged yet.",
          .data_schema = R"({"type":"object","required":["oldest","newest"],"properties":{
            "oldest":{"type":"integer",
                "description":"number of the oldest one; 0 if there is none"},
            "newest":{"type":"integer",
                "description":"number of the newest one; 0 if there is none"}},
            "additionalProperties":false})",
          .handler = show_waiting},
    Route{.method = "GET",
          .path = "/v1/market",
          .access = Access::Public,
          .tag = "agents",
          .summary =
              "Returns the sender of the market's own messages, and the address of its broker.",
          .data_schema = R"({"type":"object","required":["agent_id","name","key_id","public_key",
            "mqtt_url"],"properties":{
            "agent_id":{"type":"string","description":"market_ and letters and digits"},
            "name":{"type":"string"},"key_id":{"type":"string"},
            "public_key":{"type":"string","description":"Ed25519, signs the market's events"},
            "mqtt_url":{"type":"string"}}})",
          .handler = show_market},
};

}  // namespace

Resource message_resource() {
    return {"messages", kHistoryRoutes, kHistorySchemas};
}

}  // namespace a2h::market
