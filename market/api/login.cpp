// Login through a browser: a program starts it, a person confirms it on a page, the program polls.
//
// The program's code and the page's address are two different secrets: somebody who sees the
// address, for example in a chat, cannot fetch the credentials. Only hashes of both are stored.

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/wire/crypto.h"
#include "market/api/answer.h"
#include "market/api/base_url.h"
#include "market/api/body.h"
#include "market/api/login_page.h"
#include "market/api/resources.h"
#include "market/store/login_store.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::chrono::minutes kLifetime{10};
constexpr std::chrono::seconds kRatePeriod{60};
constexpr std::int64_t kPerAddressMax = 30;  ///< within that period
constexpr std::int64_t kLoginsMax = 10'000;
constexpr int kWrongKeysMax = 5;
constexpr std::size_t kDeviceCodePointsMax = 64;
constexpr std::size_t kNameCodePointsMax = 64;
constexpr std::size_t kKeyBytes = 32;
constexpr std::string_view kPage = "/login/";
constexpr std::string_view kCookie = "a2h_login";

std::string_view field(const http::Fields& fields, std::string_view name) {
    for (const auto& [key, value] : fields) {
        if (key == name) return value;
    }
    return {};
}

// Starting and polling.

Result<void> check_rate(db::Transaction& transaction, const Login& login) {
    A2H_ASSIGN_OR_RETURN(const auto recent,
                         store::count_logins_from(
                             transaction, login.remote_address,
                             login.created_at_ms - std::chrono::milliseconds(kRatePeriod).count()));
    if (recent >= kPerAddressMax) {
        return fail(ErrorCode::Conflict, "too many logins were begun from your address");
    }
    A2H_ASSIGN_OR_RETURN(const auto all, store::count_logins(transaction));
    if (all >= kLoginsMax) return fail(ErrorCode::ResourceExhausted, "too many open logins");
    return {};
}

http::Response begin_login(ApiParts& parts, const Call& call) {
    const auto fields = http::parse_form(call.request.body);
    const std::string_view device = fields ? field(*fields, "mac") : "";
    if (!fields || !is_utf8(device) || code_point_count(device) > kDeviceCodePointsMax) {
        return failure(
            {ErrorCode::InvalidArgument, "the body must be a form of timestamp and mac"});
    }
    const std::string code = random_hex(16);
    const std::string page = random_hex(16);
    Login login;
    login.code_hash = wire::sha256_hex(code);
    login.page_hash = wire::sha256_hex(page);
    login.device = device;
    login.remote_address = client_address(parts.watch, call.request);
    login.created_at_ms = parts.clock.now_ms();
    login.expires_at_ms = login.created_at_ms + std::chrono::milliseconds(kLifetime).count();
    const auto begun = parts.database.write([&](db::Transaction& transaction) -> Result<void> {
        A2H_TRY(check_rate(transaction, login));
        return store::add_login(transaction, login);
    });
    if (!begun && begun.error().code == ErrorCode::Conflict) {
        return too_many_requests(false, kRatePeriod);
    }
    if (!begun) return failure(begun.error());
    return json_response(
        200, {{"code", code}, {"url", base_url(parts, call.request) + std::string(kPage) + page}});
}

Result<json> credentials(ApiParts& parts, const Call& call, const std::string& agent_id) {
    A2H_ASSIGN_OR_RETURN(const auto agent, parts.agents.find(agent_id));
    if (!agent || agent->revoked) {
        return fail(ErrorCode::PermissionDenied, "this agent was revoked");
    }
    // Of the published clients, one reads the addresses under the first names and one under the
    // second; without them it would use the public operator.
    const std::string api_url = base_url(parts, call.request);
    return json{{"agentId", agent_id}, {"secret", agent->agent_key},
                {"apiUrl", api_url},   {"mqttUrl", parts.mqtt_url},
                {"api_url", api_url},  {"mqtt_url", parts.mqtt_url}};
}

