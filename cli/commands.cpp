#include "cli/handlers.h"
#include "cli/negotiation_text.h"
#include "cli/render.h"
#include "cli/standard.h"

namespace a2h::cli {
namespace {

constexpr auto kFlag = ParameterKind::Flag;
constexpr auto kValue = ParameterKind::Value;
constexpr auto kRequired = ParameterKind::Required;
constexpr auto kOptional = ParameterKind::Optional;

constexpr Parameter kAgent = {"--agent", kValue, "cli.option_agent", "ID"};
constexpr Parameter kPinStdin = {"--pin-stdin", kFlag, "cli.option_pin_stdin"};
constexpr Parameter kPerson = {"--person", kValue, "cli.option_person", "NAME"};
constexpr Parameter kPeer = {"PEER", kRequired, "cli.argument_peer"};
constexpr Parameter kApproval = {"ID", kRequired, "cli.argument_approval"};
constexpr Parameter kOutboxRow = {"ID", kOptional, "cli.argument_outbox"};
constexpr Parameter kHeld = {"--held", kFlag, "cli.option_held"};

/// As many as such a list has at most.
constexpr std::string_view kHundred = R"({"limit":100})";

/// A row without a handler.
Command calls(std::string_view name, std::string_view action, std::string_view summary,
              std::vector<Parameter> parameters, Renderer render, std::string_view given = {}) {
    return {name, action, summary, std::move(parameters), run_standard, render, given};
}

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
        calls("status", "status", "cli.status", {kAgent}, render_status),
        {"doctor",
         "doctor.run",
         "cli.doctor",
         {{"--full", kFlag, "cli.option_full"},
          {"--notify", kFlag, "cli.option_notify"},
          {"--fix", kFlag, "cli.option_fix"}},
         run_doctor},
        {"inbox",
         "inbox.list",
         "cli.inbox",
         {{"PEER", kOptional, "cli.argument_peer"},
          {"--limit", kValue, "cli.option_limit", "N"},
          kAgent},
         run_inbox},
        calls("send", "send", "cli.send", {kPeer, {"TEXT", kRequired, "cli.argument_text"}, kAgent},
              render_sent),
    };
}

