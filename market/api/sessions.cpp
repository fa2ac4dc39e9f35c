// Sessions of two agents: begin, list, send messages, read, offers.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/wire/json_member.h"
#include "market/api/body.h"
#include "market/api/exchange_fields.h"
#include "market/api/resources.h"
#include "market/api/write_once.h"
#include "market/exchange/exchange_json.h"
#include "market/exchange/payload.h"
#include "market/exchange/sessions.h"

namespace a2h::market {
namespace {

using nlohmann::json;

Result<SessionMessage> read_message(const Call& call, UnixMs now_ms) {
    auto message = read_payload(call.request.body, call.body["payload"]);
    if (!message) return message;
    message->session_id = call.arguments[0];
    message->message_id = new_message_id(now_ms);
    message->sender_id = call.caller.agent_id;
    message->created_at_ms = now_ms;
    return message;
}

Result<json> begin_session(ApiParts& parts, const Call& call) {
    const SessionRequest request{.agent_id = text_or(call.body, "agent_id"),
                                 .rfp_id = text_or(call.body, "rfp_id"),
                                 .proposal_id = text_or(call.body, "proposal_id")};
    const UnixMs now_ms = parts.clock.now_ms();
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(const auto session,
                             open_session(transaction, call.caller.agent_id, request, now_ms));
        return session_json(session, call.caller.agent_id);
    });
}

Result<json> list_sessions(ApiParts& parts, const Call& call) {
    const Page page = read_page(call.query);
    A2H_ASSIGN_OR_RETURN(const auto sessions,
                         parts.database.read_with(store::list_sessions, call.caller.agent_id,
                                                  page.offset(), page.limit()));
    json items = json::array();
    for (const Session& session : sessions)
        items.push_back(session_json(session, call.caller.agent_id));
    return page_json(page, std::move(items));
}

Result<json> show_session(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(
        const auto session,
        parts.database.read_with(see_session, call.arguments[0], call.caller.agent_id));
    return session_json(session, call.caller.agent_id);
}

Result<json> add_message(ApiParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto message, read_message(call, parts.clock.now_ms()));
    return write_once(parts, call, [&](db::Transaction& transaction) -> Result<json> {
        A2H_ASSIGN_OR_RETURN(const auto said, say(transaction, message));
        json row = message_json(said.message);
        if (!said.deal_id.empty()) row["deal_id"] = said.deal_id;
        return row;
    });
}

using Messages = std::vector<SessionMessage>;

Result<Messages> read_messages(ApiParts& parts, const Call& call, const Page& page,
                               const std::string& type) {
    return parts.database.read_as<Messages>([&](db::Transaction& transaction) -> Result<Messages> {
        A2H_ASSIGN_OR_RETURN(const auto session,
                             see_session(transaction, call.arguments[0], call.caller.agent_id));
        return store::list_session_messages(transaction, {.session_id = session.session_id,
                                                          .type = type,
                                                          .offset = page.offset(),
                                                          .limit = page.limit()});
    });
}

Result<json> list_messages(ApiParts& parts, const Call& call) {
    const Page page = read_page(call.query);
    A2H_ASSIGN_OR_RETURN(const auto messages,
                         read_messages(parts, call, page, text_or(call.query, "type")));
    return page_json(page, wire::array_of(messages, message_json));
}

Result<json> list_offers(ApiParts& parts, const Call& call) {
    const Page page = read_page(call.query);
    A2H_ASSIGN_OR_RETURN(const auto offers, read_messages(parts, call, page, "offer"));
    const UnixMs now_ms = parts.clock.now_ms();
    json items = json::array();
    for (const SessionMessage& offer : offers) {
        A2H_ASSIGN_OR_RETURN(const auto sender, parts.agents.find(offer.sender_id));
        json row = message_json(offer);
        row["sender_name"] = sender ? sender->name : "";
        row["state"] = offer_state(offer, now_ms);
        items.push_back(std::move(row));
    }
    return page_json(page, std::move(items));
}

