#include "market/exchange/summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "market/exchange/exchange_json.h"
#include "market/exchange/proposals.h"
#include "market/exchange/rfps.h"
#include "market/store/agent_store.h"
#include "market/store/deal_store.h"

namespace a2h::market {
namespace {

using i18n::Language;
using nlohmann::json;

bool is_candidate(const Proposal& proposal) {
    return proposal.status == ProposalStatus::Pending ||
           proposal.status == ProposalStatus::Accepted;
}

std::string compared_currency(const RfpSummary& summary) {
    if (summary.rfp.budget) return summary.rfp.budget->currency;
    std::set<std::string> currencies;
    for (const ComparedProposal& row : summary.proposals) {
        if (row.proposal.status != ProposalStatus::Withdrawn) {
            currencies.insert(row.proposal.price.currency);
        }
    }
    return currencies.size() == 1 ? *currencies.begin() : std::string();
}

/// Texts that are not a time are sorted after all times.
UnixMs delivery_ms(const Proposal& proposal) {
    const auto time = parse_day_or_time(proposal.delivery_at);
    return time ? *time : INT64_MAX;
}

auto rank_key(const ComparedProposal& row) {
    const Proposal& proposal = row.proposal;
    return std::tuple(!row.rank.has_value(), row.rank ? proposal.price.minor : 0,
                      row.rank ? delivery_ms(proposal) : 0, proposal.created_at_ms,
                      proposal.proposal_id);
}

Result<ComparedProposal> compared(db::Transaction& transaction, Proposal proposal) {
    A2H_ASSIGN_OR_RETURN(const auto supplier, store::find_agent(transaction, proposal.supplier_id));
    ComparedProposal row{.proposal = std::move(proposal),
                         .supplier_name = supplier ? supplier->name : ""};
    A2H_ASSIGN_OR_RETURN(auto deal_id,
                         store::deal_of_proposal(transaction, row.proposal.proposal_id));
    row.deal_id = std::move(deal_id);
    return row;
}

/// Characters with a meaning in Markdown, in any place or where a link may begin. Markdown readers
/// make links from "www.", "://" and "a@b" even without brackets.
bool is_markup(std::string_view text, std::size_t at) {
    const char c = text[at];
    if (std::string_view("\\`*_{}[]<>()#!|~&$@").find(c) != std::string_view::npos) return true;
    if (c == ':') return text.substr(at + 1, 2) == "//";
    const auto before = at >= 3 ? text.substr(at - 3, 3) : std::string_view();
    const bool www = before.size() == 3 && std::all_of(before.begin(), before.end(),
                                                       [](char w) { return w == 'w' || w == 'W'; });
    return c == '.' && www;
}

class Table {
  public:
    explicit Table(Language language) : language_(language) {}

    std::string text(std::string_view key) const { return i18n::text(language_, key); }
    std::string yes_no(bool yes) const { return text(yes ? "market.yes" : "market.no"); }
    std::string status(RfpStatus status) const {
        switch (status) {
            case RfpStatus::Open:
                return text("market.rfp_open");
            case RfpStatus::Closed:
                return text("market.rfp_closed");
            case RfpStatus::Cancelled:
                return text("market.rfp_cancelled");
        }
        A2H_CHECK(false);
    }
    std::string status(ProposalStatus status) const {
        switch (status) {
            case ProposalStatus::Pending:
                return text("market.proposal_pending");
            case ProposalStatus::Accepted:
                return text("market.proposal_accepted");
            case ProposalStatus::Rejected:
                return text("market.proposal_rejected");
            case ProposalStatus::Withdrawn:
                return text("market.proposal_withdrawn");
        }
        A2H_CHECK(false);
    }
    std::string row(const ComparedProposal& each) const {
        const Proposal& proposal = each.proposal;
        const std::string within = each.within_budget    ? yes_no(*each.within_budget)
                                   : each.other_currency ? text("market.other_currency")
                                                         : "";
        const std::string name = each.supplier_name.empty()
                                     ? proposal.supplier_id
                                     : each.supplier_name + " (" + proposal.supplier_id + ")";
        return "| " + (each.rank ? std::to_string(*each.rank) : "") + " | " + markdown_cell(name) +
               " | " + to_text(proposal.price) + " | " + within + " | " +
               markdown_cell(proposal.delivery_at) + " | " + status(proposal.status) + " | " +
               markdown_cell(proposal.proposal_id) + " |\n";
    }
    std::string head() const {
        std::string names = "|";
        std::string line = "|";
        for (const char* key :
             {"market.column_rank", "market.column_supplier", "market.column_price",
              "market.column_within_budget", "market.column_delivery", "market.column_status",
              "market.column_proposal"}) {
            names += " " + text(key) + " |";
            line += "---|";
        }
        return names + "\n" + line + "\n";
    }

