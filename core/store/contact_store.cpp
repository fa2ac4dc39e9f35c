#include "core/store/contact_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kContact = sql::table<Contact>(
    "contact",
    A2H_COLUMNS(Contact, agent_id, peer_id, introduced_by, role, key_id, public_key, key_changed,
                added_at_ms),
    sql::column("source", &Contact::source, parse_contact_source),
    sql::unless_empty(
        sql::column("examples_json", &Contact::interface_spec, &InterfaceSpec::examples)),
    sql::filled(sql::column("services", &Contact::interface_spec, &InterfaceSpec::services)),
    sql::filled(
        sql::column("input_format", &Contact::interface_spec, &InterfaceSpec::input_format)),
    sql::filled(
        sql::column("output_format", &Contact::interface_spec, &InterfaceSpec::output_format)));

}  // namespace

Result<std::optional<Contact>> get_contact(Database& db, std::string_view agent_id,
                                           std::string_view peer_id) {
    static const std::string kSql = kContact.select("where agent_id = ? and peer_id = ?");
    return db.statement(kSql).first(kContact, agent_id, peer_id);
}

Result<void> add_contact(Database& db, const Contact& contact) {
    static const std::string kSql = kContact.insert("on conflict (agent_id, peer_id) do nothing");
    return db.statement(kSql).put(kContact, contact);
}

Result<void> put_contact(Database& db, const Contact& contact) {
    static constexpr auto kChange = sql::only<kContact, &Contact::source, &Contact::introduced_by,
                                              &Contact::role, &Contact::interface_spec>();
    static const std::string kSql =
        kContact.insert("on conflict (agent_id, peer_id) do update set " + kChange.excluded());
    return db.statement(kSql).put(kContact, contact);
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
    static const std::string kSql =
        kContact.select("where agent_id = ? and peer_id > ? order by peer_id limit ?");
    return db.statement(kSql).all(kContact, agent_id, after_peer_id, limit);
}

}  // namespace a2h::store
