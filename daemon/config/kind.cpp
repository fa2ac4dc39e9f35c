#include "daemon/config/kind.h"

#include <algorithm>

#include "core/base/ids.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/control/home.h"
#include "core/http/listen.h"

namespace a2h::config {
namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kNameBytesMax = 32;
// Limits of the messages of a negotiation.
constexpr std::size_t kLabelMax = 100;
constexpr std::size_t kContributionMax = 1'000;
constexpr std::size_t kTagsMax = 20;

const std::string& text_of(const Value& value) {
    return std::get<std::string>(value);
}

template <typename Predicate>
bool all_texts(const Value& value, Predicate predicate) {
    const auto& texts = std::get<Texts>(value);
    return std::all_of(texts.begin(), texts.end(), predicate);
}

bool is_name_text(std::string_view text) {
    return !text.empty() && text.size() <= kNameBytesMax &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
           });
}

bool is_web_address(std::string_view text) {
    return text.starts_with("https://") || text.starts_with("http://");
}

bool is_step(std::string_view step) {
    for (std::size_t at = 0; at <= step.size();) {
        const std::size_t plus = std::min(step.find('+', at), step.size());
        if (!is_name_text(trim(step.substr(at, plus - at)))) return false;
        at = plus + 1;
    }
    return true;
}

bool is_host(std::string_view host) {
    return !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    });
}

std::optional<int> two_digits(std::string_view text) {
    for (const char c : text)
        if (c < '0' || c > '9') return std::nullopt;
    return (text[0] - '0') * 10 + text[1] - '0';
}

/// An origin has no path: links begin with it, and browsers send it as `Origin`.
bool is_origin_text(const std::string& url) {
    if (!is_web_address(url)) return false;
    const std::string_view host = std::string_view(url).substr(url.find("://") + 3);
    return !host.empty() && host.find_first_of("/?#@ \"'<>") == std::string_view::npos;
}

std::string choices_text(i18n::Language language, std::span<const std::string_view> choices) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const bool last = i + 1 == choices.size();
        if (i > 0) text += i18n::text(language, last ? "config.choice_or" : "config.choice_comma");
        text += toml_text(std::string(choices[i]));
    }
    return text;
}

}  // namespace

bool is_address(const Value& value) {
    return parse_address(text_of(value)).has_value();
}

bool is_own_address(const Value& value) {
    const auto address = parse_address(text_of(value));
    return text_of(value).empty() || (address && http::is_loopback(address->host));
}

bool is_file(const Value& value) {
    return text_of(value).empty() || control::expand_home(text_of(value)).is_absolute();
}

bool is_url(const Value& value) {
    return text_of(value).empty() || is_web_address(text_of(value));
}

bool is_origin(const Value& value) {
    std::string_view url = text_of(value);
    if (url.ends_with('/')) url.remove_suffix(1);
    return url.empty() || is_origin_text(std::string(url));
}

bool is_origin_list(const Value& value) {
    return all_texts(value, is_origin_text);
}

/// A token that fits into a header and is hard to guess.
bool is_token(const Value& value) {
    constexpr std::size_t kTokenCharsMin = 16;
    const std::string_view text = text_of(value);
    return text.empty() ||
           (text.size() >= kTokenCharsMin &&
            std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; }));
}

bool is_channel_list(const Value& value) {
    return all_texts(value, is_name_text);
}

bool is_host_list(const Value& value) {
    return all_texts(value, is_host);
}

bool is_label(const Value& value) {
    return code_point_count(text_of(value)) <= kLabelMax;
}

bool is_contribution(const Value& value) {
    return code_point_count(text_of(value)) <= kContributionMax;
}

bool is_tag_list(const Value& value) {
    return std::get<Texts>(value).size() <= kTagsMax && all_texts(value, [](const auto& tag) {
               return !trim(tag).empty() && code_point_count(tag) <= kLabelMax;
           });
}

bool is_trade_list(const Value& value) {
    return all_texts(value, [](const std::string& entry) {
        const std::string name = entry.substr(entry.starts_with('-') ? 1 : 0);
        return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") ==
                                    std::string::npos;
    });
}

bool is_folder_list(const Value& value) {
    return all_texts(value, [](const std::string& folder) {
        return control::expand_home(folder).is_absolute();
    });
}

bool is_agent(const Value& value) {
    return text_of(value).empty() || is_agent_id(text_of(value));
}

bool is_currency(const Value& value) {
    return is_currency_code(text_of(value));
}

bool is_filled(const Value& value) {
    return !text_of(value).empty();
}

bool is_name(const Value& value) {
    return is_name_text(text_of(value));
}

bool is_steps(const Value& value) {
    return all_texts(value, is_step);
}

bool is_quiet_hours(const Value& value) {
    const std::string& text = text_of(value);
    return text.size() == 11 && text[5] == '-' && parse_minute(text.substr(0, 5)) &&
           parse_minute(text.substr(6));
}

bool is_name_list(const Value& value) {
    Texts names = std::get<Texts>(value);
    std::sort(names.begin(), names.end());
    const bool unique = std::adjacent_find(names.begin(), names.end()) == names.end();
    return unique && !names.empty() && all_texts(value, is_name_text);
}

bool fits(const Kind& kind, const Value& value) {
    if (value.index() != static_cast<std::size_t>(kind.shape)) return false;
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return (*number >= kind.lowest && *number <= kind.highest) ||
               (kind.or_zero && *number == 0);
    }
    if (!kind.choices.empty()) {
        return std::find(kind.choices.begin(), kind.choices.end(), text_of(value)) !=
               kind.choices.end();
    }
    return kind.fits == nullptr || kind.fits(value);
}

std::string allowed_text(i18n::Language language, const Kind& kind) {
    return i18n::text(language, kind.allowed,
                      {{"lowest", std::to_string(kind.lowest)},
                       {"highest", std::to_string(kind.highest)},
                       {"choices", choices_text(language, kind.choices)}});
}

std::optional<Address> parse_address(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    const auto port = parse_value(Shape::Integer, text.substr(colon + 1));
    if (!port || !fits(integer(0, 65'535), *port)) return std::nullopt;
    return Address{std::string(text.substr(0, colon)),
                   static_cast<std::uint16_t>(std::get<std::int64_t>(*port))};
}

std::optional<int> parse_minute(std::string_view text) {
    if (text.size() != 5 || text[2] != ':') return std::nullopt;
    const auto hour = two_digits(text.substr(0, 2));
    const auto minute = two_digits(text.substr(3));
    if (!hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
    return *hour * 60 + *minute;
}

}  // namespace a2h::config
