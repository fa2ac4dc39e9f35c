#pragma once

#include <string>
#include <vector>

#include "core/base/money.h"
#include "core/domain/stage_case.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"
#include "daemon/decide/decision.h"
#include "daemon/model/drafter.h"

namespace a2h::stages {

/// What no draft may name: the amounts of the agent's live mandates.
/// Errors: those of the store. Thread: that of `db`.
Result<std::vector<Money>> secret_amounts(store::Database& db, const std::string& agent_id);

/// The review by code, which everything passes whatever another program says, on its way to it and
/// once more on its way out: words of a model by `decide::review_draft`, a rule's reply as without
/// stages. Our own words that tell a peer to wait state nothing. An amount that a listing states is
/// no secret. `peer` is the peer's language, `reader` that of the reasons. Pure. Thread: any.
decide::Review own_review(CaseKind kind, const model::Draft& draft, const decide::Input& input,
                          const std::vector<Money>& secrets, i18n::Language peer,
                          i18n::Language reader);

}  // namespace a2h::stages
