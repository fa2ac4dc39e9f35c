#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"
#include "daemon/collab/negotiation.h"

namespace a2h::collab {

/// What a finished plan becomes.
enum class Realisation {
    Briefs,  ///< a task for each who accepted, with their part as the brief
    Offers,  ///< to each who accepted and named a price, an offer of exactly that: the way to an
             ///< order
    Rfps     ///< a request for proposals for each gap
};
std::string_view to_string(Realisation value);
std::optional<Realisation> parse_realisation(std::string_view text);

/// One call of an operation of the catalogue that makes a part of the plan real.
struct Deed {
    Realisation as = Realisation::Briefs;
    std::string subject;  ///< agent id, or the gap: once a negotiation and realisation
    std::string name;     ///< of that agent; may be empty
    std::string text;     ///< what they are to do, or why the gap is one
    std::optional<Price> price;
    std::string action;
    std::string arguments_json;  ///< an object
};

/// What the plan becomes: of one kind, or each part an offer where it has a price, else a brief,
/// and each gap a request for proposals. Reads nothing that was only presumed: parts are those of
/// `final_plan` (R31, R32). The plan of a negotiation that has not been finalised becomes nothing.
/// Pure; any thread.
std::vector<Deed> deeds_of(const Run& run, std::optional<Realisation> as);

/// Where a deed stands.
struct DeedState {
    bool is_put = false;                 ///< to people, as a question of its own
    std::string approval_id;             ///< of that question
    std::optional<Approval> approval{};  ///< empty: an older a2hd did not keep what became of it
    /// Not put yet; or nobody has answered, or the yes failed: nothing has come of it.
    bool may_be_put = true;
};
/// Errors: those of `db`. Thread: the one of `db`.
Result<DeedState> state_of_deed(store::Database& db, const std::string& negotiation_id,
                                const Deed& deed);
/// As, subject, text and price, and once it was put approval_id, status and outcome.
nlohmann::json to_json(const Deed& deed, const DeedState& state);

/// All that the final plan becomes if nobody says otherwise, with `may_be_asked` where that would
/// put it (again), and what was put besides; empty while it is not final. Errors and thread as
/// above.
Result<nlohmann::json> deeds_view(store::Database& db, const Run& run);

}  // namespace a2h::collab
