// Bad input to every endpoint. The table is the market's own OpenAPI document, so that a new
// endpoint is tested as well; `test::send` checks the form of each answer against it.

#include <doctest/doctest.h>

#include <functional>

#include "core/base/ids.h"
#include "tests/integration/market/unlimited_market.h"
#include "tests/support/market_http.h"
#include "tests/unit/http/raw_socket.h"

using namespace a2h;
using nlohmann::json;
using test::Answer;
using test::server;

namespace {

constexpr std::size_t kRowsMin = 60;

struct Operation {
    std::string method;
    std::string path;  ///< with ids of nothing in the place of its parameters
    json row;          ///< of the document
    json body_schema;  ///< null: none

    bool is_signed() const { return !row.contains("security"); }
    std::string name() const { return method + " " + path; }
};

/// The document with every reference in `schema` replaced by what it names.
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

std::string upper(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::toupper(c));
    return text;
}

std::string filled(std::string path) {
    for (auto at = path.find('{'); at != std::string::npos; at = path.find('{'))
        path.replace(at, path.find('}') - at + 1, "0123456789abcdef0123456789abcdefa7ee");
    return path;
}

const std::vector<Operation>& documented_operations() {
    static const std::vector<Operation> all = [] {
        const json document = test::send({.url = server().url() + "/openapi.json"}).body;
        std::vector<Operation> made;
        for (const auto& [path, item] : document.at("paths").items()) {
            for (const auto& [method, row] : item.items()) {
                const json resolved_row = resolved(document, row);
                json schema;
                if (row.contains("requestBody")) {
                    schema = resolved_row["requestBody"]["content"]["application/json"]["schema"];
                }
                made.push_back({upper(method), filled(path), resolved_row, schema});
            }
        }
        return made;
    }();
    return all;
}

const platform::Account& ann() {
    static const auto account = test::plain_agent(server(), "Ann");
    return account;
}

/// Sends as Ann, signed if the endpoint requires it.
Answer send_as_ann(const Operation& operation, const std::string& body,
                   const std::string& query = {}) {
    return test::send(test::plain_request(ann(), operation.method, operation.path + query, body));
}

json sample(const json& schema);

/// The parameters besides `name` that a query of `operation` must have, each with its `=` and `&`.
std::string other_parameters(const Operation& operation, const std::string& name) {
    std::string query;
    for (const json& parameter : operation.row.value("parameters", json::array())) {
        if (parameter["in"] != "query" || !parameter["required"] || parameter["name"] == name)
            continue;
        query += parameter["name"].get<std::string>() + "=" +
                 sample(parameter["schema"]).get<std::string>() + "&";
    }
    return query;
}

/// A value that fits `schema`.
json sample(const json& schema) {
    if (schema.contains("enum")) return schema["enum"][0];
    const json type = schema["type"].is_array() ? schema["type"][0] : schema["type"];
    if (type == "string") {
        if (schema.contains("pattern")) return "CNY";
        return std::string(schema.value("minLength", std::size_t{1}), 'a');
    }
    if (type == "integer" || type == "number") return schema.value("minimum", 1);
    if (type == "boolean") return true;
    if (type == "array") return json::array();
    json made = json::object();
    for (const json& name : schema.value("required", json::array()))
        made[name.get<std::string>()] = sample(schema["properties"][name.get<std::string>()]);
    return made;
}

bool has_type(const json& schema, std::string_view type) {
    const json& types = schema["type"];
    return types == type ||
           (types.is_array() && std::find(types.begin(), types.end(), type) != types.end());
}

struct Fault {
    std::string what;
    json value;
};

