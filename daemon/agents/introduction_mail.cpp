#include <algorithm>
#include <span>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "core/store/contact_store.h"
#include "core/store/introduction_store.h"
#include "core/store/local_agent_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"
#include "daemon/agents/agent_mail.h"
#include "daemon/agents/mail_rows.h"
#include "daemon/agents/mail_words.h"
#include "daemon/agents/tasks.h"
#include "daemon/card/card.h"
#include "daemon/effects/rows.h"

namespace a2h::agents {
namespace {

using nlohmann::json;

/// The number of unanswered requests of this peer; authentic and unproved ones are counted
/// separately (R49).
Result<int> count_open_requests(const Taking& taking) {
    A2H_ASSIGN_OR_RETURN(const auto page,
                         store::list_introductions(taking.db, taking.message.agent_id,
                                                   IntroductionState::Open, 0, 1'000));
    return static_cast<int>(
        std::count_if(page.items.begin(), page.items.end(), [&](const Introduction& each) {
            return each.side == IntroductionSide::Asked &&
                   each.peer_id == taking.message.sender_id &&
                   each.is_authentic == taking.is_proved();
        }));
}

/// Whether `contact` can be reached by others: agents of other owners, and those of ours that the
/// market knows.
Result<bool> can_be_named(store::Database& db, const Contact& contact, const std::string& asker) {
    if (contact.peer_id == asker || !is_agent_id(contact.peer_id) || contact.key_changed) {
        return false;
    }
    A2H_ASSIGN_OR_RETURN(const auto local, store::get_local_agent(db, contact.peer_id));
    if (!local) return true;
    return local->state == LocalAgentState::Active && local->is_registered;
}

/// The contact whose role or offer contains the capability; nullopt if there is none.
Result<std::optional<Contact>> contact_for(const Taking& taking, const std::string& capability) {
    constexpr int kContactsMax = 1'000;
    A2H_ASSIGN_OR_RETURN(const auto contacts,
                         store::list_contacts(taking.db, taking.message.agent_id, kContactsMax));
    const std::string wanted = i18n::fold(capability);
    for (const Contact& contact : contacts) {
        const std::string offers = i18n::fold(
            contact.role + "\n" + (contact.interface_spec ? contact.interface_spec->services : ""));
        if (offers.find(wanted) == std::string::npos) continue;
        A2H_ASSIGN_OR_RETURN(const auto can,
                             can_be_named(taking.db, contact, taking.message.sender_id));
        if (can) return std::optional(contact);
    }
    return std::optional<Contact>();
}

json contact_json(const Contact& contact) {
    json named{{"id", contact.peer_id},
               {"role", contact.role.empty() ? std::string("agent") : contact.role}};
    if (contact.interface_spec) {
        named["interface_spec"] = wire::write_interface_spec(*contact.interface_spec);
    }
    return named;
}

void notify_human_of_request(Taking& taking) {
    Notification news;
    news.agent_id = taking.message.agent_id;
    news.kind = "introduction.asked";
    news.body_json = wire::canonical_json(json{
        {"text",
         taking.text("daemon.introduction_asked",
                     {{"peer", taking.message.sender_id},
                      {"capability", preview(printable(taking.member("required_capability")))}})}});
    news.created_at_ms = taking.now_ms;
    taking.effects.news = std::move(news);
}

/// The yes sends exactly the answer that was shown; without a fitting contact the human is only
/// notified.
Result<void> ask_about_introduction(Taking& taking) {
    A2H_ASSIGN_OR_RETURN(const auto fitting,
                         contact_for(taking, taking.member("required_capability")));
    if (!fitting) {
        notify_human_of_request(taking);
        return {};
    }
    const json answer{{"request_id", taking.message.message_id},
                      {"introduced", true},
                      {"contact", contact_json(*fitting)}};
    consent::Ask ask = new_ask(taking, "message.send",
                               json{{"message_type", "introduction_response"},
                                    {"payload", answer},
                                    {"target_agent_id", taking.message.sender_id}});
    ask.reply_text = mail_in_words(answer, taking.policy.language);
    ask.reject_text = taking.text("daemon.introduction_declined");
    ask.question =
        taking.text("daemon.question_introduction",
                    {{"peer", taking.message.sender_id},
                     {"capability", preview(printable(taking.member("required_capability")))},
                     {"reason", preview(printable(taking.member("reason")))},
                     {"contact", fitting->peer_id},
                     {"role", preview(printable(fitting->role))}});
    // The question contains only the beginning of the peer's text; this is all of it.
    ask.context = card::in_text(card::lines_of(taking.payload, taking.policy.language),
                                taking.policy.language);
    ask_human(taking, ask);
    return {};
}

Result<void> refuse_introduction(Taking& taking, Introduction asked) {
    asked.state = IntroductionState::Declined;
    asked.refusal = taking.text("daemon.introduction_declined");
    A2H_TRY(store::settle_introduction(taking.db, asked));
    taking.effects.outbox.push_back(effects::new_mail(
        taking.message.agent_id, taking.message.sender_id, "introduction_response",
        json{{"request_id", taking.message.message_id},
             {"introduced", false},
             {"reason", asked.refusal}},
        "rule:" + std::string(kAgentMailRule), taking.now_ms));
    return {};
}

Result<void> take_introduction_request(Taking& taking) {
    if (has_bad_id(taking, AgentMessageType::IntroductionRequest, "message_id",
                   taking.message.message_id)) {
        return {};
    }
    A2H_ASSIGN_OR_RETURN(const auto contact, store::get_contact(taking.db, taking.message.agent_id,
                                                                taking.message.sender_id));
    if (!taking.is_from_this_home) {
        A2H_ASSIGN_OR_RETURN(const auto open, count_open_requests(taking));
        if (open >= kOpenRequestsOfPeerMax) return ignore(taking, "daemon.agent_too_many");
    }
    Introduction asked;
    asked.id = taking.message.message_id;
    asked.agent_id = taking.message.agent_id;
    asked.peer_id = taking.message.sender_id;
    asked.is_authentic = taking.is_proved();
    asked.side = IntroductionSide::Asked;
    asked.reason = taking.member("reason");
    asked.required_capability = taking.member("required_capability");
    asked.at_ms = taking.now_ms;
    A2H_TRY(store::insert_introduction(taking.db, asked));
    if (taking.is_from_this_home) return {};
    if (taking.options.introductions == Introductions::Never) {
        return refuse_introduction(taking, std::move(asked));
    }
    const bool is_left_to_agent = taking.is_proved() && may_introduce(taking.options, contact);
    return is_left_to_agent ? Result<void>() : ask_about_introduction(taking);
}

/// The request to the sender that the message answers: the one that it names, else the newest.
Result<std::optional<Introduction>> request_answered(const Taking& taking) {
    const std::string id = taking.member("request_id");
    if (!id.empty()) {
        A2H_ASSIGN_OR_RETURN(auto named, store::get_introduction(taking.db, taking.message.agent_id,
                                                                 taking.message.sender_id,
                                                                 IntroductionSide::Asking, id));
        if (named && named->state != IntroductionState::Open) named.reset();
        return named;
    }
    A2H_ASSIGN_OR_RETURN(const auto open,
                         store::list_introductions(taking.db, taking.message.agent_id,
                                                   IntroductionState::Open, 0, 1'000));
    for (const Introduction& each : open.items) {
        if (each.side == IntroductionSide::Asking && each.peer_id == taking.message.sender_id) {
            return std::optional(each);
        }
    }
    return std::optional<Introduction>();
}

/// A contact that was known by its first message only becomes an introduced one; other contacts
/// keep their source.
Result<void> learn_contact(Taking& taking, const Introduction& answered) {
    A2H_ASSIGN_OR_RETURN(const auto known,
                         store::get_contact(taking.db, answered.agent_id, answered.contact_id));
    if (known && known->source != ContactSource::FirstMessage) return {};
    Contact contact;
    contact.agent_id = answered.agent_id;
    contact.peer_id = answered.contact_id;
    contact.source = ContactSource::Introduction;
    contact.introduced_by = answered.peer_id;
    contact.role = answered.contact_role;
    contact.interface_spec = answered.interface_spec;
    contact.added_at_ms = taking.now_ms;
    return store::put_contact(taking.db, contact);
}

Result<void> take_introduction_response(Taking& taking) {
    if (!taking.is_proved()) return ignore(taking, "daemon.agent_unproved");
    A2H_ASSIGN_OR_RETURN(auto asked, request_answered(taking));
    if (!asked) return ignore(taking, "daemon.agent_unknown");
    Introduction answered = std::move(*asked);
    if (wire::member(taking.payload, "introduced") != true) {
        answered.state = IntroductionState::Declined;
        answered.refusal = taking.member("reason");
        return store::settle_introduction(taking.db, answered);
    }
    const json& contact = wire::member(taking.payload, "contact");
    answered.state = IntroductionState::Answered;
    answered.contact_id = wire::text_member(contact, "id");
    answered.contact_role = wire::text_member(contact, "role");
    const json& spec = wire::member(contact, "interface_spec");
    if (spec.is_object()) {
        const auto read = wire::read_interface_spec(spec);
        if (read) answered.interface_spec = *read;
    }
    if (!is_agent_id(answered.contact_id) || answered.contact_id == answered.agent_id) {
        return ignore(taking, "daemon.agent_bad_contact");
    }
    A2H_TRY(store::settle_introduction(taking.db, answered));
    taking.detail["contact_id"] = answered.contact_id;
    return learn_contact(taking, answered);
}

// The changes that a message about an introduction makes for its sender.

Result<void> ask_for_introduction(store::Database& db, const OutboxMessage& message,
                                  const json& payload) {
    Introduction asked;
    asked.id = message.message_id;
    asked.agent_id = message.agent_id;
    asked.peer_id = message.target_id;
    asked.side = IntroductionSide::Asking;
    asked.reason = wire::text_member(payload, "reason");
    asked.required_capability = wire::text_member(payload, "required_capability");
    asked.at_ms = message.created_at_ms;
    return store::insert_introduction(db, asked);
}

/// An answer without a request, or a second one, changes nothing here.
Result<void> answer_introduction(store::Database& db, const OutboxMessage& message,
                                 const json& payload) {
    A2H_ASSIGN_OR_RETURN(
        auto asked,
        store::get_introduction(db, message.agent_id, message.target_id, IntroductionSide::Asked,
                                wire::text_member(payload, "request_id")));
    if (!asked || asked->state != IntroductionState::Open) return {};
    Introduction settled = std::move(*asked);
    const json& contact = wire::member(payload, "contact");
    const bool is_named = wire::member(payload, "introduced") == true;
    settled.state = is_named ? IntroductionState::Answered : IntroductionState::Declined;
    if (is_named) {
        settled.contact_id = wire::text_member(contact, "id");
        settled.contact_role = wire::text_member(contact, "role");
        const auto spec = wire::read_interface_spec(wire::member(contact, "interface_spec"));
        if (spec) settled.interface_spec = *spec;
    } else {
        settled.refusal = wire::text_member(payload, "reason");
    }
    return store::settle_introduction(db, settled);
}

constexpr MailRow kIntroductionMail[] = {
    {AgentMessageType::IntroductionRequest, take_introduction_request, ask_for_introduction},
    {AgentMessageType::IntroductionResponse, take_introduction_response, answer_introduction}};

}  // namespace

std::span<const MailRow> introduction_mail() {
    return kIntroductionMail;
}

bool may_introduce(const Options& options, const std::optional<Contact>& asker) {
    return options.introductions == Introductions::Known && asker &&
           asker->source != ContactSource::FirstMessage && !asker->key_changed;
}

}  // namespace a2h::agents
