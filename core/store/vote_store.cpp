#include "core/store/vote_store.h"

#include "core/store/statement.h"

namespace a2h::store {

Result<void> insert_vote(Database& db, const Vote& vote) {
    static constexpr const char* kSql =
        "insert into vote (approval_id, person, digest, surface, given_at_ms) "
        "values (?, ?, ?, ?, ?) on conflict (approval_id, person) do update set "
        "digest = excluded.digest, surface = excluded.surface, given_at_ms = excluded.given_at_ms "
        "where digest <> excluded.digest";
    Statement& insert = db.statement(kSql);
    A2H_TRY(insert.run(vote.approval_id, vote.person, vote.digest, to_string(vote.surface),
                       vote.given_at_ms));
    if (insert.changes() == 1) return {};
    return fail(ErrorCode::Conflict, vote.person + " has said yes to this already");
}

Result<void> withdraw_vote(Database& db, std::string_view approval_id, std::string_view person,
                           std::string_view digest) {
    static constexpr const char* kSql =
        "delete from vote where approval_id = ? and person = ? and digest = ?";
    Statement& remove = db.statement(kSql);
    A2H_TRY(remove.run(approval_id, person, digest));
    if (remove.changes() == 1) return {};
    return fail(ErrorCode::NotFound,
                "there is no yes of " + std::string(person) + " that could be withdrawn");
}

Result<std::vector<Vote>> votes_for(Database& db, std::string_view approval_id,
                                    std::string_view digest) {
    static constexpr const char* kSql =
        "select approval_id, person, digest, surface, given_at_ms from vote "
        "where approval_id = ? and digest = ? order by given_at_ms, person";
    return db.statement(kSql).all(
        [](Row& row) {
            return Vote{row.text(0), row.text(1), row.text(2), row.name(3, parse_answer_surface),
                        row.integer(4)};
        },
        approval_id, digest);
}

}  // namespace a2h::store
