#include "daemon/house/agent_mail.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "core/store/assignment_store.h"
#include "core/store/contact_store.h"
#include "core/store/introduction_store.h"
#include "core/store/local_agent_store.h"
#include "core/wire/agent_messages.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"
#include "daemon/card/card.h"
#include "daemon/effects/rows.h"
#include "daemon/house/mail_words.h"
#include "daemon/house/tasks.h"

namespace a2h::house {
namespace {

using nlohmann::json;
using wire::AgentMessageType;

/// One message on its way through; what follows is put into `effects`.
struct Taking {
    store::Database& db;
    const InboxMessage& message;
    bool is_from_house;
    const Options& options;
    const consent::Policy& policy;
    UnixMs now_ms;
    json payload;
    outcome::Effects effects;
    json detail;

    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return i18n::text(policy.language, key, arguments);
    }
    std::string member(std::string_view name) const { return wire::text_member(payload, name); }
    /// Reports and answers count when nobody else can have sent them.
    bool is_proved() const { return is_authentic(message.provenance); }
};

Result<void> ignore(Taking& taking, std::string_view why_key) {
    taking.effects.job->rule_id = kIgnoredRule;
    taking.effects.job->why = taking.text(why_key);
    taking.detail["ignored"] = std::string(why_key.substr(why_key.find("agent_") + 6));
    return {};
}

std::string joined(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : ", ") + name;
    return all;
}

void record_fault(Taking& taking, const wire::MessageFault& fault) {
    const std::string fields = joined(fault.missing_fields);
    taking.effects.job->rule_id = kIgnoredRule;
    taking.effects.job->why =
        taking.text("daemon.agent_fault", {{"fields", fields.empty() ? fault.detail : fields}});
    taking.detail.update(wire::to_json(fault));
}

consent::Ask new_ask(const Taking& taking, std::string_view action, const json& request) {
    consent::Ask ask;
    ask.agent_id = taking.message.agent_id;
    ask.peer_id = taking.message.sender_id;
    ask.job_id = taking.effects.job->id;
    ask.action = action;
    ask.request_json = wire::canonical_json(request);
    ask.provenance = to_string(taking.message.provenance);
    ask.requested_by = "rule:" + std::string(kHouseMailRule);
    return ask;
}

void ask_human(Taking& taking, const consent::Ask& ask) {
    taking.effects.approval = consent::new_approval(ask, taking.policy, taking.now_ms);
    taking.effects.job->state = JobState::WaitingForHuman;
    taking.effects.job->decision = "ask";
    taking.effects.job->why = taking.text("daemon.agent_asks_human");
    taking.detail["approval_id"] = taking.effects.approval->id;
}

// Tasks.

/// Tasks that this peer has offered and nobody has decided about, or those in its name (R49).
Result<int> count_offers(const Taking& taking) {
    A2H_ASSIGN_OR_RETURN(
        const auto live,
        store::live_assignments(taking.db, taking.message.agent_id, AssignmentSide::Taken));
    return static_cast<int>(std::count_if(live.begin(), live.end(), [&](const Assignment& each) {
        return each.state == AssignmentState::Offered && each.peer_id == taking.message.sender_id &&
               each.is_authentic == taking.is_proved();
    }));
}

Result<void> offer_task(Taking& taking, const Assignment& task) {
    consent::Ask ask =
        new_ask(taking, kAcceptTask,
                json{{"task_id", task.task_id}, {"task_brief", taking.payload["task_brief"]}});
    ask.question = taking.text(
        "daemon.question_task_offered",
        {{"peer", task.peer_id},
         {"objective",
          preview(printable(wire::text_member(taking.payload["task_brief"], "objective")))}});
    json besides = taking.payload;
    besides.erase("task_id");
    besides.erase("task_brief");
    const std::string under = taking.text("demand.label.besides");
    ask.context = mail_in_words(taking.payload["task_brief"], taking.policy.language) + "\n" +
                  card::received_in_words(besides, taking.policy.language, under);
    ask_human(taking, ask);
    return {};
}

/// Our answer repeats the id, so that it must be one and no sentence.
bool has_bad_id(Taking& taking, AgentMessageType type, const char* name, const std::string& id) {
    if (is_token(id)) return false;
    record_fault(taking, {type, {}, name});
    return true;
}

