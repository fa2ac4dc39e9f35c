#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/check.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/platform/answers.h"
#include "core/wire/crypto.h"
#include "daemon/leading/lease_answer.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

using nlohmann::json;

/// The text of a refusal that people and logs see is one line of bounded length.
void check_error(const Error& error) {
    constexpr std::size_t kBytesMax = 1024;
    A2H_CHECK(error.code != ErrorCode::Internal && !error.message.empty());
    A2H_CHECK(is_utf8(error.message) && error.message.size() <= kBytesMax);
    A2H_CHECK(error.message.find_first_of("\r\n") == std::string::npos);
}

template <typename T>
bool is_read(const Result<T>& result) {
    if (!result) {
        A2H_CHECK(result.error().code == ErrorCode::Corrupt);
        check_error(result.error());
    }
    return result.has_value();
}

void check_records(const json& data) {
    const auto registration = platform::read_registration(data);
    if (is_read(registration)) {
        A2H_CHECK(is_agent_id(registration->agent_id) && !registration->agent_key.empty());
    }
    const auto token = platform::read_broker_token(data, "c1");
    if (is_read(token)) A2H_CHECK(token->client_id == "c1" && token->expires_at_ms > 0);
    const auto market = platform::read_market_record(data);
    if (is_read(market)) A2H_CHECK(wire::key_id_of(market->public_key).value() == market->key_id);
    const auto agent = platform::read_agent_record(data, "ag_ann");
    if (is_read(agent)) A2H_CHECK(wire::key_id_of(agent->public_key).value() == agent->key_id);
    (void)is_read(platform::read_verdict(data));
    (void)is_read(leading::read_lease(data));
}

void check_listing(const Listing& listing) {
    A2H_CHECK(!listing.works_id.empty() && is_utf8(listing.expected_price));
    A2H_CHECK(listing.type == ListingType::Demand || listing.type == ListingType::Service ||
              listing.type == ListingType::Discussion);
}

void check_listings(const json& data) {
    const auto listing = platform::read_listing(data);
    if (is_read(listing)) check_listing(*listing);
    for (const char* name : {"items", "result"}) {
        const auto listings = platform::read_listings(data, name);
        if (!is_read(listings)) continue;
        for (const Listing& one : *listings)
            check_listing(one);
    }
    for (const std::string& envelope : platform::read_history(data))
        A2H_CHECK(is_utf8(envelope));
}

}  // namespace

/// An answer of the market: the first line is the HTTP status, the rest the body.
void market_answers(std::string_view input) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    int status = 0;
    (void)std::from_chars(input.data(), input.data() + end, status);
    if (status < 100 || status > 599) return;
    const std::string_view body = input.substr(std::min(end + 1, input.size()));
    const auto data = platform::data_of({status, {}, std::string(body)});
    if (!data) return check_error(data.error());
    A2H_CHECK(status < 300);
    check_records(*data);
    check_listings(*data);
}

}  // namespace a2h::fuzz
