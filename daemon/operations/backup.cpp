#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "daemon/backup/backup.h"
#include "daemon/config/current.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {

namespace {

namespace fs = std::filesystem;

struct BackupParts {
    backup::Backups& backups;
    const Current<Config>& config;
};

/// A backup holds keys, and an assistant may send what lies in a folder for uploads.
Result<void> check_target(const BackupParts& parts, const std::string& to) {
    const auto config = parts.config.get();
    for (const fs::path& folder : config->upload_folders) {
        if (to.empty()) continue;
        A2H_ASSIGN_OR_RETURN(const bool may_be_sent, is_inside(to, folder));
        if (!may_be_sent) continue;
        return fail(ErrorCode::InvalidArgument,
                    "agents may send what lies in " + folder.string() +
                        ", so no backup is written there; choose another folder");
    }
    return {};
}

void handle_backup_create(const BackupParts& parts, const Call& call, const Reply& reply) {
    const auto checked = check_target(parts, call.text("to"));
    if (!checked) return reply(error_result(call.action, checked.error()));
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
    const auto checked = check_target(parts, call.text("to"));
    if (!checked) return reply(error_result(call.action, checked.error()));
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
    reply(error_result_about(call.action,
                             {ErrorCode::Conflict, "a2hd serves this home; stop it first"},
                             "home_served", "Run `a2h down`, then restore."));
}

}  // namespace

void add_backup(Table& table, const AllParts& all) {
    const BackupParts parts{all.backups, all.config};
    table.add("backup.create", with(parts, handle_backup_create));
    table.add("backup.export", with(parts, handle_backup_export));
    table.add("backup.restore", with(parts, handle_backup_restore));
}

}  // namespace a2h::operations
