#include "core/web/html.h"

#include <algorithm>
#include <charconv>

#include "core/base/ids.h"
#include "core/base/text.h"

namespace a2h::web {
namespace {

// Colours have a contrast of at least 4.5 : 1 in both schemes. Buttons are inactive for a moment,
// so that the second click of a double click does not answer the next page.
constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--fg:#1b1f24;--dim:#57606a;
--line:#d0d7de;--accent:#0a58ca;--yes:#146c3a;--no:#a4262c;--warn:#7a4d00;--warnbg:#fff4d6;
--on:#fff;--sure:#146c3a}
@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--card:#161b22;--fg:#e6edf3;--dim:#9aa4ae;
--line:#3d444d;--accent:#79b8ff;--yes:#1f7a4a;--no:#e5767b;--warn:#f0c36a;--warnbg:#33270a;
--on:#fff;--sure:#5fc98d}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);overflow-wrap:anywhere;
font:16px/1.55 system-ui,-apple-system,
"Segoe UI","Noto Sans","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main,header{max-width:42rem;margin:0 auto;padding:0 1rem}
header{display:flex;justify-content:space-between;align-items:center;padding-top:.75rem;
padding-bottom:.75rem;color:var(--dim)}
header strong{color:var(--fg);letter-spacing:.05em}
a{color:var(--accent)}
h1{font-size:1.35rem;line-height:1.35;margin:.25rem 0 1rem;white-space:pre-line}
h2{font-size:1rem;margin:0 0 .5rem}*+h2{margin-top:1rem}
section,form{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem;
margin:0 0 1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.4rem 1rem;margin:0}
dt{color:var(--dim)}dd{margin:0;min-width:0}
@media(max-width:26rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}}
.amount{font-size:1.5rem;font-weight:700}
.value{white-space:pre-wrap;overflow-wrap:anywhere}
.said{white-space:pre-wrap;margin:0;padding:.6rem .8rem;border-left:.25rem solid var(--line);
background:var(--bg);border-radius:.25rem;font:inherit}
.dim{color:var(--dim);margin:.5rem 0 0}
.badge{display:inline-block;padding:0 .5rem;border:1px solid currentColor;border-radius:1rem;
font-size:.875rem}
.sure{color:var(--sure)}.unsure{color:var(--warn)}
.notice{background:var(--warnbg);color:var(--warn);border-color:currentColor}
.state{font-size:1.15rem;font-weight:700;margin:0}
label{display:block;font-weight:600;margin-bottom:.35rem}
textarea,input{width:100%;min-height:2.6rem;padding:.6rem;border:1px solid var(--dim);border-radius:.5rem;
background:var(--bg);color:var(--fg);font:inherit;resize:vertical}
textarea{min-height:6rem}input+label{margin-top:.75rem}
textarea.short{min-height:3.5rem}
#reply_text{field-sizing:content}
.buttons{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:.9rem}
button{flex:1 1 9rem;min-height:2.9rem;padding:.4rem 1rem;border:2px solid var(--dim);
border-radius:.6rem;background:transparent;color:var(--fg);font:inherit;font-weight:600;
cursor:pointer}
form button{animation:hold .4s}@keyframes hold{0%,99%{pointer-events:none}}
button.yes{background:var(--yes);border-color:var(--yes);color:var(--on)}
button.no{border-color:var(--no);color:var(--no)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
)css";

bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

}  // namespace

std::string escape(std::string_view text) {
    std::string out;
    for (const char c : escape_markup(printable(text))) {
        if (c == '"') {
            out += "&quot;";
        } else if (c == '\'') {
            out += "&#39;";
        } else {
            out += c;
        }
    }
    return out;
}

std::string percent_encode(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        if (is_unreserved(c)) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15];
    }
    return out;
}

i18n::Language accepted_language(std::string_view header) {
    auto best = i18n::Language::English;
    double best_weight = 0;
    while (!header.empty()) {
        std::string_view range = trim(header.substr(0, header.find(',')));
        header.remove_prefix(std::min(header.size(), header.find(',')));
        if (header.starts_with(',')) header.remove_prefix(1);
        const auto weight_at = range.find(";q=");
        double weight = 1;
        if (weight_at != std::string_view::npos) {
            const std::string_view text = range.substr(weight_at + 3);
            if (std::from_chars(text.data(), text.data() + text.size(), weight).ec != std::errc())
                weight = 0;
        }
        const bool chinese = range.starts_with("zh");
        const bool known = chinese || range.starts_with("en") || range.starts_with('*');
        if (!known || weight <= best_weight) continue;
        best = chinese ? i18n::Language::Chinese : i18n::Language::English;
        best_weight = weight;
    }
    return best;
}

http::Response html_page(int status, i18n::Language language, std::string_view title,
                         std::string_view body) {
    const std::string nonce = random_hex(16);
    http::Response response;
    response.status = status;
    response.headers = {
        {"Content-Type", "text/html; charset=utf-8"},
        {"Content-Security-Policy", "default-src 'none'; style-src 'nonce-" + nonce +
                                        "'; form-action 'self'; base-uri 'none'; "
                                        "frame-ancestors 'none'"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cache-Control", "no-store"}};
    response.body.append("<!doctype html>\n<html lang=\"")
        .append(i18n::language_tag(language))
        .append("\">\n<head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .append("<meta name=\"robots\" content=\"noindex\"><title>")
        .append(escape(title))
        .append(" · A2H</title>\n<style nonce=\"" + nonce + "\">")
        .append(kStyle)
        .append("</style></head>\n<body>\n")
        .append(body)
        .append("</body>\n</html>\n");
    return response;
}

}  // namespace a2h::web
