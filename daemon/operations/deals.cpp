#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/store/deal_store.h"
#include "core/store/inbox_store.h"
#include "daemon/deals/view.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/history_json.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct DealParts {
    const kernel::Kernel& kernel;
};

constexpr int kDealsShown = 20;
constexpr int kMessagesShown = 10;

Result<json> handle_deal_list(const DealParts& parts, const Call& call) {
    const store::DealFilter filter{.agent_id = call.agent_id(),
                                   .peer_id = call.text("peer_id"),
                                   .only_live = !call.arguments.value("all", false),
                                   .page = call.number("page", 1),
                                   .page_size = call.number("limit", kDealsShown)};
    return deals::list_shown(parts.kernel.reader, filter, parts.kernel.clock.now_ms());
}

Result<json> handle_deal_get(const DealParts& parts, const Call& call) {
    store::Database& reader = parts.kernel.reader;
    A2H_ASSIGN_OR_RETURN(const auto found, store::get_deal(reader, call.text("deal_id")));
    if (!found || found->agent_id != call.agent_id())
        return fail(ErrorCode::NotFound, "this agent has no deal " + call.text("deal_id"));
    A2H_ASSIGN_OR_RETURN(auto deal, deals::shown(reader, *found, parts.kernel.clock.now_ms()));
    A2H_ASSIGN_OR_RETURN(auto questions,
                         deals::questions_about(reader, found->agent_id, found->peer_id));
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
