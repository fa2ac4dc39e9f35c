#include "core/store/case_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kCase = sql::table<StageCase>(
    "stage_case",
    A2H_COLUMNS(StageCase, job_id, agent_id, peer_id, task_uuid, slice, retry_count, max_attempts,
                version, context_reads, trace_id, deadline_ms, outcome, created_at_ms,
                updated_at_ms, decision_json, event_json, blocks_json, results_json, reasons_json,
                bytes),
    sql::column("kind", &StageCase::kind, parse_case_kind),
    sql::column("stage", &StageCase::stage, parse_case_stage));

constexpr auto kStageMessage = sql::table<StageMessage>(
    "stage_message",
    A2H_COLUMNS(StageMessage, id, job_id, type, author, target, message_json, created_at_ms));

}  // namespace

Result<void> put_case(Database& db, const StageCase& changed) {
    static constexpr auto kChange =
        sql::without<kCase, &StageCase::job_id, &StageCase::agent_id, &StageCase::peer_id,
                     &StageCase::task_uuid, &StageCase::kind, &StageCase::max_attempts,
                     &StageCase::created_at_ms, &StageCase::decision_json>();
    static const std::string kInsert = kCase.insert();
    static const std::string kUpdate =
        kChange.update("where job_id = ? and version = ? and stage <> 'closed'");
    if (changed.version == 1) return db.statement(kInsert).put(kCase, changed);
    A2H_ASSIGN_OR_RETURN(
        const bool moved,
        db.statement(kUpdate).puts_a_row(kChange, changed, changed.job_id, changed.version - 1));
    if (moved) return {};
    return fail(ErrorCode::Conflict,
                "the case of job " + std::to_string(changed.job_id) + " has moved on");
}

Result<std::vector<StageCase>> open_cases(Database& db, int limit) {
    static const std::string kSql = kCase.select("where stage <> 'closed' order by job_id limit ?");
    return db.statement(kSql).all(kCase, limit);
}

Result<std::int64_t> count_open_cases(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select count(*) from stage_case where stage <> 'closed' and kind <> 'holding' "
        "and agent_id = ?";
    return db.statement(kSql).number(agent_id);
}

Result<void> insert_stage_message(Database& db, const StageMessage& message) {
    static constexpr auto kNew = sql::without<kStageMessage, &StageMessage::id>();
    static const std::string kSql = kNew.insert();
    return db.statement(kSql).put(kNew, message);
}

Result<std::vector<StageMessage>> stage_messages(Database& db, std::int64_t job_id) {
    static const std::string kSql = kStageMessage.select("where job_id = ? order by id");
    return db.statement(kSql).all(kStageMessage, job_id);
}

Result<int> forget_cases(Database& db, UnixMs before_ms, std::int64_t bytes_max, int limit) {
    static constexpr const char* kSql =
        "select job_id from (select job_id, updated_at_ms, sum(bytes) over "
        "(order by updated_at_ms desc, job_id desc) as newer_bytes "
        "from stage_case indexed by stage_case_closed where stage = 'closed') "
        "where updated_at_ms < ? or newer_bytes > ? order by updated_at_ms, job_id limit ?";
    A2H_ASSIGN_OR_RETURN(const auto old,
                         db.statement(kSql).all(sql::kFirstNumber, before_ms, bytes_max, limit));
    for (const std::int64_t job_id : old) {
        A2H_TRY(db.statement("delete from stage_message where job_id = ?").run(job_id));
        A2H_TRY(db.statement("delete from stage_case where job_id = ?").run(job_id));
    }
    return static_cast<int>(old.size());
}

}  // namespace a2h::store
