#pragma once

#include <optional>
#include <string>

#include "core/domain/stage_case.h"
#include "core/store/database.h"
#include "core/store/statement.h"

namespace a2h::test {

/// The case of a job as it is stored, open or closed; the product reads open ones only.
inline Result<std::optional<StageCase>> get_case(store::Database& db, std::int64_t job_id) {
    static constexpr auto kCase = sql::table<StageCase>(
        "stage_case",
        A2H_COLUMNS(StageCase, job_id, agent_id, peer_id, task_uuid, slice, retry_count,
                    max_attempts, version, context_reads, trace_id, deadline_ms, outcome,
                    created_at_ms, updated_at_ms, decision_json, event_json, blocks_json,
                    results_json, reasons_json, bytes),
        sql::column("kind", &StageCase::kind, parse_case_kind),
        sql::column("stage", &StageCase::stage, parse_case_stage));
    static const std::string kSql = kCase.select("where job_id = ?");
    return db.statement(kSql).first(kCase, job_id);
}

}  // namespace a2h::test
