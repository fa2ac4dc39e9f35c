// Browser login: started here, confirmed by a person in a browser, and used without a restart.

#include <memory>
#include <nlohmann/json.hpp>

#include "core/platform/login.h"
#include "daemon/agents/local_agents.h"
#include "daemon/config/current.h"
#include "daemon/kernel/services.h"
#include "daemon/mailbox/mailboxes.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"
#include "daemon/trade/listing_sync.h"

namespace a2h::operations {
namespace {

using nlohmann::json;
using platform::Login;
using Polled = Result<std::optional<Login>>;

struct AuthParts {
    const kernel::Services& kernel;
    const Current<Config>& config;
    const Agents& agents;
    std::filesystem::path agents_dir;
    mailbox::Mailboxes& mailboxes;
    agents::LocalAgents& local_agents;
    trade::ListingSync& listings;
};

constexpr std::chrono::seconds kPollEvery{2};
constexpr int kPollsMax = 10;

std::string login_base(const AuthParts& parts, const Agent& agent) {
    const std::string configured = parts.config->login_base;
    return configured.empty() ? platform::login_base_of(agent.identity.account.api_base)
                              : configured;
}

/// A call of `auth.poll` that is waiting.
struct WaitingLogin {
    Agent& agent;
    std::string base;
    std::string code;
    Reply reply;
    int polls = 0;
};

template <typename T>
Result<T> too_busy() {
    return fail(ErrorCode::ResourceExhausted, "too many requests are waiting");
}

/// What the login does not state is taken from the agent that asked.
platform::AgentIdentity identity_of(const Login& login, const platform::AgentIdentity& asking) {
    platform::AgentIdentity identity;
    identity.name = login.agent_id;
    identity.account.agent_id = login.agent_id;
    identity.account.api_base = login.api_base.empty() ? asking.account.api_base : login.api_base;
    identity.account.keys.agent_key = login.agent_key;
    identity.mqtt_url = login.mqtt_url.empty() ? asking.mqtt_url : login.mqtt_url;
    identity.ca_file = asking.ca_file;
    return identity;
}

void say_success(const WaitingLogin& waiting, const std::string& agent_id, const char* status) {
    waiting.reply(ok_result("auth.poll", {{"status", status}, {"agent_id", agent_id}}));
}

/// Adds an agent whose identity has just been stored.
void add_agent(const AuthParts& parts, const platform::AgentIdentity& identity) {
    const std::string& id = identity.account.agent_id;
    parts.mailboxes.add(identity);
    parts.local_agents.greet(id);
    parts.listings.refresh(*parts.agents.at(id));
    parts.mailboxes.open(id);
}

void keep(const AuthParts& parts, const std::shared_ptr<WaitingLogin>& waiting,
          const Login& login) {
    if (parts.agents.contains(login.agent_id)) {
        say_success(*waiting, login.agent_id, "already_connected");
        return;
    }
    const auto identity = identity_of(login, waiting->agent.identity);
    parts.kernel.run_blocking<Result<void>>(
        [dir = parts.agents_dir, identity] { return platform::save_new_agent(dir, identity); },
        [&parts, waiting, identity](const Result<void>& saved) {
            if (!saved) {
                waiting->reply(error_result("auth.poll", saved.error()));
                return;
            }
            add_agent(parts, identity);
            say_success(*waiting, identity.account.agent_id, "success");
        },
        [] { return too_busy<void>(); });
}

void poll(const AuthParts& parts, const std::shared_ptr<WaitingLogin>& waiting);

void polled(const AuthParts& parts, const std::shared_ptr<WaitingLogin>& waiting,
            const Polled& answer) {
    if (!answer) {
        waiting->reply(error_result("auth.poll", answer.error()));
    } else if (*answer) {
        keep(parts, waiting, **answer);
    } else if (++waiting->polls >= kPollsMax) {
        waiting->reply(ok_result(
            "auth.poll",
            {{"status", "pending"},
             {"next",
              "The user has not confirmed yet. Ask them, then call a2h_auth_poll again."}}));
    } else {
        parts.kernel.loop.call_after(kPollEvery, [&parts, waiting] { poll(parts, waiting); });
    }
}

void poll(const AuthParts& parts, const std::shared_ptr<WaitingLogin>& waiting) {
    parts.kernel.run_blocking<Polled>(
        [waiting, market = waiting->agent.platform.get()] {
            return platform::poll_login(market->http(), waiting->base, waiting->code);
        },
        [&parts, waiting](const Polled& answer) { polled(parts, waiting, answer); },
        [] { return too_busy<std::optional<Login>>(); });
}

void handle_auth_login(const AuthParts& parts, const Call& call, const Reply& reply) {
    using Started = Result<platform::LoginStart>;
    parts.kernel.run_blocking<Started>(
        [market = call.agent.platform.get(), base = login_base(parts, call.agent),
         now_ms = parts.kernel.clock.now_ms()] {
            return platform::begin_login(market->http(), base, now_ms);
        },
        [reply](const Started& start) {
            if (!start) {
                reply(error_result("auth.login", start.error()));
                return;
            }
            reply(ok_result("auth.login", {{"status", "awaiting_authorization"},
                                           {"auth_code", start->code},
                                           {"auth_url", start->url},
                                           {"next",
                                            "Give auth_url to the user to open in a "
                                            "browser, then call a2h_auth_poll."}}));
        },
        [] { return too_busy<platform::LoginStart>(); });
}

void handle_auth_poll(const AuthParts& parts, const Call& call, const Reply& reply) {
    // Shared by the timers and jobs of one call.
    poll(parts, std::make_shared<WaitingLogin>(WaitingLogin{
                    call.agent, login_base(parts, call.agent), call.text("auth_code"), reply}));
}

}  // namespace

void add_auth(Table& table, const kernel::Services& kernel, const Current<Config>& config,
              const Agents& agents, std::filesystem::path agents_dir, mailbox::Mailboxes& mailboxes,
              agents::LocalAgents& local_agents, trade::ListingSync& listings) {
    const AuthParts parts{kernel,    config,       agents,  std::move(agents_dir),
                          mailboxes, local_agents, listings};
    table.add_of_market("auth.login", with(parts, handle_auth_login));
    table.add_of_market("auth.poll", with(parts, handle_auth_poll));
}

}  // namespace a2h::operations
