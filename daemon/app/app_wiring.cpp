// What model, notifications and stages are given of the other parts.

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/store/setting_store.h"
#include "daemon/app/app_parts.h"
#include "daemon/mail/snapshot.h"
#include "daemon/notify/pictures.h"

namespace a2h {

std::unique_ptr<model::LanguageModel> App::Impl::make_model(const Opened& opened) {
    auto made = model::make_drafter(
        config->model,
        {.poster = loop,
         .clock = clock,
         .transfers = &transfers,
         .key = opened.model_key,
         .spent = opened.model_spent,
         .save = [this](std::string spent) {
             writer.submit(
                 store::Writer::Priority::Background,
                 [spent = std::move(spent)](store::Database& db) {
                     return store::put_setting(db, {}, kModelSpentSetting, spent);
                 },
                 [](const Result<void>&) {});  // the writer tells of its failures in status
         }});
    A2H_CHECK(made.has_value());  // the configuration was checked when it was read
    return std::move(*made);
}

std::string App::Impl::link_to(const Approval& approval, const std::string& person) const {
    if (runtime.web_url.empty()) return {};
    std::string link = runtime.web_url + "/a/" + approval.id +
                       "?t=" + approvals::approval_link_token(secrets, approval, person);
    if (person != kOwner) link += "&p=" + person;
    return link;
}

/// Pictures come from the markets of this home and from the hosts that its owner has named.
std::function<Result<std::string>()> App::Impl::picture_source(const std::string& agent_id,
                                                               const std::string& url) {
    const auto agent = agents.find(agent_id);
    if (agent == agents.end()) return {};
    std::vector<std::string> markets;
    for (const auto& [id, one] : agents)
        markets.push_back(one->identity.account.api_base);
    if (!notify::is_picture_source(url, markets, config->notify.picture_hosts)) return {};
    const auto& identity = agent->second->identity;
    return [&http = http_clients.trusting(identity.ca_file), url]() -> Result<std::string> {
        A2H_ASSIGN_OR_RETURN(const auto response,
                             http.send({.url = url, .answer_bytes_max = notify::kPictureBytesMax}));
        if (response.status != 200) return fail(ErrorCode::NotFound, "no picture");
        return response.body;
    };
}

notify::NotificationQueue::Environment App::Impl::notification_environment() {
    return {
        .loop = loop,
        .writer = writer,
        .reader = *reader,
        .clock = clock,
        .execute =
            [this](std::function<void()> job) { return notify_workers->submit(std::move(job)); },
        .call_after = [this](
                          std::chrono::milliseconds delay,
                          std::function<void()> task) { loop.call_after(delay, std::move(task)); },
        .secrets_of =
            [this](const Approval& approval, const std::string& person) {
                return notify::Secrets{
                    approvals::approval_code(secrets, approval, person), link_to(approval, person),
                    [this, approval, person](AnswerKind choice) {
                        return approvals::approval_button_token(secrets, approval, person, choice);
                    }};
            },
        .pin_code_of =
            [this](const std::string& nonce, const std::string& person) {
                return approvals::pin_code(secrets, nonce, person);
            },
        .attempted = {},
        .page_url = [this] { return runtime.web_url; },
        .fetch_of = [this](const std::string& agent_id,
                           const std::string& url) { return picture_source(agent_id, url); },
        .language = config->language,
        .people = config->approval.people};
}

/// The decider is built later, but before anything is asked of the stages.
stages::Exchange::Environment App::Impl::stages_environment() {
    return {.clock = clock,
            .loop = loop,
            .writer = writer,
            .reader = *reader,
            .call_after =
                [this](std::chrono::milliseconds delay, std::function<void()> task) {
                    loop.call_after(delay, std::move(task));
                },
            .options = stage_options,
            .policy = policy_of(config),
            .drafter = language_model.get(),
            .snapshot = [this](const InboxMessage& message) -> Result<decide::Input> {
                const auto agent = agents.find(message.agent_id);
                if (agent != agents.end())
                    return pipeline::take_snapshot(context, *agent->second, message);
                return fail(ErrorCode::NotFound, "no agent " + message.agent_id + " is served");
            },
            .effects_of =
                [this](const Task& task, const InboxMessage& message, const decide::Input& input,
                       decide::Decision decision) {
                    return decider.effects_of(task, message, input, std::move(decision));
                },
            .on_effects =
                [this](const pipeline::Effects& effects,
                       const std::vector<store::OutboxPlace>& places) {
                    after_decision(effects, places);
                }};
}

/// Others are built later, but before anything is asked of the house.
agents::House::Environment App::Impl::house_environment() {
    return {.context = context,
            .agents = agents,
            .start = [this](const LocalAgent& local) { mailboxes.start_local(local); },
            .stop = [this](const std::string& agent_id) { mailboxes.stop_local(agent_id); },
            .registration_of =
                [this](const LocalAgent& local) { return mailboxes.registration_of(local); },
            .take = [this](store::Database& db,
                           const InboxMessage& arrival) { return take_at_home(db, arrival); },
            .on_effects = [this] { after_effects(); }};
}

agents::AgentMail::Environment App::Impl::mail_environment() {
    return {.context = context,
            .is_ours = [this](const std::string& agent_id) { return house.is_ours(agent_id); },
            .on_effects =
                [this](const pipeline::Effects& effects,
                       const std::vector<store::OutboxPlace>& places) {
                    after_decision(effects, places);
                    if (serves && effects.news) notifications->wake();
                }};
}

demand::Coordinator::Environment App::Impl::coordinator_environment() {
    return {.context = context,
            .agents = agents,
            .refresh_profiles =
                [this](Agent& agent, std::function<void()> done) {
                    profiles.refresh(agent, std::move(done));
                },
            .on_effects = [this] { after_effects(); },
            .thinking = thinking.get()};
}

/// While nothing serves they do nothing: the yes waits for an a2hd that does.
approvals::Carriers App::Impl::carriers() {
    if (serves) {
        return {{demand::kSubmitAction, demand::carrier_by(coordinator)},
                {agents::kSpawnAction, agents::carrier_by(house)}};
    }
    const approvals::Carrier waits = [](const Approval&, const nlohmann::json&, approvals::UseYes,
                                        const std::function<void(const Result<void>&)>&) {};
    return {{demand::kSubmitAction, waits}, {agents::kSpawnAction, waits}};
}

demand::DemandMail::Environment App::Impl::demand_mail_environment() {
    return {.context = context,
            .on_effects =
                [this](const pipeline::Effects& effects,
                       const std::vector<store::OutboxPlace>& places) {
                    after_decision(effects, places);
                    if (serves && effects.news) notifications->wake();
                },
            .answered = [this](const std::string& channel_id) { coordinator.look_at(channel_id); },
            .invited =
                [this] {
                    if (thinking) advisor.look();
                },
            .asks_model = serves && thinking};
}

demand::Advisor::Environment App::Impl::advisor_environment() {
    return {.context = context,
            .agents = agents,
            .thinking = thinking.get(),
            .refresh_profiles =
                [this](Agent& agent, std::function<void()> done) {
                    profiles.refresh(agent, std::move(done));
                },
            .on_effects =
                [this](const pipeline::Effects& effects,
                       const std::vector<store::OutboxPlace>& places) {
                    after_decision(effects, places);
                }};
}

/// What agents of this house say to each other. Thread: the store writer.
Result<std::function<void()>> App::Impl::take_at_home(store::Database& db,
                                                      const InboxMessage& arrival) {
    if (demand::DemandMail::takes(arrival)) return demand_mail.take_at_home(db, arrival);
    return mail.take_at_home(db, arrival);
}

pipeline::Dispatcher::House App::Impl::dispatcher_house() {
    return {
        .is_ours = [this](const std::string& agent_id) { return house.is_ours(agent_id); },
        .is_stopped = [this](const std::string& agent_id) { return house.is_stopped(agent_id); },
        .role_of = [this](const std::string& agent_id) { return house.role_of(agent_id); },
        .take = [this](store::Database& db,
                       const InboxMessage& arrival) { return take_at_home(db, arrival); },
        .delivered = [this](const InboxMessage& message) { decider.accept(message); }};
}

mailbox::Mailboxes::Parts App::Impl::mailbox_parts() {
    return {.context = context,
            .agents = agents,
            .http = http_clients,
            .keys = key_ring,
            .decider = decider,
            .catch_up = catch_up,
            .market = market_watch,
            .listening = listening,
            .leaders = leaders,
            .receiving = receiving,
            .hang = hang,
            .changed = [this] { note_change(); },
            .connected = [this] { dispatcher.kick(); }};
}

/// An agent whose identity has just been stored.
void App::Impl::add_agent(const platform::AgentIdentity& identity) {
    const std::string& id = identity.account.agent_id;
    mailboxes.add(identity);
    house.greet(id);
    listings.refresh(*agents.at(id));
    mailboxes.open(id);
}

}  // namespace a2h
