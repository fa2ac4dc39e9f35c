#include "daemon/web/site.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/web/html.h"
#include "core/wire/crypto.h"
#include "daemon/web/assets.h"
#include "daemon/web/event_stream.h"

namespace a2h::web {
namespace {

using i18n::Language;

constexpr std::string_view kNoStore = "no-store";

/// Cookies are shared by all ports of a host: with the same name, two daemons on one machine would
/// log each other out.
std::string cookie_name(const SiteOptions& options) {
    const std::string name = "a2h_session_" + wire::sha256_hex(options.url).substr(0, 8);
    return options.secure ? "__Host-" + name : name;
}

std::string_view cookie_value(std::string_view cookies, std::string_view name) {
    while (!cookies.empty()) {
        const auto end = std::min(cookies.find(';'), cookies.size());
        const std::string_view one = trim(cookies.substr(0, end));
        cookies.remove_prefix(std::min(end + 1, cookies.size()));
        if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=') {
            return one.substr(name.size() + 1);
        }
    }
    return {};
}

http::Response with_header(http::Response response, std::string name, std::string value) {
    response.headers.emplace_back(std::move(name), std::move(value));
    return response;
}

http::Response small_page(int status, Language language, std::string_view title_key,
                          std::string_view html) {
    const std::string title = i18n::text(language, title_key);
    return html_page(status, language, title,
                     "<header><strong>A2H</strong></header><main><h1>" + escape(title) + "</h1>" +
                         std::string(html) + "</main>\n");
}

http::Response words_page(int status, Language language, std::string_view title_key,
                          std::string_view text_key) {
    return small_page(status, language, title_key,
                      "<section><p>" + escape(i18n::text(language, text_key)) + "</p></section>");
}

std::string field_text(const http::Fields& fields, std::string_view name) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const auto& field) { return field.first == name; });
    return found == fields.end() ? std::string() : found->second;
}

/// Without a referrer, which our pages send none of, a browser may call the origin of a form null.
bool is_sent_by_another_page(const SiteOptions& site, const http::Request& request) {
    const std::string_view from = request.header("sec-fetch-site");
    const std::string_view origin = request.header("origin");
    const bool names_origin = !origin.empty() && origin != "null";
    return (!from.empty() && from != "same-origin") ||
           (names_origin && !is_own_origin(site, request));
}

std::string_view short_tag(Language language) {
    return language == Language::Chinese ? "zh" : "en";
}

}  // namespace

std::string entrance_url(const SiteOptions& options, std::string_view link_token) {
    return options.url + "/enter?t=" + std::string(link_token);
}

Site::Site(SiteOptions options, Sessions& sessions, Api api,
           std::function<Language(std::string_view)> language_of, Follow follow)
    : options_(std::move(options)),
      cookie_name_(cookie_name(options_)),
      sessions_(sessions),
      api_(std::move(api)),
      language_of_(std::move(language_of)),
      follow_(std::move(follow)) {}

bool Site::serves(std::string_view path) {
    return path == "/" || path == "/enter" || path == "/leave" || path.starts_with("/app/") ||
           path.starts_with("/api/");
}

std::string Site::session_id(const http::Request& request) const {
    return std::string(cookie_value(request.header("cookie"), cookie_name_));
}

std::string Site::cookie(std::string_view id, bool ends) const {
    const auto life = std::chrono::duration_cast<std::chrono::seconds>(Sessions::kLifeMax);
    return cookie_name_ + "=" + std::string(id) + "; Path=/; HttpOnly; SameSite=Strict" +
           (options_.secure ? "; Secure" : "") +
           "; Max-Age=" + std::to_string(ends ? 0 : life.count());
}

Language Site::wanted_language(const http::Request& request, std::string_view person) const {
    const std::string_view wanted = request.query_value("lang");
    if (wanted.starts_with("zh")) return Language::Chinese;
    if (wanted == "en") return Language::English;
    return language_of_(person);
}

/// Browsers state where a request comes from. A request without that is not from a browser that
/// could be tricked, and still needs cookie and key.
bool Site::may_change(const http::Request& request) const {
    return !is_from_another_site(request) && is_own_origin(options_, request) &&
           sessions_.may_change(session_id(request), request.header("x-a2h-key"));
}

