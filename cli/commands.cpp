#include "cli/rows.h"

namespace a2h::cli {
namespace {

using Rows = std::vector<Command> (*)();

/// In the order of the help.
constexpr Rows kParts[] = {
    init_rows,     lifecycle_rows, status_rows,     doctor_rows,      mail_rows,
    deal_rows,     offer_rows,     order_rows,      works_rows,       metrics_rows,
    log_rows,      top_rows,       approval_rows,   audit_rows,       mandate_rows,
    playbook_rows, explain_rows,   agent_rows,      negotiation_rows, invitation_rows,
    profile_rows,  config_rows,    backup_rows,     page_rows,        outbox_rows,
    notify_rows,   event_rows,     mcp_config_rows, demo_rows,        standard_commands};

}  // namespace

std::span<const Command> commands() {
    static const std::vector<Command> kCommands = [] {
        std::vector<Command> all;
        for (const Rows rows : kParts) {
            const std::vector<Command> part = rows();
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }();
    return kCommands;
}

std::span<const Parameter> everywhere() {
    static constexpr Parameter kRows[] = {
        {"--home", ParameterKind::Value, "cli.option_home", "DIR"},
        {"--json", ParameterKind::Flag, "cli.option_json"},
        {"--help", ParameterKind::Flag, "cli.option_help", {}, "-h"},
        {"--version", ParameterKind::Flag, "cli.option_version"}};
    return kRows;
}

}  // namespace a2h::cli
