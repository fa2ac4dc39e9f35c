#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/domain/message.h"
#include "core/store/database.h"

namespace a2h::store {

/// The position up to which a report has read: row ids of inbox and outbox.
struct MailCursor {
    std::int64_t inbox_id = 0;
    std::int64_t outbox_id = 0;
};

/// A received message, or an automatic reply.
struct MailLine {
    bool incoming = true;
    std::string agent_id;
    std::string peer_id;
    std::string payload_json;
    Provenance provenance = Provenance::Unverified;  ///< incoming only
};

/// The messages after a position.
struct Mail {
    std::int64_t received = 0;
    std::int64_t replied = 0;  ///< by rules; replies that a human approved are not reported to them
    std::vector<MailLine> newest_received;
    std::vector<MailLine> newest_replied;
    MailCursor end;  ///< start of the next report
};

/// The messages after `cursor`, with at most `lines_max` lines of each kind, oldest first.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<Mail> mail_after(Database& db, const MailCursor& cursor, int lines_max);

}  // namespace a2h::store
