#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "core/control/home.h"
#include "core/platform/identity.h"
#include "daemon/doctor/home/finding.h"

// What can be seen in the home folder alone, by a2hd and, where that does not start, by `a2h`.

namespace a2h::doctor {

/// What the checks of the home look at. Thread: any; they block on the disk.
struct HomeFacts {
    control::Home home;
    i18n::Language language = i18n::Language::English;
    /// More files with secrets, named by the configuration.
    std::vector<std::filesystem::path> secret_files = {};
    /// Where identities come from as well; empty: from the home alone.
    std::function<Result<std::vector<platform::AgentIdentity>>()> load_agents = {};
    std::function<Result<platform::HumanIdentity>()> load_human = {};
    /// Bytes that are free for us where this folder is; -1 when nobody can tell.
    std::function<std::int64_t(const std::filesystem::path&)> free_bytes = {};
};

struct HomeCheck {
    std::string_view id;
    Findings (*look)(const HomeFacts&);
};

/// identity, permissions, stale_files, disk.
std::span<const HomeCheck> home_checks();

/// Files and folders of the home that others may open, or that belong to somebody else.
std::vector<std::filesystem::path> open_to_others(const HomeFacts& facts);
/// A socket that nobody serves, and drafts that a crash left behind, an hour old or older.
std::vector<std::filesystem::path> stale_files(const HomeFacts& facts);

}  // namespace a2h::doctor
