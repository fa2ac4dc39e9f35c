#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace a2h::market::search {

// Converts text to tokens, the same for both databases. Text is folded (i18n::fold). A run of
// letters and digits is one token. A run of Chinese, Japanese or Korean characters, which has no
// spaces, becomes its overlapping pairs and its last character, so that single characters are found
// as well: 手工红茶 → 手工 工红 红茶 茶.

/// The tokens of a document in order, including duplicates.
std::vector<std::string> document_tokens(std::string_view text);

/// One word of a query; its tokens must be adjacent.
struct Phrase {
    std::vector<std::string> tokens;
    bool prefix = false;  ///< a single character: its only token may be the beginning of a token

    bool operator==(const Phrase&) const = default;
};

/// A search text as phrases that must all occur; at most 16, further ones are ignored. Empty if the
/// text contains no letter and no digit.
std::vector<Phrase> query_phrases(std::string_view text);

/// Kind and owner of posts are tokens as well, so that filters need no scan.
std::string type_token(int type);
std::string agent_token(std::string_view agent_id);

// For SQLite's FTS5 with tokenize='ascii' and the columns title, content, facet.

/// Joins tokens to the text that a column stores.
std::string fts5_text(const std::vector<std::string>& tokens);
/// All phrases in `columns` ("title" or "title content") and all `facets`; at least one of the two
/// lists must not be empty.
std::string fts5_query(const std::vector<Phrase>& phrases, std::string_view columns,
                       const std::vector<std::string>& facets);

// For PostgreSQL's tsvector: title has weight A, content B.

/// The text form of a tsvector with positions.
std::string ts_vector(const std::vector<std::string>& title,
                      const std::vector<std::string>& content);
/// The text form of a tsquery: all phrases, in the title only or anywhere. `phrases` must not be
/// empty.
std::string ts_query(const std::vector<Phrase>& phrases, bool title_only);

}  // namespace a2h::market::search
