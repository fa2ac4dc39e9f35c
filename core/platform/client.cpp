#include "core/platform/client.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "core/wire/payload.h"

namespace a2h::platform {
namespace {

using nlohmann::json;

constexpr std::string_view kWorksPath = "/findu-user/api/v1/user/works";
constexpr std::string_view kTokenPath = "/mqtt-token/api/v1/token";
constexpr std::size_t kAnswerBytesMax = 4 * 1024 * 1024;
constexpr int kAnswerDepthMax = 32;
constexpr std::size_t kNonceBytes = 16;
/// 50 MB over a slow line.
constexpr std::chrono::minutes kUploadTimeout{5};

/// Whose signatures a request carries.
struct Signer {
    std::string_view agent_id;   ///< empty while registering
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

/// What lies between scheme and path belongs to the address; what is behind it is part of the path
/// that the server sees, and so of the text that is signed.
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
        const auto signature = wire::ed25519_sign(
            signer.secret_key,
            wire::nonce_signature_text(call.method, path + call.query, signer.agent_id, timestamp_s,
                                       nonce, call.body));
        if (!signature) return fail(signature.error());
        request.headers.emplace_back("X-A2H-Nonce", nonce);
        request.headers.emplace_back("X-A2H-Signature", *signature);
    }
    if (!signer.agent_key.empty()) {
        request.headers.emplace_back("X-Agent-Id", std::string(signer.agent_id));
        request.headers.emplace_back("X-Agent-Signature",
                                     wire::platform_signature(signer.agent_key, call.method, path,
                                                              signer.agent_id, timestamp_s));
    }
    return request;
}

ErrorCode code_of_status(int status) {
    switch (status) {
        case 401:
            return ErrorCode::Unauthenticated;
        case 403:
            return ErrorCode::PermissionDenied;
        case 404:
        case 410:
            return ErrorCode::NotFound;
        case 409:
            return ErrorCode::Conflict;
        case 405:
        case 501:
            return ErrorCode::Unsupported;
        default:
            break;
    }
    if (status == 408 || status == 429 || status == 502 || status == 503) {
        return ErrorCode::Unavailable;  // said before anything was done
    }
    // Any other 5xx may have come in the middle: whether it took effect is not known.
    return status >= 500 ? ErrorCode::Timeout : ErrorCode::InvalidArgument;
}

/// The platform's own codes, with or without their prefix; else by HTTP status.
ErrorCode code_of(std::string_view code, int status) {
    constexpr std::string_view kPrefix = "PLATFORM_";
    if (code.starts_with(kPrefix)) code.remove_prefix(kPrefix.size());
    if (code == "90005") return ErrorCode::Unauthenticated;
    if (code == "401") return ErrorCode::PermissionDenied;
    if (code == "410") return ErrorCode::NotFound;
    if (code == "CONFIRMATION_REQUIRED") return ErrorCode::ConfirmationRequired;
    if (status >= 400) return code_of_status(status);
    const auto number = code.size() == 3 ? std::atoi(std::string(code).c_str()) : 0;
    return number >= 400 ? code_of_status(number) : ErrorCode::InvalidArgument;
}

std::string text_of(const json& object, std::string_view name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Numbers and texts alike: the platform writes `code` either way.
std::string scalar_of(const json& object, std::string_view name) {
    const auto found = object.find(name);
    if (found == object.end()) return {};
    if (found->is_string()) return found->get<std::string>();
    return found->is_number_integer() ? found->dump() : std::string();
}

std::int64_t integer_of(const json& object, std::string_view name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

Unexpected corrupt(std::string_view what) {
    return fail(ErrorCode::Corrupt,
                "the market's answer breaks the protocol: " + std::string(what));
}

Error refusal(const json& body, int status) {
    std::string message = text_of(body, "message");
    if (message.empty()) message = text_of(body, "error");
    const std::string code = scalar_of(body, "code");
    // Foreign text on its way to people and logs: one line, bounded.
    return {code_of(code, status), "the market refused (" +
                                       (code.empty() ? std::to_string(status) : code) +
                                       "): " + preview(message)};
}

/// `data` of an answer that reports success, in either of the platform's two forms.
Result<json> data_of(const http::ClientResponse& response) {
    auto body = wire::parse_json(response.body,
                                 {.bytes_max = kAnswerBytesMax, .depth_max = kAnswerDepthMax});
    const bool is_object = body && body->is_object();
    if (response.status >= 400) return fail(refusal(is_object ? *body : json(), response.status));
    if (response.status >= 300) return corrupt("status " + std::to_string(response.status));
    if (!is_object) return corrupt("no JSON object");
    const auto success = body->find("success");
    const std::string code = scalar_of(*body, "code");
    const bool refused = success != body->end() ? *success != true : code != "200" && code != "0";
    if (refused) return fail(refusal(*body, response.status));
    const auto data = body->find("data");
    return data == body->end() ? json() : *data;
}

Result<json> send(http::Client& http, const Clock& clock, std::string_view base,
                  const Signer& signer, const Request& call) {
    const auto request = signed_request(clock, base, signer, call);
    if (!request) return fail(request.error());
    const auto response = http.send(*request);
    if (!response) return fail(response.error());
    return data_of(*response);
}

/// Errors: also InvalidArgument for a text that is not UTF-8, which JSON cannot carry.
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

json extend_info_of(const ListingDraft& draft) {
    json info = json::object();
    if (!draft.expected_price.empty()) info["expectedPrice"] = draft.expected_price;
    if (!draft.service_method.empty()) info["serviceMethod"] = draft.service_method;
    if (!draft.service_location.empty()) info["serviceLocation"] = draft.service_location;
    if (draft.works_id.empty()) info["pois"] = json::array();
    return info;
}

/// Empty fields of an update are left out, so that they stay as they are (R15).
json body_of(const ListingDraft& draft) {
    json body{{"type", static_cast<int>(draft.type)}};
    if (!draft.works_id.empty()) body["worksId"] = draft.works_id;
    if (!draft.title.empty()) body["title"] = draft.title;
    if (!draft.content.empty()) body["content"] = draft.content;
    if (!draft.pictures.empty()) body["pictures"] = draft.pictures;
    const json info = extend_info_of(draft);
    if (!info.empty()) body["extendInfo"] = info;
    return body;
}

/// Cents as decimal major units with the currency: the public client publishes prices this way.
std::string price_text(const json& info) {
    const std::string currency = text_of(info, "currency");
    const auto amount = [&](std::string_view name) {
        return to_text(Money{integer_of(info, name), currency});
    };
    if (!is_currency_code(currency)) return {};
    if (text_of(info, "priceType") == "FIXED") return amount("fixedPrice");
    if (text_of(info, "priceType") == "NEGOTIABLE") {
        return amount("priceMin") + " - " + amount("priceMax");
    }
    return {};
}

/// `extendInfo` travels as an object or as its text.
json read_extend_info(const json& row) {
    const auto found = row.find("extendInfo");
    if (found == row.end()) return json::object();
    if (found->is_object()) return *found;
    if (!found->is_string()) return json::object();
    auto parsed = wire::parse_json(found->get_ref<const std::string&>());
    return parsed && parsed->is_object() ? std::move(*parsed) : json::object();
}

UnixMs time_of(const json& row, std::string_view name) {
    const auto time = parse_time(text_of(row, name));
    return time ? *time : integer_of(row, name);
}

Result<Listing> to_listing(const json& row) {
    if (!row.is_object() || text_of(row, "worksId").empty()) return corrupt("a post without id");
    Listing listing;
    listing.works_id = text_of(row, "worksId");
    listing.agent_id = text_of(row, "agentId");
    listing.title = text_of(row, "title");
    listing.content = text_of(row, "content");
    listing.status = scalar_of(row, "status");
    listing.updated_at_ms = time_of(row, "updatedAt");
    const std::int64_t type = integer_of(row, "type");
    if (type == 2 || type == 4) listing.type = static_cast<ListingType>(type);
    const json info = read_extend_info(row);
    listing.expected_price = text_of(info, "expectedPrice");
    if (listing.expected_price.empty()) listing.expected_price = price_text(info);
    listing.service_method = text_of(info, "serviceMethod");
    listing.service_location = text_of(info, "serviceLocation");
    const auto pictures = row.find("pictures");
    if (pictures != row.end() && pictures->is_array()) {
        for (const json& picture : *pictures) {
            if (picture.is_string()) listing.pictures.push_back(picture.get<std::string>());
        }
    }
    return listing;
}

Result<std::vector<Listing>> to_listings(const json& data, std::string_view name) {
    const auto rows = data.is_object() ? data.find(name) : data.end();
    if (rows == data.end() || !rows->is_array()) return corrupt("no list of posts");
    std::vector<Listing> listings;
    for (const json& row : *rows) {
        auto listing = to_listing(row);
        if (!listing) return fail(listing.error());
        listings.push_back(std::move(*listing));
    }
    return listings;
}

Signer signer_of(const Account& account) {
    return {account.agent_id, account.keys.agent_key, account.keys.key_pair.secret_key};
}

/// Tools count pages from 1, the wire from 0 (R15).
Result<int> wire_page(int page, int page_size) {
    if (page < 1 || page_size < 1) {
        return fail(ErrorCode::InvalidArgument, "page and page size count from 1");
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
    // All our requests carry nonce and signature, so the market may refuse those that do not.
    json body{{"name", name}, {"public_key", key_pair.public_key}, {"require_nonce", true}};
    if (!agent_id.empty()) body["agent_id"] = agent_id;
    const auto data =
        post(http, clock, api_base, {{}, {}, key_pair.secret_key}, "/v1/agents", body);
    if (!data) return fail(data.error());
    Registration registration;
    registration.agent_id = data->is_object() ? text_of(*data, "agent_id") : "";
    if (!is_agent_id(registration.agent_id)) return corrupt("no agent id");
    registration.agent_key = text_of(*data, "agent_key");
    registration.mqtt_url = text_of(*data, "mqtt_url");
    if (registration.agent_key.empty() || registration.mqtt_url.empty()) {
        return corrupt("agent_key or mqtt_url is missing");
    }
    return registration;
}

Result<std::string> Client::call(const Request& request) {
    const auto data = send(http_, clock_, account_.api_base, signer_of(account_), request);
    if (!data) return fail(data.error());
    return data->dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<json> Client::call(std::string_view action, const json& arguments,
                          std::string_view idempotency_key) {
    auto request = make_request(action, arguments, account_.agent_id);
    if (!request) return fail(request.error());
    request->idempotency_key = idempotency_key;
    return send(http_, clock_, account_.api_base, signer_of(account_), *request);
}

Result<void> Client::upload(const Upload& upload) {
    http::ClientRequest request;
    request.method = "PUT";
    request.url = upload.url;
    request.headers = upload.headers;
    request.body_file = upload.file;
    request.body_file_bytes_max = upload.bytes_max;
    request.timeout = kUploadTimeout;
    const auto response = http_.send(request);
    if (!response) return fail(response.error());
    if (response->status / 100 == 2) return {};
    return fail(code_of_status(response->status),
                "the file store answered with status " + std::to_string(response->status));
}

Result<MarketRecord> Client::fetch_market() {
    const auto data =
        send(http_, clock_, account_.api_base, signer_of(account_), {"GET", "/v1/market", {}, {}});
    if (!data && data.error().code == ErrorCode::NotFound) {
        return fail(ErrorCode::Unsupported, "this market does not tell who speaks for it");
    }
    if (!data) return fail(data.error());
    MarketRecord record{wire::text_member(*data, "agent_id"), wire::text_member(*data, "key_id"),
                        wire::text_member(*data, "public_key")};
    const auto key_id = wire::key_id_of(record.public_key);
    if (!is_agent_id(record.agent_id) || !key_id || *key_id != record.key_id) {
        return corrupt("the market's agent and its key do not fit");
    }
    return record;
}

Result<std::vector<std::string>> Client::fetch_history(std::string_view peer_id, int page,
                                                       int limit) {
    Request request;
    request.method = "GET";
    request.path = "/agent-message/api/v1/agents/sessions/messages";
    request.query = "?sessionId=" + percent_encoded(session_id(account_.agent_id, peer_id)) +
                    "&page=" + std::to_string(page) + "&limit=" + std::to_string(limit);
    const auto data = send(http_, clock_, account_.api_base, signer_of(account_), request);
    if (!data) return fail(data.error());
    std::vector<std::string> envelopes;
    for (const json& row : wire::list_in(*data))
        envelopes.push_back(wire::text_member(row, "content"));
    return envelopes;
}

Result<BrokerToken> Client::fetch_broker_token(std::string_view client_id) {
    const json body{{"client_id", client_id}};
    const auto data =
        post(http_, clock_, account_.api_base, signer_of(account_), std::string(kTokenPath), body);
    if (!data) return fail(data.error());
    if (!data->is_object()) return corrupt("no token");
    BrokerToken token{text_of(*data, "client_id"), text_of(*data, "username"),
                      text_of(*data, "password"), integer_of(*data, "expire_time")};
    if (token.client_id != client_id || token.password.empty() || token.expires_at_ms <= 0) {
        return corrupt("the token is incomplete");
    }
    return token;
}

Result<AgentRecord> Client::fetch_agent(std::string_view agent_id) {
    const auto data = send(http_, clock_, account_.api_base, signer_of(account_),
                           {"GET", "/v1/agents/" + percent_encoded(agent_id), {}, {}});
    if (!data) return fail(data.error());
    if (!data->is_object() || text_of(*data, "agent_id") != agent_id) return corrupt("wrong agent");
    AgentRecord record{text_of(*data, "agent_id"), text_of(*data, "key_id"),
                       text_of(*data, "public_key"), text_of(*data, "name")};
    const auto key_id = wire::key_id_of(record.public_key);
    if (!key_id || *key_id != record.key_id) return corrupt("key and key id do not fit");
    return record;
}

Result<bool> Client::vouch(std::string_view envelope_json) {
    const json body{{"envelope", envelope_json}};
    const auto data =
        post(http_, clock_, account_.api_base, signer_of(account_), "/v1/messages/verify", body);
    if (!data && data.error().code == ErrorCode::NotFound) {
        return fail(ErrorCode::Unsupported, "this market does not vouch for messages");
    }
    if (!data) return fail(data.error());
    const auto verified = data->is_object() ? data->find("verified") : data->end();
    if (verified == data->end() || !verified->is_boolean()) return corrupt("no verdict");
    return verified->get<bool>();
}

Result<ListingReceipt> Client::submit_listing(const ListingDraft& draft) {
    const auto data = post(http_, clock_, account_.api_base, signer_of(account_),
                           std::string(kWorksPath) + "/change-requests", body_of(draft));
    if (!data) return fail(data.error());
    if (!data->is_object()) return corrupt("no receipt");
    ListingReceipt receipt{text_of(*data, "worksId"), scalar_of(*data, "changeRequestId"),
                           scalar_of(*data, "status")};
    if (receipt.works_id.empty()) return corrupt("no works id");
    return receipt;
}

Result<void> Client::delete_listing(std::string_view works_id) {
    const auto data =
        send(http_, clock_, account_.api_base, signer_of(account_),
             {"DELETE", std::string(kWorksPath) + "/" + percent_encoded(works_id), {}, {}});
    if (!data) return fail(data.error());
    return {};
}

Result<Listing> Client::fetch_listing(std::string_view works_id) {
    const auto data = send(
        http_, clock_, account_.api_base, signer_of(account_),
        {"GET", std::string(kWorksPath) + "/" + percent_encoded(works_id) + "/detail", {}, {}});
    if (!data) return fail(data.error());
    return to_listing(*data);
}

Result<std::vector<Listing>> Client::own_listings(std::optional<ListingType> type, int page,
                                                  int page_size) {
    const auto page_number = wire_page(page, page_size);
    if (!page_number) return fail(page_number.error());
    std::string query =
        "?pageNum=" + std::to_string(*page_number) + "&pageSize=" + std::to_string(page_size);
    if (type) query += "&type=" + std::to_string(static_cast<int>(*type));
    const auto data = send(http_, clock_, account_.api_base, signer_of(account_),
                           {"GET", std::string(kWorksPath) + "/public", query, {}});
    if (!data) return fail(data.error());
    auto listings = to_listings(*data, "items");
    if (!listings) return listings;
    for (Listing& listing : *listings) {
        // The public platform leaves the owner out of one's own list.
        if (listing.agent_id.empty()) listing.agent_id = account_.agent_id;
    }
    return listings;
}

Result<std::vector<Listing>> Client::search_listings(const SearchQuery& query) {
    const auto page_number = wire_page(query.page, query.page_size);
    if (!page_number) return fail(page_number.error());
    json body{
        {"serviceInfo", query.keyword}, {"pageNum", *page_number}, {"pageSize", query.page_size}};
    if (query.type) body["type"] = static_cast<int>(*query.type);
    if (!query.agent_id.empty()) body["agentId"] = query.agent_id;
    const auto data = post(http_, clock_, account_.api_base, signer_of(account_),
                           "/findu-match/api/v1/inner/match/works_search", body);
    if (!data) return fail(data.error());
    return to_listings(*data, "result");
}

}  // namespace a2h::platform
