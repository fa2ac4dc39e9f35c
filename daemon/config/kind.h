#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/i18n/messages.h"
#include "daemon/config/value.h"

namespace a2h::config {

/// The permitted values of an option. This is the only place that checks and describes them.
struct Kind {
    Shape shape = Shape::Text;
    std::string_view allowed;              ///< locale key of the text that completes "must be …"
    bool (*fits)(const Value&) = nullptr;  ///< check of texts and lists; null: any value
    std::int64_t lowest = 0;               ///< limit of integers
    std::int64_t highest = 0;              ///< limit of integers
    bool or_zero = false;                  ///< 0 is allowed too, independent of `lowest`
    std::span<const std::string_view> choices =
        {};  ///< the permitted texts, if there are only a few
};

constexpr Kind integer(std::int64_t lowest, std::int64_t highest) {
    return {.shape = Shape::Integer,
            .allowed = "config.allowed_integer",
            .lowest = lowest,
            .highest = highest};
}
constexpr Kind integer_or_zero(std::int64_t lowest, std::int64_t highest) {
    return {.shape = Shape::Integer,
            .allowed = "config.allowed_integer_or_zero",
            .lowest = lowest,
            .highest = highest,
            .or_zero = true};
}
constexpr Kind one_of(std::span<const std::string_view> choices) {
    return {.allowed = "config.allowed_choice", .choices = choices};
}

bool is_address(const Value& value);
bool is_own_address(const Value& value);
bool is_file(const Value& value);
bool is_url(const Value& value);
bool is_origin(const Value& value);
bool is_origin_list(const Value& value);
bool is_token(const Value& value);
bool is_channel_list(const Value& value);
bool is_host_list(const Value& value);
bool is_folder_list(const Value& value);
bool is_agent(const Value& value);
bool is_currency(const Value& value);
bool is_filled(const Value& value);
bool is_name(const Value& value);
bool is_steps(const Value& value);
bool is_quiet_hours(const Value& value);
bool is_name_list(const Value& value);
bool is_label(const Value& value);
bool is_contribution(const Value& value);
bool is_tag_list(const Value& value);
bool is_trade_list(const Value& value);

inline constexpr Kind kFlag{.shape = Shape::Flag, .allowed = "config.allowed_flag"};
inline constexpr Kind kText{.allowed = "config.allowed_text"};
inline constexpr Kind kAddress{.allowed = "config.allowed_address", .fits = is_address};
inline constexpr Kind kOwnAddress{.allowed = "config.allowed_own_address", .fits = is_own_address};
inline constexpr Kind kFile{.allowed = "config.allowed_file", .fits = is_file};
inline constexpr Kind kUrl{.allowed = "config.allowed_url", .fits = is_url};
inline constexpr Kind kOrigin{.allowed = "config.allowed_origin", .fits = is_origin};
inline constexpr Kind kOriginList{
    .shape = Shape::List, .allowed = "config.allowed_origins", .fits = is_origin_list};
inline constexpr Kind kToken{.allowed = "config.allowed_token", .fits = is_token};
inline constexpr Kind kChannelList{
    .shape = Shape::List, .allowed = "config.allowed_channels", .fits = is_channel_list};
inline constexpr Kind kHostList{
    .shape = Shape::List, .allowed = "config.allowed_hosts", .fits = is_host_list};
inline constexpr Kind kFolderList{
    .shape = Shape::List, .allowed = "config.allowed_folders", .fits = is_folder_list};
inline constexpr Kind kAgent{.allowed = "config.allowed_agent", .fits = is_agent};
inline constexpr Kind kCurrency{.allowed = "config.allowed_currency", .fits = is_currency};
inline constexpr Kind kAction{.allowed = "config.allowed_action", .fits = is_filled};
inline constexpr Kind kName{.allowed = "config.allowed_name", .fits = is_name};
inline constexpr Kind kPerson{.allowed = "config.allowed_person", .fits = is_name};
inline constexpr Kind kSteps{
    .shape = Shape::List, .allowed = "config.allowed_steps", .fits = is_steps};
inline constexpr Kind kQuietHours{.allowed = "config.allowed_quiet_hours", .fits = is_quiet_hours};
inline constexpr Kind kNameList{
    .shape = Shape::List, .allowed = "config.allowed_names", .fits = is_name_list};

inline constexpr Kind kLabel{.allowed = "config.allowed_label", .fits = is_label};
inline constexpr Kind kContribution{.allowed = "config.allowed_contribution",
                                    .fits = is_contribution};
inline constexpr Kind kTagList{
    .shape = Shape::List, .allowed = "config.allowed_tags", .fits = is_tag_list};
inline constexpr Kind kTradeList{
    .shape = Shape::List, .allowed = "config.allowed_trades", .fits = is_trade_list};

/// Whether an option of this kind may be set to `value`.
bool fits(const Kind& kind, const Value& value);

/// The text that completes "must be …".
std::string allowed_text(i18n::Language language, const Kind& kind);

/// The address in a text for `kAddress`; absent if the text is not one.
struct Address {
    std::string host;
    std::uint16_t port = 0;
};
std::optional<Address> parse_address(std::string_view text);

/// Minutes since midnight for `HH:MM`; absent if the text is not a time.
std::optional<int> parse_minute(std::string_view text);

}  // namespace a2h::config
