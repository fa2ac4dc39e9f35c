#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/control/home.h"
#include "core/store/after_restore.h"

namespace a2h::backup {

struct RestoreReport {
    std::filesystem::path moved_to;  ///< what was there before; empty when nothing was
    bool has_identities = false;
    std::int64_t rows = 0;
    store::SetAside set_aside;
};

/// Puts a backup in the place of what `home` holds: a folder that `make_backup` wrote, or one
/// database file (a copy from before a migration, too). It is copied into the home, checked there
/// (hashes, integrity, references, rows, schema, identities, configuration), brought to this
/// program's schema, and freed of what must not happen twice (`store::set_aside_open_things`);
/// the human is told at the next start. Only then is anything moved: what was there into
/// `replaced-<time>`, the copy into its place. A crash in between leaves a mark that no a2hd serves
/// such a home with; the same call again ends it.
///
/// The caller holds the home's lock. Thread: any; blocks.
/// Errors: Corrupt, Unsupported, InvalidArgument, NotFound about the backup, ResourceExhausted:
///         nothing was touched. Unavailable while moving: the message says what is where.
Result<RestoreReport> restore_backup(const control::Home& home, const std::filesystem::path& backup,
                                     const Clock& clock, Progress& progress);

/// Errors: Unavailable when a restore of this home was begun and not finished.
Result<void> check_no_restore_is_open(const control::Home& home);

}  // namespace a2h::backup
