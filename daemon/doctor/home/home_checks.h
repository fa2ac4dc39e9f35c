#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "core/control/home.h"
#include "core/platform/identity.h"
#include "daemon/doctor/home/finding.h"

// Checks of the home folder alone, used by a2hd and, if it does not start, by `a2h`.

namespace a2h::doctor {

/// The facts that the checks of the home need. They block on the disk.
///
/// Thread:  any.
struct HomeFacts {
    control::Home home;
    i18n::Language language = i18n::Language::English;
    /// More files with secrets, named by the configuration.
    std::vector<std::filesystem::path> secret_files = {};
    /// A source of identities besides the home; empty: there is none.
    std::function<Result<std::vector<platform::AgentIdentity>>()> load_agents = {};
    std::function<Result<platform::HumanIdentity>()> load_human = {};
    /// The number of bytes available to us in the file system of this folder; -1 if unknown.
    std::function<std::int64_t(const std::filesystem::path&)> free_bytes = {};
};

struct HomeCheck {
    std::string_view id;
    Findings (*run)(const HomeFacts&);
};

/// identity, permissions, stale_files, disk.
std::span<const HomeCheck> home_checks();

/// Files and folders of the home that other users can open or own.
std::vector<std::filesystem::path> open_to_others(const HomeFacts& facts);
/// A socket that no process serves, and temporary files left by a crash, at least an hour old.
std::vector<std::filesystem::path> stale_files(const HomeFacts& facts);

}  // namespace a2h::doctor
