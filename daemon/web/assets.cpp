#include "daemon/web/assets.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/wire/crypto.h"
#include "embedded/locales.h"
#include "embedded/web_app.h"

namespace a2h::web {
namespace {

constexpr std::string_view kFolder = "app/";
constexpr std::string_view kPage = "index.html";
constexpr std::size_t kHashLength = 16;

/// Only our own files may be loaded, and no text of a peer can become script.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

std::string_view media_type(std::string_view name) {
    if (name.ends_with(".html")) return "text/html; charset=utf-8";
    if (name.ends_with(".css")) return "text/css; charset=utf-8";
    if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
    if (name.ends_with(".json")) return "application/json; charset=utf-8";
    return "image/svg+xml";
}

std::optional<std::string_view> content_of(std::string_view name) {
    if (const auto texts = embedded::script_texts(name)) return texts;
    return embedded::web_app(name);
}

/// Content hash of all assets. Responses with it in the path may be cached for ever.
const std::string& assets_hash() {
    static const std::string hash = [] {
        std::string all;
        for (const std::string_view name : embedded::web_app_names())
            all += wire::sha256_hex(content_of(name).value_or(""));
        for (const std::string_view name : {"texts.en.json", "texts.zh.json"})
            all += wire::sha256_hex(content_of(name).value_or(""));
        return wire::sha256_hex(all).substr(0, kHashLength);
    }();
    return hash;
}

bool is_hash(std::string_view folder) {
    return folder.size() == kHashLength &&
           folder.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

http::Response file(std::string_view name, std::string_view content) {
    http::Response response;
    response.headers = {{"Content-Type", std::string(media_type(name))},
                        {"Content-Security-Policy", std::string(kPolicy)},
                        {"Referrer-Policy", "same-origin"},
                        {"X-Content-Type-Options", "nosniff"},
                        {"X-Frame-Options", "DENY"},
                        {"Cross-Origin-Opener-Policy", "same-origin"},
                        {"Cross-Origin-Resource-Policy", "same-origin"}};
    response.body = content;
    return response;
}

}  // namespace

http::Response application() {
    static const std::string html = [] {
        std::string text(embedded::web_app(kPage).value_or(""));
        constexpr std::string_view kAddress = "\"/app/";
        for (auto at = text.find(kAddress); at != std::string::npos;
             at = text.find(kAddress, at + 1)) {
            text.insert(at + kAddress.size(), assets_hash() + "/");
        }
        return text;
    }();
    http::Response page = file(kPage, html);
    page.headers.emplace_back("Cache-Control", "no-store");
    return page;
}

http::Response asset(std::string_view path, std::string_view known_tag) {
    const bool inside = path.starts_with(kFolder);
    std::string_view name = inside ? path.substr(kFolder.size()) : std::string_view();
    // A page from before an update still finds its files, but they are not cached.
    const std::string_view folder = name.substr(0, std::min(name.find('/'), name.size()));
    const bool may_keep = folder == assets_hash();
    if (is_hash(folder) && folder.size() < name.size()) name.remove_prefix(folder.size() + 1);
    const auto content = name == kPage ? std::nullopt : content_of(name);
    if (!inside || !content) {
        return {404, {{"Content-Type", "text/plain; charset=utf-8"}}, "there is no such file\n"};
    }
    const std::string tag = "\"" + wire::sha256_hex(*content).substr(0, 32) + "\"";
    const bool unchanged = known_tag == tag;
    http::Response response = file(name, unchanged ? std::string_view() : *content);
    if (unchanged) response.status = 304;
    response.headers.emplace_back("ETag", tag);
    response.headers.emplace_back("Cache-Control",
                                  may_keep ? "private, max-age=31536000, immutable" : "no-cache");
    return response;
}

}  // namespace a2h::web
