#include "core/store/mandate_store.h"

#include <limits>

#include "core/base/time_text.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

/// The mandate itself and every share below it, including revoked ones, whose uses still count.
#define A2H_MANDATE_TREE                                                                     \
    "with recursive tree (id) as (select ?1 union all select m.id from tree join mandate m " \
    "on m.parent_mandate_id = tree.id and m.parent_mandate_id <> '') "

constexpr auto kMandate = sql::table<Mandate>(
    "mandate", A2H_COLUMNS(Mandate, id, agent_id, action, terms_json, given_by, surface,
                           given_at_ms, revoked_by, revoked_at_ms, parent_mandate_id));

constexpr auto kMandateUse = sql::table<MandateUse>(
    "mandate_use", A2H_COLUMNS(MandateUse, approval_id, mandate_id, amount_minor, used_at_ms));

/// A sum of amounts can exceed 64 bits, and SQLite's sum() would then fail; the sums of upper and
/// lower halves cannot.
struct Halves {
    std::int64_t count = 0;
    std::int64_t upper = 0;
    std::int64_t lower = 0;
};
constexpr int kLowerBits = 26;

std::int64_t joined(const Halves& halves) {
    std::int64_t sum = 0;
    const bool too_much =
        __builtin_mul_overflow(halves.upper, std::int64_t{1} << kLowerBits, &sum) ||
        __builtin_add_overflow(sum, halves.lower, &sum);
    return too_much ? std::numeric_limits<std::int64_t>::max() : sum;
}

/// A statement that selects count, upper and lower halves.
template <typename... Values>
Result<MandateUsage> usage_in(Statement& statement, const Values&... values) {
    static_assert((std::int64_t{1} << kLowerBits) - 1 == 67'108'863);
    A2H_ASSIGN_OR_RETURN(const auto found,
                         statement.first(
                             [](Row& row) {
                                 return Halves{row.integer(0), row.integer(1), row.integer(2)};
                             },
                             values...));
    const Halves halves = found.value_or(Halves{});
    return MandateUsage{halves.count, joined(halves)};
}

}  // namespace

Result<void> insert_mandate(Database& db, const Mandate& mandate) {
    static constexpr auto kNew =
        sql::without<kMandate, &Mandate::revoked_by, &Mandate::revoked_at_ms>();
    static const std::string kSql = kNew.insert();
    return db.statement(kSql).put(kNew, mandate);
}

Result<std::optional<Mandate>> get_mandate(Database& db, std::string_view id) {
    static const std::string kSql = kMandate.select("where id = ?");
    return db.statement(kSql).first(kMandate, id);
}

Result<std::vector<Mandate>> live_mandates(Database& db, std::string_view agent_id,
                                           std::string_view action) {
    static const std::string kSql =
        kMandate.select("where agent_id = ? and action = ? and revoked_at_ms = 0 order by number");
    return db.statement(kSql).all(kMandate, agent_id, action);
}

Result<bool> has_live_mandate(Database& db, std::string_view agent_id) {
    return db
        .statement("select exists (select 1 from mandate where agent_id = ? and revoked_at_ms = 0)")
        .is_true(agent_id);
}

Result<std::vector<Mandate>> list_mandates(Database& db, std::string_view agent_id,
                                           bool with_revoked, int limit) {
    static const std::string kSql = kMandate.select(
        "where agent_id = ? and (revoked_at_ms = 0 or ? = 1) order by number desc limit ?");
    return db.statement(kSql).all(kMandate, agent_id, with_revoked, limit);
}

Result<void> revoke_mandate(Database& db, std::string_view agent_id, std::string_view id,
                            std::string_view by, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update mandate set revoked_at_ms = ?4, revoked_by = ?3 "
        "where id = ?2 and agent_id = ?1 and revoked_at_ms = 0";
    A2H_ASSIGN_OR_RETURN(const bool changed,
                         db.statement(kSql).changes_a_row(agent_id, id, by, now_ms));
    if (changed) return {};
    A2H_ASSIGN_OR_RETURN(const auto found, get_mandate(db, id));
    if (!found || found->agent_id != agent_id) {
        return fail(ErrorCode::NotFound, "there is no such mandate");
    }
    return fail(ErrorCode::Conflict, "this mandate was revoked by " + found->revoked_by + " at " +
                                         to_utc_time(found->revoked_at_ms));
}

Result<std::vector<Mandate>> live_shares(Database& db, std::string_view id) {
    static const std::string kSql = kMandate.select(
        "where parent_mandate_id = ? and parent_mandate_id <> '' and revoked_at_ms = 0 "
        "order by number");
    return db.statement(kSql).all(kMandate, id);
}

Result<void> insert_mandate_use(Database& db, const MandateUse& use) {
    static const std::string kSql = kMandateUse.insert();
    return db.statement(kSql).put(kMandateUse, use);
}

Result<bool> has_failed_use(Database& db, std::string_view id, UnixMs since_ms) {
    static constexpr const char* kSql =
        "select exists (select 1 from mandate_use indexed by mandate_used join approval a "
        "on a.id = approval_id where mandate_id = ? and used_at_ms >= ? and a.outcome = 'failed')";
    return db.statement(kSql).is_true(id, since_ms);
}

Result<MandateUsage> mandate_usage(Database& db, std::string_view id, UnixMs since_ms) {
    static constexpr const char* kSql = A2H_MANDATE_TREE
        "select count(*), coalesce(sum(amount_minor >> 26), 0), "
        "coalesce(sum(amount_minor & 67108863), 0) from tree join mandate_use "
        "on mandate_id = tree.id where used_at_ms >= ?2";
    return usage_in(db.statement(kSql), id, since_ms);
}

Result<MandateUsage> bargain_usage(Database& db, std::string_view id, UnixMs since_ms,
                                   std::int64_t except_id) {
    static constexpr const char* kSql = A2H_MANDATE_TREE
        "select count(*), coalesce(sum(committed_minor >> 26), 0), "
        "coalesce(sum(committed_minor & 67108863), 0) from tree join bargain n "
        "on n.mandate_id = tree.id where committed_at_ms >= ?2 "
        "and state in ('open', 'agreed') and n.id <> ?3";
    return usage_in(db.statement(kSql), id, since_ms, except_id);
}

Result<std::vector<MandateUse>> mandate_uses(Database& db, std::string_view agent_id,
                                             std::string_view mandate_id, int limit) {
    static const std::string kSql =
        "select " + kMandateUse.names("u.") +
        " from mandate m join mandate_use u on u.mandate_id = m.id "
        "where m.agent_id = ?1 and ?2 in ('', m.id) order by u.used_at_ms desc limit ?3";
    return db.statement(kSql).all(kMandateUse, agent_id, mandate_id, limit);
}

}  // namespace a2h::store
