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

/// The statements of a draft's facts, in the forms in which drafts are compared with it. Refers
/// only to the vocabulary.
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

    /// Comparable `text` with `kQuotedMark` in place of links and of whole fields and sentences of
    /// the texts. Shorter parts are not replaced: without "not" or "if you cancel in time" they
    /// would mean something else. A sentence of `DraftFacts::stated` that agrees to something is
    /// not replaced either, because it was about something else.
    std::string without_quotations(std::string_view text) const;

  private:
    void add_quotations(const std::string& field, bool is_listing, const Vocabulary& vocabulary);

    std::vector<Listing> texts_;  ///< before `knowledge_`, which is built from it
    std::string raw_;
    std::vector<std::string> links_;       ///< as written
    std::vector<std::string> fields_;      ///< in comparable form
    std::vector<std::string> quotations_;  ///< fields, sentences and links, longest first
    Knowledge knowledge_;
    std::vector<NumberMention> numbers_;
};

}  // namespace a2h::decide
