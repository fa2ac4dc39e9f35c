#include <cstdlib>
#include <string>

#include "core/base/check.h"
#include "core/base/money.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/domain/media_type.h"
#include "daemon/notify/pictures.h"
#include "daemon/notify/render.h"
#include "market/files/file_type.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

void check_money(std::string_view input) {
    for (const std::string currency : {"CNY", "JPY", "KWD"}) {
        const auto money = parse_money(input, currency);
        if (!money) continue;
        A2H_CHECK(money->minor >= 0 && money->minor <= kMoneyMinorMax);
        const std::string text = to_text(*money);
        A2H_CHECK(parse_money(text.substr(0, text.find(' ')), currency).value() == *money);
    }
}

void check_time(std::string_view input) {
    const auto time_ms = parse_time(input);
    if (!time_ms) return;
    const std::string text = to_envelope_time(*time_ms);
    if (text.size() == std::string_view("2025-10-09T16:53:20.000+08:00").size())
        A2H_CHECK(parse_time(text).value() == *time_ms);
}

void check_button(std::string_view input) {
    const auto button = notify::parse_button(input);
    if (!button) return;
    const auto again =
        notify::parse_button(notify::button_id(button->row, button->choice, button->token));
    A2H_CHECK(again && again->row == button->row && again->choice == button->choice &&
              again->token == button->token);
}

/// The first line is the name of a file, the rest what is in it.
void check_file(std::string_view input) {
    const std::size_t end = input.find('\n');
    if (end == input.npos) return;
    const std::string_view bytes = input.substr(end + 1);
    (void)notify::picture_type(bytes);
    const auto type = media_type_of(input.substr(0, end));
    if (!type) return;
    const std::string_view tail =
        bytes.substr(bytes.size() - std::min<std::size_t>(bytes.size(), 1024));
    (void)market::content_fits(*type, bytes.substr(0, market::kFileHeadBytes), tail);
}

}  // namespace

/// Amounts, times, buttons and files as people and services write them.
void values(std::string_view input) {
    check_money(input);
    check_time(input);
    check_file(input);
    check_button(input);
}

}  // namespace a2h::fuzz
