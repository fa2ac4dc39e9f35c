#include "daemon/reading/reading.h"

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "daemon/decide/labelled.h"
#include "daemon/reading/vocabulary.h"
#include "market/search/tokens.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

void check_reading(const reading::Reading& reading) {
    A2H_CHECK(is_utf8(reading.text) || !reading.is_readable);
    for (const reading::Clause& clause : reading.clauses) {
        A2H_CHECK(clause.begin <= clause.end && clause.end <= reading.text.size());
        for (const std::string_view word : reading::unknown_words(reading, clause))
            A2H_CHECK(!word.empty());
    }
}

void check_search(std::string_view text) {
    const auto phrases = market::search::query_phrases(text);
    A2H_CHECK(phrases.size() <= 16);
    for (const auto& phrase : phrases)
        A2H_CHECK(!phrase.tokens.empty());
    for (const std::string& token : market::search::document_tokens(text))
        A2H_CHECK(!token.empty());
}

}  // namespace

/// Words of people: a message as the rules see it, a question to the market's search, and a line of
/// labelled messages.
void reading(std::string_view input) {
    const auto& words = a2h::reading::built_in_vocabulary();
    for (const auto writer : {a2h::reading::Writer::We, a2h::reading::Writer::Peer})
        check_reading(a2h::reading::read_text(input, words, writer));
    if (is_utf8(input)) {
        const std::string folded = i18n::fold(input);
        A2H_CHECK(is_utf8(folded) && i18n::fold(folded) == folded);
        check_search(input);
    }
    const auto listings = decide::parse_listings(input);
    if (!listings) A2H_CHECK(!listings.error().message.empty());
    const auto labelled = decide::parse_labelled(input, {});
    if (!labelled) A2H_CHECK(!labelled.error().message.empty());
}

}  // namespace a2h::fuzz
