#include "core/wire/contact_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/json_member.h"
#include "core/wire/task_brief.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

constexpr const char* kRegistries = "contactRegistries";

/// 9999-12-31 in UTC: earlier times have a four-digit year in every time zone.
constexpr UnixMs kTimeEndMs = 253'402'214'400'000;

bool is_contact_id(std::string_view id) {
    constexpr std::string_view kOthers = "_-.:";
    const auto may_be_in = [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kOthers.find(c) != kOthers.npos;
    };
    return !id.empty() && id.size() <= kContactIdBytesMax &&
           std::all_of(id.begin(), id.end(), may_be_in);
}

json contact_entry(const Contact& contact) {
    json entry = json::object();
    entry["id"] = contact.peer_id;
    entry["role"] = contact.role;
    if (contact.interface_spec) {
        entry["interfaceSpec"] = write_interface_spec(*contact.interface_spec);
    }
    entry["source"] = to_string(contact.source);
    if (!contact.introduced_by.empty()) entry["introducedBy"] = contact.introduced_by;
    entry["addedAt"] = to_envelope_time(contact.added_at_ms);
    return entry;
}

class ContactFileReader {
  public:
    void registry(const std::string& agent_id, const json& entries) {
        at_ = std::string("/") + kRegistries + "/" + preview(agent_id);
        if (!is_contact_id(agent_id)) refuse("", "is not an agent id");
        if (!entries.is_array()) return refuse("", "must be a list");
        auto& contacts = registries_[agent_id];
        const std::string registry = at_;
        std::set<std::string> ids;
        std::size_t place = 0;
        for (const json& entry : entries) {
            at_ = registry + "/" + std::to_string(place++);
            Contact contact = read(agent_id, entry);
            if (!contact.peer_id.empty() && !ids.insert(contact.peer_id).second) {
                refuse("/id", "occurs twice");
            }
            contacts.push_back(std::move(contact));
        }
    }

    Result<ContactRegistries> take() {
        if (count_ == 0) return std::move(registries_);
        if (count_ > kFileFaultsMax) {
            faults_ += "\nand " + std::to_string(count_ - kFileFaultsMax) + " more";
        }
        return invalid(std::move(faults_));
    }

  private:
    Contact read(const std::string& agent_id, const json& entry) {
        Contact contact;
        contact.agent_id = agent_id;
        if (!entry.is_object()) {
            refuse("", "must be an object");
            return contact;
        }
        contact.peer_id = id(entry, "id");
        if (contact.peer_id == agent_id) refuse("/id", "is the agent itself");
        contact.role = role(entry);
        contact.interface_spec = spec(entry);
        contact.source = source(entry);
        if (!either_member(entry, "introduced_by").is_null()) {
            contact.introduced_by = id(entry, "introduced_by");
            if (contact.source != ContactSource::Introduction) {
                refuse("/introducedBy", "is allowed only with source introduction");
            }
        }
        contact.added_at_ms = time(entry);
        return contact;
    }
    std::string id(const json& entry, std::string_view name) {
        const json& value = either_member(entry, name);
        if (value.is_string() && is_contact_id(value.get_ref<const std::string&>())) {
            return value.get<std::string>();
        }
        refuse("/" + camel_case(name), "must be an id: 1 to 64 letters, digits and _ - . :");
        return {};
    }
    std::string role(const json& entry) {
        const json& value = member(entry, "role");
        if (value.is_string() &&
            code_point_count(value.get_ref<const std::string&>()) <= kContactRoleMax) {
            return value.get<std::string>();
        }
        refuse("/role",
               "must be a text of up to " + std::to_string(kContactRoleMax) + " characters");
        return {};
    }
    std::optional<InterfaceSpec> spec(const json& entry) {
        const json& value = either_member(entry, "interface_spec");
        if (value.is_null()) return std::nullopt;
        auto read = read_interface_spec(value);
        if (read) return std::move(*read);
        refuse("/interfaceSpec", read.error().message);
        return std::nullopt;
    }
    ContactSource source(const json& entry) {
        const auto parsed = parse_contact_source(text_member(entry, "source"));
        if (!parsed) {
            refuse("/source",
                   "must be system, parent, preset, introduction, first_message or manual");
        }
        return parsed.value_or(ContactSource::Manual);
    }
    UnixMs time(const json& entry) {
        const json& value = either_member(entry, "added_at");
        const auto parsed = parse_time(value.is_string() ? value.get<std::string>() : "");
        const bool fits = parsed && *parsed >= 0 && *parsed < kTimeEndMs;
        if (!fits) refuse("/addedAt", "must be an ISO 8601 time with an offset, not before 1970");
        return fits ? *parsed : 0;
    }
    void refuse(std::string_view where, std::string_view what) {
        if (count_++ >= kFileFaultsMax) return;
        if (!faults_.empty()) faults_ += '\n';
        faults_.append(at_).append(where).append(": ").append(what);
    }

    ContactRegistries registries_;
    std::string at_;
    std::string faults_;
    std::size_t count_ = 0;
};

}  // namespace

json write_contact_file(const ContactRegistries& registries) {
    json by_agent = json::object();
    for (const auto& [agent_id, contacts] : registries) {
        json& entries = by_agent[agent_id] = json::array();
        for (const Contact& contact : contacts)
            entries.push_back(contact_entry(contact));
    }
    json file = json::object();
    file[kRegistries] = std::move(by_agent);
    return file;
}

Result<ContactRegistries> read_contact_file(const json& file) {
    const json& by_agent = member(file, kRegistries);
    if (!by_agent.is_object()) {
        return invalid(std::string("/") + kRegistries + ": must be an object");
    }
    ContactFileReader reader;
    for (const auto& [agent_id, entries] : by_agent.items())
        reader.registry(agent_id, entries);
    return reader.take();
}

}  // namespace a2h::wire
