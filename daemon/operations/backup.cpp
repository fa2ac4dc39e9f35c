#include <nlohmann/json.hpp>

#include "daemon/backup/backup.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {

namespace {

struct BackupParts {
    backup::Backups& backups;
};

void handle_backup_create(const BackupParts& parts, const Call& call, const Reply& reply) {
    parts.backups.start(call.text("to"),
                        [action = call.action, reply](const Result<backup::BackupReport>& written) {
                            if (!written) {
                                reply(error_result(action, written.error()));
                                return;
                            }
                            reply(ok_result(action, {{"path", written->path.string()},
                                                     {"identities", written->has_identities},
                                                     {"schema", written->schema},
                                                     {"rows", written->rows},
                                                     {"bytes", written->bytes}}));
                        });
}

void handle_backup_export(const BackupParts& parts, const Call& call, const Reply& reply) {
    parts.backups.start_export(
        call.text("to"), call.arguments.value("with_secrets", false),
        [action = call.action, reply](const Result<backup::ExportReport>& written) {
            if (!written) {
                reply(error_result(action, written.error()));
                return;
            }
            reply(ok_result(action, {{"path", written->path.string()},
                                     {"tables", written->tables},
                                     {"rows", written->rows},
                                     {"secrets", written->has_secrets}}));
        });
}

/// `a2hd --once` restores before anything in the home is opened; see daemon/app/once.cpp.
void handle_backup_restore(const BackupParts&, const Call& call, const Reply& reply) {
    reply(error_result(call.action, {ErrorCode::Conflict, "a2hd serves this home; stop it first"},
                       "Run `a2h down`, then restore."));
}

}  // namespace

void add_backup(Table& table, backup::Backups& backups) {
    const BackupParts parts{backups};
    table.add("backup.create", with(parts, handle_backup_create));
    table.add("backup.export", with(parts, handle_backup_export));
    table.add("backup.restore", with(parts, handle_backup_restore));
}

}  // namespace a2h::operations
