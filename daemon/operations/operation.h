#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "daemon/operations/runtime.h"

namespace a2h::operations {

/// Who calls, as the face says. It only chooses what may be asked for; nothing is proved by it.
enum class Face { Assistant, Human };

/// What is written with the question of a call, in its transaction; an error undoes both.
using Along = std::function<Result<void>(store::Database&, const Approval&)>;

/// One call of an operation, its arguments checked against the catalogue.
struct Call {
    std::string action;
    Face face = Face::Assistant;
    Agent& agent;
    const nlohmann::json& arguments;  ///< an object; lives until the handler returns
    /// Of a call that is a part of something larger: where it is there, the call asks the human in
    /// any case, and answers as soon as the question stands.
    Along along{};
    /// In which the caller's reader reads; empty: the owner's language.
    std::optional<i18n::Language> reader_language{};

    const std::string& agent_id() const { return agent.identity.account.agent_id; }
    /// Text argument; empty when absent.
    std::string text(const char* name) const;
    /// Integer argument; `fallback` when absent.
    int number(const char* name, int fallback) const;
};

/// Takes the whole result of R16. Call exactly once, on the loop, at once or later.
using Reply = std::function<void(const nlohmann::json& result)>;

/// The person whose question it is: the owner at the terminal; empty for an assistant.
std::string person_asking(const Runtime& runtime, const Call& call);
/// As whom the call is made, for the PIN to prove: the owner where none is named.
std::string person_of(const Runtime& runtime, const Call& call);

nlohmann::json ok_result(std::string_view action, nlohmann::json data);
/// `next` says what to do now; empty: the usual advice for `error.code`.
nlohmann::json error_result(std::string_view action, const Error& error,
                            std::string_view next = {});

/// The handlers of the catalogue's rows, each in the file named after its noun.
void handle_status(Runtime&, const Call&, const Reply&);
void handle_inbox_history(Runtime&, const Call&, const Reply&);
void handle_inbox_list(Runtime&, const Call&, const Reply&);
void handle_send(Runtime&, const Call&, const Reply&);
void handle_auth_login(Runtime&, const Call&, const Reply&);
void handle_auth_poll(Runtime&, const Call&, const Reply&);
/// All operations of `platform::is_market_call`, and uploads.
void handle_market(Runtime&, const Call&, const Reply&);
void handle_approval_create(Runtime&, const Call&, const Reply&);
void handle_approval_response(Runtime&, const Call&, const Reply&);
void handle_approval_list(Runtime&, const Call&, const Reply&);
void handle_approval_changes(Runtime&, const Call&, const Reply&);
void handle_approval_wait(Runtime&, const Call&, const Reply&);
void handle_approval_answer(Runtime&, const Call&, const Reply&);
void handle_approval_elicit(Runtime&, const Call&, const Reply&);
void handle_approval_answer_many(Runtime&, const Call&, const Reply&);
void handle_approval_stats(Runtime&, const Call&, const Reply&);
void handle_audit_export(Runtime&, const Call&, const Reply&);
void handle_backup_create(Runtime&, const Call&, const Reply&);
void handle_backup_restore(Runtime&, const Call&, const Reply&);
void handle_backup_export(Runtime&, const Call&, const Reply&);
void handle_listing_learn(Runtime&, const Call&, const Reply&);
void handle_mandate_give(Runtime&, const Call&, const Reply&);
void handle_mandate_list(Runtime&, const Call&, const Reply&);
void handle_mandate_revoke(Runtime&, const Call&, const Reply&);
void handle_mandate_revoke_all(Runtime&, const Call&, const Reply&);
void handle_negotiation_start(Runtime&, const Call&, const Reply&);
void handle_negotiation_apply(Runtime&, const Call&, const Reply&);
void handle_outbox_list(Runtime&, const Call&, const Reply&);
void handle_outbox_requeue(Runtime&, const Call&, const Reply&);
void handle_outbox_drop(Runtime&, const Call&, const Reply&);
void handle_events_list(Runtime&, const Call&, const Reply&);
void handle_notify_test(Runtime&, const Call&, const Reply&);
void handle_notify_list(Runtime&, const Call&, const Reply&);
void handle_page_link(Runtime&, const Call&, const Reply&);
void handle_pin_code(Runtime&, const Call&, const Reply&);
void handle_pin_set(Runtime&, const Call&, const Reply&);
void handle_message_explain(Runtime&, const Call&, const Reply&);
void handle_message_decided(Runtime&, const Call&, const Reply&);
void handle_profile_list(Runtime&, const Call&, const Reply&);
void handle_profile_import(Runtime&, const Call&, const Reply&);
void handle_profile_reset(Runtime&, const Call&, const Reply&);
void handle_profile_generate(Runtime&, const Call&, const Reply&);
void handle_playbook_context(Runtime&, const Call&, const Reply&);
void handle_config_reload(Runtime&, const Call&, const Reply&);
void handle_config_show(Runtime&, const Call&, const Reply&);
void handle_playbook_reload(Runtime&, const Call&, const Reply&);
void handle_playbook_trades(Runtime&, const Call&, const Reply&);
void handle_agent_spawn(Runtime&, const Call&, const Reply&);
void handle_agent_stop(Runtime&, const Call&, const Reply&);
void handle_agent_list(Runtime&, const Call&, const Reply&);
void handle_agent_tree(Runtime&, const Call&, const Reply&);
void handle_agent_register(Runtime&, const Call&, const Reply&);
void handle_agent_read(Runtime&, const Call&, const Reply&);
void handle_contact_list(Runtime&, const Call&, const Reply&);
void handle_contact_get(Runtime&, const Call&, const Reply&);
void handle_contact_add(Runtime&, const Call&, const Reply&);
void handle_contact_export(Runtime&, const Call&, const Reply&);
void handle_contact_import(Runtime&, const Call&, const Reply&);
void handle_introduction_request(Runtime&, const Call&, const Reply&);
void handle_introduction_answer(Runtime&, const Call&, const Reply&);
void handle_introduction_list(Runtime&, const Call&, const Reply&);
void handle_task_assign(Runtime&, const Call&, const Reply&);
void handle_task_report(Runtime&, const Call&, const Reply&);
void handle_task_list(Runtime&, const Call&, const Reply&);
void handle_task_get(Runtime&, const Call&, const Reply&);
void handle_task_cancel(Runtime&, const Call&, const Reply&);
void handle_demand_submit(Runtime&, const Call&, const Reply&);
void handle_negotiation_get(Runtime&, const Call&, const Reply&);
void handle_negotiation_list(Runtime&, const Call&, const Reply&);
void handle_negotiation_cancel(Runtime&, const Call&, const Reply&);
void handle_negotiation_answer(Runtime&, const Call&, const Reply&);
void handle_proposal_feedback(Runtime&, const Call&, const Reply&);
void handle_invitation_list(Runtime&, const Call&, const Reply&);
void handle_doctor_run(Runtime&, const Call&, const Reply&);
void handle_logs(Runtime&, const Call&, const Reply&);
void handle_metrics(Runtime&, const Call&, const Reply&);
void handle_daemon_stop(Runtime&, const Call&, const Reply&);

/// Runs one line of the control protocol and hands the answer's line to `respond`, at once or
/// later. Whatever the line holds, exactly one answer follows (none for a notification).
void dispatch_line(Runtime& runtime, const std::string& line,
                   std::function<void(std::string)> respond);

}  // namespace a2h::operations
