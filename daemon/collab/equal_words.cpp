#include "daemon/collab/equal_words.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "daemon/reading/toml_file.h"

namespace a2h::collab {
namespace {

bool is_latin_word(std::string_view word) {
    return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool is_chinese_word(std::string_view word) {
    const bool is_ascii_free = std::none_of(
        word.begin(), word.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
    return is_ascii_free && code_point_count(word) == 2;
}

}  // namespace

Result<Meanings> read_equal_words(std::string_view toml,
                                  std::string (*stem)(std::string_view word)) {
    const reading::TomlFile file("equal_words.toml");
    A2H_ASSIGN_OR_RETURN(const auto table, file.parse(toml));
    Meanings meanings;
    for (const auto& [meaning, node] : table.members) {
        A2H_ASSIGN_OR_RETURN(const auto words, file.texts(node, meaning));
        for (const std::string& word : words) {
            const bool is_latin = is_latin_word(word);
            if (i18n::fold(word) != word || (!is_latin && !is_chinese_word(word)))
                return file.error(node, word + " is neither one English word nor two characters");
            const auto added = meanings.emplace(is_latin ? stem(word) : word, meaning);
            if (!added.second && added.first->second != meaning)
                return file.error(node, word + " already means " + added.first->second);
        }
    }
    return meanings;
}

}  // namespace a2h::collab
