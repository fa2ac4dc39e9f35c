#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "core/wire/envelope.h"
#include "daemon/decide/decision.h"
#include "daemon/operations/ask.h"
#include "daemon/pipeline/effects.h"
#include "daemon/pipeline/requests.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

/// Members of `extra_payload` that only say what a message is about and commit to nothing.
bool is_harmless_member(const std::string& name, const json& value) {
    if (name == "orderId" || name == "worksId") return value.is_string();
    return name == "type" && (value == "text" || value == "inquiry");
}

Result<json> build_payload(const Call& call) {
    json payload = call.arguments.value("extra_payload", json::object());
    if (payload.contains("image")) {
        return fail(ErrorCode::InvalidArgument,
                    "\"image\" is no longer sent: use attachment_url for a picture and payment_qr "
                    "for a payment code");
    }
    const auto put = [&](const char* member, const std::string& value) {
        if (!value.empty()) payload[member] = value;
    };
    put("text", call.text("text"));
    put("payment_qr", call.text("payment_qr"));
    const std::string url = call.text("attachment_url");
    if (!url.empty()) {
        payload["attachment"] = {{"url", url}, {"source", "external"}};
        const std::string name = call.text("attachment_name");
        const std::string path = url.substr(0, url.find_first_of("?#"));
        payload["attachment"]["name"] = name.empty() ? path.substr(path.rfind('/') + 1) : name;
        const std::string mime = call.text("attachment_mime");
        if (!mime.empty()) payload["attachment"]["mime_type"] = mime;
    }
    if (payload.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "nothing to send: give text, payment_qr, attachment_url or extra_payload");
    }
    return payload;
}

/// True when `payload` may leave without asking: nothing but reviewed text and harmless members.
bool may_leave(const json& payload, const std::vector<Listing>& listings) {
    for (const auto& [name, value] : payload.items()) {
        if (name != "text" && !is_harmless_member(name, value)) return false;
    }
    return decide::review_text(payload.value("text", ""), listings).free;
}

void queue_message(Runtime& runtime, const Call& call, OutboxMessage message, const Reply& reply) {
    auto shared = message;
    runtime.context.write(
        store::Writer::Priority::Urgent,
        [message = std::move(message)](store::Database& db) -> Result<void> {
            const auto id = store::insert_outbox(db, message);
            return id ? Result<void>() : fail(id.error());
        },
        [&runtime, action = call.action, message = std::move(shared),
         reply](const Result<void>& written) {
            if (!written) {
                reply(error_result(action, written.error()));
                return;
            }
            runtime.on_effects();
            reply(ok_result(action, {{"message_id", message.message_id},
                                     {"trace_id", message.trace_id},
                                     {"target_id", message.target_id},
                                     {"type", message.message_type},
                                     {"state", to_string(message.state)}}));
        });
}

approvals::Ask ask_to_send(const Runtime& runtime, const Call& call, const json& payload,
                           const std::string& target_id, const std::string& message_type) {
    const std::string shown = payload.size() == 1 && payload.contains("text")
                                  ? payload["text"].get<std::string>()
                                  : wire::canonical_json(payload);
    approvals::Ask ask;
    ask.agent_id = call.agent_id();
    ask.peer_id = target_id;
    ask.action = pipeline::kSendAction;
    ask.request_json = wire::canonical_json(
        json{{"message_type", message_type}, {"payload", payload}, {"target_agent_id", target_id}});
    ask.reply_text = shown;
    ask.question = i18n::text(runtime.context.config.language, "daemon.question_send",
                              {{"peer", target_id}, {"text", preview(shown)}});
    ask.requested_by = "tool:send";
    return ask;
}

}  // namespace

void handle_send(Runtime& runtime, const Call& call, const Reply& reply) {
    const std::string target_id = call.text("target_agent_id");
    if (!is_agent_id(target_id) || target_id == call.agent_id()) {
        reply(error_result(call.action,
                           {ErrorCode::InvalidArgument,
                            "target_agent_id must be another agent's id, like ag_ with letters "
                            "and digits"}));
        return;
    }
    const auto payload = build_payload(call);
    if (!payload) {
        reply(error_result(call.action, payload.error()));
        return;
    }
    const std::string type = call.text("message_type");
    OutboxMessage message =
        pipeline::new_outbox_message(call.agent_id(), target_id, wire::canonical_json(*payload), "",
                                     "tool:send", runtime.context.clock.now_ms());
    if (!type.empty()) message.message_type = type;
    // What would not fit into one MQTT message is refused now, not when it is sent.
    const auto fits = wire::sign_envelope(message, call.agent.identity.account.keys,
                                          runtime.context.clock.now_ms());
    if (!fits) {
        reply(error_result(call.action, fits.error()));
        return;
    }
    if (may_leave(*payload, call.agent.listings)) {
        queue_message(runtime, call, std::move(message), reply);
    } else {
        ask_human(runtime, call,
                  ask_to_send(runtime, call, *payload, target_id, message.message_type), reply);
    }
}

}  // namespace a2h::operations
