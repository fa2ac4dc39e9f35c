#pragma once

#include <string_view>
#include <vector>

#include "daemon/decide/draft_sources.h"
#include "daemon/reading/lexicon.h"
#include "daemon/reading/reading.h"

namespace a2h::decide {

// What a draft shows before any word of it is understood. Thread: any.

/// True when `text` has control, direction or invisible characters; LF and tab are none.
bool has_invisible_characters(std::string_view text);

/// What a message in English or Chinese needs: no markup, no symbol that stands for a word, no
/// letter of another alphabet.
bool is_plain_character(char32_t c);

bool is_ascii_letter(char c);
std::size_t han_count(std::string_view text);

/// What begins like an address of the web, as written, without the marks of the sentence around it.
std::vector<std::string_view> links_in(std::string_view raw);

/// What no list of words can find.
struct TextFindings {
    bool has_contact = false;       ///< a long number, a handle, letters mixed with digits
    bool has_link = false;          ///< a domain
    bool is_spelled_apart = false;  ///< w e c h a t, 微 信
    bool has_count = false;         ///< 五个, which no source has
    bool has_date = false;          ///< 12月, 3点
};

/// `words`: of draft_review.toml, in the text of `reading`.
TextFindings find_in_text(const Reading& reading, const std::vector<WordMatch>& words,
                          const DraftSources& sources, const Vocabulary& vocabulary);

}  // namespace a2h::decide
