#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "market/broker/access.h"

namespace a2h::market {

inline constexpr std::string_view kBrokerAudience = "a2h-broker";

/// The content of a broker password: an ES256 JSON Web Token (RFC 7519) that any broker with JWT
/// support can check. `sub` is the agent, `client_id` the only client id with which it may connect,
/// `role` what our plug-in grants. Further claims are for clusters with their own checks: `acl` for
/// EMQX, `aud` and `scope` for RabbitMQ's OAuth 2 plug-in with the resource server id
/// `kBrokerAudience`. A cluster that checks only these does not bind the client id to the token.
/// The lifetime is `ApiParts::token_lifetime`.
struct TokenClaims {
    std::string agent_id;
    std::string client_id;
    std::int64_t issued_at_s = 0;   ///< unix seconds
    std::int64_t expires_at_s = 0;  ///< unix seconds; not valid at or after
    BrokerRole role = BrokerRole::Agent;
};

/// Holds the market's signing key.
///
/// Thread:  any.
class TokenSigner {
  public:
    /// Reads `dir/token.key`, or creates it (0600) together with `dir/token.pub`.
    ///
    /// Errors:  Unavailable if a file cannot be read or written; Corrupt for a file without a P-256
    ///          key.
    static Result<TokenSigner> open(const std::filesystem::path& dir);

    TokenSigner(TokenSigner&&) noexcept;
    ~TokenSigner();

    /// Errors:  Internal if the library fails.
    Result<std::string> sign(const TokenClaims& claims) const;

  private:
    struct Impl;
    explicit TokenSigner(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Holds the public key.
///
/// Thread:  any.
class TokenVerifier {
  public:
    /// Errors:  Unavailable if `public_key_file` cannot be read; Corrupt if it contains no P-256
    ///          key.
    static Result<TokenVerifier> open(const std::filesystem::path& public_key_file);

    TokenVerifier(TokenVerifier&&) noexcept;
    ~TokenVerifier();

    /// The algorithm is ES256, whatever the token's header says.
    ///
    /// Errors:  Unauthenticated for a token that was not signed with the key or has expired.
    Result<TokenClaims> verify(std::string_view token, std::int64_t now_s) const;

  private:
    struct Impl;
    explicit TokenVerifier(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::market
