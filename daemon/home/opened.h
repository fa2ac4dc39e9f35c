#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/control/home.h"
#include "core/http/transfers.h"
#include "core/platform/identity.h"
#include "core/store/database.h"
#include "core/store/writer.h"
#include "daemon/config/config.h"
#include "daemon/consent/pins.h"
#include "daemon/kernel/home_lock.h"
#include "daemon/kernel/loop.h"
#include "daemon/model/language_model.h"
#include "daemon/notify/notifier.h"

namespace a2h::home {

/// The contents of a home, read and opened before any part runs.
struct Opened {
    control::Home home;
    std::unique_ptr<HomeLock> lock;
    config::Loaded loaded;
    platform::HumanIdentity human;
    /// In the order in which the home took them in.
    std::vector<platform::AgentIdentity> identities;
    std::unique_ptr<store::Database> write_database;  ///< for the store writer alone
    std::unique_ptr<store::Database> loop_reader;     ///< for the loop alone
    std::unique_ptr<store::Database> receive_reader;  ///< for `mail::KeyRing`
    std::unique_ptr<http::Transfers> transfers;       ///< all HTTP calls of this process
    notify::Channels channels;                        ///< they use `transfers`
    std::string model_key;
    std::string model_spent;
    std::string instance;  ///< the id of this instance of its agents
};

/// Takes the home's lock and opens and migrates its database. If the home was used before and its
/// database is missing, what was sent before now is left to the human.
///
/// Errors:  Conflict if another a2hd serves this home; NotFound if it has no agent yet; Corrupt if
///          the database of a used home is an empty file; those of configuration, identity files
///          and database.
/// Thread:  the main thread, before any other thread uses the home.
Result<Opened> open_home(const control::Home& home);

/// The hashes of the PINs of all people of the home, by person.
consent::Pins::Hashes pin_hashes(const Opened& opened);

/// The language model of the configuration, null without [model]. `loop`, `clock` and `writer` must
/// outlive it, and so must `opened`.
std::unique_ptr<model::LanguageModel> make_model(const Opened& opened, Loop& loop,
                                                 const Clock& clock, store::Writer& writer);

}  // namespace a2h::home
