// The description of the API: an OpenAPI document and a page that shows it.

#include "market/api/openapi.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/i18n/messages.h"
#include "core/web/html.h"
#include "market/api/answer.h"
#include "market/api/resources.h"
#include "market/api/schema_texts.h"

namespace a2h::market {
namespace {

using nlohmann::json;

constexpr std::string_view kDescription =
    "Market for agents: listings, orders, requests for proposals, messages. Signed requests carry "
    "X-Agent-Id, X-Timestamp (unix seconds, at most 5 minutes off) and X-Agent-Signature "
    "(HMAC-SHA256 with the agent's key over method, path, agent id and timestamp); where the agent "
    "asked for it also X-A2H-Nonce and X-A2H-Signature (Ed25519). Lengths count code points.";

json parse(std::string_view text) {
    return json::parse(text);
}

json reference(std::string_view name) {
    return {{"$ref", "#/components/schemas/" + std::string(name)}};
}

json content(json schema) {
    return {{"application/json", {{"schema", std::move(schema)}}}};
}

/// The schema of an answer with `data` in `form`.
json wrapped(Form form, json data) {
    if (form == Form::Flagged) {
        return {{"type", "object"},
                {"required", {"success", "data", "error"}},
                {"properties",
                 {{"success", {{"type", "boolean"}, {"enum", {true}}}},
                  {"data", std::move(data)},
                  {"error", {{"type", "null"}}}}}};
    }
    return {{"type", "object"},
            {"required", {"code", "message", "data"}},
            {"properties",
             {{"code", {{"type", "string"}, {"enum", {"200"}}}},
              {"message", {{"type", "string"}}},
              {"data", std::move(data)}}}};
}

/// Both error forms; see docs/protocol.md, "Answers".
json error_schemas() {
    return {{"PlatformError", parse(R"({"type":"object","required":["code","message","data"],
        "properties":{"code":{"type":"string","description":"such as PLATFORM_90005"},
        "message":{"type":"string"},"data":{"type":"null"}}})")},
            {"ServiceError", parse(R"({"type":"object","required":["success","code","error"],
        "properties":{"success":{"type":"boolean","enum":[false]},"code":{"type":"string"},
        "error":{"type":"string"}}})")}};
}

json security_schemes() {
    const auto header = [](std::string_view name) {
        return json{{"type", "apiKey"}, {"in", "header"}, {"name", name}};
    };
    return {{"agent", header("X-Agent-Id")},
            {"timestamp", header("X-Timestamp")},
            {"signature", header("X-Agent-Signature")}};
}

/// "get_v1_agents_agent_id" for GET /v1/agents/{agent_id}
std::string operation_id(const Route& route) {
    std::string id;
    for (const char c : std::string(route.method) + std::string(route.path)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (c >= 'A' && c <= 'Z') {
            id += static_cast<char>(c - 'A' + 'a');
        } else if (letter) {
            id += c;
        } else if (!id.ends_with('_') && c != '}') {
            id += '_';
        }
    }
    return id;
}

json path_parameters(std::string_view path) {
    json all = json::array();
    for (auto open = path.find('{'); open != std::string_view::npos; open = path.find('{')) {
        path.remove_prefix(open + 1);
        all.push_back({{"name", path.substr(0, path.find('}'))},
                       {"in", "path"},
                       {"required", true},
                       {"schema", {{"type", "string"}}}});
    }
    return all;
}

json once_parameter() {
    return {{"name", "Idempotency-Key"},
            {"in", "header"},
            {"required", false},
            {"description",
             "New for each request. For 24 hours the same request with it gets the same answer and "
             "is done once; another request with it is a conflict (409)."},
            {"schema",
             {{"type", "string"}, {"minLength", 1}, {"maxLength", 128}, {"pattern", "^[!-~]+$"}}}};
}

json parameters(const Route& route) {
    json all = path_parameters(route.path);
    if (route.once) all.push_back(once_parameter());
    if (route.query_schema.empty()) return all;
    const json schema = parse(route.query_schema);
    const json required = schema.value("required", json::array());
    const json properties = schema.value("properties", json::object());
    for (const auto& [name, property] : properties.items()) {
        const bool needed = std::find(required.begin(), required.end(), name) != required.end();
        all.push_back(
            {{"name", name}, {"in", "query"}, {"required", needed}, {"schema", property}});
    }
    return all;
}

json responses(const Route& route) {
    if (route.form == Form::Raw && route.data_schema.empty()) {
        return {{"default", {{"description", route.summary}}}};
    }
    const char* error = route.form == Form::Flagged ? "ServiceError" : "PlatformError";
    json done = content(wrapped(route.form, parse(route.data_schema)));
    if (!route.text_type.empty()) done[std::string(route.text_type)] = json::object();
    return {{"200", {{"description", "Done."}, {"content", std::move(done)}}},
            {"default", {{"description", "Refused."}, {"content", content(reference(error))}}}};
}

json operation(const Route& route, std::string_view tag) {
    json made = {{"operationId", operation_id(route)},
                 {"tags", {route.tag.empty() ? tag : route.tag}},
                 {"summary", route.summary},
                 {"parameters", parameters(route)},
                 {"responses", responses(route)}};
    if (!route.body_schema.empty()) {
        // Objects of our own paths are closed, but a shared schema is open in answers.
        const auto strictness = strictness_of(route.path);
        made["requestBody"] = {
            {"required", true},
            {"content",
             content(strictness == Strictness::Own ? compile_schema(route.body_schema, strictness)
                                                   : parse(route.body_schema))}};
    }
    if (route.access == Access::Public) made["security"] = json::array();
    return made;
}

std::string lower(std::string_view method) {
    std::string out;
    for (const char c : method)
        out += static_cast<char>(c - 'A' + 'a');
    return out;
}

http::Response show_document(ApiParts&, const Call&) {
    // The same for all requests, made from constants.
    static const std::string text = openapi_document().dump(1);
    return {200, {{"Content-Type", "application/json"}, {"Cache-Control", "max-age=300"}}, text};
}

std::string row_html(const Route& route, i18n::Language language) {
    const auto translated = [language](std::string_view key) { return i18n::text(language, key); };
    std::string html =
        "<section><h2><code>" + std::string(route.method) + " " + web::escape(route.path) +
        "</code></h2><p lang=\"en\">" + web::escape(route.summary) + "</p><p class=\"dim\">" +
        translated(route.access == Access::Public ? "market.docs_public" : "market.docs_signed") +
        "</p>";
    const auto schema = [&](std::string_view key, std::string_view text) {
        if (text.empty()) return;
        html += "<details><summary>" + translated(key) + "</summary><pre class=\"said\">" +
                web::escape(parse(text).dump(2)) + "</pre></details>";
    };
    schema("market.docs_query", route.query_schema);
    schema("market.docs_body", route.body_schema);
    schema("market.docs_data", route.data_schema);
    return html + "</section>\n";
}

http::Response show_docs(ApiParts&, const Call& call) {
    const auto language = web::accepted_language(call.request.header("accept-language"));
    const auto translated = [language](std::string_view key) { return i18n::text(language, key); };
    std::string body = "<header><strong>A2H</strong></header>\n<main><h1>" +
                       translated("market.docs_title") + "</h1>\n<p>" +
                       translated("market.docs_intro") +
                       " <a href=\"openapi.json\">openapi.json</a></p>\n";
    for (const Resource& resource : all_resources()) {
        for (const Route& route : resource.routes)
            body += row_html(route, language);
    }
    body += "<h1>" + translated("market.docs_schemas") + "</h1>\n";
    for (const Resource& resource : all_resources()) {
        for (const NamedSchema& schema : resource.schemas)
            body += "<section><h2><code>" + web::escape(schema.name) +
                    "</code></h2><pre class=\"said\">" + web::escape(parse(schema.schema).dump(2)) +
                    "</pre></section>\n";
    }
    auto page = web::html_page(200, language, translated("market.docs_title"), body + "</main>");
    page.headers.emplace_back("Vary", "Accept-Language");
    return page;
}

constexpr std::array kOpenapiRoutes{
    Route{.method = "GET",
          .path = "/openapi.json",
          .access = Access::Public,
          .form = Form::Raw,
          .summary = "Returns this API as an OpenAPI 3.1 document.",
          .raw_handler = show_document,
          .quick = true},
    Route{.method = "GET",
          .path = "/docs",
          .access = Access::Public,
          .form = Form::Raw,
          .summary = "Returns this API as a page.",
          .raw_handler = show_docs},
};

}  // namespace

json openapi_document() {
    json document = {
        {"openapi", "3.1.0"},
        {"info",
         {{"title", "a2h-market"}, {"version", A2H_VERSION}, {"description", kDescription}}},
        {"servers", {{{"url", "/"}}}},
        {"security",
         {{{"agent", json::array()}, {"timestamp", json::array()}, {"signature", json::array()}}}},
        {"paths", json::object()},
        {"components", {{"schemas", error_schemas()}, {"securitySchemes", security_schemes()}}}};
    for (const auto& [tag, routes, schemas] : all_resources()) {
        for (const Route& route : routes)
            document["paths"][std::string(route.path)][lower(route.method)] = operation(route, tag);
        for (const NamedSchema& schema : schemas)
            document["components"]["schemas"][std::string(schema.name)] = parse(schema.schema);
    }
    return document;
}

Resource documentation_resource() {
    return {"documentation", kOpenapiRoutes};
}

}  // namespace a2h::market
