#include "daemon/doctor/home/home_checks.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>

#include "core/control/client.h"
#include "core/wire/crypto.h"

namespace a2h::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMebibyte = 1024 * 1024;
constexpr std::int64_t kFreeFailed = 100 * kMebibyte;
constexpr std::int64_t kFreeWarning = 1024 * kMebibyte;
constexpr std::chrono::hours kDraftAge{1};
constexpr std::string_view kDraftMark = ".new-";

std::int64_t free_bytes_of(const fs::path& folder) {
    struct statvfs status {};
    if (::statvfs(folder.c_str(), &status) != 0) return -1;
    return static_cast<std::int64_t>(status.f_bavail) * static_cast<std::int64_t>(status.f_frsize);
}

/// Follows links; mode 0 if the path does not exist.
struct stat status_of(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) status.st_mode = 0;
    return status;
}

bool is_open_to_others(const fs::path& path, mode_t forbidden) {
    const struct stat status = status_of(path);
    if (status.st_mode == 0) return false;
    if (status.st_uid != ::geteuid() && ::geteuid() != 0) return true;
    return (status.st_mode & forbidden) != 0;
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Whether a signature made with the secret key matches the public key.
bool keys_fit(const wire::SigningKeys& keys) {
    if (keys.key_pair.public_key.empty()) return true;  // the agent logged in through a browser
    const auto key_id = wire::key_id_of(keys.key_pair.public_key);
    if (!key_id || *key_id != keys.key_pair.key_id) return false;
    constexpr std::string_view kProbe = "a2h doctor";
    const auto signature = wire::ed25519_sign(keys.key_pair.secret_key, kProbe);
    return signature && wire::ed25519_verify(keys.key_pair.public_key, kProbe, *signature);
}

Findings check_identity(const HomeFacts& facts) {
    const auto agents =
        facts.load_agents ? facts.load_agents() : platform::load_agents(facts.home.agents_dir());
    if (!agents) {
        // Another check reports open permissions.
        const State state =
            agents.error().code == ErrorCode::PermissionDenied ? State::NotChecked : State::Failed;
        return {
            say(facts.language, state, "identity_unreadable", {{"why", agents.error().message}})};
    }
    if (agents->empty()) return {say(facts.language, State::Failed, "identity_none")};
    Findings findings;
    for (const auto& agent : *agents) {
        const bool fits = keys_fit(agent.account.keys);
        findings.push_back(say(facts.language, fits ? State::Ok : State::Failed,
                               fits ? "identity_ok" : "identity_keys",
                               {{"name", agent.name}, {"agent", agent.account.agent_id}},
                               agent.account.agent_id));
    }
    const auto human =
        facts.load_human ? facts.load_human() : platform::load_human(facts.home.human_file());
    if (!human && human.error().code != ErrorCode::PermissionDenied) {
        findings.push_back(
            say(facts.language, State::Failed, "identity_human", {{"why", human.error().message}}));
    }
    return findings;
}

Findings check_permissions(const HomeFacts& facts) {
    Findings findings;
    for (const fs::path& path : open_to_others(facts)) {
        findings.push_back(say(facts.language, State::Failed, "permissions_open",
                               {{"path", path.string()}}, path.string(), Repair::Permissions));
    }
    if (findings.empty()) findings.push_back(say(facts.language, State::Ok, "permissions_ok"));
    return findings;
}

Findings check_stale_files(const HomeFacts& facts) {
    Findings findings;
    for (const fs::path& path : stale_files(facts)) {
        findings.push_back(say(facts.language, State::Warning, "stale_file",
                               {{"path", path.string()}}, path.string(), Repair::StaleFile));
    }
    if (findings.empty()) findings.push_back(say(facts.language, State::Ok, "stale_none"));
    return findings;
}

Findings check_disk(const HomeFacts& facts) {
    const std::int64_t free =
        facts.free_bytes ? facts.free_bytes(facts.home.root) : free_bytes_of(facts.home.root);
    if (free < 0) return {say(facts.language, State::NotChecked, "disk_unknown")};
    const std::string megabytes = std::to_string(free / kMebibyte);
    const i18n::Arguments arguments{{"free", megabytes}};
    if (free < kFreeFailed) return {say(facts.language, State::Failed, "disk_full", arguments)};
    if (free < kFreeWarning) return {say(facts.language, State::Warning, "disk_low", arguments)};
    return {say(facts.language, State::Ok, "disk_ok", arguments)};
}

constexpr HomeCheck kHomeChecks[] = {
    {"identity", check_identity},
    {"permissions", check_permissions},
    {"stale_files", check_stale_files},
    {"disk", check_disk},
};

}  // namespace

std::span<const HomeCheck> home_checks() {
    return kHomeChecks;
}

std::vector<fs::path> open_to_others(const HomeFacts& facts) {
    constexpr mode_t kAll = S_IRWXG | S_IRWXO;
    const control::Home& home = facts.home;
    std::vector<fs::path> found;
    std::vector<fs::path> secret{home.root, home.agents_dir(), home.run_dir(), home.human_file(),
                                 home.database_file()};
    for (const fs::path& file : files_in(home.agents_dir()))
        secret.push_back(file);
    for (const char* suffix : {"-wal", "-shm"})
        secret.push_back(home.database_file().string() + suffix);
    secret.insert(secret.end(), facts.secret_files.begin(), facts.secret_files.end());
    for (const fs::path& path : secret) {
        if (is_open_to_others(path, kAll)) found.push_back(path);
    }
    // These files hold no secrets, but a user who can write them can decide what is sent in the
    // owner's name.
    for (const fs::path& path : {home.config_file(), home.rules_file()}) {
        if (is_open_to_others(path, S_IWGRP | S_IWOTH)) found.push_back(path);
    }
    return found;
}

std::vector<fs::path> stale_files(const HomeFacts& facts) {
    std::vector<fs::path> found;
    const fs::path socket = facts.home.socket_file();
    if (S_ISSOCK(status_of(socket).st_mode) && !control::Client::connect(socket)) {
        found.push_back(socket);
    }
    const auto now = std::chrono::system_clock::now();
    for (const fs::path& folder : {facts.home.root, facts.home.agents_dir()}) {
        for (const fs::path& file : files_in(folder)) {
            if (file.filename().string().find(kDraftMark) == std::string::npos) continue;
            const auto written = std::chrono::system_clock::from_time_t(status_of(file).st_mtime);
            if (now - written >= kDraftAge) found.push_back(file);
        }
    }
    return found;
}

}  // namespace a2h::doctor
