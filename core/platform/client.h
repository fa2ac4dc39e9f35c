#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/listing.h"
#include "core/domain/message.h"
#include "core/domain/permit.h"
#include "core/http/client.h"
#include "core/platform/answers.h"
#include "core/platform/requests.h"
#include "core/wire/envelope.h"

namespace a2h::platform {

/// Our account at the market.
struct Account {
    std::string api_base;  ///< e.g. https://api.example
    std::string agent_id;
    wire::SigningKeys keys;
};

struct Upload {
    std::string url;
    std::vector<std::pair<std::string, std::string>> headers;
    std::filesystem::path file;
    std::uint64_t bytes_max = 0;
};

enum class LeaseStep { Acquire, Renew };

/// Client of the market's HTTP API; one object for each agent. Every request carries the platform's
/// HMAC signature and also our own, with a nonce.
///
/// Errors:  of all calls: Unavailable (not reached, nothing was done), Timeout (outcome unknown),
///          Unauthenticated (PLATFORM_90005), PermissionDenied (PLATFORM_401), NotFound
///          (PLATFORM_410), InvalidArgument, Conflict, Corrupt (an answer that violates the
///          protocol).
/// Thread:  any; every call blocks.
class Client {
  public:
    Client(http::Client& http, const Clock& clock, Account account);

    /// Registers a new agent with its public key, signed with that key as proof of possession.
    /// `agent_id` is the id that the agent has already; a market that is not ours assigns another
    /// one.
    ///
    /// Errors:  also Conflict if that id is taken.
    static Result<Registration> register_agent(http::Client& http, const Clock& clock,
                                               std::string_view api_base, std::string_view name,
                                               const wire::KeyPair& key_pair,
                                               std::string_view agent_id = {});

    const std::string& agent_id() const { return account_.agent_id; }
    const Account& account() const { return account_; }
    http::Client& http() const { return http_; }

    /// Makes a call that only reads (`only_reads`). The result is `data` of the answer.
    ///
    /// Errors:  also PermissionDenied, before anything is sent, for a call that would change
    ///          something.
    Result<nlohmann::json> read(const Request& request);
    /// The same for an operation of the catalogue, see `make_request`; errors of both.
    Result<nlohmann::json> read(std::string_view action, const nlohmann::json& arguments);
    /// Makes a call that changes something at the market.
    ///
    /// Errors:  also PermissionDenied, before anything is sent, if `permit` is not for exactly this
    ///          request of this agent.
    Result<nlohmann::json> write(const Request& request, const Permit& permit);

    /// PUTs a file to an address that the market has signed, without our signature.
    ///
    /// Errors:  also PermissionDenied, before anything is sent, if `permit` is not for a file with
    ///          this content; those of `http::Client::send` about the file.
    Result<void> upload(const Upload& upload, const Permit& permit);

    /// The market's own agent. Public platform: Unsupported.
    Result<MarketRecord> fetch_market();
    /// The envelopes that this agent and `peer_id` sent each other, as recorded by the market,
    /// newest first. `page` counts from 1.
    Result<std::vector<std::string>> fetch_history(std::string_view peer_id, int page, int limit);
    /// All messages sent to this agent, as recorded by the market, oldest first, after the position
    /// `after` of an earlier answer; 0: from the beginning. Public platform: NotFound, or its
    /// answer to an unknown path.
    Result<IncomingPage> fetch_incoming(std::int64_t after, int limit);

    /// The market's events for this agent that have not reached the broker. Public platform:
    /// NotFound, or its answer to an unknown path.
    Result<WaitingNews> fetch_waiting_news();

    Result<BrokerToken> fetch_broker_token(std::string_view client_id);
    Result<AgentRecord> fetch_agent(std::string_view agent_id);
    /// Asks the market, which has the HMAC keys, whether `envelope_json` was signed by its sender.
    /// Public platform: Unsupported.
    Result<bool> vouch(std::string_view envelope_json);

    /// Acquires or renews the lease of an agent. It names instances and tells nobody anything, so
    /// it needs no permit.
    Result<nlohmann::json> request_lease(LeaseStep step, const nlohmann::json& body);
    Result<std::vector<Listing>> own_listings(std::optional<ListingType> type, int page,
                                              int page_size);

  private:
    http::Client& http_;
    const Clock& clock_;
    Account account_;
};

}  // namespace a2h::platform
