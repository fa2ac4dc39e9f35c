#pragma once

#include <array>
#include <string_view>

#include "daemon/reading/lexicon.h"

namespace a2h::decide {

/// The lists of playbooks/draft_review.toml, by the names of `kDraftListNames`.
enum class DraftList {
    Discount,
    Date,
    Promise,
    Agreement,
    Payment,
    Contact,
    Link,
    Human,
    Limit,
    Approval,
    Number,
    Tag,
    Asks,
    Restates,
    Denies,
    Anchor,
    Harmless,
};
constexpr std::array<std::string_view, 17> kDraftListNames = {
    "discount", "date",     "promise", "agreement", "payment", "contact",
    "link",     "human",    "limit",   "approval",  "number",  "tag",
    "asks",     "restates", "denies",  "anchor",    "harmless"};

constexpr ListSet bit(DraftList list) {
    return ListSet{1} << static_cast<unsigned>(list);
}

/// All lists in one lexicon, with the bits of `bit(DraftList)`. `comparable` is how its words and
/// the searched texts were made comparable. Built once.
///
/// Thread:  any.
const Lexicon& draft_lexicon();

/// Only `DraftList::Anchor`, so that "thanks" is also found in "thanks for". Built once.
///
/// Thread:  any.
const Lexicon& anchor_lexicon();

}  // namespace a2h::decide
