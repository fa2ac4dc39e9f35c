#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/daemon_call.h"
#include "cli/rows.h"
#include "core/wire/json_member.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// Enough for a large database on a slow disk. The user can interrupt the command.
constexpr std::chrono::hours kBackupTimeout{12};

/// Makes a path absolute, because a2hd has another working directory.
std::string absolute_path(const std::string& given) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(given, error);
    return error ? given : absolute.lexically_normal().string();
}

std::string number_of(const json& data, const char* name) {
    const json& value = wire::member(data, name);
    return value.is_number_integer() ? value.dump() : std::string("0");
}

std::string render_backup(const Invocation& invocation, const json& data) {
    const bool alone = wire::member(data, "identities") == false;
    const std::string path = wire::text_member(data, "path");
    return invocation.text(alone ? "cli.backup_of_database" : "cli.backup_written",
                           {{"path", path},
                            {"bytes", number_of(data, "bytes")},
                            {"rows", number_of(data, "rows")}}) +
           "\n" +
           invocation.text("cli.backup_next", {{"command", invocation.hint("restore " + path)}});
}

std::string render_export(const Invocation& invocation, const json& data) {
    const bool secrets = wire::member(data, "secrets") == true;
    return invocation.text(secrets ? "cli.exported_secrets" : "cli.exported",
                           {{"path", wire::text_member(data, "path")},
                            {"rows", number_of(data, "rows")},
                            {"tables", number_of(data, "tables")}});
}

std::string render_restored(const Invocation& invocation, const json& data) {
    const std::string aside = wire::text_member(data, "moved_to");
    std::string text = invocation.text("cli.restored", {{"rows", number_of(data, "rows")}}) + "\n";
    if (!aside.empty()) text += invocation.text("cli.restored_aside", {{"folder", aside}}) + "\n";
    text += invocation.text("cli.restored_safe", {{"held", number_of(data, "held")},
                                                  {"approvals", number_of(data, "approvals")},
                                                  {"mandates", number_of(data, "mandates")},
                                                  {"tasks", number_of(data, "tasks")},
                                                  {"unsettled", number_of(data, "unsettled")}});
    return text + "\n" +
           invocation.text("cli.restored_next",
                           {{"command", invocation.hint("up")},
                            {"outbox", invocation.hint("outbox list --state held")}});
}

Outcome run_backup(const Invocation& invocation) {
    json params = json::object();
    if (invocation.has("PATH")) params["to"] = absolute_path(invocation.value("PATH"));
    return call_daemon_or_once(invocation, "backup.create", std::move(params), render_backup,
                               kBackupTimeout);
}

Outcome run_export(const Invocation& invocation) {
    json params = json::object();
    params["to"] = absolute_path(invocation.value("DIR"));
    if (invocation.has("--with-secrets")) params["with_secrets"] = true;
    return call_daemon_or_once(invocation, "backup.export", std::move(params), render_export,
                               kBackupTimeout);
}

Outcome run_restore(const Invocation& invocation) {
    json params = json::object();
    params["from"] = absolute_path(invocation.value("BACKUP"));
    return call_daemon_or_once(invocation, "backup.restore", std::move(params), render_restored,
                               kBackupTimeout);
}

}  // namespace

std::vector<Command> backup_rows() {
    using enum ParameterKind;
    return {
        {"backup",
         "backup.create",
         "cli.backup",
         {{"PATH", Optional, "cli.argument_backup_target"}},
         run_backup},
        {"export",
         "backup.export",
         "cli.export",
         {{"DIR", Required, "cli.argument_export_target"},
          {"--with-secrets", Flag, "cli.option_with_secrets"}},
         run_export},
        {"restore",
         "backup.restore",
         "cli.restore",
         {{"BACKUP", Required, "cli.argument_backup"}},
         run_restore},
    };
}

}  // namespace a2h::cli