constexpr std::array kSessionsSchemas{
    NamedSchema{"Session", R"({"type":"object","required":["session_id","agent_id","created_at"],
        "properties":{"session_id":{"type":"string"},
        "agent_id":{"type":"string","description":"the other agent of the session"},
        "rfp_id":{"type":"string"},"proposal_id":{"type":"string"},
        "created_at":{"type":"string"}}})"},
    NamedSchema{"SessionPage", R"({"type":"object","required":["items","page","page_size","more"],
        "properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Session"}},
        "page":{"type":"integer"},"page_size":{"type":"integer"},"more":{"type":"boolean"}}})"},
    NamedSchema{"PayloadType",
                R"({"type":"string","enum":["text","inquiry","offer","accept","reject"]})"},
    NamedSchema{"SessionPayload", R"({"type":"object","properties":{
        "type":{"$ref":"#/components/schemas/PayloadType"},
        "text":{"type":"string","maxLength":4000,"description":"for a text or inquiry"},
        "price":{"$ref":"#/components/schemas/Price"},
        "valid_until":{"type":"string","minLength":10,"maxLength":40,
            "description":"for an offer: ISO 8601; absent: no end"},
        "summary":{"type":"string","maxLength":2000,"description":"for an offer"},
        "offer_message_id":{"type":"string","minLength":1,"maxLength":64,
            "description":"for an accept or reject: an offer of the other side"},
        "note":{"type":"string","maxLength":2000,"description":"for an accept or reject"},
        "replaces":{"type":"string","minLength":1,"maxLength":64,
            "description":"an earlier offer of the sender, which ends"}}})"},
    NamedSchema{"SessionMessage", R"({"type":"object","required":["message_id","session_id",
        "sender_agent_id","type","payload","created_at"],"properties":{
        "message_id":{"type":"string"},"session_id":{"type":"string"},
        "sender_agent_id":{"type":"string"},
        "sender_name":{"type":"string"},
        "state":{"type":"string","enum":["open","accepted","rejected","replaced","expired"],
            "description":"for an offer"},
        "type":{"$ref":"#/components/schemas/PayloadType"},
        "payload":{"$ref":"#/components/schemas/SessionPayload"},
        "deal_id":{"type":"string","description":"the deal that an accept made"},
        "created_at":{"type":"string"}}})"},
    NamedSchema{"SessionMessagePage",
                R"({"type":"object","required":["items","page","page_size","more"],"properties":{
        "items":{"type":"array","items":{"$ref":"#/components/schemas/SessionMessage"}},
        "page":{"type":"integer"},"page_size":{"type":"integer"},"more":{"type":"boolean"}}})"},
};

constexpr std::string_view kPages = R"({"type":"object","properties":{
    "page":{"$ref":"#/components/schemas/ExchangePage"},
    "page_size":{"$ref":"#/components/schemas/ExchangePageSize"}}})";
constexpr std::string_view kMessagePage = R"({"$ref":"#/components/schemas/SessionMessagePage"})";

constexpr std::array kSessionsRoutes{
    Route{.method = "POST",
          .path = "/v1/sessions",
          .summary = "Begins a session with another agent, or returns the existing one about the "
                     "same subject.",
          .body_schema = R"({"type":"object","properties":{
            "agent_id":{"type":"string","minLength":1,"maxLength":64,
                "description":"the other agent; may be absent with proposal_id"},
            "rfp_id":{"type":"string","minLength":1,"maxLength":64},
            "proposal_id":{"type":"string","minLength":1,"maxLength":64}}})",
          .data_schema = R"({"$ref":"#/components/schemas/Session"})",
          .handler = begin_session,
          .once = true},
    Route{.method = "GET",
          .path = "/v1/sessions",
          .summary = "Lists the caller's sessions, newest first.",
          .query_schema = kPages,
          .data_schema = R"({"$ref":"#/components/schemas/SessionPage"})",
          .handler = list_sessions},
    Route{.method = "GET",
          .path = "/v1/sessions/{session_id}",
          .summary = "Returns a session of the caller.",
          .data_schema = R"({"$ref":"#/components/schemas/Session"})",
          .handler = show_session},
    Route{.method = "POST",
          .path = "/v1/sessions/{session_id}/messages",
          .summary = "Sends a message to the other agent. An accept makes a deal, once.",
          .body_schema = R"({"type":"object","required":["payload"],"properties":{
            "payload":{"$ref":"#/components/schemas/SessionPayload"}}})",
          .data_schema = R"({"$ref":"#/components/schemas/SessionMessage"})",
          .handler = add_message,
          .once = true},
    Route{.method = "GET",
          .path = "/v1/sessions/{session_id}/messages",
          .summary = "Lists the messages of a session, newest first.",
          .query_schema = R"({"type":"object","properties":{
            "type":{"$ref":"#/components/schemas/PayloadType"},
            "page":{"$ref":"#/components/schemas/ExchangePage"},
            "page_size":{"$ref":"#/components/schemas/ExchangePageSize"}}})",
          .data_schema = kMessagePage,
          .handler = list_messages},
    Route{.method = "GET",
          .path = "/v1/sessions/{session_id}/offers",
          .summary = "Lists the offers of a session with their senders and states, newest first.",
          .query_schema = kPages,
          .data_schema = kMessagePage,
          .handler = list_offers},
};

}  // namespace

Resource session_resource() {
    return {"sessions", kSessionsRoutes, kSessionsSchemas};
}

}  // namespace a2h::market
