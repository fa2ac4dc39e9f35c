// Browser login: begun here, confirmed by a person in a browser. The agent that it brings is taken
// into the home after the owner's yes, and used without a restart.

#include <memory>
#include <nlohmann/json.hpp>

#include "core/platform/login.h"
#include "core/wire/json_member.h"
#include "daemon/agents/logins.h"
#include "daemon/config/current.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;
using platform::Login;
using store::BegunLogin;

struct AuthParts : Asker {
    agents::Logins& logins;
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
    Agent& agent;  ///< that asks
    Caller caller;
    BegunLogin login;
    Reply reply;
    int polls = 0;
};

/// The result of a poll of the market: nothing yet, or the account of the login.
using Polled = Result<std::optional<BegunLogin>>;

template <typename T>
Result<T> too_busy() {
    return fail(ErrorCode::ResourceExhausted, "too many requests are waiting");
}

/// The name by which the market knows the account; empty if it does not say it.
std::string name_at_market(http::Client& http, const Clock& clock, const BegunLogin& login) {
    platform::Account account;
    account.api_base = login.api_base;
    account.agent_id = login.account_id;
    account.keys.agent_key = login.agent_key;
    const auto profile =
        platform::Client(http, clock, std::move(account)).read("profile.get", json::object());
    return profile ? wire::text_member(*profile, "nickname") : std::string();
}

/// Asks the market once. Blocks. What the market does not state is as for the agent that began it.
Polled poll_once(const Agent& beginner, const Clock& clock, BegunLogin login) {
    http::Client& http = beginner.platform->http();
    A2H_ASSIGN_OR_RETURN(const auto account,
                         platform::poll_login(http, login.login_base, login.code));
    if (!account) return std::optional<BegunLogin>();
    const platform::AgentIdentity& asking = beginner.identity;
    login.account_id = account->agent_id;
    login.agent_key = account->agent_key;
    login.api_base = account->api_base.empty() ? asking.account.api_base : account->api_base;
    login.mqtt_url = account->mqtt_url.empty() ? asking.mqtt_url : account->mqtt_url;
    login.account_name = name_at_market(http, clock, login);
    return std::optional(std::move(login));
}

void say(const WaitingLogin& waiting, const char* status) {
    waiting.reply(
        ok_result("auth.poll", {{"status", status}, {"agent_id", waiting.login.account_id}}));
}

/// Answers a poll of a login that has brought an account: it is one of ours, or the owner is asked.
void answer_about_account(const AuthParts& parts, const std::shared_ptr<WaitingLogin>& waiting) {
    const BegunLogin& login = waiting->login;
    if (parts.logins.is_taken_in(login.account_id)) return say(*waiting, "success");
    if (login.agent_key.empty()) {
        const Error ended{ErrorCode::Conflict,
                          "your human did not take the agent of this login into this home"};
        return waiting->reply(error_result("auth.poll", ended));
    }
    consent::Ask ask = agents::ask_about_login(login, parts.config->approval.language);
    const json arguments = json::object();
    const Call call{.action = "auth.poll",
                    .caller = waiting->caller,
                    .agent = waiting->agent,
                    .arguments = arguments};
    ask.asked_by = call.caller.proved_by;
    ask_human(parts, call, ask, waiting->reply);
}

/// The market gives an account only once, so it is stored before anybody is asked.
void keep(const AuthParts& parts, const std::shared_ptr<WaitingLogin>& waiting,
          const BegunLogin& brought) {
    const bool is_known = parts.logins.is_taken_in(brought.account_id);
    waiting->login = brought;
    if (is_known) waiting->login.agent_key.clear();
    parts.kernel.write(
        store::Writer::Priority::Urgent,
        [login = waiting->login](store::Database& db) {
            return store::set_login_account(db, login);
        },
        [&parts, waiting, is_known](const Result<void>& written) {
            if (!written) return waiting->reply(error_result("auth.poll", written.error()));
            if (is_known) return say(*waiting, "already_connected");
            answer_about_account(parts, waiting);
        });
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
        [&clock = parts.kernel.clock, beginner = parts.agents.at(waiting->login.agent_id).get(),
         login = waiting->login] { return poll_once(*beginner, clock, login); },
        [&parts, waiting](const Polled& answer) { polled(parts, waiting, answer); },
        [] { return too_busy<std::optional<BegunLogin>>(); });
}

void say_begun(const BegunLogin& login, const std::string& url, const Reply& reply) {
    reply(ok_result("auth.login",
                    {{"status", "awaiting_authorization"},
                     {"auth_code", login.code},
                     {"auth_url", url},
                     {"next",
                      "Give auth_url to your own human, and to nobody else, to open in a browser; "
                      "then call a2h_auth_poll. Whoever confirms it chooses the agent."}}));
}

/// Only logins that are recorded here can be polled.
void begun(const AuthParts& parts, BegunLogin login, const platform::LoginStart& start,
           const Reply& reply) {
    login.code = start.code;
    parts.kernel.write(
        store::Writer::Priority::Urgent,
        [login](store::Database& db) { return store::insert_login(db, login); },
        [login, url = start.url, reply](const Result<void>& written) {
            written ? say_begun(login, url, reply)
                    : reply(error_result("auth.login", written.error()));
        });
}

void handle_auth_login(const AuthParts& parts, const Call& call, const Reply& reply) {
    using Started = Result<platform::LoginStart>;
    BegunLogin login;
    login.agent_id = call.agent_id();
    login.login_base = login_base(parts, call.agent);
    login.begun_at_ms = parts.kernel.clock.now_ms();
    parts.kernel.run_blocking<Started>(
        [market = call.agent.platform.get(), login] {
            return platform::begin_login(market->http(), login.login_base, login.begun_at_ms);
        },
        [&parts, login, reply](const Started& start) {
            if (!start) return reply(error_result("auth.login", start.error()));
            begun(parts, login, *start, reply);
        },
        [] { return too_busy<platform::LoginStart>(); });
}

void handle_auth_poll(const AuthParts& parts, const Call& call, const Reply& reply) {
    auto login = parts.logins.find(call.text("auth_code"));
    if (!login) return reply(error_result(call.action, login.error()));
    // Shared by the timers and jobs of one call.
    const auto waiting = std::make_shared<WaitingLogin>(
        WaitingLogin{call.agent, call.caller, std::move(*login), reply});
    if (!waiting->login.account_id.empty()) return answer_about_account(parts, waiting);
    poll(parts, waiting);
}

}  // namespace

void add_auth(Table& table, const AllParts& all) {
    const Sender& sender = all.sender;
    const AuthParts parts{{sender}, all.logins};
    table.add_of_market("auth.login", with(parts, handle_auth_login));
    table.add_of_market("auth.poll", with(parts, handle_auth_poll));
}

}  // namespace a2h::operations
