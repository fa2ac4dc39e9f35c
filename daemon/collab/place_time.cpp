#include "daemon/collab/place_time.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>

#include "core/base/text.h"
#include "daemon/collab/words.h"
#include "daemon/reading/lexicon.h"

namespace a2h::collab {
namespace {

constexpr std::array<std::string_view, 9> kWeekend{"weekend", "saturday", "sunday", "周末",  "周六",
                                                   "周日",    "周天",     "星期六", "星期天"};
constexpr std::array<std::string_view, 18> kWorkingDays{
    "weekday", "weekdays",    "monday", "tuesday", "wednesday", "thursday",
    "friday",  "working day", "工作日", "平日",    "周一",      "周二",
    "周三",    "周四",        "周五",   "星期一",  "星期三",    "星期五"};
constexpr std::array<std::string_view, 9> kAnyDay{
    "anytime", "any time", "any day", "flexible", "always", "随时", "全天", "都可以", "时间灵活"};

bool has_any(std::string_view text, std::span<const std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return text.find(word) != std::string_view::npos;
    });
}

struct Days {
    bool weekend = false;
    bool working = false;
};

bool is_digit_at(std::string_view text, std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

int number_at(std::string_view text, std::size_t& at) {
    int value = 0;
    for (int digits = 0; digits < 4 && is_digit_at(text, at); ++digits)
        value = value * 10 + (text[at++] - '0');
    return value;
}

bool take(std::string_view text, std::size_t& at, std::string_view what) {
    if (!text.substr(std::min(at, text.size())).starts_with(what)) return false;
    at += what.size();
    return true;
}

struct IsoDate {
    int year = 0;
    int month = 0;
    int day = 0;
    std::size_t end = 0;
};

/// 2026-02-15, 2026/2/15, 2026.2.15.
std::optional<IsoDate> iso_date_at(std::string_view text, std::size_t at) {
    IsoDate date;
    date.year = number_at(text, at);
    if (date.year < 1'900 || at >= text.size()) return std::nullopt;
    const char mark = text[at];
    if (mark != '-' && mark != '/' && mark != '.') return std::nullopt;
    date.month = number_at(text, ++at);
    if (at >= text.size() || text[at] != mark || date.month < 1 || date.month > 12)
        return std::nullopt;
    date.day = number_at(text, ++at);
    if (date.day < 1 || date.day > 31) return std::nullopt;
    date.end = at;
    return date;
}

Days days_in(std::string_view text) {
    Days days{has_any(text, kWeekend), has_any(text, kWorkingDays)};
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_digit_at(text, i)) continue;
        const auto date = iso_date_at(text, i);
        if (!date) continue;
        using namespace std::chrono;
        const year_month_day when{year{date->year} / date->month / date->day};
        if (!when.ok()) continue;
        const bool is_weekend = weekday{sys_days{when}}.iso_encoding() > 5;
        (is_weekend ? days.weekend : days.working) = true;
        i = date->end;
    }
    return days;
}

/// 2月15日, 2026年2月15号, 12月.
std::size_t chinese_date_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    int month = number_at(text, end);
    if (take(text, end, "年")) month = number_at(text, end);
    if (month < 1 || month > 12 || !take(text, end, "月")) return at;
    std::size_t day_end = end;
    if (number_at(text, day_end) == 0) return take(text, end, "份"), end;
    if (take(text, day_end, "日") || take(text, day_end, "号")) return day_end;
    return end;
}

constexpr std::array<std::string_view, 12> kMonths{"january",   "february", "march",    "april",
                                                   "may",       "june",     "july",     "august",
                                                   "september", "october",  "november", "december"};

