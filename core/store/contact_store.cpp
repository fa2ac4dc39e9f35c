#include "core/store/contact_store.h"

#include "core/store/interface_columns.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

#define A2H_CONTACT_SELECT                                                                     \
    "select agent_id, peer_id, source, introduced_by, role, key_id, public_key, key_changed, " \
    "added_at_ms, services, input_format, output_format, examples_json from contact "

Contact read_contact(Row& row) {
    Contact contact;
    contact.agent_id = row.text(0);
    contact.peer_id = row.text(1);
    contact.source = row.name(2, parse_contact_source);
    contact.introduced_by = row.text(3);
    contact.role = row.text(4);
    contact.key_id = row.text(5);
    contact.public_key = row.text(6);
    contact.key_changed = row.integer(7) != 0;
    contact.added_at_ms = row.integer(8);
    contact.interface_spec = read_interface(row, 9);
    return contact;
}

Result<void> insert(Statement& statement, const Contact& contact) {
    const InterfaceSpec spec = contact.interface_spec.value_or(InterfaceSpec{});
    return statement.run(contact.agent_id, contact.peer_id, to_string(contact.source),
                         contact.introduced_by, contact.role, contact.key_id, contact.public_key,
                         contact.key_changed ? 1 : 0, contact.added_at_ms, spec.services,
                         spec.input_format, spec.output_format,
                         examples_column(contact.interface_spec));
}

}  // namespace

Result<std::optional<Contact>> get_contact(Database& db, std::string_view agent_id,
                                           std::string_view peer_id) {
    static constexpr const char* kSql = A2H_CONTACT_SELECT "where agent_id = ? and peer_id = ?";
    return db.statement(kSql).first(read_contact, agent_id, peer_id);
}

Result<void> add_contact(Database& db, const Contact& contact) {
    static constexpr const char* kSql =
        "insert into contact values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "on conflict (agent_id, peer_id) do nothing";
    return insert(db.statement(kSql), contact);
}

Result<void> put_contact(Database& db, const Contact& contact) {
    static constexpr const char* kSql =
        "insert into contact values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "on conflict (agent_id, peer_id) do update set source = excluded.source, "
        "introduced_by = excluded.introduced_by, role = excluded.role, "
        "services = excluded.services, input_format = excluded.input_format, "
        "output_format = excluded.output_format, examples_json = excluded.examples_json";
    return insert(db.statement(kSql), contact);
}

Result<bool> pin_key(Database& db, std::string_view agent_id, std::string_view peer_id,
                     std::string_view key_id, std::string_view public_key) {
    static constexpr const char* kPin =
        "update contact set key_id = ?, public_key = ? where agent_id = ? and peer_id = ?";
    static constexpr const char* kChanged =
        "update contact set key_changed = 1 where agent_id = ? and peer_id = ?";
    A2H_ASSIGN_OR_RETURN(const auto contact, get_contact(db, agent_id, peer_id));
    if (!contact) {
        return fail(ErrorCode::NotFound, std::string(peer_id) + " is not a contact of " +
                                             std::string(agent_id) + "; add it first");
    }
    if (contact->public_key.empty()) {
        A2H_TRY(db.statement(kPin).run(key_id, public_key, agent_id, peer_id));
        return true;
    }
    if (contact->public_key == public_key) return true;
    A2H_TRY(db.statement(kChanged).run(agent_id, peer_id));
    return false;
}

Result<std::vector<Contact>> list_contacts(Database& db, std::string_view agent_id, int limit,
                                           std::string_view after_peer_id) {
    static constexpr const char* kSql =
        A2H_CONTACT_SELECT "where agent_id = ? and peer_id > ? order by peer_id limit ?";
    return db.statement(kSql).all(read_contact, agent_id, after_peer_id, limit);
}

#undef A2H_CONTACT_SELECT

}  // namespace a2h::store
