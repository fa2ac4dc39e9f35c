#include "core/store/vote_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kVote =
    sql::table<Vote>("vote", A2H_COLUMNS(Vote, approval_id, person, digest, given_at_ms),
                     sql::column("surface", &Vote::surface, parse_answer_surface));

}  // namespace

Result<void> insert_vote(Database& db, const Vote& vote) {
    static constexpr auto kChange =
        sql::only<kVote, &Vote::digest, &Vote::surface, &Vote::given_at_ms>();
    static const std::string kSql =
        kVote.insert("on conflict (approval_id, person) do update set " + kChange.excluded() +
                     " where digest <> excluded.digest");
    A2H_ASSIGN_OR_RETURN(const bool changed, db.statement(kSql).puts_a_row(kVote, vote));
    if (changed) return {};
    return fail(ErrorCode::Conflict, vote.person + " has already said yes to this");
}

Result<void> withdraw_vote(Database& db, std::string_view approval_id, std::string_view person,
                           std::string_view digest) {
    static constexpr const char* kSql =
        "delete from vote where approval_id = ? and person = ? and digest = ?";
    A2H_ASSIGN_OR_RETURN(const bool changed,
                         db.statement(kSql).changes_a_row(approval_id, person, digest));
    if (changed) return {};
    return fail(ErrorCode::NotFound,
                "there is no yes of " + std::string(person) + " that could be withdrawn");
}

Result<std::vector<Vote>> votes_for(Database& db, std::string_view approval_id,
                                    std::string_view digest) {
    static const std::string kSql =
        kVote.select("where approval_id = ? and digest = ? order by given_at_ms, person");
    return db.statement(kSql).all(kVote, approval_id, digest);
}

}  // namespace a2h::store
