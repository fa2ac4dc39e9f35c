#include "daemon/operations/typed_mail.h"

#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/store/contact_store.h"
#include "core/wire/canonical.h"
#include "core/wire/envelope.h"
#include "daemon/agents/local_agents.h"
#include "daemon/agents/mail_words.h"
#include "daemon/agents/tasks.h"
#include "daemon/effects/rows.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/may_leave.h"
#include "daemon/operations/reading_first.h"
#include "daemon/operations/references.h"
#include "daemon/operations/sender.h"
#include "daemon/outcome/requests.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr std::string_view kTypedCause = "tool:agents";

void report_not_found(const Call& call, const std::string& agent_id, const Reply& reply) {
    reply(named_error(call.action, "agent_not_found",
                      agent_id + " is not an active agent of this home, and the market "
                                 "knows no agent with that id",
                      "Check a2h_agent_list and a2h_contact_list, or request an introduction.",
                      {{"agentId", agent_id}}));
}

json sent_data(const OutboxMessage& message, const std::string& data_json) {
    json data = data_json.empty() ? json::object() : json::parse(data_json);
    data["message_id"] = message.message_id;
    data["target_id"] = message.target_id;
    data["type"] = message.message_type;
    data["state"] = to_string(message.state);
    return data;
}

consent::Ask ask_to_tell(const Sender& sender, const Call& call, const TypedMail& mail, Hold hold) {
    const json payload = json::parse(mail.payload_json);
    const i18n::Language language = sender.config->approval.language;
    consent::Ask ask;
    ask.agent_id = call.agent_id();
    ask.peer_id = mail.target_id;
    ask.action = outcome::kSendAction;
    json request{{"message_type", to_string(mail.type)},
                 {"payload", payload},
                 {"target_agent_id", mail.target_id}};
    const bool gives_share = !mail.mandate_json.empty();
    if (gives_share) request["mandate"] = json::parse(mail.mandate_json);
    ask.request_json = wire::canonical_json(request);
    ask.reply_text = agents::mail_in_words(payload, language);
    ask.question = agents::question_about_mail(mail.type, mail.target_id, payload, language);
    if (gives_share) ask.question += "\n" + i18n::text(language, "daemon.question_share");
    ask.question += reason_of(hold, language);
    ask.context = mail.context;
    ask.provenance = mail.provenance;
    ask.requested_by = kTypedCause;
    ask.asked_by = call.caller.proved_by;
    return ask;
}

/// Lives until writer and loop have finished sending.
struct Sending {
    OutboxMessage message;
    TypedMail mail;
    std::string action;
    Reply reply;
};

void answer_sent(const Sending& sending, const Result<void>& written) {
    sending.reply(
        written ? ok_result(sending.action, sent_data(sending.message, sending.mail.data_json))
                : error_result(sending.action, written.error()));
}

void queue(const Sender& sender, const std::shared_ptr<Sending>& sending) {
    sender.dispatcher.queue(
        sending->message,
        [sending](store::Database& db) { return agents::queue_mail(db, sending->message); },
        [&sender, sending](const Result<void>& written) {
            if (written) sender.commits.rows_written();
            answer_sent(*sending, written);
        });
}

AboutMail about(const Sending& sending) {
    return {sending.mail.target_id, sending.message.message_type, sending.mail.payload_json};
}

/// A share of a mandate needs a person's yes, also within this home.
void send_or_ask(const Sender& sender, const Call& call, const std::shared_ptr<Sending>& sending) {
    const bool is_ours = sender.residents.is_ours(sending->mail.target_id);
    const auto hold = Judge::judge(sender, call, "agents", sending->message);
    if (!hold) return sending->reply(error_result(call.action, hold.error()));
    const bool needs_yes =
        (sending->mail.needs_yes && !is_ours) || !sending->mail.mandate_json.empty();
    if (*hold == Hold::None && !needs_yes && !call.along) {
        queue(sender, sending);
    } else {
        ask_human(sender, call, ask_to_tell(sender, call, sending->mail, *hold), sending->reply);
    }
}

}  // namespace

