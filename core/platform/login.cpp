#include "core/platform/login.h"

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/platform/requests.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"

namespace a2h::platform {
namespace {

using nlohmann::json;
using wire::member;
using wire::text_member;

constexpr std::string_view kPublicApi = "https://api.a2hmarket.ai";
constexpr std::string_view kPublicLogin = "https://web.a2hmarket.ai";
constexpr std::size_t kLoginBytesMax = 64 * 1024;

std::string without_slash(std::string_view base) {
    while (base.ends_with('/'))
        base.remove_suffix(1);
    return std::string(base);
}

/// Six random bytes with the bit that marks a locally assigned address.
std::string made_up_hardware_address() {
    const std::string digits = "02" + random_hex(5);
    std::string address;
    for (std::size_t i = 0; i < digits.size(); i += 2)
        address += (i == 0 ? "" : ":") + digits.substr(i, 2);
    return address;
}

Result<json> answer_to(http::Client& http, const http::ClientRequest& request) {
    A2H_ASSIGN_OR_RETURN(const auto response, http.send(request));
    if (response.status == 404 || response.status == 410) {
        return fail(ErrorCode::NotFound, "this login has ended; begin a new one");
    }
    if (response.status >= 400) {
        return fail(response.status == 429 || response.status >= 500 ? ErrorCode::Unavailable
                                                                     : ErrorCode::InvalidArgument,
                    "the market refused the login with status " + std::to_string(response.status));
    }
    auto body = wire::parse_json(response.body, {.bytes_max = kLoginBytesMax});
    if (!body || !body->is_object()) {
        return fail(ErrorCode::Corrupt, "the market's answer to the login is not a JSON object");
    }
    return body;
}

bool is_web_address(std::string_view text) {
    return text.starts_with("https://") || text.starts_with("http://");
}

}  // namespace

std::string login_base_of(std::string_view api_base) {
    const std::string base = without_slash(api_base);
    return base == kPublicApi ? std::string(kPublicLogin) : base;
}

Result<LoginStart> begin_login(http::Client& http, std::string_view login_base, UnixMs now_ms) {
    http::ClientRequest request;
    request.method = "POST";
    request.url = without_slash(login_base) + "/v1/auth/init-login";
    request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    request.body = "timestamp=" + std::to_string(now_ms / 1000) +
                   "&mac=" + percent_encoded(made_up_hardware_address());
    A2H_ASSIGN_OR_RETURN(const auto body, answer_to(http, request));
    const json& data = text_member(body, "url").empty() ? member(body, "data") : body;
    LoginStart start{text_member(data, "code"), text_member(data, "url")};
    if (start.code.empty() || !is_web_address(start.url)) {
        return fail(ErrorCode::Corrupt, "the market's answer to the login contains no address");
    }
    return start;
}

Result<std::optional<Login>> poll_login(http::Client& http, std::string_view login_base,
                                        std::string_view code) {
    http::ClientRequest request;
    request.url = without_slash(login_base) +
                  "/findu-user/api/v1/public/user/agent/auth?code=" + percent_encoded(code);
    A2H_ASSIGN_OR_RETURN(const auto body, answer_to(http, request));
    const json& data = member(body, "data");
    Login login{text_member(data, "agentId"), text_member(data, "secret"),
                text_member(data, "apiUrl"), text_member(data, "mqttUrl")};
    if (login.agent_id.empty()) return std::optional<Login>();
    if (!is_agent_id(login.agent_id) || login.agent_key.empty() ||
        (!login.api_base.empty() && !is_web_address(login.api_base))) {
        return fail(ErrorCode::Corrupt,
                    "the market's answer to the login contains no usable account");
    }
    return std::optional(std::move(login));
}

}  // namespace a2h::platform
