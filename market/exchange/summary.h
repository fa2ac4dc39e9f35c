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
    bool other_currency = false;          ///< marked, but not compared (R25)
    std::optional<int> rank{};            ///< 1 is best; nullopt: not compared
};

/// All proposals for an RFP for comparison.
struct RfpSummary {
    Rfp rfp;
    std::string currency;    ///< currency of the comparison; empty: no comparison is possible
    std::int64_t count = 0;  ///< live: not withdrawn (R21)
    std::int64_t total = 0;
    std::vector<ComparedProposal> proposals;  ///< ranked ones first, then in order of arrival
};

/// Ranks the proposals. The compared currency is that of the budget, or without a budget the one
/// that all live proposals share. Pending and accepted proposals are ranked by price, then by
/// delivery if it is a time, then by arrival. Pure.
void rank_proposals(RfpSummary& summary);

/// Errors:  NotFound if `agent_id` cannot see the RFP; PermissionDenied if it is not its creator,
///          because only the creator may know the number of proposals (R22).
Result<RfpSummary> summarize_rfp(db::Transaction& transaction, std::string_view rfp_id,
                                 std::string_view agent_id, UnixMs now_ms);

nlohmann::json summary_json(const RfpSummary& summary, UnixMs now_ms);

/// The same for a person, in GitHub's Markdown. A text of an agent is one line of plain text, cut
/// to 100 characters, and cannot contain markup, a link, or a cell of its own.
std::string summary_markdown(const RfpSummary& summary, i18n::Language language, UnixMs now_ms);

/// Foreign text for a table cell in Markdown.
std::string markdown_cell(std::string_view text);

}  // namespace a2h::market