Result<json> poll_login(ApiParts& parts, const Call& call) {
    const std::string code_hash = wire::sha256_hex(text_or(call.query, "code"));
    A2H_ASSIGN_OR_RETURN(
        const auto login,
        parts.database.read_with(store::find_login_by_code, code_hash, parts.clock.now_ms()));
    if (!login || login->state == LoginState::Void || login->state == LoginState::Taken) {
        return fail(ErrorCode::NotFound, "this login has ended; begin a new one");
    }
    if (login->state == LoginState::Pending) return json::object();
    auto data = credentials(parts, call, login->agent_id);
    if (!data) return data;
    A2H_ASSIGN_OR_RETURN(const auto taken,
                         parts.database.write_with(store::move_login, code_hash,
                                                   LoginState::Confirmed, LoginState::Taken, ""));
    if (!taken) return fail(ErrorCode::NotFound, "this login has ended; begin a new one");
    return data;
}

// The page.

/// A form is valid only in the browser to which it was shown, because the cookie is not sent with
/// requests from other sites.
std::string form_token(const ApiParts& parts, std::string_view cookie, std::string_view page) {
    return wire::hmac_sha256_hex(parts.secret_key,
                                 "login\n" + std::string(cookie) + "\n" + std::string(page));
}

std::string cookie_of(const http::Request& request) {
    std::string_view rest = request.header("cookie");
    while (!rest.empty()) {
        const std::string_view pair = trim(rest.substr(0, rest.find(';')));
        rest.remove_prefix(
            std::min(rest.size(), rest.find(';') == rest.npos ? rest.size() : rest.find(';') + 1));
        if (pair.starts_with(kCookie) && pair.substr(kCookie.size()).starts_with('=')) {
            return std::string(pair.substr(kCookie.size() + 1));
        }
    }
    return {};
}

http::Response ended(i18n::Language language) {
    return login_message(404, language, "market.login_ended_title", "market.login_ended");
}

Result<std::optional<Login>> find_page(ApiParts& parts, const Call& call) {
    return parts.database.read_with(store::find_login_by_page, wire::sha256_hex(call.arguments[0]),
                                    parts.clock.now_ms());
}

http::Response ask(ApiParts& parts, const Call& call, const Login& login, i18n::Language language,
                   int status, std::string notice) {
    const std::string cookie = random_hex(16);
    const std::string path = std::string(kPage) + call.arguments[0];
    auto response = login_question(
        status, login,
        {path, form_token(parts, cookie, call.arguments[0]), language, std::move(notice)});
    const std::string secure = parts.public_url.starts_with("https:") ? "; Secure" : "";
    response.headers.emplace_back("Set-Cookie", std::string(kCookie) + "=" + cookie + "; Path=" +
                                                    path + "; HttpOnly; SameSite=Strict" + secure);
    return response;
}

http::Response show_login(ApiParts& parts, const Call& call) {
    const auto language = page_language(call.request, call.request.query_value("lang"));
    const auto login = find_page(parts, call);
    if (!login) return failure(login.error());
    if (!*login || (*login)->state != LoginState::Pending) return ended(language);
    return ask(parts, call, **login, language, 200, {});
}

/// Creates an agent. Nobody has the secret half of its key: programs that log in this way sign only
/// with the agent key.
Result<Agent> new_agent(ApiParts& parts, const http::Fields& fields) {
    const std::string name(trim(field(fields, "name")));
    if (name.empty() || !is_utf8(name) || code_point_count(name) > kNameCodePointsMax) {
        return fail(ErrorCode::InvalidArgument, "market.login_bad_name");
    }
    const auto keys = wire::new_key_pair();
    return Agent{.agent_id = new_agent_id(),
                 .name = name,
                 .agent_key = random_hex(kKeyBytes),
                 .key_id = keys.key_id,
                 .public_key = keys.public_key,
                 .created_at_ms = parts.clock.now_ms()};
}

