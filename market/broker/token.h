#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "market/broker/access.h"

namespace a2h::market {

/// What a broker password says: an ES256 JSON Web Token (RFC 7519) that any broker with JWT
/// support can check. `sub` is the agent, `client_id` the one client id it may connect with,
/// `role` what our plug-in grants, and besides what clusters with a check of their own read:
/// `acl` EMQX, `aud` and `scope` RabbitMQ's OAuth 2 plug-in with the resource server id
/// `kBrokerAudience`. A cluster that checks only these does not bind the client id to the token.
inline constexpr std::string_view kBrokerAudience = "a2h-broker";

struct TokenClaims {
    std::string agent_id;
    std::string client_id;
    std::int64_t issued_at_s = 0;   ///< unix seconds
    std::int64_t expires_at_s = 0;  ///< unix seconds; not valid at or after
    BrokerRole role = BrokerRole::Agent;
};

/// Holds the market's signing key. Thread: any.
class TokenSigner {
  public:
    /// Reads `dir/token.key`, or creates it (0600) with `dir/token.pub` beside it.
    /// Errors: Unavailable when a file cannot be read or written; Corrupt for a file that holds no
    ///         P-256 key.
    static Result<TokenSigner> open(const std::filesystem::path& dir);

    TokenSigner(TokenSigner&&) noexcept;
    ~TokenSigner();

    /// Errors: Internal when the library fails.
    Result<std::string> sign(const TokenClaims& claims) const;

  private:
    struct Impl;
    explicit TokenSigner(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Holds the public key. Thread: any.
class TokenVerifier {
  public:
    /// Errors: Unavailable when `public_key_file` cannot be read; Corrupt when it holds no P-256
    ///         key.
    static Result<TokenVerifier> open(const std::filesystem::path& public_key_file);

    TokenVerifier(TokenVerifier&&) noexcept;
    ~TokenVerifier();

    /// The algorithm is ES256 whatever the token's header says.
    /// Errors: Unauthenticated for a token that was not signed with the key, or is expired.
    Result<TokenClaims> verify(std::string_view token, std::int64_t now_s) const;

  private:
    struct Impl;
    explicit TokenVerifier(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::market
