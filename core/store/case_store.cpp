#include "core/store/case_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

#define A2H_CASE_COLUMNS                                                                     \
    "task_id, agent_id, peer_id, task_uuid, kind, stage, slice, retry_count, max_attempts, " \
    "version, context_reads, trace_id, deadline_ms, outcome, created_at_ms, updated_at_ms, " \
    "decision_json, event_json, blocks_json, results_json, reasons_json, bytes"

StageCase read_case(Row& row) {
    StageCase found;
    found.task_id = row.integer(0);
    found.agent_id = row.text(1);
    found.peer_id = row.text(2);
    found.task_uuid = row.text(3);
    found.kind = row.name(4, parse_case_kind);
    found.stage = row.name(5, parse_case_stage);
    found.slice = row.small(6);
    found.retry_count = row.small(7);
    found.max_attempts = row.small(8);
    found.version = row.small(9);
    found.context_reads = row.small(10);
    found.trace_id = row.text(11);
    found.deadline_ms = row.integer(12);
    found.outcome = row.text(13);
    found.created_at_ms = row.integer(14);
    found.updated_at_ms = row.integer(15);
    found.decision_json = row.text(16);
    found.event_json = row.text(17);
    found.blocks_json = row.text(18);
    found.results_json = row.text(19);
    found.reasons_json = row.text(20);
    found.bytes = row.integer(21);
    return found;
}

StageMessage read_stage_message(Row& row) {
    return StageMessage{row.integer(0), row.integer(1), row.text(2),   row.text(3),
                        row.text(4),    row.text(5),    row.integer(6)};
}

Result<void> insert_case(Database& db, const StageCase& made) {
    static constexpr const char* kSql =
        "insert into stage_case (" A2H_CASE_COLUMNS
        ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    return db.statement(kSql).run(
        made.task_id, made.agent_id, made.peer_id, made.task_uuid, to_string(made.kind),
        to_string(made.stage), made.slice, made.retry_count, made.max_attempts, made.version,
        made.context_reads, made.trace_id, made.deadline_ms, made.outcome, made.created_at_ms,
        made.updated_at_ms, made.decision_json, made.event_json, made.blocks_json,
        made.results_json, made.reasons_json, made.bytes);
}

}  // namespace

Result<void> put_case(Database& db, const StageCase& changed) {
    static constexpr const char* kSql =
        "update stage_case set stage = ?, slice = ?, retry_count = ?, version = ?, "
        "context_reads = ?, trace_id = ?, deadline_ms = ?, outcome = ?, updated_at_ms = ?, "
        "event_json = ?, blocks_json = ?, results_json = ?, reasons_json = ?, bytes = ? "
        "where task_id = ? and version = ? and stage <> 'closed'";
    if (changed.version == 1) return insert_case(db, changed);
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(to_string(changed.stage), changed.slice, changed.retry_count,
                       changed.version, changed.context_reads, changed.trace_id,
                       changed.deadline_ms, changed.outcome, changed.updated_at_ms,
                       changed.event_json, changed.blocks_json, changed.results_json,
                       changed.reasons_json, changed.bytes, changed.task_id, changed.version - 1));
    if (update.changes() == 1) return {};
    return fail(ErrorCode::Conflict,
                "the case of task " + std::to_string(changed.task_id) + " has moved on");
}

Result<std::optional<StageCase>> get_case(Database& db, std::int64_t task_id) {
    static constexpr const char* kSql =
        "select " A2H_CASE_COLUMNS " from stage_case where task_id = ?";
    return db.statement(kSql).first(read_case, task_id);
}

Result<std::vector<StageCase>> open_cases(Database& db, int limit) {
    static constexpr const char* kSql =
        "select " A2H_CASE_COLUMNS
        " from stage_case where stage <> 'closed' order by task_id limit ?";
    return db.statement(kSql).all(read_case, limit);
}

#undef A2H_CASE_COLUMNS

Result<std::int64_t> count_open_cases(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select count(*) from stage_case where stage <> 'closed' and kind <> 'holding' "
        "and agent_id = ?";
    return db.statement(kSql).number(agent_id);
}

Result<void> insert_stage_message(Database& db, const StageMessage& message) {
    static constexpr const char* kSql =
        "insert into stage_message (task_id, type, author, target, message_json, created_at_ms) "
        "values (?, ?, ?, ?, ?, ?)";
    return db.statement(kSql).run(message.task_id, message.type, message.author, message.target,
                                  message.message_json, message.created_at_ms);
}

Result<std::vector<StageMessage>> stage_messages(Database& db, std::int64_t task_id) {
    static constexpr const char* kSql =
        "select id, task_id, type, author, target, message_json, created_at_ms "
        "from stage_message where task_id = ? order by id";
    return db.statement(kSql).all(read_stage_message, task_id);
}

Result<int> forget_cases(Database& db, UnixMs before_ms, std::int64_t bytes_max, int limit) {
    static constexpr const char* kSql =
        "select task_id from (select task_id, updated_at_ms, sum(bytes) over "
        "(order by updated_at_ms desc, task_id desc) as newer_bytes "
        "from stage_case indexed by stage_case_closed where stage = 'closed') "
        "where updated_at_ms < ? or newer_bytes > ? order by updated_at_ms, task_id limit ?";
    const auto old = db.statement(kSql).all([](Row& row) { return row.integer(0); }, before_ms,
                                            bytes_max, limit);
    if (!old) return fail(old.error());
    for (const std::int64_t task_id : *old) {
        A2H_TRY(db.statement("delete from stage_message where task_id = ?").run(task_id));
        A2H_TRY(db.statement("delete from stage_case where task_id = ?").run(task_id));
    }
    return static_cast<int>(old->size());
}

}  // namespace a2h::store
