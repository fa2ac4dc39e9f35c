#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// The handlers of the rows of `commands()`, and what shows the results of those without one (other
// such functions are in render.h and negotiation_text.h), grouped by the files that contain them.

Outcome run_init(const Invocation& invocation);        // in init.cpp
Outcome run_mcp_config(const Invocation& invocation);  // in mcp_config.cpp
Outcome run_demo(const Invocation& invocation);        // in demo/demo.cpp
Outcome run_doctor(const Invocation& invocation);      // in doctor.cpp

// In lifecycle.cpp:
Outcome run_up(const Invocation& invocation);
Outcome run_down(const Invocation& invocation);
Outcome run_events(const Invocation& invocation);

// In page.cpp:
Outcome run_page(const Invocation& invocation);
Outcome run_pin(const Invocation& invocation);

// In mail.cpp:
Outcome run_inbox(const Invocation& invocation);
Outcome run_outbox_requeue(const Invocation& invocation);
Outcome run_outbox_drop(const Invocation& invocation);

// In approvals.cpp:
Outcome run_approvals(const Invocation& invocation);
Outcome run_approve(const Invocation& invocation);
Outcome run_reject(const Invocation& invocation);
Outcome run_instruct(const Invocation& invocation);
Outcome run_learn(const Invocation& invocation);

// In mandates.cpp:
Outcome run_mandate_list(const Invocation& invocation);
Outcome run_mandate_add(const Invocation& invocation);

// In negotiations.cpp:
Outcome run_negotiate(const Invocation& invocation);
Outcome run_negotiation_show(const Invocation& invocation);
Outcome run_negotiation_apply(const Invocation& invocation);

// In invitations.cpp:
Outcome run_invitation_list(const Invocation& invocation);
Outcome run_invitation_show(const Invocation& invocation);
Outcome run_invitation_answer(const Invocation& invocation);
Outcome run_invitation_feedback(const Invocation& invocation);

// In playbook.cpp:
Outcome run_playbook_check(const Invocation& invocation);
Outcome run_playbook_explain(const Invocation& invocation);
Outcome run_playbook_test(const Invocation& invocation);
std::string render_playbook_reloaded(const Invocation& invocation, const nlohmann::json& data);

// In explain.cpp:
Outcome run_replay(const Invocation& invocation);
std::string render_explained(const Invocation& invocation, const nlohmann::json& data);
std::string render_why(const Invocation& invocation, const nlohmann::json& data);

// In agents.cpp:
Outcome run_agent_list(const Invocation& invocation);
Outcome run_agent_spawn(const Invocation& invocation);
Outcome run_agent_remove(const Invocation& invocation);
Outcome run_contact_import(const Invocation& invocation);
Outcome run_task_assign(const Invocation& invocation);
std::string render_agent_tree(const Invocation& invocation, const nlohmann::json& data);
std::string render_agents_stopped(const Invocation& invocation, const nlohmann::json& data);
std::string render_agent_registered(const Invocation& invocation, const nlohmann::json& data);
std::string render_contacts(const Invocation& invocation, const nlohmann::json& data);
std::string render_contact_file(const Invocation& invocation, const nlohmann::json& data);
std::string render_introductions(const Invocation& invocation, const nlohmann::json& data);
std::string render_tasks(const Invocation& invocation, const nlohmann::json& data);
std::string render_task(const Invocation& invocation, const nlohmann::json& data);
std::string render_task_moved(const Invocation& invocation, const nlohmann::json& data);

// In profiles.cpp:
Outcome run_profile_import(const Invocation& invocation);
Outcome run_profile_set(const Invocation& invocation);
Outcome run_profile_generate(const Invocation& invocation);
std::string render_profiles(const Invocation& invocation, const nlohmann::json& data);
std::string render_profiles_removed(const Invocation& invocation, const nlohmann::json& data);

// In backup.cpp:
Outcome run_backup(const Invocation& invocation);
Outcome run_export(const Invocation& invocation);
Outcome run_restore(const Invocation& invocation);

// In watch.cpp:
std::string render_metrics(const Invocation& invocation, const nlohmann::json& data);

Outcome run_logs(const Invocation& invocation);  // in logs.cpp
Outcome run_top(const Invocation& invocation);   // in top.cpp

// In config.cpp:
Outcome run_config_show(const Invocation& invocation);
Outcome run_config_check(const Invocation& invocation);
Outcome run_config_default(const Invocation& invocation);
Outcome run_config_set(const Invocation& invocation);
std::string render_reload(const Invocation& invocation, const nlohmann::json& data);

// In audit.cpp:
Outcome run_audit_export(const Invocation& invocation);
Outcome run_audit_verify(const Invocation& invocation);

}  // namespace a2h::cli
