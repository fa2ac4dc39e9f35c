#include <optional>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/store/contact_store.h"
#include "core/store/inbox_store.h"
#include "core/store/introduction_store.h"
#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"
#include "daemon/agents/agent_mail.h"
#include "daemon/agents/local_agents.h"
#include "daemon/card/card.h"
#include "daemon/operations/registration.h"
#include "daemon/operations/sender.h"
#include "daemon/operations/typed_mail.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

using IntroductionsParts = Sender;

constexpr int kIntroductionsShown = 20;

json introduction_json(const Introduction& introduction) {
    json shown{{"introduction_id", introduction.id},
               {"side", to_string(introduction.side)},
               {"peer_id", introduction.peer_id},
               {"reason", introduction.reason},
               {"required_capability", introduction.required_capability},
               {"state", to_string(introduction.state)},
               {"at", to_utc_time(introduction.at_ms)}};
    if (!introduction.contact_id.empty()) {
        shown["contact"] = {{"id", introduction.contact_id}, {"role", introduction.contact_role}};
    }
    if (!introduction.refusal.empty()) shown["refusal"] = introduction.refusal;
    return shown;
}

/// The open request of an agent of another home that the call names. If there is none, answers the
/// call.
std::optional<Introduction> asked_of(const IntroductionsParts& parts, const Call& call,
                                     const Reply& reply) {
    const std::string id = call.text("introduction_id");
    auto found =
        store::find_introduction(parts.kernel.reader, call.agent_id(), IntroductionSide::Asked, id);
    if (!found) {
        reply(error_result(call.action, found.error()));
        return std::nullopt;
    }
    if (!*found) {
        reply(error_result(call.action,
                           {ErrorCode::NotFound, "this agent has no request with id " + id},
                           "Call a2h_introduction_list."));
        return std::nullopt;
    }
    if ((*found)->state != IntroductionState::Open) {
        reply(error_result(
            call.action, {ErrorCode::Conflict,
                          "it was answered already: " + std::string(to_string((*found)->state))}));
        return std::nullopt;
    }
    return std::move(*found);
}

json response_of(const Introduction& settled) {
    json payload{{"request_id", settled.id}, {"introduced", !settled.contact_id.empty()}};
    if (settled.contact_id.empty()) {
        payload["reason"] = settled.refusal;
        return payload;
    }
    payload["contact"] = {{"id", settled.contact_id}, {"role", settled.contact_role}};
    if (settled.interface_spec) {
        payload["contact"]["interface_spec"] = wire::write_interface_spec(*settled.interface_spec);
    }
    return payload;
}

/// Everything that the request says.
std::string request_in_words(const IntroductionsParts& parts, const Introduction& asked) {
    const json request{{"reason", asked.reason},
                       {"required_capability", asked.required_capability}};
    const i18n::Language language = parts.config->approval.language;
    return card::in_text(card::lines_of(request, language), language);
}

/// The provenance of the request; empty if the message no longer exists.
std::string provenance_of_request(const IntroductionsParts& parts, const Introduction& asked) {
    // The id may by now belong to a message of the real sender.
    if (!asked.is_authentic) return std::string(to_string(Provenance::Unverified));
    const auto message =
        store::find_inbox(parts.kernel.reader, asked.agent_id, asked.peer_id, asked.id);
    return message && *message ? std::string(to_string((*message)->provenance)) : std::string();
}

/// The owner decides who learns our contacts. Outside this home an answer needs no yes only if
/// `[agents] introductions` allows it for that agent.
Result<bool> may_name_without_yes(const IntroductionsParts& parts, const Introduction& asked) {
    if (!asked.is_authentic) return false;
    if (parts.residents.is_ours(asked.peer_id)) return true;
    A2H_ASSIGN_OR_RETURN(const auto asker,
                         store::get_contact(parts.kernel.reader, asked.agent_id, asked.peer_id));
    return agents::may_introduce(parts.config->agents, asker);
}

void handle_introduction_request(const IntroductionsParts& parts, const Call& call,
                                 const Reply& reply) {
    const json payload{{"reason", call.text("reason")},
                       {"required_capability", call.text("required_capability")}};
    send_typed(parts, call,
               {.target_id = parts.residents.address_of(call.text("target_agent_id")),
                .type = AgentMessageType::IntroductionRequest,
                .payload_json = payload.dump(),
                .data_json = {}},
               reply);
}

void handle_introduction_answer(const IntroductionsParts& parts, const Call& call,
                                const Reply& reply) {
    auto asked = asked_of(parts, call, reply);
    if (!asked) return;
    asked->contact_id = call.text("contact_id");
    asked->state =
        asked->contact_id.empty() ? IntroductionState::Declined : IntroductionState::Answered;
    if (asked->contact_id.empty()) {
        asked->refusal =
            call.text("reason").empty() ? "I know no agent for that" : call.text("reason");
    } else {
        const auto contact =
            store::get_contact(parts.kernel.reader, call.agent_id(), asked->contact_id);
        if (!contact || !*contact) {
            reply(named_error(call.action, "unknown_contact",
                              asked->contact_id + " is not a contact of this agent",
                              "Name one of a2h_contact_list.", {{"agentId", asked->contact_id}}));
            return;
        }
        asked->contact_role = (*contact)->role.empty() ? "agent" : (*contact)->role;
        asked->interface_spec = (*contact)->interface_spec;
    }
    const auto is_free = may_name_without_yes(parts, *asked);
    if (!is_free) {
        reply(error_result(call.action, is_free.error()));
        return;
    }
    send_typed(parts, call,
               {.target_id = asked->peer_id,
                .type = AgentMessageType::IntroductionResponse,
                .payload_json = response_of(*asked).dump(),
                .needs_yes = asked->contact_id.empty() || !*is_free,
                .context = request_in_words(parts, *asked),
                .provenance = provenance_of_request(parts, *asked),
                .data_json = json{{"introduction_id", asked->id},
                                  {"introduction_state", to_string(asked->state)}}
                                 .dump()},
               reply);
}

Result<json> handle_introduction_list(const IntroductionsParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto page,
                         store::list_introductions(parts.kernel.reader, call.agent_id(),
                                                   parse_introduction_state(call.text("state")),
                                                   call.number("before", 0),
                                                   call.number("limit", kIntroductionsShown)));
    json data{{"items", wire::array_of(page.items,
                                       [&parts](const Introduction& each) {
                                           json shown = introduction_json(each);
                                           if (each.side == IntroductionSide::Asked)
                                               shown["provenance"] =
                                                   provenance_of_request(parts, each);
                                           return shown;
                                       })},
              {"more", page.next_before != 0}};
    if (page.next_before != 0) data["next_before"] = page.next_before;
    return data;
}

}  // namespace

void add_introductions(Table& table, const AllParts& all) {
    const IntroductionsParts& parts = all.sender;
    table.add("introduction.request", with(parts, handle_introduction_request));
    table.add("introduction.answer", with(parts, handle_introduction_answer));
    table.add("introduction.list", with(parts, handle_introduction_list));
}

}  // namespace a2h::operations
