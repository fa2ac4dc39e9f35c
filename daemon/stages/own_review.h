#pragma once

#include <string>
#include <vector>

#include "core/base/clock.h"
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

/// What the review of a draft goes by besides listings and message.
struct OwnFacts {
    std::vector<Money> secrets;       ///< what no draft may name
    std::vector<std::string> stated;  ///< what a draft may say again
};

/// What has left, or is about to, with somebody's yes for `peer_id`: words that the owner approved,
/// offers under a mandate while they hold. The newest `kStatedTextsMax` of `kStatedForMs`; without
/// those about another listing than `works_id`, if it is not empty. The words of an instruction are
/// not among them: they may say what the peer must not hear.
/// Errors: those of the store. Thread: that of `db`.
constexpr int kStatedTextsMax = 20;
constexpr UnixMs kStatedForMs = 7LL * 24 * 3600 * 1000;
Result<std::vector<std::string>> stated_texts(store::Database& db, const std::string& agent_id,
                                              const std::string& peer_id,
                                              const std::string& works_id, UnixMs now_ms);

/// The review by code, which everything passes whatever another program says, on its way to it and
/// once more on its way out: words of a model by `decide::review_draft`, a rule's reply as without
/// stages. Our own words that tell a peer to wait state nothing. An amount that a listing states is
/// no secret; one that `known` alone states stays one. `peer` is the peer's language, `reader` that
/// of the reasons. Pure. Thread: any.
decide::Review own_review(CaseKind kind, const model::Draft& draft, const decide::Input& input,
                          const OwnFacts& known, i18n::Language peer, i18n::Language reader);

}  // namespace a2h::stages
