#include "daemon/decide/draft_words.h"

#include <toml++/toml.h>

#include "core/base/check.h"
#include "daemon/decide/playbook.h"
#include "embedded/playbooks.h"

namespace a2h::decide {
namespace {

struct DraftWords {
    Lexicon all;
    Lexicon anchors;
};

/// The file is part of the program, so an error in it is our bug; a test reads it.
DraftWords read_draft_words() {
    const auto file = embedded::playbooks("draft_review.toml");
    A2H_CHECK(file.has_value());
    const toml::table table = toml::parse(*file);
    A2H_CHECK(table.size() == kDraftListNames.size());
    const Lexicon& lexicon = built_in_vocabulary().lexicon;
    DraftWords draft_words;
    for (std::size_t list = 0; list < kDraftListNames.size(); ++list) {
        const ListSet set = ListSet{1} << list;
        for (const std::string_view language : {"en", "zh"}) {
            const auto* words = table[kDraftListNames[list]][language].as_array();
            A2H_CHECK(words != nullptr);
            for (const auto& word : *words) {
                const auto text = word.value_exact<std::string>();
                A2H_CHECK(text.has_value());
                const std::string comparable = lexicon.comparable(*text);
                draft_words.all.add(comparable, set);
                if (set == bit(DraftList::Anchor)) draft_words.anchors.add(comparable, set);
            }
        }
    }
    return draft_words;
}

/// Built once, by the thread that reads the first answer of a model.
const DraftWords& draft_words() {
    static const DraftWords words = read_draft_words();
    return words;
}

}  // namespace

const Lexicon& draft_lexicon() {
    return draft_words().all;
}

const Lexicon& anchor_lexicon() {
    return draft_words().anchors;
}

}  // namespace a2h::decide
