#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/http/target.h"
#include "tests/fuzz/targets.h"
#include "tests/support/bare_market.h"

namespace a2h::fuzz {
namespace {

/// Up to `end`, which goes, too; everything when it is not there.
std::string_view take_until(std::string_view& text, char end) {
    const std::size_t at = text.find(end);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == text.npos ? text.size() : at + 1);
    return taken;
}

}  // namespace

/// A request of the market's API: method and target in the first line, the body behind it; signed,
/// so that what is behind the signature is reached. No request is the market's own fault.
void market_request(std::string_view input) {
    static test::BareMarket market;
    const std::string method(take_until(input, ' '));
    const std::string target(take_until(input, '\n'));
    http::Request read;
    if (!http::read_target(target, read)) return;
    const http::Response response = market.send(method, target, std::string(input));
    A2H_CHECK(response.status >= 200 && response.status < 500);
    for (const auto& [name, value] : response.headers) {
        if (name != "Content-Type" || !value.starts_with("application/json")) continue;
        A2H_CHECK(!nlohmann::json::parse(response.body, nullptr, false).is_discarded());
    }
}

}  // namespace a2h::fuzz