/// An id is used by what was agreed on, not by what somebody has offered under it; and what is
/// authentic leaves no id to what is not.
Result<bool> is_id_used(const Taking& taking, const std::string& task_id) {
    const store::TaskOwner whose{.is_authentic =
                                     taking.is_proved() ? std::optional(true) : std::nullopt};
    A2H_ASSIGN_OR_RETURN(const auto task,
                         store::get_assignment(taking.db, taking.message.agent_id, task_id, whose));
    return task && task->state != AssignmentState::Offered &&
           task->state != AssignmentState::Declined;
}

Result<void> take_assignment(Taking& taking) {
    const std::string id = taking.member("task_id");
    if (has_bad_id(taking, AgentMessageType::TaskAssignment, "task_id", id)) return {};
    A2H_ASSIGN_OR_RETURN(const auto known,
                         store::get_assignment(taking.db, taking.message.agent_id, id,
                                               {taking.message.sender_id, taking.is_proved()}));
    // An agent that was made with this very task has it already.
    if (known) return {};
    A2H_ASSIGN_OR_RETURN(const auto used, is_id_used(taking, id));
    if (used) return ignore(taking, "daemon.agent_used_id");
    Assignment task;
    task.is_authentic = taking.is_proved();
    task.task_id = id;
    task.agent_id = taking.message.agent_id;
    task.peer_id = taking.message.sender_id;
    task.side = AssignmentSide::Taken;
    task.brief_json = wire::canonical_json(taking.payload["task_brief"]);
    task.state = taking.is_from_house ? AssignmentState::Open : AssignmentState::Offered;
    if (taking.is_from_house) task.mandate_id = taking.member("mandate_id");
    task.created_at_ms = taking.now_ms;
    task.updated_at_ms = taking.now_ms;
    if (!taking.is_from_house) {
        A2H_ASSIGN_OR_RETURN(const auto offers, count_offers(taking));
        if (offers >= kOpenRequestsOfPeerMax) return ignore(taking, "daemon.agent_too_many");
    }
    A2H_TRY(store::insert_assignment(taking.db, task));
    A2H_TRY(tell_story(taking.db, task, "assigned", taking.message.message_id,
                       json{{"from", task.peer_id}}, taking.now_ms));
    return taking.is_from_house ? Result<void>() : offer_task(taking, task);
}

/// The task with the sender that the message names: beside an authentic one its own.
Result<std::optional<Assignment>> task_named(const Taking& taking) {
    const std::string id = taking.member("task_id");
    store::TaskOwner whose{taking.message.sender_id, taking.is_proved()};
    auto task = store::get_assignment(taking.db, taking.message.agent_id, id, whose);
    if (!task || *task || !taking.is_proved()) return task;
    whose.is_authentic.reset();
    return store::get_assignment(taking.db, taking.message.agent_id, id, whose);
}

/// What a report says of the task: its worker ends it, its giver takes it back.
std::optional<AssignmentState> end_of(const std::string& status, AssignmentSide side) {
    if (side == AssignmentSide::Taken) {
        return status == "cancelled" ? std::optional(AssignmentState::Cancelled) : std::nullopt;
    }
    if (status == "completed") return AssignmentState::Completed;
    return status == "failed" ? std::optional(AssignmentState::Failed) : std::nullopt;
}

Result<void> take_report(Taking& taking) {
    if (!taking.is_proved()) return ignore(taking, "daemon.agent_unproved");
    A2H_ASSIGN_OR_RETURN(auto task, task_named(taking));
    if (!task) return ignore(taking, "daemon.agent_unknown");
    taking.detail["task_id"] = task->task_id;
    A2H_TRY(tell_story(taking.db, *task, "report", taking.message.message_id, taking.payload,
                       taking.now_ms));
    const auto end = end_of(taking.member("status"), task->side);
    if (!end || is_final(task->state)) return {};
    return end_task(taking.db, std::move(*task), *end, taking.payload, taking.message.message_id,
                    taking.policy, taking.now_ms);
}

