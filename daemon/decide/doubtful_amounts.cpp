#include "daemon/decide/doubtful_amounts.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "daemon/decide/digits.h"
#include "daemon/decide/lexicon.h"

namespace a2h::decide {
namespace {

template <std::size_t size>
bool is_one_of(std::string_view word, const std::array<std::string_view, size>& all) {
    return std::find(all.begin(), all.end(), word) != all.end();
}

/// A weight, and what somebody won: their currencies have signs and codes.
constexpr std::array<std::string_view, 3> kOtherMeanings = {"pound", "pounds", "won"};
/// They count pieces, slices, sheets and ohms, too.
constexpr std::array<std::string_view, 3> kPieces = {"块", "刀", "欧"};
constexpr std::array<std::string_view, 3> kOnlyBehind = {"元", "块钱", "元钱"};

/// What makes 元 the beginning of another word: 元旦, 元素.
constexpr std::array<std::string_view, 22> kGoesOn = {
    "旦", "月", "素", "论", "宵", "件", "器", "老", "帅", "首", "气",
    "音", "宝", "勋", "凶", "代", "朝", "曲", "宇", "桥", "婴", "方程"};
/// What follows an amount, and begins no thing that could be counted.
constexpr std::array<std::string_view, 48> kAfterAmount = {
    "吗",   "吧",   "呢",   "啊",   "呀",     "哦",   "嘛",   "啦",   "了",   "行",
    "可以", "可否", "成吗", "成交", "成不成", "好吗", "好不", "好吧", "能不", "能行",
    "能做", "卖",   "买",   "拿下", "怎么",   "如何", "左右", "以内", "以上", "以下",
    "上下", "起",   "整",   "就",   "够",     "我",   "你",   "您",   "太",   "也",
    "都",   "或",   "到",   "至",   "每",     "包邮", "不",   "是"};

bool is_han_at(std::string_view text, std::size_t i) {
    return i < text.size() && is_han(code_point_at(text, i));
}

bool is_latin_at(std::string_view text, std::size_t i) {
    return i < text.size() && text[i] >= 'a' && text[i] <= 'z';
}

/// What is taken off, before and behind the amount. 便宜到 and 优惠价 name what is left.
constexpr std::array<std::string_view, 40> kReducedBy = {
    "便宜",         "便宜个",      "便宜了",     "便宜掉",      "减",        "减个",
    "减了",         "减掉",        "减去",       "减免",        "降",        "降个",
    "降了",         "降低",        "降低了",     "降价",        "少",        "少个",
    "少了",         "少收",        "优惠",       "优惠个",      "优惠了",    "让利",
    "让",           "抹",          "抹掉",       "砍",          "砍掉",      "省",
    "扣",           "扣掉",        "cheaper by", "discount of", "rebate of", "reduced by",
    "reduce it by", "lower it by", "drop it by", "minus"};
constexpr std::array<std::string_view, 3> kNoReduction = {"至少", "最少", "多少"};
constexpr std::array<std::string_view, 8> kTakenOff = {"off",    "cheaper", "less", "discount",
                                                       "rebate", "lower",   "优惠", "的优惠"};

bool ends_with_word(std::string_view text, std::string_view word) {
    if (!text.ends_with(word)) return false;
    return !is_latin_at(word, 0) || is_word_boundary(text, text.size() - word.size());
}

template <std::size_t size>
bool begins_with(std::string_view rest, const std::array<std::string_view, size>& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return rest.starts_with(word); });
}

/// Whether something stands there that the amount could be a number of.
bool is_followed_by_thing(std::string_view text, std::size_t end) {
    if (end < text.size() && text[end] == ' ') ++end;
    if (is_latin_at(text, end)) return true;
    return is_han_at(text, end) && !begins_with(text.substr(end), kAfterAmount);
}

/// 二元论, 千元机: with one character the number is itself a part of the word.
bool is_han_character(const WrittenAmount& amount) {
    return is_han_at(amount.text, amount.begin) &&
           code_point_length(amount.text, amount.begin) == amount.end - amount.begin;
}

bool is_in_word(const WrittenAmount& amount) {
    const std::size_t end = amount.behind_at + amount.behind.size();
    if (begins_with(amount.text.substr(end), kGoesOn)) return true;
    return is_han_character(amount) && is_followed_by_thing(amount.text, end);
}

bool is_year(std::string_view digits) {
    return digits.size() == 4 && digits >= "2010" && digits < "2050" &&
           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "CNY 2026", "the 2026 CNY holiday": the new year, and "euro 2024" a tournament. A sign is none.
bool is_year_of_event(const WrittenAmount& amount) {
    if (!is_year(amount.text.substr(amount.begin, amount.end - amount.begin))) return false;
    return is_latin_at(amount.before, 0) || amount.behind == "cny";
}

}  // namespace

bool is_doubtful(const WrittenAmount& amount) {
    if (is_one_of(amount.before, kOtherMeanings) || is_one_of(amount.behind, kOtherMeanings)) {
        return true;
    }
    if (is_one_of(amount.behind, kPieces)) {
        return is_followed_by_thing(amount.text, amount.behind_at + amount.behind.size());
    }
    return (amount.behind == "元" && is_in_word(amount)) || is_year_of_event(amount);
}

bool stands_only_behind(std::string_view word) {
    return is_one_of(word, kPieces) || is_one_of(word, kOnlyBehind);
}

bool is_reduction(std::string_view text, std::size_t begin, std::size_t end) {
    std::string_view before = text.substr(0, begin);
    if (before.ends_with(' ')) before.remove_suffix(1);
    const auto ends = [&](std::string_view word) { return ends_with_word(before, word); };
    if (std::any_of(kReducedBy.begin(), kReducedBy.end(), ends) &&
        std::none_of(kNoReduction.begin(), kNoReduction.end(), ends)) {
        return true;
    }
    const std::size_t from = end < text.size() && text[end] == ' ' ? end + 1 : end;
    const std::string_view behind = text.substr(std::min(from, text.size()));
    return std::any_of(kTakenOff.begin(), kTakenOff.end(), [&](std::string_view word) {
        if (!behind.starts_with(word)) return false;
        return is_latin_at(word, 0) ? is_word_boundary(behind, word.size())
                                    : !behind.substr(word.size()).starts_with("价");
    });
}

}  // namespace a2h::decide
