#include "daemon/reading/spelling.h"

#include <algorithm>

namespace a2h::reading {
namespace {

constexpr std::size_t kLettersMin = 5;  // shorter words differ too little from each other

bool is_latin_word(std::string_view word) {
    return word.size() >= kLettersMin &&
           std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string without_letter(std::string_view word, std::size_t at) {
    std::string shorter(word);
    shorter.erase(at, 1);
    return shorter;
}

}  // namespace

void Spelling::add(std::string_view word) {
    if (!is_latin_word(word)) return;
    right_.emplace(word);
    for (std::size_t k = 0; k < word.size(); ++k) {
        words_.emplace(without_letter(word, k), word);
    }
}

std::string Spelling::correct(std::string_view word) const {
    if (word.size() + 1 < kLettersMin || right_.contains(std::string(word))) return {};
    if (!std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; }))
        return {};
    if (const auto missing = words_.find(std::string(word)); missing != words_.end()) {
        return missing->second;
    }
    for (std::size_t k = 0; k < word.size(); ++k) {
        // "Placed" is not "place" with an extra letter.
        const bool is_past = k + 1 == word.size() && word[k] == 'd';
        std::string candidate = without_letter(word, k);
        if (!is_past && right_.contains(candidate)) return candidate;
        if (k + 1 == word.size()) break;
        candidate = std::string(word);
        std::swap(candidate[k], candidate[k + 1]);
        if (right_.contains(candidate)) return candidate;
    }
    return {};
}

}  // namespace a2h::reading
