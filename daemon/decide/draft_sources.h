#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/decide/draft_review.h"
#include "daemon/decide/playbook.h"
#include "daemon/reading/knowledge.h"

namespace a2h::decide {

/// The replacement for a quotation. It contains no letter and no digit and is in no list.
constexpr std::string_view kQuotedMark = " ¤ ";

/// What the facts of a draft state, in the forms in which drafts are compared with it. Refers only
/// to the vocabulary.
///
/// Thread:  any.
class DraftSources {
  public:
    DraftSources(const DraftFacts& facts, const Vocabulary& vocabulary);

    /// True if one of the texts contains comparable `words` as whole words.
    bool says(std::string_view words) const;
    /// True if a text contains the character `raw` (UTF-8), before folding.
    bool has_character(std::string_view raw) const;
    /// True if a text contains exactly this link.
    bool has_link(std::string_view raw) const;
    /// True if a text contains the word in some form, or a word with the same meaning.
    bool knows(std::string_view word) const { return knowledge_.knows_all(word); }
    /// True if the texts name this number with the same unit or currency.
    bool states(const NumberMention& number) const;

    /// Comparable `text` with `kQuotedMark` in place of links and of whole fields and clauses of
    /// the texts. Shorter parts are not replaced: after "not" or before "only" they would mean the
    /// opposite. A clause of `DraftFacts::stated` that agrees to something is not replaced either,
    /// because it was about something else.
    std::string without_quotations(std::string_view text) const;

  private:
    std::size_t quotation_at(std::string_view text, std::size_t position) const;

    std::vector<Listing> texts_;  ///< before `knowledge_`, which is built from it
    std::string raw_;
    std::vector<std::string> links_;       ///< as written
    std::vector<std::string> fields_;      ///< in comparable form
    std::vector<std::string> quotations_;  ///< fields, clauses and links, longest first
    Knowledge knowledge_;
    std::vector<NumberMention> numbers_;
};

}  // namespace a2h::decide
