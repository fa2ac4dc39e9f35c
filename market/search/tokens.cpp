#include "market/search/tokens.h"

#include <utf8proc.h>

#include <algorithm>
#include <map>

#include "core/i18n/normalize.h"

namespace a2h::market::search {
namespace {

constexpr std::size_t kPhrasesMax = 16;
/// A longer run of letters is not a word; PostgreSQL accepts lexemes below 2 KiB.
constexpr std::size_t kTokenBytesMax = 128;
/// PostgreSQL does not store positions beyond this one.
constexpr std::size_t kPositionMax = 16'383;

enum class Kind { Space, Word, Ideograph };

bool is_ideograph(utf8proc_int32_t c) {
    return (c >= 0x3040 && c <= 0x30FF) ||  // Hiragana, Katakana
           (c >= 0x3400 && c <= 0x4DBF) ||  // Han, extension A
           (c >= 0x4E00 && c <= 0x9FFF) ||  // Han
           (c >= 0xAC00 && c <= 0xD7AF) ||  // Hangul
           (c >= 0xF900 && c <= 0xFAFF) ||  // Han, compatibility
           (c >= 0x20000 && c <= 0x3FFFF);  // Han, further extensions
}

Kind kind_of(utf8proc_int32_t c) {
    if (is_ideograph(c)) return Kind::Ideograph;
    switch (utf8proc_category(c)) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_NO:
            return Kind::Word;
        default:
            return Kind::Space;
    }
}

/// A run of characters of one kind.
struct Run {
    Kind kind = Kind::Space;
    std::vector<std::string_view> characters;

    std::string text(std::size_t first, std::size_t count) const {
        std::string out;
        for (std::size_t i = first; i < first + count; ++i)
            out += characters[i];
        return out;
    }
    std::vector<std::string> pairs() const {
        std::vector<std::string> out;
        for (std::size_t i = 0; i + 1 < characters.size(); ++i)
            out.push_back(text(i, 2));
        return out;
    }
};

/// The words of folded text without separators.
std::vector<Run> runs_of(std::string_view folded) {
    std::vector<Run> runs;
    Kind last = Kind::Space;
    while (!folded.empty()) {
        utf8proc_int32_t c = 0;
        const auto length =
            utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(folded.data()),
                             static_cast<utf8proc_ssize_t>(folded.size()), &c);
        if (length <= 0) break;  // not UTF-8: the rest is not text
        const Kind kind = kind_of(c);
        if (kind != Kind::Space) {
            if (kind != last) runs.push_back({kind, {}});
            runs.back().characters.push_back(folded.substr(0, static_cast<std::size_t>(length)));
        }
        last = kind;
        folded.remove_prefix(static_cast<std::size_t>(length));
    }
    return runs;
}

bool is_word(const Run& run) {
    return run.kind == Kind::Word;
}

/// Only letters, digits and ideographs, so the query language cannot be escaped from.
std::string quoted(const std::string& token, char quote) {
    return quote + token + quote;
}

}  // namespace

std::vector<std::string> document_tokens(std::string_view text) {
    const std::string folded = i18n::fold(text);
    std::vector<std::string> tokens;
    for (const Run& run : runs_of(folded)) {
        if (is_word(run)) {
            std::string word = run.text(0, run.characters.size());
            if (word.size() <= kTokenBytesMax) tokens.push_back(std::move(word));
            continue;
        }
        for (std::string& pair : run.pairs())
            tokens.push_back(std::move(pair));
        tokens.emplace_back(run.characters.back());
    }
    return tokens;
}

std::vector<Phrase> query_phrases(std::string_view text) {
    const std::string folded = i18n::fold(text);
    std::vector<Phrase> phrases;
    for (const Run& run : runs_of(folded)) {
        if (phrases.size() == kPhrasesMax) break;
        if (is_word(run)) {
            phrases.push_back({{run.text(0, run.characters.size())}, false});
        } else if (run.characters.size() == 1) {
            phrases.push_back({{std::string(run.characters.front())}, true});
        } else {
            phrases.push_back({run.pairs(), false});
        }
    }
    return phrases;
}

std::string type_token(int type) {
    return "type" + std::to_string(type);
}

std::string agent_token(std::string_view agent_id) {
    // FTS5's ascii tokenizer splits at "_" and folds case. Ids are case-sensitive, so they are
    // encoded as hex.
    constexpr char kDigits[] = "0123456789abcdef";
    std::string token = "agent";
    for (const char c : agent_id) {
        token += kDigits[static_cast<unsigned char>(c) >> 4];
        token += kDigits[static_cast<unsigned char>(c) & 15];
    }
    return token;
}

std::string fts5_text(const std::vector<std::string>& tokens) {
    std::string text;
    for (const std::string& token : tokens) {
        if (!text.empty()) text += ' ';
        text += token;
    }
    return text;
}

std::string fts5_query(const std::vector<Phrase>& phrases, std::string_view columns,
                       const std::vector<std::string>& facets) {
    std::string query;
    const auto add = [&query](const std::string& part) {
        query += (query.empty() ? "" : " AND ") + part;
    };
    for (const Phrase& phrase : phrases) {
        add("{" + std::string(columns) + "} : " + quoted(fts5_text(phrase.tokens), '"') +
            (phrase.prefix ? "*" : ""));
    }
    for (const std::string& facet : facets)
        add("{facet} : " + quoted(facet, '"'));
    return query;
}

std::string ts_vector(const std::vector<std::string>& title,
                      const std::vector<std::string>& content) {
    std::map<std::string, std::string> positions;
    std::size_t position = 0;
    const auto add = [&](const std::vector<std::string>& tokens, char weight) {
        for (const std::string& token : tokens) {
            const std::size_t at = std::min(++position, kPositionMax);
            std::string& list = positions[token];
            list += (list.empty() ? "" : ",") + std::to_string(at) + weight;
        }
        ++position;  // so that no phrase continues from the title into the content
    };
    add(title, 'A');
    add(content, 'B');
    std::string text;
    for (const auto& [token, list] : positions)
        text += (text.empty() ? "" : " ") + quoted(token, '\'') + ":" + list;
    return text;
}

std::string ts_query(const std::vector<Phrase>& phrases, bool title_only) {
    std::string query;
    for (const Phrase& phrase : phrases) {
        std::string words;
        for (const std::string& token : phrase.tokens) {
            std::string flags = title_only ? "A" : "";
            if (phrase.prefix) flags += "*";
            words += (words.empty() ? "" : " <-> ") + quoted(token, '\'') +
                     (flags.empty() ? "" : ":" + flags);
        }
        query += (query.empty() ? "(" : " & (") + words + ")";
    }
    return query;
}

}  // namespace a2h::market::search
