#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/i18n/messages.h"
#include "market/db/database.h"
#include "market/store/proposal_store.h"
#include "market/store/rfp_store.h"

namespace a2h::market {

struct ComparedProposal {
    Proposal proposal;
    std::string supplier_name;
    std::string deal_id{};                ///< empty: none
    std::optional<bool> within_budget{};  ///< nullopt: no budget, or another currency
    bool other_currency = false;          ///< flagged, not compared (R25)
    std::optional<int> rank{};            ///< 1 is best; nullopt: not compared
};

/// The proposals for an RFP side by side.
struct RfpSummary {
    Rfp rfp;
    std::string currency;    ///< what is compared; empty: nothing can be
    std::int64_t count = 0;  ///< live: not withdrawn (R21)
    std::int64_t total = 0;
    std::vector<ComparedProposal> proposals;  ///< ranked ones first, then in order of arrival
};

/// Compares: the budget's currency, or without a budget the one that all live proposals share, is
/// what is compared. Pending and accepted ones are ranked, the cheapest first; of equal prices the
/// earlier delivery, where it is a time; then what came first. Pure.
void rank_proposals(RfpSummary& summary);

/// Errors: NotFound when `agent_id` does not see the RFP; PermissionDenied when it is not its
/// creator: how many proposals there are is nobody else's business (R22).
Result<RfpSummary> summarize_rfp(db::Transaction& transaction, std::string_view rfp_id,
                                 std::string_view agent_id, UnixMs now_ms);

nlohmann::json summary_json(const RfpSummary& summary, UnixMs now_ms);

/// The same for a person, as GitHub's Markdown. What agents wrote is one line of plain text, cut to
/// 100 characters: nothing in it is markup, a link, or a cell of its own.
std::string summary_markdown(const RfpSummary& summary, i18n::Language language, UnixMs now_ms);

/// Foreign text for a cell of a table in Markdown.
std::string markdown_cell(std::string_view text);

}  // namespace a2h::market
