#include "core/store/report_store.h"

#include <algorithm>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

MailLine read_received(Row& row) {
    return {true, row.text(0), row.text(1), row.text(2), row.name(3, parse_provenance)};
}

MailLine read_replied(Row& row) {
    return {false, row.text(0), row.text(1), row.text(2), Provenance::Unverified};
}

}  // namespace

Result<Mail> mail_after(Database& db, const MailCursor& cursor, int lines_max) {
    static constexpr const char* kInboxEnd = "select coalesce(max(id), 0) from inbox";
    static constexpr const char* kOutboxEnd = "select coalesce(max(id), 0) from outbox";
    static constexpr const char* kReceived = "select count(*) from inbox where id > ? and id <= ?";
    static constexpr const char* kReplied =
        "select count(*) from outbox where id > ? and id <= ? and cause glob 'rule:*' "
        "and effect_key not glob '*:hold'";
    static constexpr const char* kNewestReceived =
        "select agent_id, sender_id, payload_json, provenance from inbox "
        "where id > ? and id <= ? order by id desc limit ?";
    static constexpr const char* kNewestReplied =
        "select agent_id, target_id, payload_json from outbox "
        "where id > ? and id <= ? and cause glob 'rule:*' "
        "and effect_key not glob '*:hold' order by id desc limit ?";
    A2H_ASSIGN_OR_RETURN(const auto inbox_end, db.statement(kInboxEnd).number());
    A2H_ASSIGN_OR_RETURN(const auto outbox_end, db.statement(kOutboxEnd).number());
    A2H_ASSIGN_OR_RETURN(const auto received,
                         db.statement(kReceived).number(cursor.inbox_id, inbox_end));
    A2H_ASSIGN_OR_RETURN(const auto replied,
                         db.statement(kReplied).number(cursor.outbox_id, outbox_end));
    A2H_ASSIGN_OR_RETURN(
        auto in,
        db.statement(kNewestReceived).all(read_received, cursor.inbox_id, inbox_end, lines_max));
    A2H_ASSIGN_OR_RETURN(
        auto out,
        db.statement(kNewestReplied).all(read_replied, cursor.outbox_id, outbox_end, lines_max));
    std::reverse(in.begin(), in.end());
    std::reverse(out.begin(), out.end());
    return Mail{received, replied, std::move(in), std::move(out), {inbox_end, outbox_end}};
}

}  // namespace a2h::store
