#include "daemon/consent/agreement.h"

#include <algorithm>

#include "core/store/agreement_store.h"

namespace a2h::consent {

Result<bool> has_standing_agreement(store::Database& db, const Subject& subject) {
    A2H_ASSIGN_OR_RETURN(
        const auto released_ms,
        store::last_agreement_ms(db, subject.agent_id, subject.peer_id, subject.works_id));
    A2H_ASSIGN_OR_RETURN(const auto continued_ms, last_agreed_ms(db, subject));
    const UnixMs agreed_ms = std::max(released_ms, continued_ms);
    if (agreed_ms == 0) return false;
    A2H_ASSIGN_OR_RETURN(const auto ordered_ms,
                         store::last_order_ms(db, subject.agent_id, subject.peer_id));
    return agreed_ms > ordered_ms;
}

}  // namespace a2h::consent
