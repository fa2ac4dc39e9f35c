#pragma once

#include <memory>
#include <string>

#include "core/wire/payload.h"
#include "market/api/route_table.h"
#include "market/api/serve.h"
#include "market/payment/payment_provider.h"
#include "market/relay/own_agent.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A market without HTTP server and broker, with one agent, on a clock of the test's. Tests that
/// use it link `a2h_market_commands`. Thread: one.
struct BareMarket {
    static constexpr UnixMs kNow = 1'760'000'000'000;

    TempDir dir;
    ManualClock clock{kNow};
    std::unique_ptr<market::db::Database> database =
        *market::db::open_sqlite(dir.path() / "market.db");
    market::ReplayGuard replay_guard = *market::ReplayGuard::open(dir.path() / "nonce.db");
    market::TokenSigner signer = *market::TokenSigner::open(dir.path());
    market::TokenVerifier verifier = *market::TokenVerifier::open(dir.path() / "token.pub");
    market::FileFolder files = *market::FileFolder::open(dir.path() / "files");
    market::AgentCache agents{*database, clock};
    market::OwnAgent own_agent = *market::open_own_agent(*database, clock);
    market::RouteTable routes;
    market::Watch watch{.metrics = market::Metrics(routes.names()),
                        .agents = market::RateLimiter(0, 1),
                        .addresses = market::RateLimiter(0, 1)};
    market::SandboxPayments payments;
    market::ApiParts parts{.database = *database,
                           .agents = agents,
                           .replay_guard = replay_guard,
                           .token_signer = signer,
                           .token_verifier = verifier,
                           .payments = payments,
                           .own_agent = own_agent,
                           .clock = clock,
                           .routes = routes,
                           .watch = watch,
                           .files = files,
                           .secret_key = "secret",
                           .public_url = "http://market",
                           .mqtt_url = "mqtt://broker"};
    market::Agent ann = add_agent();

    market::Agent add_agent() {
        market::Agent agent;
        agent.agent_id = "ag_ann";
        agent.name = "Ann";
        agent.agent_key = "key-of-ann";
        agent.public_key = "pk";
        agent.created_at_ms = kNow;
        return *database->write_as<market::Agent>([&](market::db::Transaction& transaction) {
            return market::store::add_agent(transaction, agent);
        });
    }

    http::Request request(const std::string& method, const std::string& target,
                          const std::string& body = {}) const {
        http::Request made;
        made.method = method;
        made.target = target;
        const auto path_end = target.find('?');
        made.path = target.substr(0, path_end);
        if (path_end != std::string::npos) {
            made.query = *http::parse_form(target.substr(path_end + 1));
        }
        made.body = body;
        made.remote_address = "127.0.0.1";
        const std::int64_t now_s = clock.now_ms() / 1000;
        made.headers = {
            {"x-agent-id", ann.agent_id},
            {"x-timestamp", std::to_string(now_s)},
            {"x-agent-signature",
             wire::platform_signature(ann.agent_key, method, made.path, ann.agent_id, now_s)}};
        return made;
    }

    http::Response send(const std::string& method, const std::string& target,
                        const std::string& body = {}) {
        return market::serve(parts, request(method, target, body));
    }
};

}  // namespace a2h::test
