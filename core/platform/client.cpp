#include "core/platform/client.h"

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/wire/crypto.h"
#include "core/wire/payload.h"

namespace a2h::platform {
namespace {

using nlohmann::json;

constexpr std::string_view kWorksPath = "/findu-user/api/v1/user/works";
constexpr std::string_view kLeasePath = "/agent-service/api/v1/agent-runtime/lease/";
constexpr std::string_view kTokenPath = "/mqtt-token/api/v1/token";
constexpr std::size_t kNonceBytes = 16;
/// Enough for 50 MB over a slow connection.
constexpr std::chrono::minutes kUploadTimeout{5};

/// The signatures of a request.
struct Signer {
    std::string_view agent_id;   ///< empty during registration
    std::string_view agent_key;  ///< empty: no platform signature
    std::string_view secret_key;
};

http::ClientRequest unsigned_request(std::string_view base, const Request& call) {
    while (base.ends_with('/'))
        base.remove_suffix(1);
    http::ClientRequest request;
    request.method = call.method;
    request.url = std::string(base) + call.path + call.query;
    request.body = call.body;
    request.answer_bytes_max = kAnswerBytesMax;
    request.headers.emplace_back("Content-Type", "application/json");
    request.headers.emplace_back("Accept", "application/json");
    if (!call.idempotency_key.empty()) {
        request.headers.emplace_back("Idempotency-Key", call.idempotency_key);
    }
    return request;
}

/// What is between scheme and path belongs to the address; what follows is part of the path that
/// the server sees, and therefore of the signed text.
std::string base_path(std::string_view base) {
    const auto scheme = base.find("://");
    const auto begin = base.find('/', scheme == std::string_view::npos ? 0 : scheme + 3);
    std::string path(begin == std::string_view::npos ? "" : base.substr(begin));
    while (path.ends_with('/'))
        path.pop_back();
    return path;
}

Result<http::ClientRequest> signed_request(const Clock& clock, std::string_view base,
                                           const Signer& signer, const Request& call) {
    http::ClientRequest request = unsigned_request(base, call);
    const std::int64_t timestamp_s = clock.now_ms() / 1000;
    const std::string path = base_path(base) + call.path;
    request.headers.emplace_back("X-Timestamp", std::to_string(timestamp_s));
    if (!signer.secret_key.empty()) {
        const std::string nonce = random_hex(kNonceBytes);
        A2H_ASSIGN_OR_RETURN(const auto signature,
                             wire::ed25519_sign(signer.secret_key,
                                                wire::nonce_signature_text(
                                                    call.method, path + call.query, signer.agent_id,
                                                    timestamp_s, nonce, call.body)));
        request.headers.emplace_back("X-A2H-Nonce", nonce);
        request.headers.emplace_back("X-A2H-Signature", signature);
    }
    if (!signer.agent_key.empty()) {
        request.headers.emplace_back("X-Agent-Id", std::string(signer.agent_id));
        request.headers.emplace_back("X-Agent-Signature",
                                     wire::platform_signature(signer.agent_key, call.method, path,
                                                              signer.agent_id, timestamp_s));
    }
    return request;
}

Result<json> send(http::Client& http, const Clock& clock, std::string_view base,
                  const Signer& signer, const Request& call) {
    A2H_ASSIGN_OR_RETURN(const auto request, signed_request(clock, base, signer, call));
    A2H_ASSIGN_OR_RETURN(const auto response, http.send(request));
    return data_of(response);
}

/// Errors:  also InvalidArgument for a text that is not UTF-8, which JSON cannot contain.
Result<json> post(http::Client& http, const Clock& clock, std::string_view base,
                  const Signer& signer, std::string path, const json& body) {
    std::string text;
    try {
        text = body.dump();
    } catch (const json::exception&) {
        return fail(ErrorCode::InvalidArgument, "a text of the request is not UTF-8");
    }
    return send(http, clock, base, signer, {"POST", std::move(path), {}, std::move(text)});
}

Signer signer_of(const Account& account) {
    return {account.agent_id, account.keys.agent_key, account.keys.key_pair.secret_key};
}

/// Tools count pages from 1, the wire from 0 (R15).
Result<int> wire_page(int page, int page_size) {
    if (page < 1 || page_size < 1) {
        return fail(ErrorCode::InvalidArgument, "page and page size start at 1");
    }
    return page - 1;
}

}  // namespace

Client::Client(http::Client& http, const Clock& clock, Account account)
    : http_(http), clock_(clock), account_(std::move(account)) {}

Result<Registration> Client::register_agent(http::Client& http, const Clock& clock,
                                            std::string_view api_base, std::string_view name,
                                            const wire::KeyPair& key_pair,
                                            std::string_view agent_id) {
    // All our requests have a nonce and a signature, so the market may refuse those without.
    json body{{"name", name}, {"public_key", key_pair.public_key}, {"require_nonce", true}};
    if (!agent_id.empty()) body["agent_id"] = agent_id;
    A2H_ASSIGN_OR_RETURN(const auto data, post(http, clock, api_base, {{}, {}, key_pair.secret_key},
                                               "/v1/agents", body));
    return read_registration(data);
}

Result<json> Client::read(const Request& request) {
    if (!only_reads(request))
        return fail(ErrorCode::PermissionDenied,
                    request.method + " " + request.path + " needs a permit");
    return send(http_, clock_, account_.api_base, signer_of(account_), request);
}

Result<json> Client::read(std::string_view action, const json& arguments) {
    A2H_ASSIGN_OR_RETURN(const auto request, make_request(action, arguments, account_.agent_id));
    return read(request);
}

Result<json> Client::write(const Request& request, const Permit& permit) {
    if (permit.right() == Right::None ||
        permit.digest() != permit_digest(account_.agent_id, request))
        return fail(ErrorCode::PermissionDenied,
                    "the permit is not for this " + request.method + " " + request.path);
    return send(http_, clock_, account_.api_base, signer_of(account_), request);
}

Result<void> Client::upload(const Upload& upload, const Permit& permit) {
    A2H_ASSIGN_OR_RETURN(const auto hash, wire::sha256_hex_of_file(upload.file));
    if (permit.right() == Right::None || permit.digest() != upload_digest(account_.agent_id, hash))
        return fail(ErrorCode::PermissionDenied, "the permit is not for this content of the file");
    http::ClientRequest request;
    request.method = "PUT";
    request.url = upload.url;
    request.headers = upload.headers;
    request.body_file = upload.file;
    request.body_file_bytes_max = upload.bytes_max;
    request.timeout = kUploadTimeout;
    A2H_ASSIGN_OR_RETURN(const auto response, http_.send(request));
    if (response.status / 100 == 2) return {};
    return fail(code_of_status(response.status),
                "the file store answered with status " + std::to_string(response.status));
}

Result<json> Client::request_lease(LeaseStep step, const json& body) {
    return post(http_, clock_, account_.api_base, signer_of(account_),
                std::string(kLeasePath) + (step == LeaseStep::Renew ? "heartbeat" : "acquire"),
                body);
}

Result<MarketRecord> Client::fetch_market() {
    const auto data =
        send(http_, clock_, account_.api_base, signer_of(account_), {"GET", "/v1/market", {}, {}});
    if (!data && data.error().code == ErrorCode::NotFound) {
        return fail(ErrorCode::Unsupported,
                    "this market does not publish the agent that speaks for it");
    }
    if (!data) return fail(data.error());
    return read_market_record(*data);
}

Result<std::vector<std::string>> Client::fetch_history(std::string_view peer_id, int page,
                                                       int limit) {
    Request request;
    request.method = "GET";
    request.path = "/agent-message/api/v1/agents/sessions/messages";
    request.query = "?sessionId=" + percent_encoded(session_id(account_.agent_id, peer_id)) +
                    "&page=" + std::to_string(page) + "&limit=" + std::to_string(limit);
    A2H_ASSIGN_OR_RETURN(const auto data,
                         send(http_, clock_, account_.api_base, signer_of(account_), request));
    return read_history(data);
}

Result<IncomingPage> Client::fetch_incoming(std::int64_t after, int limit) {
    Request request;
    request.method = "GET";
    request.path = "/v1/messages";
    request.query = "?after=" + std::to_string(after) + "&limit=" + std::to_string(limit);
    A2H_ASSIGN_OR_RETURN(const auto data,
                         send(http_, clock_, account_.api_base, signer_of(account_), request));
    return read_incoming(data, after);
}

Result<WaitingNews> Client::fetch_waiting_news() {
    A2H_ASSIGN_OR_RETURN(const auto data,
                         send(http_, clock_, account_.api_base, signer_of(account_),
                              {"GET", "/v1/messages/waiting", {}, {}}));
    return read_waiting_news(data);
}

Result<BrokerToken> Client::fetch_broker_token(std::string_view client_id) {
    const json body{{"client_id", client_id}};
    A2H_ASSIGN_OR_RETURN(const auto data, post(http_, clock_, account_.api_base,
                                               signer_of(account_), std::string(kTokenPath), body));
    return read_broker_token(data, client_id);
}

Result<AgentRecord> Client::fetch_agent(std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto data,
                         send(http_, clock_, account_.api_base, signer_of(account_),
                              {"GET", "/v1/agents/" + percent_encoded(agent_id), {}, {}}));
    return read_agent_record(data, agent_id);
}

