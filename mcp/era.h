#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "mcp/framing.h"

namespace a2h::mcp {

/// Protocol revisions, oldest first. All but the last are "legacy": a session that `initialize`
/// begins. The last is "modern": every request says in `_meta` which revision it speaks.
enum class Version { V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28 };

inline constexpr std::array kVersions = {Version::V2026_07_28, Version::V2025_11_25,
                                         Version::V2025_06_18, Version::V2025_03_26,
                                         Version::V2024_11_05};
constexpr Version kLatestLegacy = Version::V2025_11_25;
constexpr std::string_view kProtocolVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kClientCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kServerInfoKey = "io.modelcontextprotocol/serverInfo";

/// What every answer says of us, where the revision asks for it.
nlohmann::ordered_json server_info();

std::string_view to_string(Version version);
constexpr bool is_modern(Version version) {
    return version == Version::V2026_07_28;
}
/// JSON array of all supported revisions, newest first.
std::string supported_versions_json();

/// Decides for each message by itself which revision it speaks: one process may serve both eras at
/// the same time, and a client that probes with the one and then speaks the other is served.
/// Thread: the reader's.
class Eras {
  public:
    /// The revision in which `message` is to be answered.
    /// Errors: InvalidParams for `_meta` with members missing, and outside of any session;
    ///         UnsupportedProtocolVersion with what is supported.
    /// Source: MCP 2026-07-28, "Versioning and Compatibility".
    std::variant<Version, RpcError> classify(const Message& message) const;

    /// After `initialize`: the revision the client asked for where it is a legacy one, else the
    /// latest legacy one. Source: MCP 2025-11-25, "Lifecycle", version negotiation.
    Version begin_session(std::string_view requested);

    /// Batches exist up to 2025-03-26, inside a session.
    bool batches_allowed() const;

    /// What stands for the id of a message whose id could not be read. JSON-RPC says null; newer
    /// revisions leave the member out, which is the empty text here.
    std::string_view unreadable_id() const;

  private:
    std::optional<Version> session_;
};

/// What a request leads to: its result as the newest revision wants it, or a refusal.
using Outcome = std::variant<nlohmann::ordered_json, RpcError>;

/// Takes out of a result, which is written as the newest revision wants it, what `version` does not
/// know, so that a strict old client meets no foreign member.
/// Source: the changelogs of the revisions.
void fit_result(nlohmann::ordered_json& result, Version version);

}  // namespace a2h::mcp
