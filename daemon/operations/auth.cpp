// Browser login: begun here, confirmed by a person in a browser, taken up without a restart.

#include <memory>
#include <nlohmann/json.hpp>

#include "core/platform/login.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {
namespace {

using nlohmann::json;
using platform::Login;
using Polled = Result<std::optional<Login>>;

constexpr std::chrono::seconds kPollEvery{2};
constexpr int kPollsMax = 10;

std::string login_base(const Runtime& runtime, const Agent& agent) {
    const std::string configured = runtime.context.config->login_base;
    return configured.empty() ? platform::login_base_of(agent.identity.account.api_base)
                              : configured;
}

/// One call of `auth.poll` while it waits.
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

/// What the login leaves open is as it is for the agent that asked.
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

void keep(Runtime& runtime, const std::shared_ptr<WaitingLogin>& waiting, const Login& login) {
    if (runtime.agents.contains(login.agent_id)) {
        say_success(*waiting, login.agent_id, "already_connected");
        return;
    }
    const auto identity = identity_of(login, waiting->agent.identity);
    runtime.context.run_blocking<Result<void>>(
        [dir = runtime.agents_dir, identity] { return platform::save_new_agent(dir, identity); },
        [&runtime, waiting, identity](const Result<void>& saved) {
            if (!saved) {
                waiting->reply(error_result("auth.poll", saved.error()));
                return;
            }
            runtime.add_agent(identity);
            say_success(*waiting, identity.account.agent_id, "success");
        },
        [] { return too_busy<void>(); });
}

void poll(Runtime& runtime, const std::shared_ptr<WaitingLogin>& waiting);

void polled(Runtime& runtime, const std::shared_ptr<WaitingLogin>& waiting, const Polled& answer) {
    if (!answer) {
        waiting->reply(error_result("auth.poll", answer.error()));
    } else if (*answer) {
        keep(runtime, waiting, **answer);
    } else if (++waiting->polls >= kPollsMax) {
        waiting->reply(ok_result(
            "auth.poll",
            {{"status", "pending"},
             {"next",
              "The user has not confirmed yet. Ask them, then call a2h_auth_poll again."}}));
    } else {
        runtime.context.loop.call_after(kPollEvery,
                                        [&runtime, waiting] { poll(runtime, waiting); });
    }
}

void poll(Runtime& runtime, const std::shared_ptr<WaitingLogin>& waiting) {
    runtime.context.run_blocking<Polled>(
        [waiting, market = waiting->agent.platform.get()] {
            return platform::poll_login(market->http(), waiting->base, waiting->code);
        },
        [&runtime, waiting](const Polled& answer) { polled(runtime, waiting, answer); },
        [] { return too_busy<std::optional<Login>>(); });
}

}  // namespace

void handle_auth_login(Runtime& runtime, const Call& call, const Reply& reply) {
    using Started = Result<platform::LoginStart>;
    runtime.context.run_blocking<Started>(
        [market = call.agent.platform.get(), base = login_base(runtime, call.agent),
         now_ms = runtime.context.clock.now_ms()] {
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

void handle_auth_poll(Runtime& runtime, const Call& call, const Reply& reply) {
    // Shared by the timers and jobs of one call.
    poll(runtime, std::make_shared<WaitingLogin>(WaitingLogin{
                      call.agent, login_base(runtime, call.agent), call.text("auth_code"), reply}));
}

}  // namespace a2h::operations
