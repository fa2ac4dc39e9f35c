#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/wire/canonical.h"
#include "core/wire/envelope.h"
#include "core/wire/json_member.h"
#include "daemon/agents/tasks.h"
#include "daemon/card/assistants_words.h"
#include "daemon/card/card.h"
#include "daemon/consent/bounded.h"
#include "daemon/consent/newer.h"
#include "daemon/effects/rows.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/may_leave.h"
#include "daemon/operations/outgoing.h"
#include "daemon/operations/references.h"
#include "daemon/operations/registration.h"
#include "daemon/operations/sender.h"
#include "daemon/operations/typed_mail.h"
#include "daemon/outcome/requests.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

using SendParts = Sender;

void queue_message(const SendParts& parts, const Call& call, OutboxMessage message,
                   const Reply& reply) {
    auto shared = std::make_shared<const OutboxMessage>(std::move(message));
    parts.dispatcher.queue(
        *shared,
        [shared, &parts](store::Database& db) -> Result<store::OutboxPlace> {
            auto place = agents::queue_mail(db, *shared);
            if (!place) return place;
            A2H_TRY(consent::close_answered(db, *shared, parts.config->approval,
                                            parts.kernel.clock.now_ms()));
            return place;
        },
        [&parts, action = call.action, shared, reply](const Result<void>& written) {
            if (!written) {
                reply(error_result(action, written.error()));
                return;
            }
            parts.commits.rows_written();
            reply(ok_result(action, {{"message_id", shared->message_id},
                                     {"trace_id", shared->trace_id},
                                     {"target_id", shared->target_id},
                                     {"type", shared->message_type},
                                     {"state", to_string(shared->state)}}));
        });
}

std::string question_of(const Call& call, const Outgoing& out, const std::string& target_id,
                        const std::string& shown, i18n::Language language) {
    if (out.question_key.empty()) {
        const bool is_assistants = call.caller.face == Face::Assistant;
        return i18n::text(language,
                          is_assistants ? "daemon.question_send" : "daemon.question_send_terminal",
                          {{"peer", target_id}, {"text", preview(shown)}});
    }
    const std::string title = out.subject.empty() ? i18n::text(language, "trade.no_summary")
                                                  : card::in_quotes(out.subject);
    return i18n::text(language, out.question_key,
                      {{"peer", target_id}, {"price", to_text(*out.amount)}, {"title", title}});
}

/// All members of what is sent, one on each line.
std::string in_words(const json& payload, i18n::Language language) {
    std::string words = card::in_text(card::lines_of(payload, language), language);
    while (words.ends_with('\n'))
        words.pop_back();
    return words;
}

consent::Ask ask_to_send(const SendParts& parts, const Call& call, const Outgoing& out,
                         const std::string& message_type, Hold hold) {
    const std::string target_id = call.text("target_agent_id");
    const json payload = json::parse(out.payload_json);
    const i18n::Language language = parts.config->approval.language;
    const bool is_text = payload.size() == 1 && wire::member(payload, "text").is_string();
    const std::string shown =
        is_text ? wire::text_member(payload, "text") : in_words(payload, language);
    json request{
        {"message_type", message_type}, {"payload", payload}, {"target_agent_id", target_id}};
    if (out.act_before_ms != 0) request["act_before_ms"] = out.act_before_ms;
    consent::Ask ask;
    ask.agent_id = call.agent_id();
    ask.peer_id = target_id;
    ask.action = outcome::kSendAction;
    ask.request_json = wire::canonical_json(request);
    ask.reply_text = shown;
    ask.order_id = wire::text_member(payload, "orderId");
    ask.works_id = wire::text_member(payload, "worksId");
    if (out.amount) {
        ask.amount_minor = out.amount->minor;
        ask.currency = out.amount->currency;
    }
    ask.provenance = out.provenance;
    ask.question = question_of(call, out, target_id, shown, language) + reason_of(hold, language);
    if (!out.offer_json.empty()) {
        const json offer = json::parse(out.offer_json, nullptr, false);
        ask.context = card::in_text(card::lines_of(offer, language), language);
    }
    ask.requested_by = "tool:send";
    ask.asked_by = call.caller.proved_by;
    const auto& own = call.agent.listings;
    ask.is_bounded =
        out.is_bounded && (ask.works_id.empty() || mandates::is_for_sale(own, ask.works_id));
    ask.has_own_listing = std::any_of(own.begin(), own.end(), [&](const Listing& listing) {
        return listing.works_id == ask.works_id;
    });
    ask.peer_text = out.peer_text;
    ask.accepts_inbox_id = out.accepts_inbox_id;
    return ask;
}

/// The message that is being sent, with a copy of the call, which lives only until its handler
/// returns.
struct SendCall {
    std::string action;
    Caller caller;
    Agent& agent;
    json arguments;
    Along along;
    Outgoing out;
    OutboxMessage message;
    Reply reply;

    Call call() const { return {action, caller, agent, arguments, along}; }
};

/// Sends it or puts it to the human. Within this home no review is needed.
void send_or_ask(const SendParts& parts, const SendCall& sending) {
    const Call call = sending.call();
    OutboxMessage message = sending.message;
    const auto hold = Judge::judge(parts, call, "send", message);
    if (!hold) return sending.reply(error_result(call.action, hold.error()));
    if (*hold == Hold::None && !call.along) {
        queue_message(parts, call, std::move(message), sending.reply);
    } else {
        ask_human(parts, call,
                  ask_to_send(parts, call, sending.out, sending.message.message_type, *hold),
                  sending.reply);
    }
}

void handle_send(const SendParts& parts, const Call& call, const Reply& reply) {
    const std::string target_id = call.text("target_agent_id");
    if (!is_agent_id(target_id) || target_id == call.agent_id()) {
        reply(error_result(call.action,
                           {ErrorCode::InvalidArgument,
                            "target_agent_id must be another agent's id, like ag_ with letters "
                            "and digits"}));
        return;
    }
    const auto out = read_outgoing(parts.kernel, call);
    if (!out) {
        reply(error_result(call.action, out.error()));
        return;
    }
    const std::string type = call.text("message_type");
    const auto typed = parse_agent_message_type(type);
    if (typed && *typed != AgentMessageType::General) {
        send_typed(parts, call,
                   {.target_id = target_id,
                    .type = *typed,
                    .payload_json = out->payload_json,
                    .needs_yes = wire::needs_yes(*typed, json::parse(out->payload_json)),
                    .data_json = {}},
                   reply);
        return;
    }
    OutboxMessage message = effects::new_outbox_message(
        call.agent_id(), target_id, out->payload_json, "", "", parts.kernel.clock.now_ms());
    if (!type.empty()) message.message_type = type;
    // A message that does not fit into one MQTT message is refused now and not when it is sent.
    const auto fits =
        wire::sign_envelope(message, call.agent.identity.account.keys, parts.kernel.clock.now_ms());
    if (!fits) {
        reply(error_result(call.action, fits.error()));
        return;
    }
    const auto sending = std::make_shared<const SendCall>(
        SendCall{call.action, call.caller, call.agent, call.arguments, call.along, *out,
                 std::move(message), reply});
    with_reachable(parts, call, target_id, reply, [&parts, sending] {
        with_known_references(
            parts, sending->call(),
            {sending->message.target_id, sending->message.message_type, sending->out.payload_json},
            sending->reply, [&parts, sending] { send_or_ask(parts, *sending); });
    });
}

}  // namespace

void add_send(Table& table, const AllParts& all) {
    const SendParts& parts = all.sender;
    table.add("send", with(parts, handle_send));
}

}  // namespace a2h::operations