/// Collaboration and general messages are for the agent to read; a task that they name keeps them.
Result<void> take_words(Taking& taking) {
    const std::string task_id = taking.member("task_id");
    if (task_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(const auto task, task_named(taking));
    if (!task) return {};
    taking.detail["task_id"] = task_id;
    return tell_story(taking.db, *task, "message", taking.message.message_id,
                      json{{"message_type", taking.message.message_type}, {"outgoing", false}},
                      taking.now_ms);
}

// Introductions.

/// Requests of this peer that nobody has answered, or those in its name (R49).
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

/// Whoever can be reached from outside: agents elsewhere, and those of ours that the market knows.
Result<bool> can_be_named(store::Database& db, const Contact& contact, const std::string& asker) {
    if (contact.peer_id == asker || !is_agent_id(contact.peer_id) || contact.key_changed) {
        return false;
    }
    A2H_ASSIGN_OR_RETURN(const auto local, store::get_local_agent(db, contact.peer_id));
    if (!local) return true;
    return local->state == LocalAgentState::Active && local->is_registered;
}

/// The contact whose role or offer has what is wanted; nullopt when none does.
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

void tell_human_of_request(Taking& taking) {
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

/// The yes sends the very answer that was shown; without anybody to name the human is told.
Result<void> ask_about_introduction(Taking& taking) {
    A2H_ASSIGN_OR_RETURN(const auto fitting,
                         contact_for(taking, taking.member("required_capability")));
    if (!fitting) {
        tell_human_of_request(taking);
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
    ask.question =
        taking.text("daemon.question_introduction",
                    {{"peer", taking.message.sender_id},
                     {"capability", preview(printable(taking.member("required_capability")))},
                     {"reason", preview(printable(taking.member("reason")))},
                     {"contact", fitting->peer_id},
                     {"role", preview(printable(fitting->role))}});
    // The question has the beginning of what they wrote; this is all of it.
    ask.context = card::in_text(card::lines_of(taking.payload, taking.policy.language),
                                taking.policy.language);
    ask_human(taking, ask);
    return {};
}

Result<void> refuse_introduction(Taking& taking, Introduction asked) {
    asked.state = IntroductionState::Declined;
    asked.refusal = taking.text("daemon.introduction_declined");
    A2H_TRY(store::settle_introduction(taking.db, asked));
    taking.effects.outbox.push_back(new_mail(taking.message.agent_id, taking.message.sender_id,
                                             "introduction_response",
                                             json{{"request_id", taking.message.message_id},
                                                  {"introduced", false},
                                                  {"reason", asked.refusal}},
                                             "rule:" + std::string(kHouseMailRule), taking.now_ms));
    return {};
}

Result<void> take_introduction_request(Taking& taking) {
    if (has_bad_id(taking, AgentMessageType::IntroductionRequest, "message_id",
                   taking.message.message_id)) {
        return {};
    }
    A2H_ASSIGN_OR_RETURN(const auto contact, store::get_contact(taking.db, taking.message.agent_id,
                                                                taking.message.sender_id));
    if (!taking.is_from_house) {
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
    if (taking.is_from_house) return {};
    if (taking.options.introductions == Introductions::Never) {
        return refuse_introduction(taking, std::move(asked));
    }
    const bool is_left_to_agent = taking.is_proved() && may_introduce(taking.options, contact);
    return is_left_to_agent ? Result<void>() : ask_about_introduction(taking);
}

/// What was asked of the sender and fits the answer: the request that it names, else the newest.
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

/// Who wrote first becomes who was introduced; whoever is known better stays what they are.
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

Result<void> take_typed(Taking& taking, AgentMessageType type) {
    taking.payload = json::parse(taking.message.payload_json, nullptr, false);
    if (const auto fault = wire::fault_of(type, taking.payload)) {
        record_fault(taking, *fault);
        return {};
    }
    taking.payload = wire::normalized(type, std::move(taking.payload));
    switch (type) {
        case AgentMessageType::TaskAssignment:
            return take_assignment(taking);
        case AgentMessageType::StatusReport:
            return take_report(taking);
        case AgentMessageType::IntroductionRequest:
            return take_introduction_request(taking);
        case AgentMessageType::IntroductionResponse:
            return take_introduction_response(taking);
        case AgentMessageType::CollaborationRequest:
        case AgentMessageType::CollaborationResponse:
        case AgentMessageType::General:
            return take_words(taking);
    }
    return {};
}

}  // namespace

bool may_introduce(const Options& options, const std::optional<Contact>& asker) {
    return options.introductions == Introductions::Known && asker &&
           asker->source != ContactSource::FirstMessage && !asker->key_changed;
}

Result<outcome::Effects> take_mail(store::Database& db, const Job& job, const InboxMessage& message,
                                   bool is_from_house, const Options& options,
                                   const consent::Policy& policy, UnixMs now_ms) {
    Taking taking{db, message, is_from_house, options, policy, now_ms, json::object(), {}, {}};
    taking.effects.job = job;
    Job& settled = *taking.effects.job;
    settled.rule_id = kHouseMailRule;
    settled.decision = "silent";
    settled.state = JobState::Done;
    settled.updated_at_ms = now_ms;
    settled.why = taking.text("daemon.agent_recorded");
    taking.detail = json{{"peer_id", message.sender_id},
                         {"provenance", to_string(message.provenance)},
                         {"message_type", message.message_type}};
    if (message.provenance == Provenance::Forged) {
        A2H_TRY(ignore(taking, "daemon.agent_unproved"));
    } else if (const auto type = wire::parse_agent_message_type(message.message_type)) {
        A2H_TRY(take_typed(taking, *type));
    }
    taking.detail["decision"] = settled.decision;
    taking.detail["rule_id"] = settled.rule_id;
    taking.detail["why"] = settled.why;
    taking.effects.events.push_back(
        effects::new_event(message.agent_id, "message.decided", message.message_id,
                           wire::canonical_json(taking.detail), now_ms));
    return std::move(taking.effects);
}

AgentMail::AgentMail(const kernel::Services& kernel, const Current<Config>& config,
                     const Residents& residents, const outcome::Commits& commits)
    : kernel_(kernel), config_(config), residents_(residents), commits_(commits) {}

bool AgentMail::is_from_house(const InboxMessage& message) const {
    return message.provenance == Provenance::Verified && residents_.is_ours(message.sender_id);
}

bool AgentMail::takes(const InboxMessage& message) const {
    const auto type = wire::parse_agent_message_type(message.message_type);
    if (type && *type != AgentMessageType::General) return true;
    return is_from_house(message);
}

Result<void> AgentMail::take(store::Database& db, const Job& job, const InboxMessage& message,
                             bool from_house, UnixMs now_ms, Settlement& settlement) const {
    const auto config = config_.get();
    A2H_ASSIGN_OR_RETURN(auto effects, take_mail(db, job, message, from_house, config->agents,
                                                 config->approval, now_ms));
    settlement.effects = std::move(effects);
    A2H_ASSIGN_OR_RETURN(auto places,
                         outcome::write_effects(db, settlement.effects, config->approval));
    settlement.places = std::move(places);
    return {};
}

void AgentMail::receive(const Job& job, const InboxMessage& message, Done done) {
    auto settlement = std::make_shared<Settlement>();
    kernel_.write(
        store::Writer::Priority::Grouped,
        [this, settlement, job, message, from_house = is_from_house(message),
         now_ms = kernel_.clock.now_ms()](store::Database& db) {
            return take(db, job, message, from_house, now_ms, *settlement);
        },
        [this, settlement, done = std::move(done)](const Result<void>& written) {
            if (written) commits_.written(settlement->effects, settlement->places);
            done(written);
        });
}

Result<std::function<void()>> AgentMail::take_at_home(store::Database& db,
                                                      const InboxMessage& arrival) const {
    Job job;
    job.id = arrival.id;
    job.inbox_id = arrival.id;
    job.agent_id = arrival.agent_id;
    job.created_at_ms = arrival.received_at_ms;
    auto settlement = std::make_shared<Settlement>();
    A2H_TRY(take(db, job, arrival, true, arrival.received_at_ms, *settlement));
    return std::function<void()>(
        [this, settlement] { commits_.written(settlement->effects, settlement->places); });
}

}  // namespace a2h::house
