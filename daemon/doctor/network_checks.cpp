// The connections to market and broker, and what the market says about our agents.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/http/retry_after.h"
#include "core/wire/json_member.h"
#include "daemon/doctor/endpoint.h"
#include "daemon/doctor/facts.h"

namespace a2h::doctor {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kHandshakePatience{5'000};
constexpr milliseconds kRequestPatience{8'000};
constexpr std::int64_t kDayMs = 24LL * 3600 * 1000;
constexpr std::int64_t kCertificateDaysLeft = 21;
/// A market that speaks our protocol refuses requests whose time differs by five minutes.
constexpr std::int64_t kSkewFailedMs = 120'000;
constexpr std::int64_t kSkewWarningMs = 5'000;

struct Place {
    Endpoint endpoint;
    std::string ca_file;
};

/// Markets and brokers of all agents, each once.
std::vector<Place> places_of(const Facts& facts) {
    std::vector<Place> places;
    for (const AgentFacts& agent : facts.agents) {
        for (const std::string& url : {agent.api_base, agent.mqtt_url}) {
            const auto endpoint = endpoint_of(url);
            if (!endpoint) continue;
            const auto same = [&](const Place& place) {
                return place.endpoint.text() == endpoint->text() && place.ca_file == agent.ca_file;
            };
            if (std::none_of(places.begin(), places.end(), same)) {
                places.push_back({*endpoint, agent.ca_file});
            }
        }
    }
    return places;
}

/// One agent of each market.
std::vector<const AgentFacts*> markets_of(const Facts& facts) {
    std::vector<const AgentFacts*> markets;
    for (const AgentFacts& agent : facts.agents) {
        const auto same = [&](const AgentFacts* other) {
            return other->api_base == agent.api_base;
        };
        if (agent.market != nullptr && std::none_of(markets.begin(), markets.end(), same)) {
            markets.push_back(&agent);
        }
    }
    return markets;
}

Findings check_dns(const Facts& facts) {
    Findings findings;
    std::vector<std::string> seen;
    for (const Place& place : places_of(facts)) {
        const std::string& host = place.endpoint.host;
        if (std::find(seen.begin(), seen.end(), host) != seen.end()) continue;
        seen.push_back(host);
        const auto count = facts.resolve ? facts.resolve(host) : count_addresses(host);
        if (count) {
            findings.push_back(say(facts, State::Ok, "dns_ok",
                                   {{"host", host}, {"count", std::to_string(*count)}}, host));
        } else {
            findings.push_back(say(facts, State::Failed, "dns_failed",
                                   {{"host", host}, {"why", count.error().message}}, host));
        }
    }
    return findings;
}

Finding certificate_finding(const Facts& facts, const Place& place) {
    const std::string host = place.endpoint.text();
    if (!place.endpoint.is_encrypted) {
        const bool near = place.endpoint.is_loopback();
        return say(facts, near ? State::Ok : State::Warning, near ? "tls_loopback" : "tls_none",
                   {{"host", host}}, host);
    }
    const auto shown = read_certificate(place.endpoint, place.ca_file, kHandshakePatience);
    if (!shown) {
        return say(facts, State::NotChecked, "tls_unreached",
                   {{"host", host}, {"why", shown.error().message}}, host);
    }
    if (!shown->is_trusted) {
        return say(facts, State::Failed, "tls_untrusted", {{"host", host}, {"why", shown->problem}},
                   host);
    }
    const std::string until = to_local_time(shown->ends_ms);
    const bool soon = shown->ends_ms - facts.now_ms < kCertificateDaysLeft * kDayMs;
    return say(facts, soon ? State::Warning : State::Ok, soon ? "tls_ends" : "tls_ok",
               {{"host", host}, {"until", until}}, host);
}

Findings check_tls(const Facts& facts) {
    Findings findings;
    for (const Place& place : places_of(facts))
        findings.push_back(certificate_finding(facts, place));
    return findings;
}

/// Any response of the market, whatever its status.
Result<http::ClientResponse> ask(const AgentFacts& agent, const std::string& path) {
    http::ClientRequest request;
    request.url = agent.api_base + path;
    request.timeout = kRequestPatience;
    return agent.market->http().send(request);
}

Findings check_market(const Facts& facts) {
    Findings findings;
    for (const AgentFacts* agent : markets_of(facts)) {
        const auto begin = std::chrono::steady_clock::now();
        const auto listings = agent->market->own_listings(std::nullopt, 1, 1);
        const auto took =
            std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
        if (listings) {
            findings.push_back(say(
                facts, State::Ok, "market_ok",
                {{"market", agent->api_base}, {"took", std::to_string(took.count())}}, agent->id));
            continue;
        }
        const bool refused = listings.error().code == ErrorCode::Unauthenticated ||
                             listings.error().code == ErrorCode::PermissionDenied;
        findings.push_back(say(facts, State::Failed, refused ? "market_refuses" : "market_failed",
                               {{"market", agent->api_base}, {"why", listings.error().message}},
                               agent->id));
    }
    return findings;
}

Findings check_token(const Facts& facts) {
    Findings findings;
    for (const AgentFacts& agent : facts.agents) {
        if (agent.market == nullptr) continue;
        const auto token = agent.market->fetch_broker_token(mqtt::listener_client_id(agent.id));
        if (!token) {
            findings.push_back(say(facts, State::Failed, "token_failed",
                                   {{"agent", agent.id}, {"why", token.error().message}},
                                   agent.id));
            continue;
        }
        const bool fresh = token->expires_at_ms > facts.now_ms;
        findings.push_back(
            say(facts, fresh ? State::Ok : State::Failed, fresh ? "token_ok" : "token_expired",
                {{"agent", agent.id}, {"until", to_local_time(token->expires_at_ms)}}, agent.id));
    }
    return findings;
}

/// The market must know the agent with the key in the home.
Findings check_registration(const Facts& facts) {
    Findings findings;
    for (const AgentFacts& agent : facts.agents) {
        if (agent.market == nullptr) continue;
        const auto record = agent.market->fetch_agent(agent.id);
        if (!record) {
            findings.push_back(say(facts, State::NotChecked, "registration_unknown",
                                   {{"agent", agent.id}, {"why", record.error().message}},
                                   agent.id));
            continue;
        }
        const bool same = agent.key_id.empty() || record->key_id == agent.key_id;
        findings.push_back(say(facts, same ? State::Ok : State::Failed,
                               same ? "registration_ok" : "registration_other_key",
                               {{"agent", agent.id}}, agent.id));
    }
    return findings;
}

std::string seconds_text(std::int64_t time_ms) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", static_cast<double>(time_ms) / 1000.0);
    return text.data();
}

/// HTTP dates are truncated to whole seconds.
constexpr std::int64_t kDateStepMs = 500;

Findings check_market_clock(const Facts& facts) {
    Findings findings;
    for (const AgentFacts* agent : markets_of(facts)) {
        const UnixMs before_ms = facts.clock->now_ms();
        const auto answer = ask(*agent, "/");
        const UnixMs middle_ms = before_ms + (facts.clock->now_ms() - before_ms) / 2;
        const auto date = answer ? http::date_of(*answer) : std::nullopt;
        if (!date) {
            findings.push_back(say(facts, State::NotChecked, "clock_market_unknown",
                                   {{"market", agent->api_base}}, agent->api_base));
            continue;
        }
        const std::int64_t skew_ms = middle_ms - (*date + kDateStepMs);
        const std::int64_t off_ms = std::abs(skew_ms);
        const State state = off_ms >= kSkewFailedMs    ? State::Failed
                            : off_ms >= kSkewWarningMs ? State::Warning
                                                       : State::Ok;
        const char* key = state == State::Ok ? "clock_market_ok"
                          : skew_ms > 0      ? "clock_ahead"
                                             : "clock_behind";
        findings.push_back(say(facts, state, key,
                               {{"market", agent->api_base}, {"seconds", seconds_text(off_ms)}},
                               agent->api_base));
    }
    return findings;
}

/// The first line of `program --version`; empty if it cannot be run.
std::string version_of(const std::string& program) {
    if (program.find('\'') != std::string::npos) return {};
    const std::string command = "'" + program + "' --version 2>/dev/null";
    std::FILE* const pipe = ::popen(command.c_str(), "re");
    if (pipe == nullptr) return {};
    std::array<char, 128> line{};
    const bool read = std::fgets(line.data(), line.size(), pipe) != nullptr;
    ::pclose(pipe);
    std::string text = read ? line.data() : "";
    while (text.ends_with('\n'))
        text.pop_back();
    return text.substr(text.rfind(' ') + 1);
}

void compare(const Facts& facts, Findings& findings, const std::string& program,
             const std::string& version) {
    const bool same = version == A2H_VERSION;
    findings.push_back(
        say(facts, same ? State::Ok : State::Warning, same ? "version_ok" : "version_other",
            {{"program", program}, {"version", version}, {"ours", A2H_VERSION}}, program));
}

Findings check_versions(const Facts& facts) {
    Findings findings;
    compare(facts, findings, "a2hd", A2H_VERSION);
    if (!facts.cli_version.empty()) compare(facts, findings, "a2h", facts.cli_version);
    const std::string mcp = facts.mcp_program.empty() ? "" : version_of(facts.mcp_program);
    if (mcp.empty()) {
        findings.push_back(
            say(facts, State::NotChecked, "version_unknown", {{"program", "a2h-mcp"}}, "a2h-mcp"));
    } else {
        compare(facts, findings, "a2h-mcp", mcp);
    }
    for (const AgentFacts* agent : markets_of(facts)) {
        const auto health = ask(*agent, "/healthz");
        const auto body = nlohmann::json::parse(health ? health->body : "", nullptr, false);
        const std::string version = printable(wire::text_member(body, "version"));
        if (version.empty()) {
            findings.push_back(say(facts, State::NotChecked, "version_unknown",
                                   {{"program", agent->api_base}}, agent->api_base));
        } else {
            compare(facts, findings, agent->api_base, version);
        }
    }
    return findings;
}

constexpr Check kNetworkChecks[] = {
    {"dns", check_dns},           {"tls", check_tls},
    {"market", check_market},     {"registration", check_registration},
    {"token", check_token},       {"clock_market", check_market_clock},
    {"versions", check_versions},
};

}  // namespace

std::span<const Check> network_checks() {
    return kNetworkChecks;
}

}  // namespace a2h::doctor
