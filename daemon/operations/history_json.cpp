#include "daemon/operations/history_json.h"

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/wire/payload.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

json entry_json(const HistoryEntry& entry) {
    json item{{"message_id", entry.message_id},
              {"direction", entry.incoming ? "in" : "out"},
              {"type", entry.message_type},
              {"text", wire::view_payload(entry.payload_json).text},
              {"payload", json::parse(entry.payload_json, nullptr, false)},
              {"at", to_utc_time(entry.at_ms)}};
    if (entry.incoming) {
        item["provenance"] = to_string(entry.provenance);
    } else {
        item["state"] = entry.outbox_state;
    }
    return item;
}

}  // namespace

json history_json(const std::vector<HistoryEntry>& entries) {
    json items = json::array();
    for (const auto& entry : entries) {
        if (entry.incoming && entry.provenance == Provenance::Forged) continue;
        items.push_back(entry_json(entry));
    }
    return items;
}

}  // namespace a2h::operations
