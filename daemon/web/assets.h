#pragma once

#include <string_view>

#include "core/http/server.h"

namespace a2h::web {

/// The page of the application, with its security headers.
http::Response application();

/// A file of the application: `app/{name}` of daemon/web/app, or `app/texts.{en,zh}.json`, all its
/// texts in one language. 304 if `known_tag` is its ETag, 404 if there is none.
http::Response asset(std::string_view path, std::string_view known_tag);

}  // namespace a2h::web
