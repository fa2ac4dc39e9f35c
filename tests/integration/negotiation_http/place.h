#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/http/client.h"
#include "core/store/database.h"
#include "core/store/demand_store.h"
#include "tests/support/daemon.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

using nlohmann::json;

inline platform::Account requester() {
    platform::Account account;
    account.api_base = "http://127.0.0.1:9";  // nobody listens there, and nobody needs to
    account.agent_id = "ag_requester";
    account.keys.agent_key = "test-agent-key";
    return account;
}

inline std::string page_config(const std::string& more = {}) {
    return "[web]\nlisten = \"127.0.0.1:0\"\n" + more + "[notify]\nchannels = []\n";
}

using Headers = std::vector<std::pair<std::string, std::string>>;
/// Requests of a program without a token.
inline const Headers kNoToken = {{"Authorization", ""}};

/// A real a2hd that serves /api/v1, without market and broker.
struct Place {
    explicit Place(const std::string& more = {})
        : daemon(dir.path() / "home", {requester()}, "mqtt://127.0.0.1:9", {page_config(more)}) {
        database =
            store::Database::open(daemon.home() / "a2hd.db", store::Database::Mode::ReadWrite)
                .value();
        url = daemon.status()["web"]["url"];
        std::string token;
        std::ifstream(daemon.home() / "run" / "api.token") >> token;
        bearer = "Bearer " + token;
    }

    /// Shows the token of the home where `headers` have no Authorization.
    http::ClientResponse ask(const std::string& method, const std::string& path,
                             const std::string& body = {}, const Headers& headers = {}) {
        http::ClientRequest request;
        request.method = method;
        request.url = url + path;
        request.headers = headers;
        const bool shows_another = std::any_of(headers.begin(), headers.end(), [](const auto& one) {
            return one.first == "Authorization";
        });
        if (!shows_another) request.headers.emplace_back("Authorization", bearer);
        if (!body.empty()) request.headers.emplace_back("Content-Type", "application/json");
        request.body = body;
        const auto response = client.send(request);
        REQUIRE_MESSAGE(response.has_value(), (response ? "" : response.error().message));
        return *response;
    }
    json submit(const std::string& text) {
        const auto response =
            ask("POST", "/api/v1/demand/submit", json{{"raw_input", text}}.dump());
        REQUIRE_MESSAGE(response.status == 200, response.body);
        return json::parse(response.body);
    }
    json demand(const std::string& id) {
        return json::parse(ask("GET", "/api/v1/demand/" + id).body);
    }
    void check_refused(const http::ClientResponse& response, int status, std::string_view code) {
        CHECK_MESSAGE(response.status == status, response.body);
        CHECK(json::parse(response.body, nullptr, false)["error"]["code"] == code);
    }
    void tell(const std::string& demand_id, const std::string& type, const std::string& text = {}) {
        const json payload{{"demand_id", demand_id}, {"text", text}};
        REQUIRE(store::insert_negotiation_event(*database,
                                                {0, demand_id, type, payload.dump(), 1'000}));
    }
    /// Value of a metric without labels; -1 if it is absent.
    double metric(const std::string& name) {
        const json answer = daemon.call_human("metrics");
        for (const json& series : answer["data"]["series"]) {
            if (series["name"] == name) return series["value"];
        }
        return -1;
    }
    std::uint16_t port() const {
        return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    }

    TempDir dir;
    Daemon daemon;
    std::unique_ptr<store::Database> database;
    std::string url;
    std::string bearer;  ///< what a program of this user shows
    http::Client client{{}};
};

}  // namespace a2h::test