Result<bool> Client::vouch(std::string_view envelope_json) {
    const json body{{"envelope", envelope_json}};
    const auto data =
        post(http_, clock_, account_.api_base, signer_of(account_), "/v1/messages/verify", body);
    if (!data && data.error().code == ErrorCode::NotFound) {
        return fail(ErrorCode::Unsupported, "this market does not vouch for messages");
    }
    if (!data) return fail(data.error());
    return read_verdict(*data);
}

Result<std::vector<Listing>> Client::own_listings(std::optional<ListingType> type, int page,
                                                  int page_size) {
    A2H_ASSIGN_OR_RETURN(const auto page_number, wire_page(page, page_size));
    std::string query =
        "?pageNum=" + std::to_string(page_number) + "&pageSize=" + std::to_string(page_size);
    if (type) query += "&type=" + std::to_string(static_cast<int>(*type));
    A2H_ASSIGN_OR_RETURN(const auto data,
                         send(http_, clock_, account_.api_base, signer_of(account_),
                              {"GET", std::string(kWorksPath) + "/public", query, {}}));
    auto listings = read_listings(data, "items");
    if (!listings) return listings;
    for (Listing& listing : *listings) {
        // The public platform omits the owner in the list of one's own posts.
        if (listing.agent_id.empty()) listing.agent_id = account_.agent_id;
    }
    return listings;
}

}  // namespace a2h::platform
