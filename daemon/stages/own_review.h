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

/// Amounts that no draft may name: those of the agent's valid mandates.
///
/// Errors:  those of the store.
/// Thread:  that of `db`.
Result<std::vector<Money>> secret_amounts(store::Database& db, const std::string& agent_id);

/// The facts that the review of a draft uses besides listings and message.
struct OwnFacts {
    std::vector<Money> secrets;       ///< amounts that no draft may name
    std::vector<std::string> stated;  ///< texts that a draft may repeat
};

constexpr int kStatedTextsMax = 20;
constexpr UnixMs kStatedForMs = 7LL * 24 * 3600 * 1000;

/// Texts for `peer_id` that were sent, or are about to be sent, with a yes: words that the owner
/// approved, and valid offers under a mandate. The newest `kStatedTextsMax` within `kStatedForMs`,
/// without those about another listing than a non-empty `works_id`. Instructions are not included,
/// because they may contain what the peer must not learn.
///
/// Errors:  those of the store.
/// Thread:  that of `db`.
Result<std::vector<std::string>> stated_texts(store::Database& db, const std::string& agent_id,
                                              const std::string& peer_id,
                                              const std::string& works_id, UnixMs now_ms);

/// The built-in review. Every draft must pass it before another program reviews it and again before
/// it is sent, whatever that program answers. A model's words are judged by `decide::review_draft`,
/// a rule's reply as without stages. Holding replies contain no facts and pass. An amount is secret
/// only if `known` contains it and no listing does. `peer` is the peer's language, `reader` the
/// language of the reasons. Pure.
///
/// Thread:  any.
decide::Review own_review(CaseKind kind, const model::Draft& draft, const decide::Input& input,
                          const OwnFacts& known, i18n::Language peer, i18n::Language reader);

}  // namespace a2h::stages
