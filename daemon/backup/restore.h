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
    std::filesystem::path
        moved_to;  ///< the previous contents of the home; empty if there were none
    bool has_identities = false;
    std::int64_t rows = 0;
    store::SetAside set_aside;
};

/// Replaces what `home` holds with a backup: a folder that `make_backup` wrote, or one database
/// file (also a copy that was made before a migration). The backup is copied into the home and
/// checked there (hashes, integrity, references, rows, schema, identities, configuration). It is
/// migrated to this program's schema, and `store::set_aside_open_things` marks what must not happen
/// twice; the owner is notified at the next start. Only then are files moved: the previous contents
/// into `replaced-<time>`, the copy into their place. A crash in between leaves a mark, and no a2hd
/// serves a home with that mark; calling this again completes the restore. The caller holds the
/// home's lock.
///
/// Errors:  Corrupt, Unsupported, InvalidArgument, NotFound about the backup, and
///          ResourceExhausted: nothing was changed. Unavailable while files are moved: the message
///          says where each of them is.
/// Thread:  any; blocks.
Result<RestoreReport> restore_backup(const control::Home& home, const std::filesystem::path& backup,
                                     const Clock& clock, Progress& progress);

/// Errors:  Unavailable if a restore of this home has begun and is not finished.
Result<void> check_no_restore_is_open(const control::Home& home);

}  // namespace a2h::backup
