#include "embedded/locales.h"
#include <cstdint>
namespace a2h::embedded {
namespace {
struct Row {
    std::uint32_t at;
    std::uint16_t key, english, chinese;
};
constexpr std::string_view kTexts(
, 0);
constexpr Row kRows[] = {
};
constexpr std::string_view kEnglishScript(
"{}\n", 3);
constexpr std::string_view kChineseScript(
"{}\n", 3);
}  // namespace

std::size_t message_count() { return sizeof kRows / sizeof *kRows; }

Message message(std::size_t index) {
    const Row& row = kRows[index];
    const std::size_t english = row.at + row.key;
    return {kTexts.substr(row.at, row.key), kTexts.substr(english, row.english),
            kTexts.substr(english + row.english, row.chinese)};
}

std::optional<std::string_view> script_texts(std::string_view file_name) {
    if (file_name == "texts.en.json") return kEnglishScript;
    if (file_name == "texts.zh.json") return kChineseScript;
    return std::nullopt;
}
}  // namespace a2h::embedded
