#include "daemon/decide/draft_words.h"

#include <toml++/toml.h>

#include "core/base/check.h"
#include "daemon/decide/playbook.h"
#include "embedded/playbooks.h"

namespace a2h::decide {
namespace {

/// The words of `lists`. The file is part of the program, so what is wrong with it is our bug; a
/// test reads it.
Lexicon read_draft_words(ListSet lists) {
    const auto file = embedded::playbooks("draft_review.toml");
    A2H_CHECK(file.has_value());
    const toml::table table = toml::parse(*file);
    A2H_CHECK(table.size() == kDraftListNames.size());
    const Lexicon& playbook = built_in_rules().impl().lexicon;
    Lexicon lexicon;
    for (std::size_t list = 0; list < kDraftListNames.size(); ++list) {
        if ((lists >> list & 1U) == 0) continue;
        for (const std::string_view language : {"en", "zh"}) {
            const auto* words = table[kDraftListNames[list]][language].as_array();
            A2H_CHECK(words != nullptr);
            for (const auto& word : *words) {
                const auto text = word.value_exact<std::string>();
                A2H_CHECK(text.has_value());
                lexicon.add(playbook.comparable(*text), ListSet{1} << list);
            }
        }
    }
    return lexicon;
}

}  // namespace

const Lexicon& draft_lexicon() {
    static const Lexicon lexicon = read_draft_words(~ListSet{0});
    return lexicon;
}

const Lexicon& anchor_lexicon() {
    static const Lexicon lexicon = read_draft_words(bit(DraftList::Anchor));
    return lexicon;
}

}  // namespace a2h::decide
