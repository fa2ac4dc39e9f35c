#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/wire/demand_json.h"

namespace a2h::collab {

constexpr std::size_t kCandidatesMax = 20;

/// An agent with a known profile that may be invited.
struct Candidate {
    std::string agent_id;
    std::string display_name;
    std::vector<std::string> tags;  ///< tags of the demand that it covers, as written in the demand
    std::string
        reason;  ///< in the language of the demand: what the agent offers and for which part
    int match_score = 0;  ///< 1 to 100
};

struct Filtered {
    std::vector<Candidate> definitely_related;  ///< one of its tags covers a tag of the demand
    std::vector<Candidate> possibly_related;    ///< only its other words match
};

/// Chooses candidates by rules from the active profiles, best first: by tags, then by the words of
/// capabilities, interests and summary, then by place and time. Each tag of the demand that anybody
/// covers is covered by the best candidates for it. The result has at most `candidates_max` entries
/// and never contains the requester. A demand without tags is compared by its words, and then all
/// candidates are only possible ones. Among equals, newer profiles come first.
///
/// Errors:  those of the database.
/// Thread:  any, with a reader of its own; blocks on the disk.
/// Source:  R35; docs/negotiation.md, "Who is asked".
Result<Filtered> filter_by_rules(store::Database& reader, const wire::Understanding& demand,
                                 std::string_view requester_id,
                                 std::size_t candidates_max = kCandidatesMax);

}  // namespace a2h::collab
