#include "daemon/notify/pictures.h"

#include <algorithm>

namespace a2h::notify {
namespace {

/// Programs interpret an address with one of these in different ways.
bool is_plain_url(std::string_view url) {
    return std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c <= '~'; }) &&
           url.find_first_of("\\@\"<>") == std::string_view::npos &&
           url.find("/../") == std::string_view::npos && !url.ends_with("/..");
}

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

}  // namespace

std::optional<std::string_view> picture_type(std::string_view bytes) {
    if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
    if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
    if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return "image/gif";
    if (bytes.starts_with("RIFF") && bytes.size() > 12 && bytes.substr(8, 4) == "WEBP")
        return "image/webp";
    return std::nullopt;
}

bool is_picture_source(std::string_view url, const std::vector<std::string>& markets,
                       const std::vector<std::string>& hosts) {
    if (!is_plain_url(url)) return false;
    const bool of_market = std::any_of(markets.begin(), markets.end(), [&](const auto& base) {
        return !base.empty() && url.starts_with(base + "/");
    });
    if (of_market) return true;
    if (!url.starts_with("https://")) return false;
    const std::string_view rest = url.substr(8);
    const std::string host = lower_case(rest.substr(0, rest.find_first_of("/?#")));
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
}

}  // namespace a2h::notify
