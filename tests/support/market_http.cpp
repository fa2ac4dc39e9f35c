#include "tests/support/market_http.h"

#include <map>
#include <mutex>
#include <stdexcept>

#include "core/base/ids.h"
#include "core/catalogue/schema.h"
#include "core/wire/payload.h"

namespace a2h::test {
namespace {

using nlohmann::json;

/// `schema` with every reference resolved.
json resolved(const json& document, json schema) {
    if (schema.is_object() && schema.contains("$ref")) {
        const auto pointer = schema["$ref"].get<std::string>().substr(1);
        return resolved(document, document.at(json::json_pointer(pointer)));
    }
    if (schema.is_structured()) {
        for (json& member : schema)
            member = resolved(document, member);
    }
    return schema;
}

std::vector<std::string> segments(std::string_view path) {
    std::vector<std::string> all(1);
    for (const char c : path) {
        if (c == '/') {
            all.emplace_back();
        } else {
            all.back() += c;
        }
    }
    return all;
}

bool fits(const std::string& pattern, std::string_view path) {
    const auto wanted = segments(pattern);
    const auto found = segments(path);
    if (wanted.size() != found.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!wanted[i].starts_with('{') && wanted[i] != found[i]) return false;
    }
    return true;
}

/// The operation's description; nullptr when there is none. A pattern without `{` goes first.
const json* operation(const json& document, std::string_view method, std::string_view path) {
    std::string name(method);
    for (char& c : name)
        c = static_cast<char>(std::tolower(c));
    const json* found = nullptr;
    for (const auto& [pattern, item] : document.at("paths").items()) {
        if (!fits(pattern, path) || !item.contains(name)) continue;
        if (found == nullptr || pattern.find('{') == std::string::npos) found = &item.at(name);
    }
    return found;
}

http::ClientResponse exchange(const http::ClientRequest& request) {
    http::Client client({});
    auto response = client.send(request);
    if (!response) throw std::runtime_error(request.url + ": " + response.error().message);
    return std::move(*response);
}

/// The document of the market at `url`, requested once.
const json& document_of(const std::string& url) {
    static std::mutex mutex;
    static std::map<std::string, json> known;
    const std::lock_guard lock(mutex);
    auto& document = known[url];
    if (document.is_null()) {
        http::ClientRequest request;
        request.url = url + "/openapi.json";
        document = json::parse(exchange(request).body);
    }
    return document;
}

const std::string kJson = "application/json";

std::string media_type_of(std::string_view field) {
    return std::string(field.substr(0, field.find(';')));
}

}  // namespace

std::string undocumented(const json& document, std::string_view method, std::string_view path,
                         int status, const json& body, std::string_view media_type) {
    const json* described = operation(document, method, path);
    json schema{{"$ref", "#/components/schemas/PlatformError"}};
    if (described != nullptr) {
        const json& responses = described->at("responses");
        const auto exact = responses.find(std::to_string(status));
        const json& response = exact == responses.end() ? responses.at("default") : *exact;
        if (!response.contains("content")) return {};
        const auto content = response.at("content").find(media_type);
        if (content == response.at("content").end()) {
            return std::string(media_type) + " is not documented";
        }
        if (!content->contains("schema")) return {};
        schema = content->at("schema");
    } else if (status < 400) {
        return "status " + std::to_string(status) + " on a path that is not documented";
    }
    const auto valid = catalogue::validate(resolved(document, schema), body);
    return valid ? "" : valid.error().message;
}

std::string Answer::header(std::string_view lower_case_name) const {
    for (const auto& [name, value] : headers) {
        if (name == lower_case_name) return value;
    }
    return {};
}

Answer send(const http::ClientRequest& request) {
    const auto response = exchange(request);
    Answer answer{response.status, json::parse(response.body, nullptr, false), response.body,
                  response.headers};
    if (request.method == "HEAD") return answer;  // what GET says, without its body
    const auto path_at = request.url.find('/', request.url.find("://") + 3);
    const auto path = request.url.substr(path_at, request.url.find('?') - path_at);
    const std::string type =
        answer.body.is_discarded() ? media_type_of(answer.header("content-type")) : kJson;
    const auto fault = undocumented(document_of(request.url.substr(0, path_at)), request.method,
                                    path, answer.status, answer.body, type);
    if (!fault.empty()) {
        throw std::runtime_error(request.method + " " + path + " answers " +
                                 std::to_string(answer.status) +
                                 ", not as openapi.json says: " + fault + "\n" + response.body);
    }
    return answer;
}

std::int64_t now_s() {
    return SystemClock().now_ms() / 1000;
}

http::ClientRequest plain_request(const platform::Account& account, std::string method,
                                  std::string_view target, std::string body,
                                  std::int64_t timestamp_s) {
    const std::string path(target.substr(0, target.find('?')));
    http::ClientRequest request;
    request.url = account.api_base + std::string(target);
    request.headers = {
        {"X-Agent-Id", account.agent_id},
        {"X-Timestamp", std::to_string(timestamp_s)},
        {"X-Agent-Signature", wire::platform_signature(account.keys.agent_key, method, path,
                                                       account.agent_id, timestamp_s)}};
    request.method = std::move(method);
    request.body = std::move(body);
    return request;
}

http::ClientRequest nonce_request(const platform::Account& account, std::string method,
                                  const std::string& target, const std::string& body,
                                  const std::string& nonce) {
    auto request = plain_request(account, method, target, body);
    const std::int64_t timestamp_s = std::stoll(request.headers[1].second);
    const auto text =
        wire::nonce_signature_text(method, target, account.agent_id, timestamp_s, nonce, body);
    request.headers.emplace_back("X-A2H-Nonce", nonce);
    request.headers.emplace_back("X-A2H-Signature",
                                 *wire::ed25519_sign(account.keys.key_pair.secret_key, text));
    return request;
}

http::ClientRequest registration(const std::string& url, const wire::KeyPair& signer,
                                 const std::string& body, const std::string& nonce,
                                 std::int64_t timestamp_s) {
    http::ClientRequest request;
    request.method = "POST";
    request.url = url + "/v1/agents";
    request.body = body;
    const auto text =
        wire::nonce_signature_text("POST", "/v1/agents", "", timestamp_s, nonce, body);
    request.headers = {{"X-Timestamp", std::to_string(timestamp_s)},
                       {"X-A2H-Nonce", nonce},
                       {"X-A2H-Signature", *wire::ed25519_sign(signer.secret_key, text)}};
    return request;
}

platform::Account plain_agent(const Market& market, const std::string& name) {
    return plain_agent(market.url(), name);
}

platform::Account plain_agent(const std::string& url, const std::string& name) {
    const auto keys = wire::new_key_pair();
    const json body{{"name", name}, {"public_key", keys.public_key}};
    const auto answer = send(registration(url, keys, body.dump(), random_hex(16)));
    if (answer.status != 200) throw std::runtime_error(answer.text);
    return {url, answer.data()["agent_id"], {answer.data()["agent_key"], keys}};
}

Answer call(const platform::Account& account, std::string method, std::string_view target,
            const json& body) {
    return send(plain_request(account, std::move(method), target,
                              body.is_null() ? std::string() : body.dump()));
}

}  // namespace a2h::test
