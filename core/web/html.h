#pragma once

#include <string>
#include <string_view>

#include "core/http/server.h"
#include "core/i18n/messages.h"

namespace a2h::web {

/// Foreign text as HTML text or as the value of a quoted attribute: made printable, then escaped.
std::string escape(std::string_view text);

/// For a query value: all characters except letters, digits and "-._~" are percent-encoded.
std::string percent_encode(std::string_view text);

/// The language that an Accept-Language header prefers among the available ones; English if it
/// names none.
///
/// Source:  RFC 9110, 12.5.4.
i18n::Language accepted_language(std::string_view header);

/// A complete page with its security headers. `title` is escaped here; `body` is already HTML.
http::Response html_page(int status, i18n::Language language, std::string_view title,
                         std::string_view body);

}  // namespace a2h::web
