#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/wire/demand_json.h"
#include "daemon/collab/negotiation.h"

namespace a2h::collab {

// The part of a demand that invited agents read: the words that the owner has seen, and nothing
// that a2hd or a model has read out of them. A budget or a date that was read wrongly, a motive, or
// a tag that a stranger has put into a profile would otherwise be said in the owner's name without
// a yes.
//
// Thread:  any.
// Source:  docs/rulings.md, R62.

/// The demand of `negotiation` with those of `tags` that stand in its words, case and character
/// width aside.
wire::Understanding disclosed_demand(const Negotiation& negotiation,
                                     const std::vector<std::string>& tags);

/// Those of `tags` that stand in `words`.
std::vector<std::string> disclosed_tags(std::string_view words,
                                        const std::vector<std::string>& tags);

}  // namespace a2h::collab
