#include "tests/support/page_session.h"

#include <nlohmann/json.hpp>

#include "core/base/check.h"

namespace a2h::test {

using nlohmann::json;

http::ClientResponse PageSession::send(const std::string& method, const std::string& path,
                                       const std::string& body, bool with_key) const {
    http::ClientRequest request{.method = method, .url = url + path, .body = body};
    request.headers = {{"Cookie", cookie}, {"Origin", url}};
    if (with_key) request.headers.emplace_back("X-A2H-Key", key);
    const auto response = client->send(request);
    A2H_CHECK(response.has_value());
    return *response;
}

PageSession enter_page(Daemon& daemon, const std::string& person, std::string_view pin) {
    const json made = daemon.call_human("page.link", json{{"pin", pin}, {"person", person}}.dump());
    const std::string link = made.at("data").at("url");
    PageSession session;
    session.url = link.substr(0, link.find("/enter"));
    const auto entered = session.send("POST", "/enter", link.substr(link.find("t=")));
    A2H_CHECK(entered.status == 303);
    const std::string cookie = header(entered, "set-cookie");
    session.cookie = cookie.substr(0, cookie.find(';'));
    const std::string location = header(entered, "location");
    session.key = location.substr(location.find("#key=") + 5);
    return session;
}

std::string header(const http::ClientResponse& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
        if (key == name) return value;
    }
    return {};
}

}  // namespace a2h::test
