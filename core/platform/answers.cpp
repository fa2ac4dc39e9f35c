#include "core/platform/answers.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"

namespace a2h::platform {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

constexpr int kAnswerDepthMax = 32;

/// Uses the platform's own codes, with or without their prefix, and otherwise the HTTP status.
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

/// Numbers and texts, because the platform writes `code` in both ways.
std::string scalar_of(const json& object, std::string_view name) {
    const json& found = member(object, name);
    return found.is_number_integer() ? found.dump() : text_member(object, name);
}

std::int64_t integer_of(const json& object, std::string_view name) {
    const json& found = member(object, name);
    return found.is_number_integer() ? found.get<std::int64_t>() : 0;
}

Unexpected corrupt(std::string_view what) {
    return fail(ErrorCode::Corrupt,
                "the market's answer breaks the protocol: " + std::string(what));
}

Error refusal(const json& body, int status) {
    std::string message = text_member(body, "message");
    if (message.empty()) message = text_member(body, "error");
    const std::string code = scalar_of(body, "code");
    // Foreign text for people and logs is reduced to one short line.
    return {code_of(code, status), "the market refused (" +
                                       (code.empty() ? std::to_string(status) : preview(code)) +
                                       "): " + preview(message)};
}

/// Cents as decimal major units with the currency, which is how the public client publishes prices.
std::string price_text(const json& info) {
    const std::string currency = text_member(info, "currency");
    const auto amount = [&](std::string_view name) {
        return to_text(Money{integer_of(info, name), currency});
    };
    if (!is_currency_code(currency)) return {};
    if (text_member(info, "priceType") == "FIXED") return amount("fixedPrice");
    if (text_member(info, "priceType") == "NEGOTIABLE") {
        return amount("priceMin") + " - " + amount("priceMax");
    }
    return {};
}

/// `extendInfo` is sent as an object or as its text.
json read_extend_info(const json& row) {
    const json& found = member(row, "extendInfo");
    if (found.is_object()) return found;
    if (!found.is_string()) return json::object();
    auto parsed = wire::parse_json(found.get_ref<const std::string&>());
    return parsed && parsed->is_object() ? std::move(*parsed) : json::object();
}

UnixMs time_of(const json& row, std::string_view name) {
    const auto time = parse_time(text_member(row, name));
    return time ? *time : integer_of(row, name);
}

}  // namespace

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
    if (status == 408 || status == 429 || status == 503) {
        return ErrorCode::Unavailable;  // reported before anything was done
    }
    // Any other 5xx may have occurred during the work, so it is unknown whether it took effect.
    // This includes 502: a gateway sends it, too, if it has lost the market's answer.
    return status >= 500 ? ErrorCode::Timeout : ErrorCode::InvalidArgument;
}

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

Result<Registration> read_registration(const json& data) {
    Registration registration{text_member(data, "agent_id"), text_member(data, "agent_key"),
                              text_member(data, "mqtt_url")};
    if (!is_agent_id(registration.agent_id)) return corrupt("no agent id");
    if (registration.agent_key.empty() || registration.mqtt_url.empty()) {
        return corrupt("agent_key or mqtt_url is missing");
    }
    return registration;
}

Result<BrokerToken> read_broker_token(const json& data, std::string_view client_id) {
    BrokerToken token{text_member(data, "client_id"), text_member(data, "username"),
                      text_member(data, "password"), integer_of(data, "expire_time")};
    if (token.client_id != client_id || token.password.empty() || token.expires_at_ms <= 0 ||
        !is_time(token.expires_at_ms)) {
        return corrupt("the token is incomplete");
    }
    return token;
}

Result<MarketRecord> read_market_record(const json& data) {
    MarketRecord record{text_member(data, "agent_id"), text_member(data, "key_id"),
                        text_member(data, "public_key")};
    const auto key_id = wire::key_id_of(record.public_key);
    const bool is_named = is_agent_id(record.agent_id) || is_market_sender_id(record.agent_id);
    if (!is_named || !key_id || *key_id != record.key_id) {
        return corrupt("the market's agent and its key do not match");
    }
    return record;
}

Result<AgentRecord> read_agent_record(const json& data, std::string_view agent_id) {
    AgentRecord record{text_member(data, "agent_id"), text_member(data, "key_id"),
                       text_member(data, "public_key"), text_member(data, "name")};
    if (record.agent_id != agent_id) return corrupt("wrong agent");
    const auto key_id = wire::key_id_of(record.public_key);
    if (!key_id || *key_id != record.key_id) return corrupt("key and key id do not match");
    return record;
}

Result<bool> read_verdict(const json& data) {
    const json& verified = member(data, "verified");
    if (!verified.is_boolean()) return corrupt("no verdict");
    return verified.get<bool>();
}

std::vector<std::string> read_history(const json& data) {
    std::vector<std::string> envelopes;
    for (const json& row : wire::list_in(data))
        envelopes.push_back(text_member(row, "content"));
    return envelopes;
}

Result<IncomingPage> read_incoming(const json& data, std::int64_t after) {
    const json& items = member(data, "items");
    const json& place = member(data, "after");
    const json& more = member(data, "more");
    if (!items.is_array() || !place.is_number_integer() || !more.is_boolean())
        return corrupt("there is no list of what was sent to the agent");
    IncomingPage page{.after = place.get<std::int64_t>(), .more = more.get<bool>()};
    if (page.after < 0 || (page.more && page.after == after))
        return corrupt("the place to continue from is missing");
    for (const json& row : items)
        page.envelopes.push_back(text_member(row, "envelope"));
    return page;
}

Result<WaitingNews> read_waiting_news(const json& data) {
    const json& oldest = member(data, "oldest");
    const json& newest = member(data, "newest");
    if (!oldest.is_number_integer() || !newest.is_number_integer())
        return corrupt("it is not said which news wait");
    return WaitingNews{oldest.get<std::int64_t>(), newest.get<std::int64_t>()};
}

Result<Listing> read_listing(const json& row) {
    if (text_member(row, "worksId").empty()) return corrupt("a post has no id");
    Listing listing;
    listing.works_id = text_member(row, "worksId");
    listing.agent_id = text_member(row, "agentId");
    listing.title = text_member(row, "title");
    listing.content = text_member(row, "content");
    listing.status = scalar_of(row, "status");
    listing.updated_at_ms = time_of(row, "updatedAt");
    const std::int64_t type = integer_of(row, "type");
    if (type == 2 || type == 4) listing.type = static_cast<ListingType>(type);
    const json info = read_extend_info(row);
    listing.expected_price = text_member(info, "expectedPrice");
    if (listing.expected_price.empty()) listing.expected_price = price_text(info);
    listing.service_method = text_member(info, "serviceMethod");
    listing.service_location = text_member(info, "serviceLocation");
    const json& pictures = member(row, "pictures");
    for (const json& picture : pictures.is_array() ? pictures : json::array()) {
        if (picture.is_string()) listing.pictures.push_back(picture.get<std::string>());
    }
    return listing;
}

Result<std::vector<Listing>> read_listings(const json& data, std::string_view name) {
    const json& rows = member(data, name);
    if (!rows.is_array()) return corrupt("there is no list of posts");
    std::vector<Listing> listings;
    for (const json& row : rows) {
        A2H_ASSIGN_OR_RETURN(auto listing, read_listing(row));
        listings.push_back(std::move(listing));
    }
    return listings;
}

}  // namespace a2h::platform
