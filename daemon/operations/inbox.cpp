#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/store/inbox_store.h"
#include "core/wire/payload.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/history_json.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct InboxParts {
    const kernel::Kernel& kernel;
};

constexpr int kHistoryLimit = 20;
constexpr int kConversationsLimit = 20;

Result<json> handle_inbox_history(const InboxParts& parts, const Call& call) {
    const std::string peer_id = call.text("peer_id");
    const int page = call.number("page", 1);
    const int limit = call.number("limit", kHistoryLimit);
    A2H_ASSIGN_OR_RETURN(const auto entries, store::history(parts.kernel.reader, call.agent_id(),
                                                            peer_id, page, limit));
    return json{{"peer_id", peer_id},
                {"items", history_json(entries)},
                {"page", page},
                {"limit", limit},
                {"more", static_cast<int>(entries.size()) == limit}};
}

Result<json> handle_inbox_list(const InboxParts& parts, const Call& call) {
    A2H_ASSIGN_OR_RETURN(const auto list,
                         store::conversations(parts.kernel.reader, call.agent_id(),
                                              call.number("limit", kConversationsLimit)));
    json conversations = json::array();
    for (const auto& conversation : list) {
        conversations.push_back(
            {{"peer_id", conversation.peer_id},
             {"text", preview(wire::view_payload(conversation.last_text_json).text)},
             {"count", conversation.incoming_count},
             {"last_at", to_utc_time(conversation.last_at_ms)}});
    }
    return json{{"conversations", std::move(conversations)}};
}

}  // namespace

void add_inbox(Table& table, const AllParts& all) {
    const InboxParts parts{all.kernel};
    table.add("inbox.history", with(parts, handle_inbox_history));
    table.add("inbox.list", with(parts, handle_inbox_list));
}

}  // namespace a2h::operations
