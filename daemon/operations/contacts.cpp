#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/store/contact_store.h"
#include "core/wire/contact_file.h"
#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"
#include "daemon/agents/local_agents.h"
#include "daemon/agents/residents.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/registration.h"
#include "daemon/operations/typed_mail.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct ContactsParts {
    const kernel::Kernel& kernel;
    const Agents& agents;
    const agents::Residents& residents;
};

constexpr int kContactsShown = 20;
/// Limit of contacts of one agent in a file.
constexpr int kContactsExported = 1'000'000;

json known_contact_json(const Contact& contact) {
    json shown{{"peer_id", contact.peer_id},
               {"role", printable(contact.role)},
               {"source", to_string(contact.source)},
               {"added_at", to_utc_time(contact.added_at_ms)}};
    if (!contact.introduced_by.empty()) shown["introduced_by"] = contact.introduced_by;
    if (contact.interface_spec) {
        shown["interface_spec"] = wire::write_interface_spec(*contact.interface_spec);
    }
    if (contact.key_changed) shown["key_changed"] = true;
    return shown;
}

/// True if the caller has a registry here: an agent of this home, or the human.
bool has_registry(const ContactsParts& parts, const std::string& agent_id) {
    return agent_id == agents::kUser || parts.residents.is_ours(agent_id);
}

void report_unknown(const Call& call, std::string_view code, const std::string& id,
                    const Reply& reply) {
    reply(named_error(call.action, code, id + " is not known here",
                      "You can write to it nevertheless.",
                      {{"inRegistry", false}, {"agentId", id}}));
}

/// The registries of all agents of this home that have contacts.
Result<wire::ContactRegistries> all_registries(const ContactsParts& parts) {
    wire::ContactRegistries registries;
    std::vector<std::string> owners{std::string(agents::kUser)};
    for (const auto& [id, agent] : parts.agents)
        owners.push_back(id);
    for (const std::string& owner : owners) {
        A2H_ASSIGN_OR_RETURN(auto contacts,
                             store::list_contacts(parts.kernel.reader, owner, kContactsExported));
        if (!contacts.empty()) registries[owner] = std::move(contacts);
    }
    return registries;
}

Result<json> handle_contact_list(const ContactsParts& parts, const Call& call) {
    const int page = call.number("page", 1);
    const int limit = call.number("limit", kContactsShown);
    A2H_ASSIGN_OR_RETURN(
        const auto contacts,
        store::list_contacts(parts.kernel.reader, call.agent_id(), page * limit + 1));
    json items = json::array();
    const std::size_t end = std::min(contacts.size(), static_cast<std::size_t>(page * limit));
    for (std::size_t i = static_cast<std::size_t>((page - 1) * limit); i < end; ++i)
        items.push_back(known_contact_json(contacts[i]));
    return json{{"items", std::move(items)},
                {"page", page},
                {"limit", limit},
                {"more", contacts.size() > end}};
}

void handle_contact_get(const ContactsParts& parts, const Call& call, const Reply& reply) {
    const std::string named = call.text("agent_id");
    const std::string owner = named.empty() ? call.agent_id() : parts.residents.address_of(named);
    const std::string peer = parts.residents.address_of(call.text("peer_id"));
    if (!has_registry(parts, owner)) {
        report_unknown(call, "sender_not_found", owner, reply);
        return;
    }
    const auto contact = store::get_contact(parts.kernel.reader, owner, peer);
    if (!contact) {
        reply(error_result(call.action, contact.error()));
        return;
    }
    if (!*contact) {
        report_unknown(call, "unknown_contact", peer, reply);
        return;
    }
    reply(ok_result(call.action,
                    {{"in_registry", true}, {"contact", known_contact_json(**contact)}}));
}

void handle_contact_add(const ContactsParts& parts, const Call& call, const Reply& reply) {
    Contact contact;
    contact.agent_id = call.agent_id();
    contact.peer_id = call.text("peer_id");
    contact.source = ContactSource::Manual;
    contact.role = call.text("role");
    contact.added_at_ms = parts.kernel.clock.now_ms();
    if (contact.peer_id == contact.agent_id) {
        reply(error_result(call.action,
                           {ErrorCode::InvalidArgument, "an agent cannot be its own contact"}));
        return;
    }
    const json& spec = wire::member(call.arguments, "interface_spec");
    if (!spec.is_null()) {
        auto read = wire::read_interface_spec(spec);
        if (!read) {
            reply(error_result(call.action, read.error()));
            return;
        }
        contact.interface_spec = std::move(*read);
    }
    const auto known = store::get_contact(parts.kernel.reader, contact.agent_id, contact.peer_id);
    if (known && *known) {
        contact.source = (*known)->source;
        contact.introduced_by = (*known)->introduced_by;
        contact.added_at_ms = (*known)->added_at_ms;
        if (contact.role.empty()) contact.role = (*known)->role;
        if (!contact.interface_spec) contact.interface_spec = (*known)->interface_spec;
    }
    parts.kernel.write(
        store::Writer::Priority::Urgent,
        [contact](store::Database& db) { return store::put_contact(db, contact); },
        [action = call.action, contact, reply](const Result<void>& written) {
            reply(written ? ok_result(action, {{"contact", known_contact_json(contact)}})
                          : error_result(action, written.error()));
        });
}

Result<json> handle_contact_export(const ContactsParts& parts, const Call&) {
    A2H_ASSIGN_OR_RETURN(const auto registries, all_registries(parts));
    return wire::write_contact_file(registries);
}

void handle_contact_import(const ContactsParts& parts, const Call& call, const Reply& reply) {
    const auto registries = wire::read_contact_file(call.arguments);
    if (!registries) {
        reply(error_result(call.action, registries.error()));
        return;
    }
    std::vector<Contact> contacts;
    for (const auto& [owner, some] : *registries) {
        if (!has_registry(parts, owner)) {
            report_unknown(call, "sender_not_found", owner, reply);
            return;
        }
        contacts.insert(contacts.end(), some.begin(), some.end());
    }
    const std::size_t count = contacts.size();
    parts.kernel.write(
        store::Writer::Priority::Urgent,
        [contacts = std::move(contacts)](store::Database& db) -> Result<void> {
            for (const Contact& contact : contacts)
                A2H_TRY(store::add_contact(db, contact));
            return {};
        },
        [action = call.action, count, reply](const Result<void>& written) {
            reply(written ? ok_result(action, {{"read", count}})
                          : error_result(action, written.error()));
        });
}

}  // namespace

void add_contacts(Table& table, const AllParts& all) {
    const ContactsParts parts{all.kernel, all.agents, all.residents};
    table.add("contact.list", with(parts, handle_contact_list));
    table.add("contact.get", with(parts, handle_contact_get));
    table.add("contact.add", with(parts, handle_contact_add));
    table.add("contact.export", with(parts, handle_contact_export));
    table.add("contact.import", with(parts, handle_contact_import));
}

}  // namespace a2h::operations
