#pragma once

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/store/database.h"
#include "daemon/consent/approvals.h"
#include "daemon/web/site.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_dir.h"

// The site in front of a database, for the tests of this folder alone.
namespace a2h::test {

using nlohmann::json;

inline constexpr UnixMs kNow = 1'760'000'000'000;
inline const std::string kUrl = "http://127.0.0.1:7842";

using Headers = std::map<std::string, std::string>;

inline std::string header(const http::Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
        if (key == name) return value;
    }
    return {};
}

inline Approval question(const std::string& id) {
    consent::Ask ask;
    ask.agent_id = "ag_seller";
    ask.peer_id = "ag_buyer";
    ask.action = "reply.send";
    ask.reply_text = "300 is fine";
    ask.question = "Accept 300 CNY?";
    ask.amount_minor = 30'000;
    ask.currency = "CNY";
    ask.options = {"approve", "say 400"};
    ask.provenance = "verified";
    ask.requested_by = "rule:counter-offer";
    auto approval = consent::new_approval(ask, {}, kNow);
    approval.id = id;
    return approval;
}

/// The site over a database of its own, with everything that answers recorded.
struct Place {
    explicit Place(web::SiteOptions reached = {kUrl, {"127.0.0.1:7842"}, false})
        : options(std::move(reached)) {
        database =
            store::Database::open(dir.path() / "db", store::Database::Mode::ReadWrite).value();
        data = web::PageData::open(dir.path() / "db").value();
        site =
            std::make_unique<web::Site>(options, sessions, web::Api(backend(), clock),
                                        [](std::string_view) { return i18n::Language::English; });
    }

    web::Api::Backend backend() {
        return {.data = *data,
                .acting_agents = acting_agents,
                .answer =
                    [this](const std::vector<consent::Answer>& handed_in) {
                        std::vector<Result<consent::Answered>> results;
                        for (const auto& answer : handed_in) {
                            answers.push_back(answer);
                            if (refusal) {
                                results.emplace_back(fail(*refusal));
                            } else {
                                consent::Answered answered;
                                answered.approval = question(answer.approval_id);
                                answered.approval.status = ApprovalStatus::Approved;
                                results.emplace_back(answered);
                            }
                        }
                        return results;
                    },
                .link_token =
                    [](const Approval& approval, std::string_view person) {
                        return approval.id + "/" + std::string(person);
                    },
                .can_learn = [](const Approval& approval) { return approval.id == "apr_fact"; },
                .learn = [this](const std::string& person, const Approval& approval,
                                const std::string& text) -> Result<std::string> {
                    learned.push_back(person + " " + approval.id + " " + text);
                    return std::string(R"({"ok":true,"data":{}})");
                },
                .revoke = [this](const std::string& person, const std::string& agent_id,
                                 const std::string& mandate_id) -> Result<int> {
                    revoked.push_back(person + " " + agent_id + " " + mandate_id);
                    return 1;
                },
                .call = [this](const std::string&, std::string_view action,
                               const std::string& arguments) -> Result<std::string> {
                    called.push_back(std::string(action) + " " + arguments);
                    return R"({"ok":true,"data":{"action":")" + std::string(action) +
                           R"(","agents":[{"agent_id":"ag_seller"}]}})";
                }};
    }

    http::Response ask(const std::string& method, const std::string& target,
                       const Headers& headers = {}, const std::string& body = {}) {
        http::Request request;
        request.method = method;
        request.path = target.substr(0, target.find('?'));
        if (target.find('?') != std::string::npos) {
            request.query = *http::parse_form(target.substr(target.find('?') + 1));
        }
        request.headers = {{"host", "127.0.0.1:7842"}};
        for (const auto& [name, value] : headers) {
            std::erase_if(request.headers, [&](const auto& pair) { return pair.first == name; });
            request.headers.emplace_back(name, value);
        }
        request.body = body;
        return site->serve(request);
    }

    std::string make_link(const std::string& person) {
        return web::entrance_url(options, sessions.make_link(person));
    }

    /// Opens a session for `person` and keeps its cookie and key.
    void enter(const std::string& person = "human") {
        const std::string link = make_link(person);
        const std::string token = link.substr(link.find("?t=") + 3);
        const auto entered = ask("POST", "/enter", {}, "t=" + token);
        REQUIRE(entered.status == 303);
        cookie = header(entered, "Set-Cookie");
        cookie = cookie.substr(0, cookie.find(';'));
        const std::string location = header(entered, "Location");
        key = location.substr(location.find("#key=") + 5);
    }
    Headers own() const { return {{"cookie", cookie}, {"x-a2h-key", key}, {"origin", kUrl}}; }
    json get(const std::string& target) {
        const auto response = ask("GET", target, own());
        CHECK_MESSAGE(response.status == 200, response.body);
        return json::parse(response.body).value("data", json());
    }
    http::Response answer(const json& items) {
        return ask("POST", "/api/answers", own(), json{{"answers", items}}.dump());
    }
    /// `items`: several answers, or the only one.
    json results(const json& items) {
        const auto response = answer(items.is_array() ? items : json::array({items}));
        CHECK_MESSAGE(response.status == 200, response.body);
        return json::parse(response.body)["data"]["results"];
    }

    test::TempDir dir;
    ManualClock clock{kNow};
    std::unique_ptr<store::Database> database;
    std::unique_ptr<web::PageData> data;
    card::ActingAgents acting_agents;
    web::Sessions sessions{clock};
    const web::SiteOptions options;
    std::unique_ptr<web::Site> site;
    std::vector<consent::Answer> answers;
    std::vector<std::string> learned;
    std::vector<std::string> revoked;
    std::vector<std::string> called;
    std::optional<Error> refusal;
    std::string cookie;
    std::string key;
};

inline json approve(const Approval& approval) {
    return {{"approval_id", approval.id}, {"digest", approval.digest}, {"decision", "approve"}};
}

}  // namespace a2h::test
