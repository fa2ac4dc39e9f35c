#include "core/store/introduction_store.h"

#include <string>
#include <utility>

#include "core/store/interface_columns.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

#define A2H_INTRODUCTION_COLUMNS                                                           \
    "id, agent_id, peer_id, side, reason, required_capability, state, contact_id, "        \
    "contact_role, services, input_format, output_format, examples_json, refusal, at_ms, " \
    "is_authentic"

Introduction read_introduction(Row& row) {
    Introduction found;
    found.id = row.text(0);
    found.agent_id = row.text(1);
    found.peer_id = row.text(2);
    found.side = row.name(3, parse_introduction_side);
    found.reason = row.text(4);
    found.required_capability = row.text(5);
    found.state = row.name(6, parse_introduction_state);
    found.contact_id = row.text(7);
    found.contact_role = row.text(8);
    found.interface_spec = read_interface(row, 9);
    found.refusal = row.text(13);
    found.at_ms = row.integer(14);
    found.is_authentic = row.integer(15) != 0;
    return found;
}

}  // namespace

Result<void> insert_introduction(Database& db, const Introduction& made) {
    static constexpr const char* kSql = "insert into introduction (" A2H_INTRODUCTION_COLUMNS
                                        ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const InterfaceSpec spec = made.interface_spec.value_or(InterfaceSpec{});
    return db.statement(kSql).run(
        made.id, made.agent_id, made.peer_id, to_string(made.side), made.reason,
        made.required_capability, to_string(made.state), made.contact_id, made.contact_role,
        spec.services, spec.input_format, spec.output_format, examples_column(made.interface_spec),
        made.refusal, made.at_ms, made.is_authentic ? 1 : 0);
}

Result<std::optional<Introduction>> get_introduction(Database& db, std::string_view agent_id,
                                                     std::string_view peer_id,
                                                     IntroductionSide side, std::string_view id,
                                                     std::optional<bool> is_authentic) {
    static constexpr const char* kSql =
        "select " A2H_INTRODUCTION_COLUMNS
        " from introduction where agent_id = ?1 and peer_id = ?2 and side = ?3 and id = ?4 "
        "and (?5 = -1 or is_authentic = ?5) order by state = 'open' desc, is_authentic desc";
    return db.statement(kSql).first(read_introduction, agent_id, peer_id, to_string(side), id,
                                    is_authentic ? (*is_authentic ? 1 : 0) : -1);
}

Result<std::optional<Introduction>> find_introduction(Database& db, std::string_view agent_id,
                                                      IntroductionSide side, std::string_view id) {
    static constexpr const char* kSql =
        "select " A2H_INTRODUCTION_COLUMNS
        " from introduction where agent_id = ? and side = ? and id = ? "
        "order by state = 'open' desc, is_authentic desc, number";
    return db.statement(kSql).first(read_introduction, agent_id, to_string(side), id);
}

Result<void> settle_introduction(Database& db, const Introduction& settled) {
    static constexpr const char* kSql =
        "update introduction set state = ?, contact_id = ?, contact_role = ?, services = ?, "
        "input_format = ?, output_format = ?, examples_json = ?, refusal = ? "
        "where agent_id = ? and peer_id = ? and side = ? and id = ? and is_authentic = ? "
        "and state = 'open'";
    const InterfaceSpec spec = settled.interface_spec.value_or(InterfaceSpec{});
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(to_string(settled.state), settled.contact_id, settled.contact_role,
                       spec.services, spec.input_format, spec.output_format,
                       examples_column(settled.interface_spec), settled.refusal, settled.agent_id,
                       settled.peer_id, to_string(settled.side), settled.id,
                       settled.is_authentic ? 1 : 0));
    if (update.changes() == 1) return {};
    A2H_ASSIGN_OR_RETURN(const auto stored,
                         get_introduction(db, settled.agent_id, settled.peer_id, settled.side,
                                          settled.id, settled.is_authentic));
    if (!stored) {
        return fail(ErrorCode::NotFound, "there is no request for an introduction " + settled.id);
    }
    return fail(ErrorCode::Conflict, "the request for an introduction " + settled.id + " is " +
                                         std::string(to_string(stored->state)) + " already");
}

Result<Page<Introduction>> list_introductions(Database& db, std::string_view agent_id,
                                              std::optional<IntroductionState> state,
                                              std::int64_t before, int limit) {
    static constexpr const char* kSql =
        "select " A2H_INTRODUCTION_COLUMNS
        ", number from introduction where agent_id = ?1 and number < ?2 "
        "and (?3 = '' or state = ?3) order by number desc limit ?4";
    return page_of(
        db.statement(kSql).all(
            [](Row& row) { return std::pair(read_introduction(row), row.integer(16)); }, agent_id,
            number_below(before), state ? to_string(*state) : std::string_view(), limit + 1),
        limit);
}

#undef A2H_INTRODUCTION_COLUMNS

}  // namespace a2h::store
