#pragma once

#include <string>
#include <string_view>

#include "core/http/server.h"
#include "core/i18n/messages.h"

namespace a2h::web {

/// Foreign text as HTML text or as the value of a quoted attribute: printable, then escaped.
std::string escape(std::string_view text);

/// For a query value: everything but letters, digits and "-._~" in percent form.
std::string percent_encode(std::string_view text);

/// What an Accept-Language header prefers of the languages there are; English when none is named.
/// Source: RFC 9110, 12.5.4.
i18n::Language accepted_language(std::string_view header);

/// A complete page with its security headers. `title` is escaped here, `body` is HTML already.
http::Response html_page(int status, i18n::Language language, std::string_view title,
                         std::string_view body);

}  // namespace a2h::web
