#include "market/api/login_page.h"

#include "core/base/time_text.h"
#include "core/web/html.h"

namespace a2h::market {
namespace {

using i18n::Language;

using web::escape;

std::string say(Language language, std::string_view key, i18n::Arguments arguments = {}) {
    return escape(i18n::text(language, key, arguments));
}

http::Response page(int status, Language language, std::string_view title_key,
                    const std::string& body) {
    const std::string title = i18n::text(language, title_key);
    return web::html_page(status, language, title,
                          "<header><strong>A2H Market</strong></header><main><h1>" + escape(title) +
                              "</h1>" + body + "</main>\n");
}

std::string hidden_fields(const LoginForm& form, std::string_view choice) {
    const std::string_view lang = form.language == Language::Chinese ? "zh" : "en";
    return "<input type=\"hidden\" name=\"form_token\" value=\"" + escape(form.form_token) +
           "\"><input type=\"hidden\" name=\"choice\" value=\"" + std::string(choice) +
           "\"><input type=\"hidden\" name=\"lang\" value=\"" + std::string(lang) + "\">";
}

std::string begin_form(const LoginForm& form, std::string_view choice, std::string_view title_key) {
    return "<form method=\"post\" action=\"" + escape(form.path) + "\">" +
           hidden_fields(form, choice) + "<h2>" + say(form.language, title_key) + "</h2>";
}

std::string field(Language language, std::string_view name, std::string_view label_key,
                  std::string_view attributes) {
    return "<label for=\"" + std::string(name) + "\">" + say(language, label_key) +
           "</label><input id=\"" + std::string(name) + "\" name=\"" + std::string(name) +
           "\" required " + std::string(attributes) + ">";
}

std::string button(Language language, std::string_view key) {
    return "<div class=\"buttons\"><button class=\"yes\">" + say(language, key) +
           "</button></div></form>";
}

std::string new_agent_form(const LoginForm& form) {
    return begin_form(form, "create", "market.login_create") +
           field(form.language, "name", "market.login_name", "maxlength=\"64\"") +
           button(form.language, "market.login_create_button");
}

std::string present_agent_form(const LoginForm& form) {
    return begin_form(form, "existing", "market.login_existing") + "<p class=\"dim\">" +
           say(form.language, "market.login_existing_hint") + "</p>" +
           field(form.language, "agent_id", "market.login_agent_id",
                 "maxlength=\"64\" autocomplete=\"off\"") +
           field(form.language, "agent_key", "market.login_agent_key",
                 "type=\"password\" maxlength=\"128\" autocomplete=\"off\"") +
           button(form.language, "market.login_existing_button");
}

}  // namespace

Language page_language(const http::Request& request, std::string_view wanted) {
    if (wanted.starts_with("zh")) return Language::Chinese;
    if (wanted.starts_with("en")) return Language::English;
    return web::accepted_language(request.header("accept-language"));
}

http::Response login_question(int status, const Login& login, const LoginForm& form) {
    const Language language = form.language;
    std::string body;
    if (!form.notice.empty()) body += "<p class=\"notice\">" + escape(form.notice) + "</p>";
    body += "<p>" + say(language, "market.login_question") + "</p><p class=\"notice\">" +
            say(language, "market.login_warning",
                {{"time", to_utc_time(login.created_at_ms)},
                 {"address", login.remote_address},
                 {"device", login.device.empty() ? "-" : login.device}}) +
            "</p>" + new_agent_form(form) + present_agent_form(form) +
            "<p class=\"dim\"><a href=\"?lang=en\">English</a> · <a href=\"?lang=zh\">中文</a></p>";
    return page(status, language, "market.login_title", body);
}

http::Response login_message(int status, Language language, std::string_view title_key,
                             std::string_view text_key) {
    return page(status, language, title_key, "<p>" + say(language, text_key) + "</p>");
}

}  // namespace a2h::market