json named_error(std::string_view action, std::string_view code, std::string_view message,
                 std::string_view next, const json& details) {
    json error{{"code", code}, {"message", message}, {"next", next}};
    if (details.is_object()) error.update(details);
    return {{"ok", false}, {"action", action}, {"error", std::move(error)}};
}

bool can_be_sent(const Sender& sender, const Call& call, const std::string& agent_id,
                 const Reply& reply) {
    if (agent_id.empty() || sender.residents.is_stopped(agent_id)) {
        report_not_found(call, agent_id, reply);
        return false;
    }
    if (sender.residents.is_ours(agent_id) || call.agent.platform) return true;
    reply(error_result(
        call.action,
        {ErrorCode::Conflict, call.agent_id() + " can write to agents of this home only"},
        "Call a2h_agent_register for it, or let another agent of this home ask."));
    return false;
}

void with_reachable(const Sender& sender, const Call& call, const std::string& agent_id,
                    const Reply& reply, std::function<void()> then) {
    if (!can_be_sent(sender, call, agent_id, reply)) return;
    if (sender.residents.is_ours(agent_id)) {
        then();
        return;
    }
    const auto read_then = [&sender, then = std::move(then)] { read_first(sender, then); };
    const auto contact = store::get_contact(sender.kernel.reader, call.agent_id(), agent_id);
    if (!call.agent.market_has_our_rules || (contact && *contact)) {
        read_then();
        return;
    }
    // Only a market with our rules can say that there is no such agent.
    sender.kernel.run_blocking<bool>(
        [market = call.agent.platform.get(), agent_id] {
            const auto record = market->fetch_agent(agent_id);
            return record || record.error().code != ErrorCode::NotFound;
        },
        [action = call.action, &agent = call.agent, caller = call.caller, agent_id, reply,
         read_then](bool may_exist) {
            const json none = json::object();
            if (may_exist) {
                read_then();
            } else {
                report_not_found(Call{action, caller, agent, none}, agent_id, reply);
            }
        },
        [] { return true; });
}

void send_typed(const Sender& sender, const Call& call, TypedMail mail, const Reply& reply) {
    const json payload = json::parse(mail.payload_json);
    if (const auto fault = wire::fault_of(mail.type, payload)) {
        reply(named_error(call.action, "invalid_message_format",
                          std::string(to_string(mail.type)) + " lacks what is named",
                          "Give everything that is missing and call again.",
                          wire::to_json(*fault)));
        return;
    }
    auto sending = std::make_shared<Sending>();
    sending->message =
        effects::new_outbox_message(call.agent_id(), mail.target_id, wire::canonical_json(payload),
                                    "", "", sender.kernel.clock.now_ms());
    sending->message.message_type = to_string(mail.type);
    sending->mail = std::move(mail);
    sending->action = call.action;
    sending->reply = reply;
    // A message that does not fit into one MQTT message is refused now and not when it is sent.
    const auto fits = wire::sign_envelope(sending->message, call.agent.identity.account.keys,
                                          sender.kernel.clock.now_ms());
    if (!fits) {
        reply(error_result(call.action, fits.error()));
        return;
    }
    const auto continue_if_reachable = [&sender, sending, &agent = call.agent, caller = call.caller,
                                        along = call.along] {
        const json none = json::object();
        const auto go_on = [&sender, sending, &agent, caller, along] {
            const json nothing = json::object();
            send_or_ask(sender, Call{sending->action, caller, agent, nothing, along}, sending);
        };
        with_known_references(sender, Call{sending->action, caller, agent, none, along},
                              about(*sending), sending->reply, go_on);
    };
    with_reachable(sender, call, sending->mail.target_id, reply, continue_if_reachable);
}

}  // namespace a2h::operations
