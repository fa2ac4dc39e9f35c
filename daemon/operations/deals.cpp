#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/store/approval_store.h"
#include "core/store/deal_store.h"
#include "core/store/inbox_store.h"
#include "core/store/listing_store.h"
#include "daemon/deals/book.h"
#include "daemon/deals/deal_json.h"
#include "daemon/kernel/services.h"
#include "daemon/operations/history_json.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct DealParts {
    const kernel::Services& kernel;
};

constexpr int kDealsShown = 20;
constexpr int kMessagesShown = 10;

/// `deal` as it is now, with the title of a listing of our own.
Result<json> shown(const DealParts& parts, Deal deal) {
    store::Database& reader = parts.kernel.reader;
    A2H_ASSIGN_OR_RETURN(deal,
                         deals::refreshed(reader, std::move(deal), parts.kernel.clock.now_ms()));
    json item = deals::deal_json(deal);
    if (deal.subject.kind != kListingSubject) return item;
    A2H_ASSIGN_OR_RETURN(const auto listing,
                         store::find_listing(reader, deal.agent_id, deal.subject.id));
    if (listing) {
        item["subject"]["title"] = listing->title;
        if (!listing->expected_price.empty()) item["subject"]["price"] = listing->expected_price;
    }
    return item;
}

Result<json> handle_deal_list(const DealParts& parts, const Call& call) {
    const store::DealFilter filter{.agent_id = call.agent_id(),
                                   .peer_id = call.text("peer_id"),
                                   .only_live = !call.arguments.value("all", false),
                                   .page = call.number("page", 1),
                                   .page_size = call.number("limit", kDealsShown)};
    A2H_ASSIGN_OR_RETURN(auto page, store::list_deals(parts.kernel.reader, filter));
    json items = json::array();
    for (Deal& deal : page.deals) {
        A2H_ASSIGN_OR_RETURN(auto item, shown(parts, std::move(deal)));
        items.push_back(std::move(item));
    }
    return json{{"items", std::move(items)},
                {"page", filter.page},
                {"limit", filter.page_size},
                {"more", page.has_more}};
}

/// The questions that wait about the peer of `deal`.
Result<json> questions_json(store::Database& reader, const Deal& deal) {
    A2H_ASSIGN_OR_RETURN(const auto open,
                         store::pending_about(reader, deal.agent_id, deal.peer_id));
    json ids = json::array();
    for (const Approval& question : open)
        ids.push_back(question.id);
    return ids;
}

Result<json> handle_deal_get(const DealParts& parts, const Call& call) {
    store::Database& reader = parts.kernel.reader;
    A2H_ASSIGN_OR_RETURN(const auto found, store::get_deal(reader, call.text("deal_id")));
    if (!found || found->agent_id != call.agent_id())
        return fail(ErrorCode::NotFound, "this agent has no deal " + call.text("deal_id"));
    A2H_ASSIGN_OR_RETURN(auto deal, shown(parts, *found));
    A2H_ASSIGN_OR_RETURN(auto questions, questions_json(reader, *found));
    A2H_ASSIGN_OR_RETURN(const auto entries, store::history(reader, found->agent_id, found->peer_id,
                                                            1, kMessagesShown));
    return json{{"deal", std::move(deal)},
                {"approval_ids", std::move(questions)},
                {"items", history_json(entries)}};
}

}  // namespace

void add_deals(Table& table, const AllParts& all) {
    const DealParts parts{all.kernel};
    table.add("deal.list", with(parts, handle_deal_list));
    table.add("deal.get", with(parts, handle_deal_get));
}

}  // namespace a2h::operations
