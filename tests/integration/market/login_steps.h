#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tests/integration/market/shared_market.h"
#include "tests/support/market_http.h"

// The steps of a program and of a person's browser to log in.
namespace a2h::test::login {

constexpr std::string_view kAuth = "/findu-user/api/v1/public/user/agent/auth?code=";

struct Begun {
    std::string code;
    std::string url;
};

inline Begun begin() {
    const auto answer = send({.method = "POST",
                              .url = server().url() + "/v1/auth/init-login",
                              .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                              .body = "timestamp=1760000000&mac=aa%3Abb%3Acc%3Add%3Aee%3Aff"});
    REQUIRE_MESSAGE(answer.status == 200, answer.text);
    return {answer.body["code"], answer.body["url"]};
}

inline Answer poll(const std::string& code) {
    return send({.url = server().url() + std::string(kAuth) + code});
}

/// The state that a browser keeps of the page: the cookie and the form's token.
struct Page {
    std::string cookie;
    std::string form_token;
    std::string text;
};

inline Page read_page(const Answer& answer) {
    const std::string cookie = answer.header("set-cookie");
    constexpr std::string_view kToken = "name=\"form_token\" value=\"";
    const auto at = answer.text.find(kToken);
    REQUIRE(at != std::string::npos);
    const auto begin = at + kToken.size();
    return {cookie.substr(0, cookie.find(';')),
            answer.text.substr(begin, answer.text.find('"', begin) - begin), answer.text};
}

inline Page open(const std::string& url, const std::string& language = "en") {
    const auto answer = send({.url = url, .headers = {{"Accept-Language", language}}});
    REQUIRE(answer.status == 200);
    return read_page(answer);
}

inline Answer answer(const std::string& url, const Page& page, const std::string& fields) {
    return send({.method = "POST",
                 .url = url,
                 .headers = {{"Cookie", page.cookie}},
                 .body = "form_token=" + page.form_token + "&" + fields});
}

}  // namespace a2h::test::login
