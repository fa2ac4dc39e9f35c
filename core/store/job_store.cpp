#include "core/store/job_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kJob = sql::table<Job>(
    "job",
    A2H_COLUMNS(Job, agent_id, rule_id, decision, why, retry_count, created_at_ms, updated_at_ms,
                basis_json, inbox_id),
    sql::column("inbox_id", &Job::id), sql::column("state", &Job::state, parse_job_state));

}  // namespace

Result<std::vector<Job>> pending_jobs(Database& db, std::int64_t after_id, int limit) {
    static const std::string kSql = kJob.select(
        "indexed by job_pending where state = 'pending' and inbox_id > ? order by inbox_id "
        "limit ?");
    return db.statement(kSql).all(kJob, after_id, limit);
}

Result<std::optional<Job>> get_job(Database& db, std::int64_t job_id) {
    static const std::string kSql = kJob.select("where inbox_id = ?");
    return db.statement(kSql).first(kJob, job_id);
}

Result<std::optional<Job>> get_job_of_inbox(Database& db, std::int64_t inbox_id) {
    return get_job(db, inbox_id);
}

Result<void> update_job(Database& db, const Job& job) {
    static constexpr auto kChange =
        sql::only<kJob, &Job::state, &Job::rule_id, &Job::decision, &Job::why, &Job::retry_count,
                  &Job::updated_at_ms, &Job::basis_json>();
    static const std::string kSql =
        kChange.update("where inbox_id = ? and state not in ('done', 'failed')");
    A2H_ASSIGN_OR_RETURN(const bool changed, db.statement(kSql).puts_a_row(kChange, job, job.id));
    if (changed) return {};
    A2H_ASSIGN_OR_RETURN(const auto stored, get_job(db, job.id));
    const std::string name = "job " + std::to_string(job.id);
    if (!stored) return fail(ErrorCode::NotFound, "there is no " + name);
    return fail(ErrorCode::Conflict,
                name + " is " + std::string(to_string(stored->state)) + " already");
}

Result<bool> has_undecided_after(Database& db, std::string_view agent_id, std::string_view peer_id,
                                 std::int64_t inbox_id, Provenance provenance) {
    static constexpr const char* kSql =
        "select exists (select 1 from job indexed by job_pending cross join inbox "
        "on inbox.id = job.inbox_id where state = 'pending' and inbox_id > ?1 "
        "and job.agent_id = ?2 and peer_id = ?3 "
        "and (?4 <> 'verified' or provenance in ('verified', 'vouched')))";
    return db.statement(kSql).is_true(inbox_id, agent_id, peer_id, provenance);
}

Result<void> close_pending_jobs(Database& db, std::string_view agent_id, std::string_view rule_id,
                                UnixMs now_ms) {
    static constexpr const char* kSql =
        "update job set state = 'done', decision = 'silent', rule_id = ?2, updated_at_ms = ?3 "
        "where agent_id = ?1 and state = 'pending'";
    return db.statement(kSql).run(agent_id, rule_id, now_ms);
}

Result<std::vector<Job>> decided_jobs(Database& db, std::string_view agent_id,
                                      std::int64_t after_id, UnixMs since_ms, int limit) {
    static const std::string kSql = kJob.select(
        "where inbox_id > ? and agent_id = ? and decision <> '' and created_at_ms >= ? order "
        "by inbox_id limit ?");
    return db.statement(kSql).all(kJob, after_id, agent_id, since_ms, limit);
}

Result<int> count_answers_since(Database& db, const InboxMessage& message, UnixMs since_ms) {
    static constexpr const char* kSql =
        "select count(*) from job indexed by job_answered cross join inbox "
        "on inbox.id = job.inbox_id where decision = 'answer' and job.agent_id = ?1 "
        "and peer_id = ?2 and updated_at_ms >= ?3 "
        "and (provenance in ('verified', 'vouched')) = ?4";
    A2H_ASSIGN_OR_RETURN(const auto count,
                         db.statement(kSql).number(message.agent_id, message.sender_id, since_ms,
                                                   is_authentic(message.provenance)));
    return static_cast<int>(count);
}

Result<std::int64_t> count_pending_jobs(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select count(*) from job indexed by job_pending "
        "where state = 'pending' and agent_id = ?";
    return db.statement(kSql).number(agent_id);
}

}  // namespace a2h::store
