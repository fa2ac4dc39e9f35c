#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace a2h::control {

/// The folder with an owner's files: `--home`, otherwise $A2H_HOME, otherwise ~/.a2h. The folder
/// has mode 0700, secrets in it 0600.
///   config.toml           settings
///   rules.toml            the owner's rules, added to ours; may be missing
///   trades/<trade>.toml   words of the owner's trades; may be missing
///   agents/<agent>.json   identity and keys, one file for each agent (secret)
///   human.json            PIN hash and link key (secret)
///   a2hd.db               the agent database
///   device                identifies this home among the instances of its agents (never in a
///   backup)
///   backups/              backups without another target
///   replaced-<time>/      what a restore has moved away
///   restore.unfinished    an interrupted restore: no a2hd serves this home before it is repeated
///   run/a2hd.sock         control socket
///   run/a2hd.pid          lock file; contains the process id
///   run/api.token         token of this user's programs for /api/v1, new at each start (secret)
///   run/changes           count of changes, see change_page.h
///   run/progress          progress of long work, see progress_file.h
///   run/a2hd.log          log of a daemon started by `a2h up` or a2h-mcp
struct Home {
    std::filesystem::path root;

    std::filesystem::path config_file() const { return root / "config.toml"; }
    std::filesystem::path rules_file() const { return root / "rules.toml"; }
    std::filesystem::path trades_dir() const { return root / "trades"; }
    std::filesystem::path agents_dir() const { return root / "agents"; }
    std::filesystem::path human_file() const { return root / "human.json"; }
    std::filesystem::path database_file() const { return root / "a2hd.db"; }
    std::filesystem::path device_file() const { return root / "device"; }
    std::filesystem::path backups_dir() const { return root / "backups"; }
    std::filesystem::path unfinished_restore_file() const { return root / "restore.unfinished"; }
    std::filesystem::path run_dir() const { return root / "run"; }
    std::filesystem::path socket_file() const { return run_dir() / "a2hd.sock"; }
    std::filesystem::path lock_file() const { return run_dir() / "a2hd.pid"; }
    std::filesystem::path api_token_file() const { return run_dir() / "api.token"; }
    std::filesystem::path changes_file() const { return run_dir() / "changes"; }
    std::filesystem::path progress_file() const { return run_dir() / "progress"; }
    std::filesystem::path log_file() const { return run_dir() / "a2hd.log"; }
};

/// `option` is the value of --home, empty if it was not given.
///
/// Errors:  InvalidArgument if neither the option nor $A2H_HOME nor $HOME is set.
Result<Home> find_home(std::string_view option);

/// `path` with a leading `~/` replaced by `$HOME/`; unchanged if $HOME is not set.
std::filesystem::path expand_home(std::string_view path);

}  // namespace a2h::control
