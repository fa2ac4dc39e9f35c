#include "daemon/deals/view.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "core/store/listing_store.h"
#include "daemon/deals/book.h"
#include "daemon/deals/deal_json.h"

namespace a2h::deals {

using nlohmann::json;

Result<json> shown(store::Database& db, Deal deal, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(deal, refreshed(db, std::move(deal), now_ms));
    json item = deal_json(deal);
    if (deal.subject.kind != kListingSubject) return item;
    A2H_ASSIGN_OR_RETURN(const auto listing,
                         store::find_listing(db, deal.agent_id, deal.subject.id));
    if (listing) {
        item["subject"]["title"] = listing->title;
        if (!listing->expected_price.empty()) item["subject"]["price"] = listing->expected_price;
    }
    return item;
}

Result<json> list_shown(store::Database& db, const store::DealFilter& filter, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto page, store::list_deals(db, filter));
    json items = json::array();
    for (Deal& deal : page.deals) {
        A2H_ASSIGN_OR_RETURN(auto item, shown(db, std::move(deal), now_ms));
        items.push_back(std::move(item));
    }
    return json{{"items", std::move(items)},
                {"page", filter.page},
                {"limit", filter.page_size},
                {"more", page.has_more}};
}

Result<json> questions_about(store::Database& db, std::string_view agent_id,
                             std::string_view peer_id) {
    A2H_ASSIGN_OR_RETURN(const auto open, store::pending_about(db, agent_id, peer_id));
    json ids = json::array();
    for (const Approval& question : open)
        ids.push_back(question.id);
    return ids;
}

}  // namespace a2h::deals
