#include "daemon/collab/disclosed.h"

#include <algorithm>
#include <iterator>

#include "daemon/collab/model_words.h"

namespace a2h::collab {

std::vector<std::string> disclosed_tags(std::string_view words,
                                        const std::vector<std::string>& tags) {
    std::vector<std::string> disclosed;
    std::copy_if(tags.begin(), tags.end(), std::back_inserter(disclosed),
                 [&](const std::string& tag) { return stands_in(words, tag); });
    return disclosed;
}

wire::Understanding disclosed_demand(const Negotiation& negotiation,
                                     const std::vector<std::string>& tags) {
    wire::Understanding disclosed;
    disclosed.surface_demand = negotiation.raw_input;
    disclosed.capability_tags = disclosed_tags(negotiation.raw_input, tags);
    disclosed.confidence = "low";
    return disclosed;
}

}  // namespace a2h::collab
