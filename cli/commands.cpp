#include "cli/handlers.h"

namespace a2h::cli {
namespace {

constexpr auto kFlag = ParameterKind::Flag;
constexpr auto kValue = ParameterKind::Value;
constexpr auto kRequired = ParameterKind::Required;
constexpr auto kOptional = ParameterKind::Optional;

constexpr Parameter kAgent = {"--agent", kValue, "cli.option_agent", "ID"};
constexpr Parameter kPinStdin = {"--pin-stdin", kFlag, "cli.option_pin_stdin"};
constexpr Parameter kPeer = {"PEER", kRequired, "cli.argument_peer"};
constexpr Parameter kApproval = {"ID", kRequired, "cli.argument_approval"};
constexpr Parameter kOutboxRow = {"ID", kRequired, "cli.argument_outbox"};

std::vector<Command> first_rows() {
    return {
        {"init",
         "init",
         "cli.init",
         {{"--market", kValue, "cli.option_market", "URL"},
          {"--name", kValue, "cli.option_name", "NAME"},
          {"--ca-file", kValue, "cli.option_ca_file", "FILE"},
          kPinStdin},
         run_init},
        {"up", "up", "cli.up", {}, run_up},
        {"down", "daemon.stop", "cli.down", {}, run_down},
        {"status", "status", "cli.status", {kAgent}, run_status},
        {"inbox",
         "inbox.list",
         "cli.inbox",
         {{"PEER", kOptional, "cli.argument_peer"},
          {"--limit", kValue, "cli.option_limit", "N"},
          kAgent},
         run_inbox},
        {"send",
         "send",
         "cli.send",
         {kPeer, {"TEXT", kRequired, "cli.argument_text"}, kAgent},
         run_send},
    };
}

std::vector<Command> approval_rows() {
    return {
        {"approvals",
         "approval.list",
         "cli.approvals",
         {{"--all", kFlag, "cli.option_all"}, kAgent},
         run_approvals},
        {"approve",
         "approval.answer",
         "cli.approve",
         {kApproval, {"--text", kValue, "cli.option_text", "TEXT"}, kPinStdin, kAgent},
         run_approve},
        {"reject", "approval.answer", "cli.reject", {kApproval, kPinStdin, kAgent}, run_reject},
        {"instruct",
         "approval.answer",
         "cli.instruct",
         {kApproval, {"TEXT", kRequired, "cli.argument_instruction"}, kPinStdin, kAgent},
         run_instruct},
        {"learn",
         "listing.learn",
         "cli.learn",
         {kApproval, {"--text", kValue, "cli.option_fact", "TEXT"}, kPinStdin, kAgent},
         run_learn},
        {"audit export",
         "audit.export",
         "cli.audit_export",
         {{"FILE", kOptional, "cli.argument_audit_target"}},
         run_audit_export},
        {"audit verify",
         "audit.verify",
         "cli.audit_verify",
         {{"FILE", kRequired, "cli.argument_audit_file"}},
         run_audit_verify},
    };
}

std::vector<Command> other_rows() {
    return {
        {"page",
         "page.link",
         "cli.page",
         {{"--person", kValue, "cli.option_person", "NAME"}, kPinStdin, kAgent},
         run_page},
        {"outbox list",
         "outbox.list",
         "cli.outbox_list",
         {{"--state", kValue, "cli.option_state", "STATE"}, kAgent},
         run_outbox_list},
        {"outbox requeue",
         "outbox.requeue",
         "cli.outbox_requeue",
         {kOutboxRow, kAgent},
         run_outbox_requeue},
        {"outbox drop", "outbox.drop", "cli.outbox_drop", {kOutboxRow, kAgent}, run_outbox_drop},
        {"events",
         "events.list",
         "cli.events",
         {{"--follow", kFlag, "cli.option_follow"}, kAgent},
         run_events},
        {"mcp-config",
         "mcp.config",
         "cli.mcp_config",
         {{"--client", kValue, "cli.option_client", "CLIENT"}},
         run_mcp_config},
        {"demo", "demo", "cli.demo", {{"--auto", kFlag, "cli.option_auto"}}, run_demo},
    };
}

const std::vector<Command>& rows() {
    static const std::vector<Command> kRows = [] {
        std::vector<Command> all = first_rows();
        for (const auto& part : {approval_rows(), other_rows()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return kRows;
}

}  // namespace

std::span<const Command> commands() {
    return rows();
}

}  // namespace a2h::cli
