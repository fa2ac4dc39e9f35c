#include "core/store/after_restore.h"

#include <string>

#include "core/domain/audit.h"
#include "core/store/approval_store.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

/// Runs one statement with a time and returns the number of changed rows.
Result<std::int64_t> change_rows(Database& db, const char* sql, UnixMs now_ms) {
    Statement& statement = db.statement(sql);
    A2H_TRY(statement.run(now_ms));
    return statement.changes();
}

/// Another answer to such a question would send again what was sent since.
Result<std::int64_t> end_approvals(Database& db, UnixMs now_ms) {
    static constexpr const char* kOpen =
        "select id from approval where status = 'pending' or (status = 'approved' and outcome = "
        "'none') order by number";
    static constexpr const char* kExpire =
        "update approval set status = 'expired', surface = 'system', answered_by = 'restore', "
        "answered_at_ms = ?1, updated_at_ms = ?1 where status = 'pending'";
    static constexpr const char* kUnused =
        "update approval set outcome = 'expired', outcome_detail = 'the backup is older', "
        "updated_at_ms = ?1 where status = 'approved' and outcome = 'none'";
    A2H_ASSIGN_OR_RETURN(const auto open, db.statement(kOpen).all(sql::kFirstText));
    for (const std::string& id : open)
        A2H_TRY(append_audit(db, id, to_string(ApprovalOutcome::Expired),
                             R"({"why":"restored from a backup"})", now_ms));
    A2H_ASSIGN_OR_RETURN(const auto expired, change_rows(db, kExpire, now_ms));
    A2H_ASSIGN_OR_RETURN(const auto unused, change_rows(db, kUnused, now_ms));
    return expired + unused;
}

Result<std::int64_t> close_jobs(Database& db, UnixMs now_ms) {
    static constexpr const char* kCases =
        "update stage_case set stage = 'closed', outcome = 'dropped', version = version + 1, "
        "updated_at_ms = ?1 where stage <> 'closed'";
    static constexpr const char* kAsked =
        "update job set state = 'done', updated_at_ms = ?1 where state = 'waiting_for_human'";
    static constexpr const char* kUndecided =
        "update job set state = 'done', decision = 'silent', rule_id = 'guard.restored', "
        "updated_at_ms = ?1 where state in ('pending', 'in_stages')";
    static constexpr const char* kThoughts =
        "update invitation set thought_job_id = 0, updated_at_ms = ?1 where thought_job_id <> 0";
    A2H_TRY(change_rows(db, kCases, now_ms));
    A2H_TRY(change_rows(db, kThoughts, now_ms));
    A2H_TRY(change_rows(db, kAsked, now_ms));
    return change_rows(db, kUndecided, now_ms);
}

/// What they allowed may have been used up since, or they may have been revoked.
Result<std::int64_t> end_mandates(Database& db, UnixMs now_ms) {
    static constexpr const char* kLive =
        "select id from mandate where revoked_at_ms = 0 order by id";
    static constexpr const char* kSql =
        "update mandate set revoked_by = 'restore', revoked_at_ms = ?1 where revoked_at_ms = 0";
    A2H_ASSIGN_OR_RETURN(const auto live, db.statement(kLive).all(sql::kFirstText));
    for (const std::string& id : live) {
        A2H_TRY(append_audit(db, {}, audit::kMandateRevoked,
                             R"({"by":"restore","mandate":")" + id + R"("})", now_ms));
    }
    return change_rows(db, kSql, now_ms);
}

Result<void> set_aside(Database& db, UnixMs now_ms, std::int64_t& count, const char* sql) {
    A2H_ASSIGN_OR_RETURN(const auto changed, change_rows(db, sql, now_ms));
    count = changed;
    return {};
}

std::string in_words(const SetAside& done) {
    const auto member = [](const char* name, std::int64_t value) {
        return "\"" + std::string(name) + "\":" + std::to_string(value);
    };
    return "{" + member("approvals", done.approvals) + "," + member("held", done.held) + "," +
           member("mandates", done.mandates) + "," + member("negotiations", done.bargains) + "," +
           member("tasks", done.jobs) + "," + member("unsettled", done.unsettled) + "}";
}

}  // namespace

Result<SetAside> set_aside_open_things(Database& db, UnixMs now_ms) {
    static constexpr const char* kHold =
        "update outbox set state = 'held', updated_at_ms = ?1 where state = 'queued'";
    static constexpr const char* kUnknown =
        "update approval set outcome = 'unknown', outcome_detail = 'the backup was made while it "
        "was being done; look whether it was', updated_at_ms = ?1 "
        "where status = 'approved' and outcome = 'executing'";
    static constexpr const char* kHandOver =
        "update bargain set state = 'handed_over', close_at_ms = 0 * ?1 where state = 'open'";
    static constexpr const char* kNews =
        "update notification set state = 'skipped', outcome = 'restored from a backup', "
        "updated_at_ms = ?1 where state in ('queued', 'waiting')";
    SetAside done;
    A2H_TRY(set_aside(db, now_ms, done.held, kHold));
    A2H_ASSIGN_OR_RETURN(const auto approvals, end_approvals(db, now_ms));
    done.approvals = approvals;
    A2H_TRY(set_aside(db, now_ms, done.unsettled, kUnknown));
    A2H_ASSIGN_OR_RETURN(const auto jobs, close_jobs(db, now_ms));
    done.jobs = jobs;
    A2H_ASSIGN_OR_RETURN(const auto mandates, end_mandates(db, now_ms));
    done.mandates = mandates;
    A2H_TRY(set_aside(db, now_ms, done.bargains, kHandOver));
    std::int64_t news = 0;
    A2H_TRY(set_aside(db, now_ms, news, kNews));
    A2H_TRY(append_audit(db, {}, "restored", in_words(done), now_ms));
    return done;
}

}  // namespace a2h::store
