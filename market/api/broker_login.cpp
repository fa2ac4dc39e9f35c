// Answers brokers that ask whether a client may log in: RabbitMQ's HTTP backend.

#include <array>

#include "market/api/resources.h"

namespace a2h::market {
namespace {

std::string_view field(const http::Fields& fields, std::string_view name) {
    for (const auto& [key, value] : fields) {
        if (key == name) return value;
    }
    return {};
}

/// Checks that the password is an unexpired token of this market for that user and client id, and
/// that the agent was not revoked since, which a broker that only checks signatures cannot know.
bool may_log_in(ApiParts& parts, const http::Fields& fields) {
    const auto claims =
        parts.token_verifier.verify(field(fields, "password"), parts.clock.now_ms() / 1000);
    if (!claims || claims->agent_id != field(fields, "username") ||
        claims->client_id != field(fields, "client_id")) {
        return false;
    }
    const auto agent = parts.agents.find(claims->agent_id);
    return agent && *agent && !(*agent)->revoked;
}

http::Response judge_login(ApiParts& parts, const Call& call) {
    const auto fields = http::parse_form(call.request.body);
    const bool allowed = fields && may_log_in(parts, *fields);
    return {200,
            {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "no-store"}},
            allowed ? "allow" : "deny"};
}

constexpr std::array kBrokerLoginRoutes{
    Route{.method = "POST",
          .path = "/v1/broker/user",
          .access = Access::Public,
          .form = Form::Raw,
          .summary =
              "Checks a login for a broker. Takes a form of username, password and client_id and "
              "answers allow or deny. A caller without a token of this market learns nothing.",
          .raw_handler = judge_login,
          .quick = true,
          .limited = false},
};

}  // namespace

Resource broker_resource() {
    return {"operator", kBrokerLoginRoutes};
}

}  // namespace a2h::market