/// Values that `schema` does not allow.
std::vector<Fault> faults_of(const json& schema) {
    std::vector<Fault> faults;
    if (!has_type(schema, "object")) faults.push_back({"wrong type", {{"a", 1}}});
    if (!has_type(schema, "boolean")) faults.push_back({"wrong type", true});
    if (has_type(schema, "object")) faults.push_back({"wrong type", "text"});
    if (schema.contains("maxLength")) {
        const auto length = schema["maxLength"].get<std::size_t>();
        faults.push_back({"over-long", std::string(length + 1, '7')});
    }
    if (schema.contains("maxItems")) {
        const json item = schema.contains("items") ? sample(schema["items"]) : json("a");
        const auto count = schema["maxItems"].get<std::size_t>() + 1;
        faults.push_back({"over-long", json(count, item)});
    }
    if (schema.contains("enum")) faults.push_back({"unknown value", "no such value"});
    if (schema.contains("maximum")) {
        faults.push_back({"too much", schema["maximum"].get<std::int64_t>() + 1});
    }
    if (schema.contains("minimum")) {
        faults.push_back({"too little", schema["minimum"].get<std::int64_t>() - 1});
    }
    return faults;
}

std::string refusal_text(const Answer& answer) {
    const json& text =
        answer.body.contains("message") ? answer.body["message"] : answer.body["error"];
    return text.is_string() ? text.get<std::string>() : std::string();
}

bool refused_with(const Answer& answer, int status, const std::string& named) {
    return answer.status == status && refusal_text(answer).find(named) != std::string::npos;
}

/// Texts and lists without a maximum length, by their place.
void find_unbounded(const json& schema, const std::string& place, std::vector<std::string>& found) {
    if (has_type(schema, "string") && !schema.contains("maxLength") && !schema.contains("enum") &&
        !schema.contains("pattern")) {
        found.push_back(place);
    }
    if (has_type(schema, "array") && !schema.contains("maxItems")) found.push_back(place);
    if (schema.contains("items")) find_unbounded(schema["items"], place + "[]", found);
    const json properties = schema.value("properties", json::object());
    for (const auto& [name, property] : properties.items())
        find_unbounded(property, place + "." + name, found);
}

}  // namespace

TEST_CASE("every signed endpoint refuses what is unsigned, expired, early, or of another key") {
    REQUIRE(documented_operations().size() >= kRowsMin);
    auto other = ann();
    other.keys.agent_key = random_hex(32);
    for (const Operation& operation : documented_operations()) {
        if (!operation.is_signed()) continue;
        CAPTURE(operation.name());
        const auto refused = [&](http::ClientRequest request) {
            const auto answer = test::send(request);
            return answer.status == 401 && answer.code() == "PLATFORM_90005";
        };
        const auto at = [&](std::int64_t seconds) {
            return test::plain_request(ann(), operation.method, operation.path, "{}",
                                       test::now_s() + seconds);
        };
        CHECK(refused(
            {.method = operation.method, .url = server().url() + operation.path, .body = "{}"}));
        CHECK(refused(at(-302)));
        CHECK(refused(at(302)));
        CHECK(refused(test::plain_request(other, operation.method, operation.path, "{}")));
        auto elsewhere = test::plain_request(ann(), operation.method, operation.path + "x", "{}");
        elsewhere.url.pop_back();
        CHECK(refused(elsewhere));
        auto other_method = test::plain_request(ann(), "OPTIONS", operation.path, "{}");
        other_method.method = operation.method;
        CHECK(refused(other_method));
    }
}

TEST_CASE("every signed endpoint refuses a replayed nonce and a changed body or query") {
    const auto keys = server().register_agent("Nonce");
    for (const Operation& operation : documented_operations()) {
        if (!operation.is_signed()) continue;
        CAPTURE(operation.name());
        const auto request =
            test::nonce_request(keys, operation.method, operation.path, "{}", random_hex(16));
        CHECK(test::send(request).status != 401);
        CHECK(test::send(request).code() == "PLATFORM_90005");
        auto changed =
            test::nonce_request(keys, operation.method, operation.path, "{}", random_hex(16));
        changed.body = "{ }";
        CHECK(test::send(changed).code() == "PLATFORM_90005");
        auto asked =
            test::nonce_request(keys, operation.method, operation.path, "{}", random_hex(16));
        asked.url += "?page=2";
        CHECK(test::send(asked).code() == "PLATFORM_90005");
    }
}

