#pragma once

#include <string>
#include <string_view>

#include "core/http/server.h"
#include "core/i18n/messages.h"
#include "market/store/login_store.h"

namespace a2h::market {

// The pages for a person who confirms a login. They load nothing from elsewhere and run no script.

/// From `lang` in the query or form, otherwise from Accept-Language.
i18n::Language page_language(const http::Request& request, std::string_view wanted);

/// The question, with a form that is posted to `path`.
struct LoginForm {
    std::string_view path;
    std::string_view form_token;
    i18n::Language language = i18n::Language::English;
    std::string notice;  ///< what was wrong with the last answer; empty: nothing
};
http::Response login_question(int status, const Login& login, const LoginForm& form);

/// A heading and one sentence, both keys of `market.po` in `locales`.
http::Response login_message(int status, i18n::Language language, std::string_view title_key,
                             std::string_view text_key);

}  // namespace a2h::market
