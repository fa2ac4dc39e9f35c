#include "daemon/collab/told.h"

#include <algorithm>
#include <iterator>

#include "daemon/collab/model_words.h"

namespace a2h::collab {

std::vector<std::string> told_tags(std::string_view words, const std::vector<std::string>& tags) {
    std::vector<std::string> told;
    std::copy_if(tags.begin(), tags.end(), std::back_inserter(told),
                 [&](const std::string& tag) { return stands_in(words, tag); });
    return told;
}

wire::Understanding told_demand(const Negotiation& negotiation,
                                const std::vector<std::string>& tags) {
    wire::Understanding told;
    told.surface_demand = negotiation.raw_input;
    told.capability_tags = told_tags(negotiation.raw_input, tags);
    told.confidence = "low";
    return told;
}

}  // namespace a2h::collab