TEST_CASE("every field of every body is refused by name with a wrong type, length or value") {
    int walked = 0;
    for (const Operation& operation : documented_operations()) {
        if (operation.body_schema.is_null()) continue;
        const json good = sample(operation.body_schema);
        const json properties = operation.body_schema.value("properties", json::object());
        for (const auto& [name, schema] : properties.items()) {
            for (const Fault& fault : faults_of(schema)) {
                CAPTURE(operation.name());
                CAPTURE(name);
                CAPTURE(fault.what);
                json bad = good;
                bad[name] = fault.value;
                CHECK(refused_with(send_as_ann(operation, bad.dump()), 400, name));
                ++walked;
            }
        }
        for (const json& name : operation.body_schema.value("required", json::array())) {
            CAPTURE(operation.name());
            json bad = good;
            bad.erase(name.get<std::string>());
            CHECK(send_as_ann(operation, bad.dump()).status == 400);
        }
    }
    CHECK(walked > 150);
}

TEST_CASE("every parameter of every query is refused by name with a wrong type, length or value") {
    int walked = 0;
    for (const Operation& operation : documented_operations()) {
        for (const json& parameter : operation.row.value("parameters", json::array())) {
            if (parameter["in"] != "query") continue;
            const auto name = parameter["name"].get<std::string>();
            const json& schema = parameter["schema"];
            std::vector<std::string> values;
            if (has_type(schema, "integer")) values = {"abc", "1.5", "99999999999999999999"};
            for (const Fault& fault : faults_of(schema)) {
                if (fault.value.is_string()) values.push_back(fault.value.get<std::string>());
                if (fault.value.is_number()) values.push_back(fault.value.dump());
            }
            for (std::string& value : values) {
                CAPTURE(operation.name());
                CAPTURE(name);
                CAPTURE(value);
                for (auto at = value.find(' '); at != value.npos; at = value.find(' '))
                    value.replace(at, 1, "%20");
                const auto answer = send_as_ann(
                    operation, "", "?" + other_parameters(operation, name) + name + "=" + value);
                CHECK(refused_with(answer, 400, name));
                ++walked;
            }
        }
    }
    CHECK(walked > 60);
}

namespace {

/// The members of `data` that wire-compatible clients read.
struct DataRow {
    std::string name;
    std::vector<std::string> fields;
    std::string list{};  ///< the member whose items have `item_fields`
    std::vector<std::string> item_fields{};
};

std::vector<DataRow> data_rows() {
    const std::string trade = "/findu-trade/api/v1/orders/";
    const std::string user = "/findu-user/api/v1/user/";
    const std::string lease = "/agent-service/api/v1/agent-runtime/lease/";
    const std::string id = "0123456789abcdef0123456789abcdefa7ee";
    const std::vector<std::string> works{"worksId", "agentId", "nickname", "title", "extendInfo"};
    const std::vector<std::string> order{"orderId", "providerId", "customerId",  "title",
                                         "content", "price",      "currency",    "productId",
                                         "status",  "createdAt",  "currentType", "gmtCreate"};
    const std::vector<std::string> role{"role", "epoch", "leaseUntil", "ok", "reason"};
    const std::vector<std::string> address{"addressId",   "isDefault",    "receiverName",
                                           "phoneNumber", "province",     "city",
                                           "district",    "detailAddress"};
    const std::vector<std::string> message{"messageId", "senderId", "receiverId",
                                           "content",   "traceId",  "timestamp"};
    return {
        {"GET " + user + "profile/public",
         {"userId", "nickname", "avatarUrl", "bio", "abilities", "realnameStatus",
          "paymentQrcodeUrl", "alipayQrcodeUrl", "wechatPayQrcodeUrl", "paypalEmail",
          "defaultPaymentMethod"},
         "abilities",
         {"text"}},
        {"POST " + user + "profile/change-requests", {"changeRequestId", "status"}},
        {"POST /findu-match/api/v1/inner/match/works_search", {"result"}, "result", works},
        {"POST " + user + "works/change-requests", {"worksId", "changeRequestId", "status"}},
        {"GET " + user + "works/public", {"items"}, "items", works},
        {"GET " + user + "works/" + id + "/detail", works},
        {"GET " + user + "works/public/" + id + "/replies", {"items"}},
        {"POST " + trade + "create", order},
        {"POST " + trade + id + "/confirm", order},
        {"GET " + trade + id + "/detail", order},
        {"GET " + trade + "sales-orders", {"total", "list"}, "list", order},
        {"GET " + trade + "purchase-orders", {"total", "list"}, "list", order},
        {"GET /agent-message/api/v1/agents/sessions/messages",
         {"me", "partner", "items", "records", "page", "limit", "total"},
         "items",
         message},
        {"POST /mqtt-token/api/v1/token", {"client_id", "username", "password", "expire_time"}},
        {"POST /findu-oss/api/v1/oss_signurl/upload/sign",
         {"upload_url", "object_key", "signed_headers"}},
        {"POST " + lease + "acquire", role},
        {"POST " + lease + "heartbeat", role},
        {"POST " + lease + "takeover", role},
        {"GET " + lease + "status",
         {"leaderInstanceId", "epoch", "leaseUntil", "ok", "reason", "myRole"}},
        {"GET " + user + "shipping-address", {"items"}, "items", address},
        {"GET " + user + "shipping-address/" + id, address},
        {"PUT " + user + "shipping-address/" + id, address},
    };
}

/// The members of `fields` that an answer of `schema` may omit.
json missing(const json& schema, const std::vector<std::string>& fields) {
    const json required = schema.value("required", json::array());
    json absent = json::array();
    for (const std::string& field : fields) {
        if (std::find(required.begin(), required.end(), field) == required.end()) {
            absent.push_back(field);
        }
    }
    return absent;
}

}  // namespace

