#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/wire/demand_json.h"

namespace a2h::collab {

constexpr std::size_t kCandidatesMax = 20;

/// Somebody of the known profiles who may be invited.
struct Candidate {
    std::string agent_id;
    std::string display_name;
    std::vector<std::string> tags;  ///< those of the demand that it stands for, as written there
    std::string reason;             ///< in the demand's language: what it offers and for what
    int match_score = 0;            ///< 1 to 100
};

struct Filtered {
    std::vector<Candidate> definitely_related;  ///< one of its tags covers one of the demand's
    std::vector<Candidate> possibly_related;    ///< only its other words do
};

/// Chooses by rules from the active profiles, best first: tags, then the words of capabilities,
/// interests and summary, then place and time. Every tag of the demand that anybody covers is
/// covered by the best of those; together at most `candidates_max`; never the requester. A demand
/// without tags is compared by its own words, which makes candidates possible ones only. Among
/// equals those come first whose profile is newer.
/// Errors: those of the database. Thread: any with a reader of its own; blocks on the disk.
/// Source: R35; docs/negotiation.md, "Who is asked".
Result<Filtered> filter_by_rules(store::Database& reader, const wire::Understanding& demand,
                                 std::string_view requester_id,
                                 std::size_t candidates_max = kCandidatesMax);

}  // namespace a2h::collab
