#pragma once

#include <string_view>
#include <vector>

#include "daemon/decide/draft_sources.h"
#include "daemon/reading/lexicon.h"
#include "daemon/reading/reading.h"

namespace a2h::decide {

// Checks of a draft that need no vocabulary.
//
// Thread:  any.

/// True if `text` contains control, direction or invisible characters other than LF and tab.
bool has_invisible_characters(std::string_view text);

/// A character that a message in English or Chinese may need: no markup, no symbol that stands for
/// a word, no letter of another alphabet.
bool is_plain_character(char32_t c);

bool is_ascii_letter(char c);
std::size_t han_count(std::string_view text);

/// Texts that begin like a web address, as written, without surrounding punctuation.
std::vector<std::string_view> links_in(std::string_view raw);

/// Findings that need no list of words.
struct TextFindings {
    bool has_contact = false;       ///< a long number, an account name, letters mixed with digits
    bool has_link = false;          ///< a domain
    bool is_spelled_apart = false;  ///< w e c h a t, 微 信
    bool has_count = false;         ///< 五个, which no source contains
    bool has_date = false;          ///< 12月, 3点
};

/// `words` are the matches of draft_review.toml in the text of `reading`.
TextFindings find_in_text(const Reading& reading, const std::vector<WordMatch>& words,
                          const DraftSources& sources, const Vocabulary& vocabulary);

}  // namespace a2h::decide