  private:
    Language language_;
};

}  // namespace

void rank_proposals(RfpSummary& summary) {
    summary.currency = compared_currency(summary);
    summary.total = static_cast<std::int64_t>(summary.proposals.size());
    summary.count = 0;
    for (ComparedProposal& row : summary.proposals) {
        const Money& price = row.proposal.price;
        if (row.proposal.status != ProposalStatus::Withdrawn) ++summary.count;
        row.other_currency = price.currency != summary.currency;
        if (row.other_currency) continue;
        if (summary.rfp.budget) row.within_budget = price.minor <= summary.rfp.budget->minor;
        if (is_candidate(row.proposal)) row.rank = 0;
    }
    std::sort(summary.proposals.begin(), summary.proposals.end(),
              [](const auto& a, const auto& b) { return rank_key(a) < rank_key(b); });
    int rank = 0;
    for (ComparedProposal& row : summary.proposals) {
        if (row.rank) row.rank = ++rank;
    }
}

Result<RfpSummary> summarize_rfp(db::Transaction& transaction, std::string_view rfp_id,
                                 std::string_view agent_id, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto seen, see_rfp(transaction, rfp_id, agent_id));
    if (seen.role != RfpRole::Creator) {
        return fail(ErrorCode::PermissionDenied, "only its creator may compare an RFP's proposals");
    }
    A2H_ASSIGN_OR_RETURN(auto proposals,
                         store::list_proposals(transaction, {.rfp_id = seen.rfp.rfp_id,
                                                             .supplier_id = "",
                                                             .offset = 0,
                                                             .limit = kProposalsPerRfpMax}));
    RfpSummary summary{.rfp = std::move(seen.rfp), .currency = "", .proposals = {}};
    summary.rfp.status = summary.rfp.status_at(now_ms);
    for (Proposal& proposal : proposals) {
        A2H_ASSIGN_OR_RETURN(auto row, compared(transaction, std::move(proposal)));
        summary.proposals.push_back(std::move(row));
    }
    rank_proposals(summary);
    return summary;
}

json summary_json(const RfpSummary& summary, UnixMs now_ms) {
    json rows = json::array();
    for (const ComparedProposal& each : summary.proposals) {
        const Proposal& proposal = each.proposal;
        json row{{"proposal_id", proposal.proposal_id},
                 {"supplier_agent_id", proposal.supplier_id},
                 {"supplier_name", each.supplier_name},
                 {"status", to_string(proposal.status)},
                 {"price", price_json(proposal.price)},
                 {"other_currency", each.other_currency},
                 {"created_at", to_utc_time(proposal.created_at_ms)}};
        if (each.within_budget) row["within_budget"] = *each.within_budget;
        if (!proposal.delivery_at.empty()) row["delivery_at"] = proposal.delivery_at;
        if (each.rank) row["rank"] = *each.rank;
        if (!each.deal_id.empty()) row["deal_id"] = each.deal_id;
        rows.push_back(std::move(row));
    }
    json data{{"rfp", rfp_json(summary.rfp, now_ms)},
              {"count", summary.count},
              {"total", summary.total},
              {"proposals", std::move(rows)}};
    if (!summary.currency.empty()) data["currency"] = summary.currency;
    return data;
}

std::string markdown_cell(std::string_view text) {
    const std::string line = preview(printable(text));
    std::string cell;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (is_markup(line, i)) cell += '\\';
        cell += line[i];
    }
    return cell;
}

std::string summary_markdown(const RfpSummary& summary, Language language, UnixMs now_ms) {
    const Table table(language);
    const Rfp& rfp = summary.rfp;
    const auto line = [&](std::string_view key, const std::string& value) {
        return "- " + table.text(key) + table.text("market.colon") + value + "\n";
    };
    std::string out = "### " + markdown_cell(rfp.title) + "\n\n";
    out += line("market.summary_rfp", markdown_cell(rfp.rfp_id));
    out += line("market.summary_status", table.status(rfp.status_at(now_ms)));
    if (rfp.budget) out += line("market.summary_budget", to_text(*rfp.budget));
    if (rfp.deadline_at_ms)
        out += line("market.summary_deadline", to_utc_time(*rfp.deadline_at_ms));
    out += line("market.summary_count", i18n::text(language, "market.summary_count_of",
                                                   {{"count", std::to_string(summary.count)},
                                                    {"total", std::to_string(summary.total)}}));
    if (summary.proposals.empty()) return out;
    out += "\n" + table.head();
    for (const ComparedProposal& each : summary.proposals)
        out += table.row(each);
    return out;
}

}  // namespace a2h::market
