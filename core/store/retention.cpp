#include "core/store/retention.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

// Peers with whom something is still open; what was said with them is kept.
#define A2H_NOTHING_OPEN_WITH(agent, peer)                                                        \
    "and not exists (select 1 from bargain n where n.agent_id = " agent " and n.peer_id = " peer  \
    " and n.state = 'open') and not exists (select 1 from assignment a where a.agent_id = " agent \
    " and a.peer_id = " peer " and a.state in ('offered', 'open'))"

struct ForgetWords {
    const char* page;    ///< selects id and time of the next rows
    const char* forget;  ///< clears one row if it is settled
};

ForgetWords words_of(Forgettable kind) {
    switch (kind) {
        case Forgettable::Incoming:
            return {
                "select id, received_at_ms from inbox where id > ? order by id limit ?",
                "update inbox set payload_json = '{\"forgotten\":true}', envelope_json = '' "
                "where id = ? and envelope_json <> '' and exists (select 1 from job t where "
                "t.inbox_id = inbox.id and t.state in ('done', 'failed')) " A2H_NOTHING_OPEN_WITH(
                    "inbox.agent_id", "inbox.sender_id")};
        case Forgettable::Outgoing:
            return {"select id, updated_at_ms from outbox where id > ? order by id limit ?",
                    "update outbox set payload_json = '{\"forgotten\":true}' where id = ? "
                    "and state in ('sent', 'delivered', 'dropped') "
                    "and payload_json <> '{\"forgotten\":true}' " A2H_NOTHING_OPEN_WITH(
                        "outbox.agent_id", "outbox.target_id")};
        case Forgettable::Events:
            return {"select id, created_at_ms from event where id > ? order by id limit ?",
                    "delete from event where id = ? and id < (select max(id) from event)"};
        case Forgettable::Deals:
            return {
                "select number, created_at_ms from deal where number > ? order by number limit ?",
                "delete from deal where number = ?1 and updated_at_ms < ?2 and phase not in "
                "('offered', 'agreed', 'ordered', 'paid', 'delivered')"};
        case Forgettable::Notifications:
            return {"select id, updated_at_ms from notification where id > ? order by id limit ?",
                    "delete from notification where id = ? and state not in ('queued', 'waiting') "
                    "and not exists (select 1 from approval p where p.id = "
                    "notification.approval_id and p.status = 'pending')"};
    }
    A2H_CHECK(false);
}

}  // namespace

Result<ForgetStep> forget_some(Database& db, Forgettable kind, std::int64_t after_id,
                               UnixMs before_ms, int limit) {
    struct Candidate {
        std::int64_t id;
        UnixMs at_ms;
    };
    const ForgetWords words = words_of(kind);
    A2H_ASSIGN_OR_RETURN(const auto rows,
                         db.statement(words.page)
                             .all(
                                 [](Row& row) {
                                     return Candidate{row.integer(0), row.integer(1)};
                                 },
                                 after_id, limit));
    ForgetStep step{after_id, 0, rows.size() < static_cast<std::size_t>(limit)};
    for (const Candidate& row : rows) {
        if (row.at_ms >= before_ms) {
            step.is_last = true;
            return step;
        }
        Statement& forget = db.statement(words.forget);
        // A deal is as old as its last act, and its row as its first.
        A2H_TRY(kind == Forgettable::Deals ? forget.run(row.id, before_ms) : forget.run(row.id));
        step.forgotten += forget.changes();
        step.last_id = row.id;
    }
    return step;
}

#undef A2H_NOTHING_OPEN_WITH

}  // namespace a2h::store
