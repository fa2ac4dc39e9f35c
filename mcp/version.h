#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "mcp/framing.h"

namespace a2h::mcp {

/// Protocol revisions, oldest first. All but the last are "legacy": `initialize` begins a session.
/// The last is "modern": every request states its revision in `_meta`.
enum class Version { V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28 };

inline constexpr std::array kVersions = {Version::V2026_07_28, Version::V2025_11_25,
                                         Version::V2025_06_18, Version::V2025_03_26,
                                         Version::V2024_11_05};
constexpr Version kLatestLegacy = Version::V2025_11_25;
constexpr std::string_view kProtocolVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kClientCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";

/// The description of this server for answers, if the revision requires it.
nlohmann::ordered_json server_info();

std::string_view to_string(Version version);
constexpr bool is_modern(Version version) {
    return version == Version::V2026_07_28;
}
/// JSON array of the revisions that every request may name in `_meta`. The others are agreed on by
/// `initialize`, so a client must not read them here and name them.
std::string modern_versions_json();

/// Determines the revision of each message separately: one process may serve both kinds at the same
/// time, and a client that probes with one and continues with the other is served.
///
/// Thread:  the reader's.
class Versions {
  public:
    /// The revision in which `message` must be answered: the one it names, or the session's, which
    /// it may name as well.
    ///
    /// Errors:  InvalidParams for `_meta` with missing members, and outside a session;
    ///          UnsupportedProtocolVersion with the versions that this request may name.
    /// Source:  MCP 2026-07-28, "Versioning and Compatibility".
    std::variant<Version, RpcError> classify(const Message& message) const;

    /// After `initialize`: the requested revision if it is a legacy one, otherwise the newest
    /// legacy one.
    ///
    /// Source:  MCP 2025-11-25, "Lifecycle", version negotiation.
    Version begin_session(std::string_view requested);

    /// Batches are allowed up to 2025-03-26, inside a session.
    bool batches_allowed() const;

    /// Returns what replaces the id of a message whose id could not be read. JSON-RPC uses null;
    /// newer revisions omit the member, which is an empty text here.
    std::string_view unreadable_id() const;

  private:
    std::optional<Version> session_;
};

/// The outcome of a request: its result in the form of the newest revision, or a refusal.
using Outcome = std::variant<nlohmann::ordered_json, RpcError>;

/// Removes the members that `version` does not know from a result in the form of the newest
/// revision, so that a strict older client gets no unknown member.
///
/// Source:  the changelogs of the revisions.
void fit_result(nlohmann::ordered_json& result, Version version);

}  // namespace a2h::mcp