TEST_CASE("every answer of the platform's API has the fields that published clients read") {
    for (const DataRow& row : data_rows()) {
        CAPTURE(row.name);
        const auto found =
            std::find_if(documented_operations().begin(), documented_operations().end(),
                         [&](const Operation& entry) { return entry.name() == row.name; });
        REQUIRE(found != documented_operations().end());
        const json& data = found->row["responses"]["200"]["content"]["application/json"]["schema"]
                                     ["properties"]["data"];
        CHECK(missing(data, row.fields) == json::array());
        if (row.list.empty()) continue;
        CHECK(missing(data["properties"][row.list]["items"], row.item_fields) == json::array());
    }
}

TEST_CASE("no body or query has a text or list without a limit") {
    std::vector<std::string> unbounded;
    for (const Operation& operation : documented_operations()) {
        if (!operation.body_schema.is_null()) {
            find_unbounded(operation.body_schema, operation.name(), unbounded);
        }
        for (const json& parameter : operation.row.value("parameters", json::array())) {
            if (parameter["in"] != "query") continue;
            find_unbounded(parameter["schema"], operation.name(), unbounded);
        }
    }
    CHECK(json(unbounded) == json::array());
}

TEST_CASE("an unknown field is refused under /v1 and ignored on the platform's paths") {
    for (const Operation& operation : documented_operations()) {
        if (operation.body_schema.is_null()) continue;
        CAPTURE(operation.name());
        json body = sample(operation.body_schema);
        const auto known = send_as_ann(operation, body.dump());
        body["no_such_field"] = 1;
        const auto unknown = send_as_ann(operation, body.dump());
        if (operation.path.starts_with("/v1/")) {
            CHECK(refused_with(unknown, 400, "no_such_field"));
        } else {
            CHECK(refusal_text(unknown).find("no_such_field") == std::string::npos);
            CHECK(unknown.status == known.status);
        }
    }
}

