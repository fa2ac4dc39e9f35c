#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/decide/draft_review.h"
#include "daemon/decide/playbook.h"
#include "daemon/reading/knowledge.h"

namespace a2h::decide {

/// What takes the place of a quotation: no letter, no digit, and in no list.
constexpr std::string_view kQuotedMark = " ¤ ";

/// What the facts of a draft state, in the forms in which drafts are compared with it. Refers to
/// nothing but the vocabulary. Thread: any.
class DraftSources {
  public:
    DraftSources(const DraftFacts& facts, const Vocabulary& vocabulary);

    /// True when comparable `words` stand in one of the texts, as whole words.
    bool says(std::string_view words) const;
    /// True when a text has the character `raw` (UTF-8), before anything was folded.
    bool has_character(std::string_view raw) const;
    /// True when a text has this link, letter by letter.
    bool has_link(std::string_view raw) const;
    /// True when a text has the word in some form, or one that means the same.
    bool knows(std::string_view word) const { return knowledge_.knows_all(word); }
    /// True when the texts name this number with the same unit or currency.
    bool states(const NumberMention& number) const;

    /// Comparable `text` with `kQuotedMark` for links and for whole fields and clauses of the
    /// texts. Never for less: what comes behind "not" or before "only" would mean the opposite. Nor
    /// for a clause of `DraftFacts::stated` that agrees to something: that was about something
    /// else.
    std::string without_quotations(std::string_view text) const;

  private:
    std::size_t quotation_at(std::string_view text, std::size_t position) const;

    std::vector<Listing> texts_;  ///< before `knowledge_`, which is made of it
    std::string raw_;
    std::vector<std::string> links_;       ///< as they are written
    std::vector<std::string> fields_;      ///< comparable
    std::vector<std::string> quotations_;  ///< fields, clauses and links, the longest first
    Knowledge knowledge_;
    std::vector<NumberMention> numbers_;
};

}  // namespace a2h::decide
