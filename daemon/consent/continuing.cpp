#include "daemon/consent/continuing.h"

#include <algorithm>

namespace a2h::consent {
namespace {

std::vector<ContinuingRow>& continuing_rows() {
    static std::vector<ContinuingRow> rows;
    return rows;
}

}  // namespace

void register_continuing(const ContinuingRow& row) {
    auto& rows = continuing_rows();
    const bool is_known = std::any_of(rows.begin(), rows.end(), [&](const ContinuingRow& each) {
        return each.step_of == row.step_of;
    });
    if (!is_known) rows.push_back(row);
}

std::shared_ptr<const MandateStep> step_of(const InboxMessage& message,
                                           const decide::Decision& decision, UnixMs now_ms) {
    for (const ContinuingRow& row : continuing_rows()) {
        if (auto step = row.step_of(message, decision, now_ms)) return step;
    }
    return nullptr;
}

bool depends_on_listing(store::Database& db, const Subject& subject, UnixMs now_ms) {
    const auto& rows = continuing_rows();
    return std::any_of(rows.begin(), rows.end(), [&](const ContinuingRow& row) {
        return row.depends_on_listing(db, subject, now_ms);
    });
}

Result<std::vector<std::string>> steps_heard(store::Database& db, const std::string& agent_id,
                                             const std::string& peer_id) {
    std::vector<std::string> all;
    for (const ContinuingRow& row : continuing_rows()) {
        A2H_ASSIGN_OR_RETURN(const auto heard, row.steps_heard(db, agent_id, peer_id));
        all.insert(all.end(), heard.begin(), heard.end());
    }
    return all;
}

Result<UnixMs> last_agreed_ms(store::Database& db, const Subject& subject) {
    UnixMs latest_ms = 0;
    for (const ContinuingRow& row : continuing_rows()) {
        A2H_ASSIGN_OR_RETURN(const auto agreed_ms, row.last_agreed_ms(db, subject));
        latest_ms = std::max(latest_ms, agreed_ms);
    }
    return latest_ms;
}

Result<void> close_silent(store::Database& db, const Policy& policy, UnixMs now_ms) {
    for (const ContinuingRow& row : continuing_rows()) {
        const auto closed = row.close_silent(db, policy, now_ms);
        if (!closed) return fail(closed.error());
    }
    return {};
}

}  // namespace a2h::consent
