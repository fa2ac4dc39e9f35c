#include "mcp/version.h"

#include <nlohmann/json.hpp>

#include "core/base/enum_names.h"
#include "core/wire/json_member.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr EnumName<Version> kVersionNames[] = {
    {Version::V2024_11_05, "2024-11-05"}, {Version::V2025_03_26, "2025-03-26"},
    {Version::V2025_06_18, "2025-06-18"}, {Version::V2025_11_25, "2025-11-25"},
    {Version::V2026_07_28, "2026-07-28"},
};
static_assert(names_all(kVersionNames));

std::optional<Version> parse_version(std::string_view text) {
    return value_of(kVersionNames, text);
}

RpcError unsupported(const std::string& requested, std::optional<Version> session) {
    json supported = json::parse(modern_versions_json());
    if (session) supported.push_back(to_string(*session));
    const bool is_legacy = parse_version(requested).has_value();
    const std::string hint = is_legacy ? ": a session of this revision begins with initialize" : "";
    return {
        .code = RpcCode::UnsupportedProtocolVersion,
        .message = "Unsupported protocol version" + hint,
        .data_json = json{{"supported", std::move(supported)}, {"requested", requested}}.dump()};
}

/// `session`: its revision may be named as well.
std::variant<Version, RpcError> classify_modern(const json& meta, std::optional<Version> session) {
    const auto requested = meta.find(kProtocolVersionKey);
    if (requested == meta.end() || !requested->is_string()) {
        return invalid_params("_meta lacks " + std::string(kProtocolVersionKey) + ", one of " +
                              modern_versions_json());
    }
    const auto& text = requested->get_ref<const std::string&>();
    const auto version = parse_version(text);
    if (!version || !is_modern(*version)) return unsupported(text, session);
    const auto capabilities = meta.find(kClientCapabilitiesKey);
    if (capabilities == meta.end() || !capabilities->is_object()) {
        return invalid_params("_meta lacks the object " + std::string(kClientCapabilitiesKey));
    }
    return *version;
}

/// Members that a revision has introduced; older ones do not know them.
struct Member {
    std::string_view name;
    Version since;
};
constexpr std::array kToolMembers = {
    Member{"annotations", Version::V2025_03_26},
    Member{"title", Version::V2025_06_18},
    Member{"outputSchema", Version::V2025_06_18},
};
/// For resources, resource templates and prompts.
constexpr std::array kEntryMembers = {Member{"title", Version::V2025_06_18}};
constexpr std::array kResultMembers = {
    Member{"structuredContent", Version::V2025_06_18},
    Member{"resultType", Version::V2026_07_28},
    Member{"ttlMs", Version::V2026_07_28},
    Member{"cacheScope", Version::V2026_07_28},
};

template <typename Members>
void drop_newer(ordered_json& object, const Members& members, Version version) {
    for (const Member& member : members) {
        if (version < member.since) object.erase(std::string(member.name));
    }
}

}  // namespace

ordered_json server_info() {
    return {{"name", "a2h"}, {"title", "A2H"}, {"version", A2H_VERSION}};
}

std::string_view to_string(Version version) {
    return name_of(kVersionNames, version);
}

std::string modern_versions_json() {
    json modern = json::array();
    for (const Version version : kVersions) {
        if (is_modern(version)) modern.push_back(to_string(version));
    }
    return modern.dump();
}

std::variant<Version, RpcError> Versions::classify(const Message& message) const {
    static const json kNone = json::object();
    const auto found = message.params->find("_meta");
    const json& meta = found == message.params->end() || !found->is_object() ? kNone : *found;
    const bool is_discovery = message.method == "server/discover";
    const bool names_session =
        session_ && wire::text_member(meta, kProtocolVersionKey) == to_string(*session_);
    if (names_session && !is_discovery) return *session_;
    if (meta.contains(kProtocolVersionKey) || is_discovery) {
        return classify_modern(meta, is_discovery ? std::nullopt : session_);
    }
    if (session_) return *session_;
    // Both may precede a session: `initialize` begins it, and `ping` only asks whether we are
    // alive.
    if (message.method == "initialize" || message.method == "ping") return kLatestLegacy;
    return invalid_params("no session: send initialize first, or name the revision in _meta " +
                          std::string(kProtocolVersionKey) + ", one of " + modern_versions_json());
}

Version Versions::begin_session(std::string_view requested) {
    const auto version = parse_version(requested);
    session_ = version && !is_modern(*version) ? *version : kLatestLegacy;
    return *session_;
}

bool Versions::batches_allowed() const {
    return session_ && *session_ <= Version::V2025_03_26;
}

std::string_view Versions::unreadable_id() const {
    return session_ && *session_ < Version::V2025_11_25 ? "null" : "";
}

void fit_result(ordered_json& result, Version version) {
    const auto tools = result.find("tools");
    if (tools != result.end()) {
        for (ordered_json& tool : *tools)
            drop_newer(tool, kToolMembers, version);
    }
    for (const char* list : {"resources", "resourceTemplates", "prompts"}) {
        const auto entries = result.find(list);
        if (entries == result.end()) continue;
        for (ordered_json& entry : *entries)
            drop_newer(entry, kEntryMembers, version);
    }
    const auto server = result.find("serverInfo");
    if (server != result.end() && version < Version::V2025_06_18) server->erase("title");
    // Only the modern revision requires the server's identity in every result.
    if (!is_modern(version)) result.erase("_meta");
    drop_newer(result, kResultMembers, version);
}

}  // namespace a2h::mcp
