#include "daemon/trade/listing_sync.h"

#include <algorithm>
#include <utility>

#include "core/base/log.h"
#include "core/store/listing_store.h"

namespace a2h::trade {
namespace {

constexpr int kPageSize = 100;
constexpr int kPagesMax = 100;

Result<std::vector<Listing>> fetch_all(platform::Client& market) {
    std::vector<Listing> all;
    for (int page = 1; page <= kPagesMax; ++page) {
        A2H_ASSIGN_OR_RETURN(auto some, market.own_listings(std::nullopt, page, kPageSize));
        const bool last = some.size() < kPageSize;
        std::move(some.begin(), some.end(), std::back_inserter(all));
        if (last) break;
    }
    return all;
}

/// Whether people read the same in both. Only copies from the database name their agent.
bool says_the_same(const Listing& before, Listing now) {
    now.agent_id = before.agent_id;
    now.updated_at_ms = before.updated_at_ms;
    return before == now;
}

/// The listings of `before` that are changed or missing in `now`.
std::vector<std::string> changed_in(const std::vector<Listing>& before,
                                    const std::vector<Listing>& now) {
    std::vector<std::string> changed;
    for (const Listing& old : before) {
        const bool stays = std::any_of(now.begin(), now.end(), [&](const Listing& listing) {
            return listing.works_id == old.works_id && says_the_same(old, listing);
        });
        if (!stays) changed.push_back(old.works_id);
    }
    return changed;
}

}  // namespace

ListingSync::ListingSync(const kernel::Kernel& kernel, Agents& agents, Changed changed)
    : kernel_(kernel), agents_(agents), changed_(std::move(changed)) {}

void ListingSync::start() {
    for (auto& [id, agent] : agents_) {
        auto stored = store::list_listings(kernel_.reader, id);
        if (stored) agent->listings = std::move(*stored);
    }
    refresh_all();
}

void ListingSync::refresh_all() {
    for (auto& [id, agent] : agents_)
        refresh(*agent);
    kernel_.loop.call_after(kInterval, [this] { refresh_all(); });
}

void ListingSync::refresh(Agent& agent) {
    if (!agent.is_registered || agent.is_stopped) return;
    platform::Client* market = agent.platform.get();
    kernel_.run_blocking<Result<std::vector<Listing>>>(
        [market] { return fetch_all(*market); },
        [this, &agent](Result<std::vector<Listing>> listings) {
            fetched(agent, std::move(listings));
        },
        [] { return fail(ErrorCode::ResourceExhausted, "too many requests are waiting"); });
}

void ListingSync::fetched(Agent& agent, Result<std::vector<Listing>> listings) {
    if (!listings) {
        agent.market.ok = false;
        agent.market.last_error = listings.error().message;
        log::info("Our listings could not be read from the market",
                  {{"error", listings.error().message}});
        return;
    }
    agent.market = {.ok = true, .last_error = {}, .last_ok_ms = kernel_.clock.now_ms()};
    const auto changed = changed_in(agent.listings, *listings);
    agent.listings = std::move(*listings);
    if (!changed.empty()) changed_(agent.identity.account.agent_id, changed);
    kernel_.write(
        store::Writer::Priority::Grouped,
        [id = agent.identity.account.agent_id, copy = agent.listings,
         now_ms = kernel_.clock.now_ms()](store::Database& db) {
            return store::replace_listings(db, id, copy, now_ms);
        },
        [](const Result<void>&) {});
}

}  // namespace a2h::trade