http::Response Site::serve(const http::Request& request) {
    if (!is_known_host(options_, request)) return wrong_host();
    const bool reads = request.method == "GET" || request.method == "HEAD";
    if (request.path.starts_with("/api/")) return serve_api(request);
    if (request.path == "/leave" && request.method == "POST") return leave(request);
    if (request.path == "/enter" && request.method == "POST") return take_enter(request);
    if (!reads) return {405, {{"Allow", "GET, HEAD"}}, {}};
    if (request.path == "/enter") return show_enter(request);
    if (request.path == "/") return show_application(request);
    return asset(std::string_view(request.path).substr(1), request.header("if-none-match"));
}

http::Response Site::show_enter(const http::Request& request) {
    const Language language = wanted_language(request, "");
    const std::string_view token = request.query_value("t");
    if (!sessions_.is_open(token)) {
        // A person who uses the link again finds the session that it opened.
        if (sessions_.was_opened_by(session_id(request), token)) return show_application(request);
        return words_page(410, language, "page.link_over_title", "page.link_over");
    }
    return small_page(
        200, language, "page.enter_title",
        "<form method=\"post\" action=\"/enter\"><p>" +
            escape(i18n::text(language, "page.enter_text")) +
            "</p><input type=\"hidden\" name=\"t\" value=\"" + escape(token) +
            "\"><input type=\"hidden\" name=\"lang\" value=\"" +
            std::string(request.query_value("lang").empty() ? "" : short_tag(language)) +
            "\"><div class=\"buttons\"><button class=\"yes\">" +
            escape(i18n::text(language, "page.enter")) + "</button></div></form>");
}

http::Response Site::take_enter(const http::Request& request) {
    const auto fields = http::parse_form(request.body).value_or(http::Fields());
    const std::string token = field_text(fields, "t");
    const std::string wanted = field_text(fields, "lang");
    const Language language = wanted == "zh"   ? Language::Chinese
                              : wanted == "en" ? Language::English
                                               : language_of_("");
    if (is_sent_by_another_page(options_, request)) {
        return words_page(403, language, "page.bad_request_title", "page.bad_request");
    }
    const auto opened = sessions_.open(token);
    http::Response to_application{303, {{"Cache-Control", std::string(kNoStore)}}, {}};
    const std::string query = wanted.empty() ? "" : "?lang=" + std::string(short_tag(language));
    if (opened) {
        // The part after # stays in the browser, so the key is in no request and no log.
        to_application.headers.emplace_back("Location", "/" + query + "#key=" + opened->key);
        return with_header(std::move(to_application), "Set-Cookie", cookie(opened->id, false));
    }
    if (sessions_.was_opened_by(session_id(request), token)) {
        return with_header(std::move(to_application), "Location", "/" + query);
    }
    return words_page(410, language, "page.link_over_title", "page.link_over");
}

http::Response Site::show_application(const http::Request& request) {
    if (sessions_.person_of(session_id(request))) return application();
    return words_page(401, wanted_language(request, ""), "page.no_session_title",
                      "page.no_session");
}

http::Response Site::leave(const http::Request& request) {
    if (!may_change(request)) {
        return api_error({ErrorCode::PermissionDenied, "this is not your session"});
    }
    sessions_.close(session_id(request));
    return {204, {{"Set-Cookie", cookie("", true)}, {"Clear-Site-Data", "\"storage\""}}, {}};
}

http::Response Site::show_live(const http::Request& request, const std::string& session_id) {
    return event_stream([this, session_id, last = std::string(request.header("last-event-id"))](
                            std::shared_ptr<http::Stream> stream) {
        follow_(std::move(stream), last,
                [this, session_id] { return sessions_.is_alive(session_id); });
    });
}

http::Response Site::serve_api(const http::Request& request) {
    const std::string id = session_id(request);
    const auto person = sessions_.person_of(id);
    if (!person) {
        return api_error({ErrorCode::Unauthenticated, "open the page with `a2h page` again"});
    }
    if (request.path == "/api/live" && request.method == "GET" && follow_) {
        return show_live(request, id);
    }
    const bool own_page = request.method == "GET" ||
                          (!is_from_another_site(request) && is_own_origin(options_, request));
    const Caller caller{*person, std::string(short_tag(wanted_language(request, *person))),
                        own_page && sessions_.may_change(id, request.header("x-a2h-key"))};
    return api_.serve(request, caller);
}

}  // namespace a2h::web