/// The agent whose key the person has entered; a wrong key is counted.
Result<Agent> present_agent(ApiParts& parts, const Login& login, const http::Fields& fields) {
    A2H_ASSIGN_OR_RETURN(const auto agent, parts.agents.find(field(fields, "agent_id")));
    const std::string key = agent ? agent->agent_key : std::string();
    const bool right = wire::equal_constant_time(key, field(fields, "agent_key"));
    if (agent && right && !agent->revoked) return *agent;
    A2H_TRY(parts.database.write_with(store::count_wrong_key, login.code_hash, kWrongKeysMax));
    return fail(ErrorCode::InvalidArgument, "market.login_bad_key");
}

/// Errors:  InvalidArgument with the key of the message for the person; Conflict if somebody else
///          has answered.
Result<void> confirm(ApiParts& parts, const Login& login, const http::Fields& fields) {
    const bool create = field(fields, "choice") == "create";
    A2H_ASSIGN_OR_RETURN(const auto agent,
                         create ? new_agent(parts, fields) : present_agent(parts, login, fields));
    return parts.database.write([&](db::Transaction& transaction) -> Result<void> {
        if (create) {
            A2H_TRY(store::add_agent(transaction, agent));
        }
        A2H_ASSIGN_OR_RETURN(const auto moved,
                             store::move_login(transaction, login.code_hash, LoginState::Pending,
                                               LoginState::Confirmed, agent.agent_id));
        if (!moved) return fail(ErrorCode::Conflict, "answered already");
        return {};
    });
}

http::Response answer_login(ApiParts& parts, const Call& call) {
    const auto fields = http::parse_form(call.request.body).value_or(http::Fields());
    const auto language = page_language(call.request, field(fields, "lang"));
    const auto login = find_page(parts, call);
    if (!login) return failure(login.error());
    if (!*login || (*login)->state != LoginState::Pending) return ended(language);
    const std::string cookie = cookie_of(call.request);
    if (cookie.empty() || !wire::equal_constant_time(form_token(parts, cookie, call.arguments[0]),
                                                     field(fields, "form_token"))) {
        return ask(parts, call, **login, language, 403,
                   i18n::text(language, "market.login_stale_form"));
    }
    const auto confirmed = confirm(parts, **login, fields);
    if (confirmed) {
        return login_message(200, language, "market.login_done_title", "market.login_done");
    }
    if (confirmed.error().code == ErrorCode::Conflict) return ended(language);
    if (confirmed.error().code != ErrorCode::InvalidArgument) return failure(confirmed.error());
    return ask(parts, call, **login, language, 400,
               i18n::text(language, confirmed.error().message));
}

constexpr std::array kLoginRoutes{
    Route{.method = "POST",
          .path = "/v1/auth/init-login",
          .access = Access::Public,
          .form = Form::Raw,
          .summary = "Begins a login. Takes a form of timestamp and mac and answers {code, url}. A "
                     "person opens url, and the program polls with code, for 10 minutes.",
          .raw_handler = begin_login},
    Route{.method = "GET",
          .path = "/findu-user/api/v1/public/user/agent/auth",
          .access = Access::Public,
          .summary = "Returns the credentials of a login, once. The object is empty until somebody "
                     "has confirmed.",
          .query_schema = R"({"type":"object","required":["code"],"properties":{
            "code":{"type":"string","minLength":1,"maxLength":64}}})",
          .data_schema = R"({"type":"object","properties":{
            "agentId":{"type":"string"},"secret":{"type":"string"},
            "apiUrl":{"type":"string"},"mqttUrl":{"type":"string"},
            "api_url":{"type":"string","description":"the same as apiUrl"},
            "mqtt_url":{"type":"string","description":"the same as mqttUrl"}},
            "additionalProperties":false})",
          .handler = poll_login},
    Route{.method = "GET",
          .path = "/login/{page}",
          .access = Access::Public,
          .form = Form::Raw,
          .summary = "Shows the page on which a person confirms a login. Changes nothing.",
          .raw_handler = show_login},
    Route{.method = "POST",
          .path = "/login/{page}",
          .access = Access::Public,
          .form = Form::Raw,
          .summary = "Takes the person's answer to a login.",
          .raw_handler = answer_login},
};

}  // namespace

Resource login_resource() {
    return {"login", kLoginRoutes};
}

}  // namespace a2h::market
