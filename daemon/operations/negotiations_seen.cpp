#include "daemon/operations/negotiations_seen.h"

#include <utility>

#include "core/store/demand_store.h"

namespace a2h::operations {

std::string seen_by(const Call& call) {
    return call.caller.face == Face::Human ? std::string() : call.agent_id();
}

Result<Negotiation> negotiation_named(store::Database& db, const std::string& agent_id,
                                      const std::string& id) {
    A2H_ASSIGN_OR_RETURN(auto found, store::find_negotiation(db, id));
    if (!found || (!agent_id.empty() && found->agent_id != agent_id)) {
        return fail(ErrorCode::NotFound, "there is no negotiation " + id);
    }
    return std::move(*found);
}

}  // namespace a2h::operations