std::vector<Command> approval_rows() {
    return {
        {"approvals",
         "approval.list",
         "cli.approvals",
         {{"--all", kFlag, "cli.option_all"}, {"--stats", kFlag, "cli.option_stats"}, kAgent},
         run_approvals},
        {"approve",
         "approval.answer",
         "cli.approve",
         {kApproval, {"--text", kValue, "cli.option_text", "TEXT"}, kPerson, kPinStdin, kAgent},
         run_approve},
        {"reject",
         "approval.answer",
         "cli.reject",
         {kApproval, kPerson, kPinStdin, kAgent},
         run_reject},
        {"instruct",
         "approval.answer",
         "cli.instruct",
         {kApproval, {"TEXT", kRequired, "cli.argument_instruction"}, kPerson, kPinStdin, kAgent},
         run_instruct},
        {"learn",
         "listing.learn",
         "cli.learn",
         {kApproval, {"--text", kValue, "cli.option_fact", "TEXT"}, kPerson, kPinStdin, kAgent},
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

std::vector<Command> mandate_rows() {
    return {
        {"mandate list",
         "mandate.list",
         "cli.mandate_list",
         {{"--all", kFlag, "cli.option_all_mandates"},
          {"--amounts", kFlag, "cli.option_amounts"},
          kPinStdin,
          kAgent},
         run_mandate_list},
        {"mandate add",
         "mandate.give",
         "cli.mandate_add",
         {{"ACTION", kRequired, "cli.argument_mandate_action"},
          {"--currency", kValue, "cli.option_currency", "CODE"},
          {"--at-least", kValue, "cli.option_at_least", "AMOUNT"},
          {"--at-most", kValue, "cli.option_at_most", "AMOUNT"},
          {"--per-day", kValue, "cli.option_per_day", "N"},
          {"--per-week", kValue, "cli.option_per_week", "N"},
          {"--sum-per-day", kValue, "cli.option_sum_per_day", "AMOUNT"},
          {"--sum-per-week", kValue, "cli.option_sum_per_week", "AMOUNT"},
          {"--peer", kValue, "cli.option_peer", "ID"},
          {"--works", kValue, "cli.option_works", "ID"},
          {"--side", kValue, "cli.option_side", "sell|buy"},
          {"--opening", kValue, "cli.option_opening", "AMOUNT"},
          {"--rounds", kValue, "cli.option_rounds", "N"},
          {"--strategy", kValue, "cli.option_strategy", "NAME"},
          {"--from", kValue, "cli.option_from", "TIME"},
          {"--until", kValue, "cli.option_until", "TIME"},
          kPinStdin,
          kAgent},
         run_mandate_add},
        calls("mandate negotiate", "negotiation.start", "cli.negotiate",
              {kPeer, {"WORKS", kRequired, "cli.option_negotiated_works"}, kPinStdin, kAgent},
              render_negotiation_begun),
        calls("mandate revoke", "mandate.revoke", "cli.mandate_revoke",
              {{"ID", kRequired, "cli.argument_mandate"}, kAgent}, render_mandates_revoked),
        calls("mandate revoke-all", "mandate.revoke_all", "cli.mandate_revoke_all", {kAgent},
              render_mandates_revoked),
    };
}

std::vector<Command> playbook_rows() {
    constexpr Parameter kRulesFile = {"--file", kValue, "cli.option_rules_file", "FILE"};
    constexpr Parameter kListings = {"--listings", kValue, "cli.option_listings", "FILE"};
    return {
        {"playbook check",
         "playbook.check",
         "cli.playbook_check",
         {{"FILE", kOptional, "cli.argument_rules_file"}},
         run_playbook_check},
        {"playbook explain",
         "playbook.explain",
         "cli.playbook_explain",
         {{"TEXT", kRequired, "cli.argument_peer_text"},
          {"--peer", kValue, "cli.option_from_peer", "ID"},
          kRulesFile,
          kListings,
          kAgent},
         run_playbook_explain},
        {"playbook test",
         "playbook.test",
         "cli.playbook_test",
         {{"FILE", kRequired, "cli.argument_messages_file"}, kRulesFile, kListings},
         run_playbook_test},
        calls("playbook reload", "playbook.reload", "cli.playbook_reload", {},
              render_playbook_reloaded),
        calls("explain", "message.explain", "cli.explain",
              {{"MESSAGE", kRequired, "cli.argument_message"}, kAgent}, render_explained),
        calls("why", "why", "cli.why", {{"ID", kRequired, "cli.argument_why"}}, render_why),
        {"replay",
         "replay",
         "cli.replay",
         {{"--policy", kValue, "cli.option_rules_file", "FILE"},
          {"--since", kValue, "cli.option_since", "TIME"},
          kAgent},
         run_replay},
    };
}

std::vector<Command> agent_rows() {
    constexpr Parameter kBrief = {"BRIEF", kRequired, "cli.argument_brief"};
    constexpr Parameter kMandate = {"--mandate", kValue, "cli.option_mandate_file", "FILE"};
    constexpr Parameter kLocalAgent = {"ID", kRequired, "cli.argument_local_agent"};
    constexpr Parameter kTask = {"ID", kRequired, "cli.argument_task"};
    return {
        {"agent list",
         "agent.list",
         "cli.agent_list",
         {{"--all", kFlag, "cli.option_all_agents"}, kAgent},
         run_agent_list},
        calls("agent tree", "agent.tree", "cli.agent_tree", {kAgent}, render_agent_tree),
        {"agent spawn",
         "agent.spawn",
         "cli.agent_spawn",
         {{"ROLE", kRequired, "cli.argument_role"},
          kBrief,
          {"--register", kFlag, "cli.option_register"},
          kMandate,
          kAgent},
         run_agent_spawn},
        calls("agent stop", "agent.stop", "cli.agent_stop", {kLocalAgent, kPinStdin, kAgent},
              render_agents_stopped),
        {"agent remove",
         "agent.remove",
         "cli.agent_remove",
         {{"ID", kRequired, "cli.argument_own_agent"}, kPinStdin, kAgent},
         run_agent_remove},
        calls("agent register", "agent.register", "cli.agent_register", {kLocalAgent, kAgent},
              render_agent_registered),
        calls("contact list", "contact.list", "cli.contact_list", {kAgent}, render_contacts,
              kHundred),
        calls("contact export", "contact.export", "cli.contact_export", {kAgent},
              render_contact_file),
        {"contact import",
         "contact.import",
         "cli.contact_import",
         {{"FILE", kRequired, "cli.argument_contact_file"}, kPinStdin, kAgent},
         run_contact_import},
        calls("introduction list", "introduction.list", "cli.introduction_list", {kAgent},
              render_introductions, kHundred),
        calls("task list", "task.list", "cli.task_list", {kAgent}, render_tasks, kHundred),
        calls("task show", "task.get", "cli.task_show", {kTask, kAgent}, render_task),
        {"task assign",
         "task.assign",
         "cli.task_assign",
         {kPeer, kBrief, kMandate, kAgent},
         run_task_assign},
        calls("task cancel", "task.cancel", "cli.task_cancel", {kTask, kAgent}, render_task_moved),
    };
}

std::vector<Command> candidate_rows() {
    return {
        calls("profiles list", "profile.list", "cli.profile_list",
              {{"--tag", kValue, "cli.option_tag", "TAG"},
               {"--after", kValue, "cli.option_after_agent", "ID"},
               kAgent},
              render_profiles, kHundred),
        {"profiles import",
         "profile.import",
         "cli.profile_import",
         {{"FILE", kRequired, "cli.argument_profile_file"}, kAgent},
         run_profile_import},
        {"profiles set",
         "profile.set",
         "cli.profile_set",
         {{"FILE", kRequired, "cli.argument_own_profile"}, kPinStdin, kAgent},
         run_profile_set},
        {"profiles generate",
         "profile.generate",
         "cli.profile_generate",
         {{"--count", kValue, "cli.option_profile_count", "N"},
          {"--seed", kValue, "cli.option_seed", "N"},
          {"--out", kValue, "cli.option_profile_out", "FILE"},
          kAgent},
         run_profile_generate},
        calls("profiles reset", "profile.reset", "cli.profile_reset", {kPinStdin, kAgent},
              render_profiles_removed),
    };
}

std::vector<Command> negotiation_rows() {
    constexpr Parameter kDemand = {"DEMAND", kRequired, "negotiate.argument_demand"};
    return {
        {"negotiate",
         "demand.submit",
         "negotiate.submit",
         {{"TEXT", kRequired, "negotiate.argument_text"},
          {"--on-timeout", kValue, "negotiate.option_on_timeout", "accept|ignore|decline"},
          {"--show-terms", kFlag, "negotiate.option_show_terms"},
          {"--answer-within", kValue, "negotiate.option_answer_within", "SECONDS"},
          {"--judge-within", kValue, "negotiate.option_judge_within", "SECONDS"},
          {"--invite", kValue, "negotiate.option_invite", "ID,ID"},
          {"--no-follow", kFlag, "negotiate.option_no_follow"},
          kPinStdin,
          kAgent},
         run_negotiate},
        {"negotiate show",
         "negotiation.get",
         "negotiate.show",
         {kDemand, {"--follow", kFlag, "negotiate.option_follow", {}, "-f"}, kAgent},
         run_negotiation_show},
        calls("negotiate list", "negotiation.list", "negotiate.list", {kAgent},
              render_negotiations),
        {"negotiate apply",
         "negotiation.apply",
         "negotiate.apply",
         {kDemand, {"--as", kValue, "negotiate.option_as", "briefs|offers|rfps"}, kAgent},
         run_negotiation_apply},
        calls("negotiate cancel", "negotiation.cancel", "negotiate.cancel",
              {kDemand, kPinStdin, kAgent}, render_negotiation),
    };
}

std::vector<Command> invitation_rows() {
    constexpr Parameter kChannel = {"CHANNEL", kRequired, "negotiate.argument_channel"};
    constexpr Parameter kPrice = {"--price", kValue, "negotiate.option_price", "AMOUNT"};
    constexpr Parameter kCurrency = {"--currency", kValue, "negotiate.option_currency", "CODE"};
    constexpr Parameter kReason = {"--reason", kValue, "negotiate.option_reason", "TEXT"};
    return {
        {"invitations list",
         "invitation.list",
         "negotiate.invitation_list",
         {{"--all", kFlag, "negotiate.option_all_invitations"}, kAgent},
         run_invitation_list},
        {"invitations show",
         "invitation.list",
         "negotiate.invitation_show",
         {kChannel, kAgent},
         run_invitation_show},
        {"invitations answer",
         "negotiation.answer",
         "negotiate.invitation_answer",
         {kChannel,
          {"DECISION", kRequired, "negotiate.argument_decision"},
          {"--contribution", kValue, "negotiate.option_contribution", "TEXT"},
          {"--conditions", kValue, "negotiate.option_conditions", "TEXT;TEXT"},
          kPrice,
          kCurrency,
          kReason,
          kPerson,
          kPinStdin,
          kAgent},
         run_invitation_answer},
        {"invitations feedback",
         "proposal.feedback",
         "negotiate.invitation_feedback",
         {kChannel,
          {"FEEDBACK", kRequired, "negotiate.argument_feedback"},
          {"--change", kValue, "negotiate.option_change", "TEXT"},
          kPrice,
          kCurrency,
          kReason,
          kPerson,
          kPinStdin,
          kAgent},
         run_invitation_feedback},
    };
}

std::vector<Command> config_rows() {
    return {
        {"config show", "config.show", "cli.config_show", {}, run_config_show},
        {"config check",
         "config.check",
         "cli.config_check",
         {{"FILE", kOptional, "cli.argument_config_file"}},
         run_config_check},
        {"config set",
         "config.set",
         "cli.config_set",
         {{"KEY", kRequired, "cli.argument_config_key"},
          {"VALUE", kRequired, "cli.argument_config_value"}},
         run_config_set},
        {"config default", "config.default", "cli.config_default", {}, run_config_default},
        calls("reload", "config.reload", "cli.reload", {}, render_reload),
    };
}

std::vector<Command> other_rows() {
    return {
        {"backup",
         "backup.create",
         "cli.backup",
         {{"PATH", kOptional, "cli.argument_backup_target"}},
         run_backup},
        {"export",
         "backup.export",
         "cli.export",
         {{"DIR", kRequired, "cli.argument_export_target"},
          {"--with-secrets", kFlag, "cli.option_with_secrets"}},
         run_export},
        {"restore",
         "backup.restore",
         "cli.restore",
         {{"BACKUP", kRequired, "cli.argument_backup"}},
         run_restore},
        {"page", "page.link", "cli.page", {kPerson, kPinStdin, kAgent}, run_page},
        {"pin",
         "pin.set",
         "cli.pin",
         {{"--person", kValue, "cli.option_pin_person", "NAME"},
          {"--code", kValue, "cli.option_pin_code", "CODE"},
          kPinStdin,
          kAgent},
         run_pin},
        calls("outbox list", "outbox.list", "cli.outbox_list",
              {{"--state", kValue, "cli.option_state", "STATE"}, kAgent}, render_outbox),
        {"outbox requeue",
         "outbox.requeue",
         "cli.outbox_requeue",
         {kOutboxRow, kHeld, kPinStdin, kAgent},
         run_outbox_requeue},
        {"outbox drop",
         "outbox.drop",
         "cli.outbox_drop",
         {kOutboxRow, kHeld, kPinStdin, kAgent},
         run_outbox_drop},
        calls("notify test", "notify.test", "cli.notify_test",
              {{"CHANNEL", kOptional, "cli.argument_channel"}, kAgent}, render_channels),
        calls("notify list", "notify.list", "cli.notify_list", {kAgent}, render_notifications),
        {"events",
         "events.list",
         "cli.events",
         {{"--follow", kFlag, "cli.option_follow"}, kAgent},
         run_events},
        {"mcp-config",
         "mcp.config",
         "cli.mcp_config",
         {{"--client", kValue, "cli.option_client", "CLIENT"},
          {"--write", kFlag, "cli.option_write"},
          {"--file", kValue, "cli.option_client_file", "FILE"}},
         run_mcp_config},
        {"demo",
         "demo",
         "cli.demo",
         {{"--auto", kFlag, "cli.option_auto"},
          {"--negotiation", kFlag, "cli.option_demo_negotiation"}},
         run_demo},
    };
}

std::vector<Command> watch_rows() {
    return {
        calls("metrics", "metrics", "cli.metrics", {}, render_metrics),
        {"logs",
         "logs",
         "cli.logs",
         {{"--follow", kFlag, "cli.option_follow", {}, "-f"},
          {"--lines", kValue, "cli.option_lines", "N", "-n"},
          {"--level", kValue, "cli.option_level", "LEVEL"}},
         run_logs},
        {"top",
         "top",
         "cli.top",
         {{"--once", kFlag, "cli.option_once"},
          {"--interval", kValue, "cli.option_interval", "SECONDS"}},
         run_top},
    };
}

const std::vector<Command>& rows() {
    static const std::vector<Command> kRows = [] {
        std::vector<Command> all = first_rows();
        for (const auto& part :
             {watch_rows(), approval_rows(), mandate_rows(), playbook_rows(), agent_rows(),
              negotiation_rows(), invitation_rows(), candidate_rows(), config_rows(), other_rows(),
              standard_commands()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return kRows;
}

}  // namespace

std::span<const Command> commands() {
    return rows();
}

std::span<const Parameter> everywhere() {
    static constexpr Parameter kRows[] = {{"--home", kValue, "cli.option_home", "DIR"},
                                          {"--json", kFlag, "cli.option_json"},
                                          {"--help", kFlag, "cli.option_help", {}, "-h"},
                                          {"--version", kFlag, "cli.option_version"}};
    return kRows;
}

}  // namespace a2h::cli
