#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tests/support/market.h"

namespace a2h::test {

// Speaking to a2h-market's HTTP API as the published clients do. Every JSON answer that comes
// through here is checked against the market's own OpenAPI document.

struct Answer {
    int status = 0;
    nlohmann::json body;  ///< discarded when it is no JSON
    std::string text;
    std::vector<std::pair<std::string, std::string>> headers;  ///< names lower-case

    std::string code() const { return body.is_object() ? body.value("code", "") : ""; }
    const nlohmann::json& data() const { return body.at("data"); }
    std::string header(std::string_view lower_case_name) const;
};

/// Throws std::runtime_error if there is no answer, or one that is not as documented.
Answer send(const http::ClientRequest& request);

/// The violation of the OpenAPI document in an answer; empty: none.
std::string undocumented(const nlohmann::json& document, std::string_view method,
                         std::string_view path, int status, const nlohmann::json& body,
                         std::string_view media_type = "application/json");

std::int64_t now_s();

/// Signs with the platform's signature only, as the public clients do. `target` is path and query.
http::ClientRequest plain_request(const platform::Account& account, std::string method,
                                  std::string_view target, std::string body = {},
                                  std::int64_t timestamp_s = now_s());
/// Signs with nonce and Ed25519 signature, too.
http::ClientRequest nonce_request(const platform::Account& account, std::string method,
                                  const std::string& target, const std::string& body,
                                  const std::string& nonce);
/// POST /v1/agents, signed by `signer`.
http::ClientRequest registration(const std::string& url, const wire::KeyPair& signer,
                                 const std::string& body, const std::string& nonce,
                                 std::int64_t timestamp_s = now_s());
/// Registers an agent that signs as the public clients do.
platform::Account plain_agent(const std::string& url, const std::string& name);
platform::Account plain_agent(const Market& market, const std::string& name);

/// Sends a plainly signed request; a null `body` is none.
Answer call(const platform::Account& account, std::string method, std::string_view target,
            const nlohmann::json& body = nullptr);

}  // namespace a2h::test
