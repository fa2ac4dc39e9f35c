#include "daemon/consent/old_deals.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/store/inbox_store.h"
#include "core/store/outbox_store.h"
#include "core/store/setting_store.h"
#include "daemon/consent/deal_acts.h"
#include "daemon/deals/book.h"

namespace a2h::consent {
namespace {

/// Set once `take_over_old_deals` has run on a database.
constexpr std::string_view kTakenOver = "deals.old_taken_over";
/// The newest messages that are read, each way.
constexpr int kOldMessagesMax = 10'000;

struct Exchanged {
    UnixMs at_ms = 0;
    deals::Named named;
    std::vector<Act> acts;
};

Result<std::vector<Exchanged>> exchanged(store::Database& db) {
    std::vector<Exchanged> all;
    A2H_ASSIGN_OR_RETURN(const auto received, store::typed_inbox(db, kOldMessagesMax));
    for (const InboxMessage& message : received) {
        all.push_back({message.received_at_ms, deals::named_in(message), acts_of_old(message)});
    }
    A2H_ASSIGN_OR_RETURN(const auto sent, store::typed_outbox(db, kOldMessagesMax));
    for (const OutboxMessage& message : sent)
        all.push_back({message.created_at_ms, deals::named_in(message), acts_of_own(message, {})});
    std::stable_sort(all.begin(), all.end(), [](const Exchanged& one, const Exchanged& other) {
        return one.at_ms < other.at_ms;
    });
    return all;
}

}  // namespace

Result<void> take_over_old_deals(store::Database& db) {
    A2H_ASSIGN_OR_RETURN(const auto done, store::get_number(db, "", kTakenOver));
    if (done != 0) return {};
    A2H_ASSIGN_OR_RETURN(const auto all, exchanged(db));
    for (const Exchanged& each : all)
        A2H_TRY(deals::record(db, each.named, each.acts, each.at_ms));
    return store::put_number(db, "", kTakenOver, 1);
}

}  // namespace a2h::consent
