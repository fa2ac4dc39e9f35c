#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/control/home.h"
#include "core/http/transfers.h"
#include "core/platform/identity.h"
#include "core/store/database.h"
#include "daemon/config/config.h"
#include "daemon/kernel/home_lock.h"
#include "daemon/notify/notifier.h"

namespace a2h::home {

/// What a home holds, read and opened before anything runs.
struct Opened {
    control::Home home;
    std::unique_ptr<HomeLock> lock;
    config::Loaded loaded;
    platform::HumanIdentity human;
    std::vector<platform::AgentIdentity> identities;
    std::unique_ptr<store::Database> write_database;
    std::unique_ptr<store::Database> loop_reader;
    std::unique_ptr<store::Database> receive_reader;
    std::unique_ptr<http::Transfers> transfers;  ///< all calls that this process makes
    notify::Channels channels;                   ///< they call through `transfers`
    std::string model_key;
    std::string model_spent;
    std::string instance;  ///< which one of its agents this home is
};

/// Takes the home's lock and opens and migrates its database.
/// Errors: Conflict when another a2hd serves this home; NotFound when it has no agent yet; those of
/// configuration, identity files and database.
Result<Opened> open_home(const control::Home& home);

}  // namespace a2h::home