TEST_CASE("every endpoint that takes a JSON object refuses other bodies") {
    std::string deep;
    for (int i = 0; i < 100'000; ++i)
        deep += "{\"a\":";
    const std::string bodies[] = {
        "", "{", "[]", "7", "null", "\"text\"", "{}{}", "{\"a\":\"\xff\"}", deep, "{\"a\":NaN}"};
    for (const Operation& operation : documented_operations()) {
        if (operation.body_schema.is_null()) continue;
        // An empty body is accepted if none is required.
        const bool may_be_empty = !operation.body_schema.contains("required");
        for (const std::string& body : bodies) {
            CAPTURE(operation.name());
            CAPTURE(body.substr(0, 20));
            if (may_be_empty && body.empty()) continue;
            CHECK(send_as_ann(operation, body).status == 400);
        }
    }
}

TEST_CASE("every endpoint refuses a body of 10 MB before it reads it, in its own form") {
    for (const Operation& operation : documented_operations()) {
        CAPTURE(operation.name());
        test::RawConnection connection(server().port());
        connection.send(operation.method + " " + operation.path +
                        " HTTP/1.1\r\nContent-Length: 10485760\r\n\r\n");
        const auto answer = connection.read_all();
        // The address of an upload is checked first.
        const bool upload = operation.method == "PUT" && operation.path.starts_with("/files/");
        CHECK(answer.starts_with(upload ? "HTTP/1.1 401" : "HTTP/1.1 413"));
        const auto body = json::parse(answer.substr(answer.find("\r\n\r\n") + 4), nullptr, false);
        CHECK(test::undocumented(test::send({.url = server().url() + "/openapi.json"}).body,
                                 operation.method, operation.path, 413, body) == "");
        CHECK(body.value("code", "") == (upload ? "PLATFORM_90005" : "413"));
    }
}

TEST_CASE("slow clients on every endpoint at once disturb nobody") {
    std::vector<std::unique_ptr<test::RawConnection>> slow;
    for (const Operation& operation : documented_operations()) {
        const std::string line = operation.method + " " + operation.path + " HTTP/1.1\r\n";
        for (const std::string& begun : {line, line + "Content-Length: 1000\r\n\r\n{"}) {
            slow.push_back(std::make_unique<test::RawConnection>(server().port()));
            slow.back()->send(begun);
        }
    }
    for (const Operation& operation : documented_operations()) {
        CAPTURE(operation.name());
        const auto begun = std::chrono::steady_clock::now();
        CHECK(send_as_ann(operation, "{}").status < 500);
        CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(2));
    }
}

TEST_CASE("an over-long or strange path is not found and breaks nothing") {
    for (const std::string& segment :
         {std::string(8000, 'x'), std::string("%00"), std::string("%ff%fe"), std::string(".."),
          std::string("%2e%2e%2f%2e%2e"), std::string("'%20or%201=1--"),
          std::string("%E6%B1%89")}) {
        for (const Operation& operation : documented_operations()) {
            const auto at = operation.path.find("0123456789abcdef");
            if (at == std::string::npos) continue;
            CAPTURE(operation.name());
            CAPTURE(segment.substr(0, 20));
            test::RawConnection connection(server().port());
            connection.send(operation.method + " " + operation.path.substr(0, at) + segment +
                            operation.path.substr(at + 36) +
                            " HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}");
            const auto answer = connection.read_all();
            REQUIRE(answer.size() > 12);
            CHECK(answer.substr(9, 1) == "4");
        }
    }
}

TEST_CASE("a bad Idempotency-Key is refused on every endpoint that takes one") {
    int walked = 0;
    for (const Operation& operation : documented_operations()) {
        const json parameters = operation.row.value("parameters", json::array());
        const bool knows = std::any_of(parameters.begin(), parameters.end(), [](const json& entry) {
            return entry["name"] == "Idempotency-Key";
        });
        if (!knows) continue;
        ++walked;
        for (const std::string& key :
             {std::string(129, 'k'), std::string("a b"), std::string("\xe6\xb1\x89")}) {
            CAPTURE(operation.name());
            CAPTURE(key);
            const std::string body = sample(operation.body_schema).dump();
            auto request = test::plain_request(ann(), operation.method, operation.path, body);
            request.headers.emplace_back("Idempotency-Key", key);
            CHECK(refused_with(test::send(request), 400, "Idempotency-Key"));
        }
    }
    CHECK(walked > 10);
}
