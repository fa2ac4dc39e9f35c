#include "daemon/agents/logins.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/approvals.h"

namespace a2h::agents {
namespace {

using nlohmann::json;

/// What the login does not state is taken from the agent that began it.
platform::AgentIdentity identity_of(const store::BegunLogin& login,
                                    const platform::AgentIdentity& asking) {
    platform::AgentIdentity identity;
    identity.name = login.account_name.empty() ? login.account_id : login.account_name;
    identity.account.agent_id = login.account_id;
    identity.account.api_base = login.api_base;
    identity.account.keys.agent_key = login.agent_key;
    identity.mqtt_url = login.mqtt_url;
    identity.ca_file = asking.ca_file;
    return identity;
}

/// Nobody needs the key of an agent that was not taken in.
Result<std::optional<Approval>> end_login(store::Database& db, const Approval& approval,
                                          const consent::Ending& ending, const consent::Policy&,
                                          UnixMs) {
    if (!ending.is_refusal()) return std::optional<Approval>();
    const json action = json::parse(approval.action_json, nullptr, false);
    const std::string account_id =
        wire::text_member(wire::member(action, "request"), "new_agent_id");
    A2H_TRY(store::forget_login_keys(db, account_id));
    return std::optional<Approval>();
}

constexpr consent::ActionRow kActions[] = {{.action = kTakeInAction, .end = end_login}};

Unexpected has_ended() {
    return fail(ErrorCode::NotFound,
                "no login that this home began and that still waits has this code; begin one with "
                "a2h_auth_login");
}

}  // namespace

Logins::Logins(const kernel::Kernel& kernel, Agents& agents, std::filesystem::path agents_dir,
               OwnMailboxes& mailboxes, LocalAgents& local_agents,
               std::function<void(Agent&)> joined)
    : kernel_(kernel),
      agents_(agents),
      agents_dir_(std::move(agents_dir)),
      mailboxes_(mailboxes),
      local_agents_(local_agents),
      joined_(std::move(joined)) {}

Result<store::BegunLogin> Logins::find(std::string_view code) const {
    A2H_ASSIGN_OR_RETURN(auto login, store::find_login(kernel_.reader, code));
    if (!login || !agents_.contains(login->agent_id)) return has_ended();
    const bool waits_for_browser = login->account_id.empty();
    const UnixMs ends_ms = login->begun_at_ms + kLifeMs;
    if (waits_for_browser && kernel_.clock.now_ms() >= ends_ms) return has_ended();
    return std::move(*login);
}

bool Logins::is_taken_in(const std::string& account_id) const {
    const auto agent = agents_.find(account_id);
    return agent != agents_.end() && !agent->second->is_stopped;
}

void Logins::started(const platform::AgentIdentity& identity) {
    const std::string& id = identity.account.agent_id;
    mailboxes_.add(identity);
    local_agents_.greet(id);
    joined_(*agents_.at(id));
    mailboxes_.open(id);
}

/// Without `identity` the agent runs already: an earlier attempt was interrupted.
void Logins::record(const std::optional<platform::AgentIdentity>& identity,
                    const std::string& account_id, consent::UseYes use,
                    std::function<void(const Result<void>&)> done) {
    kernel_.write(
        store::Writer::Priority::Urgent,
        [account_id, use = std::move(use),
         now_ms = kernel_.clock.now_ms()](store::Database& db) -> Result<void> {
            A2H_TRY(store::note_own_agents(db, {&account_id, 1}, now_ms));
            A2H_TRY(store::forget_login_keys(db, account_id));
            return use(db, {{"agent_id", account_id}});
        },
        [this, identity, done = std::move(done)](const Result<void>& written) {
            if (written && identity) started(*identity);
            done(written);
        });
}

void Logins::take_in(const std::string& asking_id, const std::string& account_id,
                     consent::UseYes use, std::function<void(const Result<void>&)> done) {
    if (is_taken_in(account_id))
        return record(std::nullopt, account_id, std::move(use), std::move(done));
    if (agents_.contains(account_id)) {
        return done(
            fail(ErrorCode::Conflict,
                 account_id + " was removed from this home; restart a2hd, then log in again"));
    }
    const auto login = store::login_of_account(kernel_.reader, account_id);
    if (!login) return done(fail(login.error()));
    if (!*login) return done(fail(ErrorCode::Conflict, "this login has ended; begin a new one"));
    const auto identity = identity_of(**login, agents_.at(asking_id)->identity);
    kernel_.run_blocking<Result<void>>(
        [dir = agents_dir_, identity] { return platform::save_new_agent(dir, identity); },
        [this, identity, use = std::move(use), done](const Result<void>& saved) {
            if (!saved) return done(saved);
            record(identity, identity.account.agent_id, use, done);
        },
        [] { return fail(ErrorCode::Unavailable, "too many requests are waiting"); });
}

consent::Carrier carrier_by(Logins& logins) {
    return [&logins](const Approval& approval, const json& arguments, consent::UseYes use,
                     std::function<void(const Result<void>&)> done) {
        logins.take_in(approval.agent_id, wire::text_member(arguments, "new_agent_id"),
                       std::move(use), std::move(done));
    };
}

consent::Ask ask_about_login(const store::BegunLogin& login, i18n::Language language) {
    consent::Ask ask;
    ask.agent_id = login.agent_id;
    ask.action = kTakeInAction;
    ask.request_json = wire::canonical_json(json{{"new_agent_id", login.account_id},
                                                 {"account_name", login.account_name},
                                                 {"market_address", login.api_base},
                                                 {"login_begun_at_ms", login.begun_at_ms}});
    ask.question = i18n::text(language, "daemon.question_take_in", {{"agent", login.account_id}});
    ask.requested_by = "tool:auth.poll";
    return ask;
}

void register_login_actions() {
    consent::register_actions(kActions);
}

}  // namespace a2h::agents
