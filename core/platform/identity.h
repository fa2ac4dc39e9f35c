#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/platform/client.h"

namespace a2h::platform {

/// One local agent: home/agents/<agent_id>.json. Secret: never logged, never in an answer.
struct AgentIdentity {
    std::string name;  ///< its name for people
    /// Id, keys and the market's address. An agent without a key pair logged in through a browser;
    /// it signs only with its agent key.
    Account account;
    std::string mqtt_url;  ///< mqtt://host:port or mqtts://…
    std::string ca_file;   ///< private CA for market and broker; empty: the system's
};

/// The secrets that prove people: home/human.json. Secret as above.
struct HumanIdentity {
    std::string pin_hash;                         ///< the owner's, Argon2id
    std::string link_key;                         ///< 32 random bytes, base64url
    std::map<std::string, std::string> people{};  ///< PIN hashes of other people, by name
};

// They block on the disk. A file that group or others can read or write, or that belongs to another
// user, is refused with PermissionDenied and the command that repairs it.
//
// Thread:  any.
// Source:  core/control/README.md.

/// Creates `folder` and its parents; `folder` itself gets mode 0700.
///
/// Errors:  PermissionDenied if it exists and others can open it; Unavailable.
Result<void> make_private_folder(const std::filesystem::path& folder);

/// All identities of `agents_dir`, sorted by id; empty if there is no such folder.
///
/// Errors:  PermissionDenied; Corrupt naming file and member.
Result<std::vector<AgentIdentity>> load_agents(const std::filesystem::path& agents_dir);

/// Writes `agents_dir/<agent_id>.json` durably.
///
/// Errors:  Conflict if the file exists (it is not changed); InvalidArgument for a bad agent id;
///          Unavailable if it cannot be written.
Result<void> save_new_agent(const std::filesystem::path& agents_dir, const AgentIdentity& identity);

/// Errors: NotFound; PermissionDenied; Corrupt.
Result<HumanIdentity> load_human(const std::filesystem::path& human_file);

/// Errors: as `save_new_agent`.
Result<void> save_new_human(const std::filesystem::path& human_file, const HumanIdentity& human);

/// Identities that a service manager has placed in `folder` (LoadCredential=): the file
/// `agent.json` and every `agents_….json`, in the format of `load_agents`, with any names and
/// modes; sorted by id. The folder protects such files. Empty if there are none.
///
/// Errors:  Corrupt; Unavailable.
Result<std::vector<AgentIdentity>> load_agent_credentials(const std::filesystem::path& folder);

/// `human.json` in such a folder.
///
/// Errors:  NotFound; Corrupt.
Result<HumanIdentity> load_human_credential(const std::filesystem::path& folder);

/// Replaces the content of the file with `human`. After a crash it contains one of both, complete.
///
/// Errors:  Unavailable if it cannot be written; it is then unchanged.
Result<void> replace_human(const std::filesystem::path& human_file, const HumanIdentity& human);

}  // namespace a2h::platform