/// February 15, february 15th, 2026.
std::size_t english_date_at(std::string_view text, std::size_t at) {
    if (!reading::is_word_boundary(text, at)) return at;
    for (const std::string_view month : kMonths) {
        std::size_t end = at;
        if (!take(text, end, month) || !take(text, end, " ") || !is_digit_at(text, end)) continue;
        number_at(text, end);
        for (const std::string_view ending : {"st", "nd", "rd", "th"})
            if (take(text, end, ending)) break;
        std::size_t year_end = end;
        if ((take(text, year_end, ", ") || take(text, year_end, " ")) &&
            number_at(text, year_end) >= 1'900)
            end = year_end;
        return end;
    }
    return at;
}

/// The names of days. A name precedes other names that are its beginning.
constexpr std::array<std::string_view, 37> kDayNames{"next weekend",
                                                     "this weekend",
                                                     "next week",
                                                     "next month",
                                                     "next monday",
                                                     "next tuesday",
                                                     "next wednesday",
                                                     "next thursday",
                                                     "next friday",
                                                     "next saturday",
                                                     "next sunday",
                                                     "this saturday",
                                                     "this sunday",
                                                     "this friday",
                                                     "tomorrow",
                                                     "tonight",
                                                     "weekend",
                                                     "saturday",
                                                     "sunday",
                                                     "monday",
                                                     "tuesday",
                                                     "wednesday",
                                                     "thursday",
                                                     "friday",
                                                     "下下周",
                                                     "下周",
                                                     "本周",
                                                     "这周",
                                                     "周末",
                                                     "周",
                                                     "星期",
                                                     "明天",
                                                     "后天",
                                                     "今晚",
                                                     "下个月",
                                                     "月底",
                                                     "年底"};

/// 下周六, 星期三: the day that follows the word for the week.
std::size_t with_day_of_week(std::string_view text, std::size_t end) {
    for (const std::string_view day : {"一", "二", "三", "四", "五", "六", "日", "天", "末"})
        if (take(text, end, day)) break;
    return end;
}

std::size_t day_name_at(std::string_view text, std::size_t at) {
    for (const std::string_view name : kDayNames) {
        std::size_t end = at;
        if (!take(text, end, name)) continue;
        if (!reading::is_word_boundary(text, at) || !reading::is_word_boundary(text, end)) continue;
        if (!name.ends_with("周") && name != "星期") return end;
        const std::size_t day_end = with_day_of_week(text, end);
        const bool needs_day = name == "周" || name == "星期";
        if (day_end > end || !needs_day) return day_end;
    }
    return at;
}

std::size_t date_end_at(std::string_view text, std::size_t at) {
    if (is_digit_at(text, at)) {
        if (at > 0 && is_digit_at(text, at - 1)) return at;
        if (const auto date = iso_date_at(text, at)) return date->end;
        return chinese_date_at(text, at);
    }
    const std::size_t end = english_date_at(text, at);
    return end > at ? end : day_name_at(text, at);
}

}  // namespace

Fit fits_place(std::string_view wanted, std::string_view location) {
    if (is_anywhere(wanted) || is_anywhere(location)) return Fit::Yes;
    if (wanted.empty() || location.empty()) return Fit::Unknown;
    for (const std::string& name : names_of_location(location)) {
        if (wanted.find(name) != wanted.npos) return Fit::Yes;
    }
    for (const std::string& name : names_of_location(wanted)) {
        if (location.find(name) != location.npos) return Fit::Yes;
    }
    return Fit::No;
}

Fit fits_time(std::string_view wanted, std::string_view availability) {
    const Days days = days_in(wanted);
    if (!days.weekend && !days.working) return Fit::Unknown;
    if (has_any(availability, kAnyDay)) return Fit::Yes;
    const Days free = days_in(availability);
    if (!free.weekend && !free.working) return Fit::Unknown;
    const bool fits = (days.weekend && free.weekend) || (days.working && free.working);
    return fits ? Fit::Yes : Fit::No;
}

std::vector<std::string> names_of_location(std::string_view location) {
    std::vector<std::string> names;
    const auto add = [&](std::string_view name) {
        name = trim(name);
        if (name.ends_with("市")) name.remove_suffix(std::string_view("市").size());
        if (code_point_count(name) < 2) return;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    };
    add(location);
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= location.size();) {
        const std::size_t length =
            i < location.size() ? reading::code_point_length(location, i) : 1;
        const std::string_view mark = location.substr(std::min(i, location.size()), length);
        const bool is_mark = mark.empty() || mark == "," || mark == "/" || mark == "·" ||
                             mark == "、" || mark == "市" || mark == "-";
        if (is_mark) {
            add(location.substr(begin, i - begin));
            begin = i + length;
        }
        i += length;
    }
    return names;
}

std::optional<DateSpan> find_date(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); i += reading::code_point_length(text, i)) {
        const std::size_t end = date_end_at(text, i);
        if (end > i) return DateSpan{i, end};
    }
    return std::nullopt;
}

}  // namespace a2h::collab
