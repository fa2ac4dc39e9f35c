#pragma once

#include <vector>

#include "daemon/decide/listing_index.h"
#include "daemon/decide/reading.h"

namespace a2h::decide {

/// Places of listings in an index.
using Places = std::vector<std::size_t>;

/// The listings of ours that a message is about: that of its works id, those whose titles it names,
/// that of the conversation, those that know its words or state the details it asks for; all that
/// are offered when nothing tells them apart, none for a works id that is not ours.
Places meant_listings(const Input& input, const ListingIndex& index, const Reading& reading,
                      const RuleSet::Impl& playbook);

}  // namespace a2h::decide
