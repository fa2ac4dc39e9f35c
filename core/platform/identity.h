#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/platform/client.h"

namespace a2h::platform {

/// One local agent: home/agents/<agent_id>.json. Secret; never logged, never in an answer.
struct AgentIdentity {
    std::string name;  ///< what people call it
    /// Id, keys and the market's address. Without a key pair the agent logged in through a browser:
    /// it signs with its agent key alone.
    Account account;
    std::string mqtt_url;  ///< mqtt://host:port or mqtts://…
    std::string ca_file;   ///< private CA for market and broker; empty: the system's
};

/// What proves people: home/human.json. Secret as above.
struct HumanIdentity {
    std::string pin_hash;                         ///< of the owner, Argon2id
    std::string link_key;                         ///< 32 random bytes, base64url
    std::map<std::string, std::string> people{};  ///< hashes of the others' PINs, by name
};

// All functions: any thread; they block on the disk. A file that group or others may read or
// write, or that belongs to another user, is refused with PermissionDenied and the command that
// repairs it. Source: core/control/README.md.

/// Makes `folder` and its parents; `folder` itself is 0700.
/// Errors: PermissionDenied when it exists and others may enter it; Unavailable.
Result<void> make_private_folder(const std::filesystem::path& folder);

/// All identities of `agents_dir`, sorted by id; empty when there is no such folder.
/// Errors: PermissionDenied; Corrupt naming file and member.
Result<std::vector<AgentIdentity>> load_agents(const std::filesystem::path& agents_dir);

/// Writes `agents_dir/<agent_id>.json`, durable before it returns.
/// Errors: Conflict when the file exists (it is left alone); InvalidArgument for a bad agent id;
///         Unavailable when it cannot be written.
Result<void> save_new_agent(const std::filesystem::path& agents_dir, const AgentIdentity& identity);

/// Errors: NotFound; PermissionDenied; Corrupt.
Result<HumanIdentity> load_human(const std::filesystem::path& human_file);

/// Errors: as `save_new_agent`.
Result<void> save_new_human(const std::filesystem::path& human_file, const HumanIdentity& human);

/// Identities that a service manager has brought to `folder` (LoadCredential=): the file
/// `agent.json` and every `agents_….json`, of the form of `load_agents`, whatever their names and
/// modes; sorted by id. Such files are guarded by their folder. Empty when there is none.
/// Errors: Corrupt; Unavailable.
Result<std::vector<AgentIdentity>> load_agent_credentials(const std::filesystem::path& folder);

/// `human.json` of such a folder. Errors: NotFound; Corrupt.
Result<HumanIdentity> load_human_credential(const std::filesystem::path& folder);

/// Puts `human` in the place of what the file holds: a crash leaves one or the other, whole.
/// Errors: Unavailable when it cannot be written; the file is as it was then.
Result<void> replace_human(const std::filesystem::path& human_file, const HumanIdentity& human);

}  // namespace a2h::platform
