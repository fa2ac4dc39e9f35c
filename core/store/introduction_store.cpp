#include "core/store/introduction_store.h"

#include <string>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kIntroduction = sql::table<Introduction>(
    "introduction",
    A2H_COLUMNS(Introduction, id, agent_id, peer_id, reason, required_capability, contact_id,
                contact_role, refusal, at_ms, is_authentic),
    sql::column("side", &Introduction::side, parse_introduction_side),
    sql::column("state", &Introduction::state, parse_introduction_state),
    sql::unless_empty(
        sql::column("examples_json", &Introduction::interface_spec, &InterfaceSpec::examples)),
    sql::filled(sql::column("services", &Introduction::interface_spec, &InterfaceSpec::services)),
    sql::filled(
        sql::column("input_format", &Introduction::interface_spec, &InterfaceSpec::input_format)),
    sql::filled(sql::column("output_format", &Introduction::interface_spec,
                            &InterfaceSpec::output_format)));

}  // namespace

Result<void> insert_introduction(Database& db, const Introduction& made) {
    static const std::string kSql = kIntroduction.insert();
    return db.statement(kSql).put(kIntroduction, made);
}

Result<std::optional<Introduction>> get_introduction(Database& db, std::string_view agent_id,
                                                     std::string_view peer_id,
                                                     IntroductionSide side, std::string_view id,
                                                     std::optional<bool> is_authentic) {
    static const std::string kSql = kIntroduction.select(
        "where agent_id = ?1 and peer_id = ?2 and side = ?3 and id = ?4 "
        "and (?5 = -1 or is_authentic = ?5) order by state = 'open' desc, is_authentic desc");
    return db.statement(kSql).first(kIntroduction, agent_id, peer_id, side, id,
                                    is_authentic ? (*is_authentic) : -1);
}

Result<std::optional<Introduction>> find_introduction(Database& db, std::string_view agent_id,
                                                      IntroductionSide side, std::string_view id) {
    static const std::string kSql = kIntroduction.select(
        "where agent_id = ? and side = ? and id = ? "
        "order by state = 'open' desc, is_authentic desc, number");
    return db.statement(kSql).first(kIntroduction, agent_id, side, id);
}

Result<void> settle_introduction(Database& db, const Introduction& settled) {
    static constexpr auto kChange =
        sql::only<kIntroduction, &Introduction::state, &Introduction::contact_id,
                  &Introduction::contact_role, &Introduction::interface_spec,
                  &Introduction::refusal>();
    static const std::string kSql = kChange.update(
        "where agent_id = ? and peer_id = ? and side = ? and id = ? and is_authentic = ? "
        "and state = 'open'");
    A2H_ASSIGN_OR_RETURN(
        const bool changed,
        db.statement(kSql).puts_a_row(kChange, settled, settled.agent_id, settled.peer_id,
                                      settled.side, settled.id, settled.is_authentic));
    if (changed) return {};
    A2H_ASSIGN_OR_RETURN(const auto stored,
                         get_introduction(db, settled.agent_id, settled.peer_id, settled.side,
                                          settled.id, settled.is_authentic));
    if (!stored) {
        return fail(ErrorCode::NotFound, "there is no introduction request " + settled.id);
    }
    return fail(ErrorCode::Conflict, "the introduction request " + settled.id + " is " +
                                         std::string(to_string(stored->state)) + " already");
}

Result<Page<Introduction>> list_introductions(Database& db, std::string_view agent_id,
                                              std::optional<IntroductionState> state,
                                              std::int64_t before, int limit) {
    static const std::string kSql = kIntroduction.select(
        "where agent_id = ?1 and number < ?2 "
        "and (?3 = '' or state = ?3) order by number desc limit ?4",
        "number");
    return page_of(
        db.statement(kSql).all(sql::with_number(kIntroduction), agent_id, number_below(before),
                               sql::name_or_empty(state), limit + 1),
        limit);
}

}  // namespace a2h::store
