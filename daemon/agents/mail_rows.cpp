#include "daemon/agents/mail_rows.h"

#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/fence.h"
#include "core/base/ids.h"
#include "core/store/assignment_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/agents/agent_mail.h"
#include "daemon/agents/tasks.h"
#include "generated/mail_tables.h"

namespace a2h::agents {
namespace {

using nlohmann::json;

std::string joined(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : ", ") + name;
    return all;
}

}  // namespace

Result<void> take_words(Taking& taking) {
    const std::string task_id = taking.member("task_id");
    if (task_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(const auto task, task_named(taking));
    if (!task) return {};
    taking.detail["task_id"] = task_id;
    return add_to_history(taking.db, *task, "message", taking.message.message_id,
                          json{{"message_type", taking.message.message_type}, {"outgoing", false}},
                          taking.now_ms);
}

Result<void> note_in_story(store::Database& db, const OutboxMessage& message, const json& payload) {
    const std::string task_id = wire::text_member(payload, "task_id");
    if (task_id.empty()) return {};
    A2H_ASSIGN_OR_RETURN(const auto task, store::get_assignment(db, message.agent_id, task_id,
                                                                {message.target_id, {}}));
    if (!task) return {};
    return add_to_history(db, *task, "message", message.message_id,
                          json{{"message_type", message.message_type}, {"outgoing", true}},
                          message.created_at_ms);
}

const MailRow& mail_row(AgentMessageType type) {
    static constexpr MailRow kWords{AgentMessageType::General, take_words, note_in_story};
    for (const auto table : kMailTables) {
        for (const MailRow& row : table())
            if (row.type == type) return row;
    }
    return kWords;
}

std::string Taking::member(std::string_view name) const {
    return wire::text_member(payload, name);
}

Result<void> ignore(Taking& taking, std::string_view why_key) {
    taking.effects.job->rule_id = kIgnoredRule;
    taking.effects.job->why = taking.text(why_key);
    taking.detail["ignored"] = std::string(why_key.substr(why_key.find("agent_") + 6));
    return {};
}

void record_fault(Taking& taking, const wire::MessageFault& fault) {
    const std::string fields = joined(fault.missing_fields);
    taking.effects.job->rule_id = kIgnoredRule;
    taking.effects.job->why =
        taking.text("daemon.agent_fault", {{"fields", fields.empty() ? fault.detail : fields}});
    taking.detail.update(wire::to_json(fault));
}

bool has_bad_id(Taking& taking, AgentMessageType type, const char* name, const std::string& id) {
    // Answers to another home repeat the id, so that it must not be words.
    if (taking.is_from_this_home ? is_token(id) : is_wordless_id(id)) return false;
    record_fault(taking, {type, {}, name});
    return true;
}

consent::Ask new_ask(const Taking& taking, std::string_view action, const json& request) {
    consent::Ask ask;
    ask.agent_id = taking.message.agent_id;
    ask.peer_id = taking.message.sender_id;
    ask.job_id = taking.effects.job->id;
    ask.action = action;
    ask.request_json = wire::canonical_json(request);
    ask.provenance = to_string(taking.message.provenance);
    ask.requested_by = "rule:" + std::string(kAgentMailRule);
    return ask;
}

void ask_human(Taking& taking, const consent::Ask& ask) {
    taking.effects.approval = consent::new_approval(ask, taking.policy, taking.now_ms);
    taking.effects.job->state = JobState::WaitingForHuman;
    taking.effects.job->decision = "ask";
    taking.effects.job->why = taking.text("daemon.agent_asks_human");
    taking.detail["approval_id"] = taking.effects.approval->id;
}

Result<std::optional<Assignment>> task_named(const Taking& taking) {
    const std::string id = taking.member("task_id");
    store::TaskOwner whose{taking.message.sender_id, taking.is_proved()};
    auto task = store::get_assignment(taking.db, taking.message.agent_id, id, whose);
    if (!task || *task || !taking.is_proved()) return task;
    whose.is_authentic.reset();
    return store::get_assignment(taking.db, taking.message.agent_id, id, whose);
}

}  // namespace a2h::agents
