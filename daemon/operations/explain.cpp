// Explains decisions: about stored messages, and about what a peer might write next.

#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "daemon/config/current.h"
#include "daemon/decide/explanation.h"
#include "daemon/decide/labelled.h"
#include "daemon/decide/rules.h"
#include "daemon/kernel/kernel.h"
#include "daemon/mail/snapshot.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct ExplainParts {
    const kernel::Kernel& kernel;
    const Current<Config>& config;
    const decide::RuleSet& rules;
};

constexpr int kDecidedLimit = 100;

json basis_of(const Job& job) {
    json basis = json::parse(job.basis_json, nullptr, false);
    return basis.is_object() ? basis : json::object();
}

/// The decision about one message.
json decided_json(const InboxMessage& message, const Job& job) {
    return {{"message_id", message.message_id},
            {"peer_id", message.sender_id},
            {"at", to_utc_time(message.received_at_ms)},
            {"provenance", to_string(message.provenance)},
            {"decision", job.decision},
            {"rule_id", job.rule_id},
            {"why", job.why},
            {"state", to_string(job.state)},
            {"basis", basis_of(job)}};
}

/// The decision of `job` about its message, with what was known at that time.
Result<json> replayable(const ExplainParts& parts, const Agent& agent, const Job& job) {
    A2H_ASSIGN_OR_RETURN(const auto message, store::get_inbox(parts.kernel.reader, job.inbox_id));
    if (!message) return fail(ErrorCode::NotFound, "there is no such message");
    A2H_ASSIGN_OR_RETURN(const auto input, mail::snapshot_of_then(parts.kernel.reader,
                                                                  parts.config->approval.language,
                                                                  agent, *message, job));
    json decided = decided_json(*message, job);
    decided["input"] = decide::labelled_json(input);
    decided["input"].erase("listings");  // the same for all decisions
    return decided;
}

json listings_json(const Agent& agent) {
    decide::Input input;
    input.listings = agent.listings;
    return decide::labelled_json(input)["listings"];
}

Result<json> handle_message_explain(const ExplainParts& parts, const Call& call) {
    store::Database& reader = parts.kernel.reader;
    A2H_ASSIGN_OR_RETURN(const auto message,
                         store::find_inbox(reader, call.agent_id(), call.text("message_id")));
    if (!message) return fail(ErrorCode::NotFound, "there is no such message");
    A2H_ASSIGN_OR_RETURN(const auto job, store::get_job_of_inbox(reader, message->id));
    if (!job || job->decision.empty()) {
        return fail(ErrorCode::Conflict, "this message has not been decided yet");
    }
    A2H_ASSIGN_OR_RETURN(const auto input,
                         mail::snapshot_of_then(reader, parts.config->approval.language, call.agent,
                                                *message, *job));
    json data = decided_json(*message, *job);
    data["text"] = input.payload.text;
    data["now"] =
        decide::to_json(decide::explain(input, parts.rules, parts.config->limits), parts.rules);
    data["same_rules"] = data["basis"].value("playbook", "") == parts.rules.version();
    return data;
}

Result<json> handle_message_decided(const ExplainParts& parts, const Call& call) {
    UnixMs since_ms = 0;
    if (const std::string since = call.text("since"); !since.empty()) {
        A2H_ASSIGN_OR_RETURN(const auto parsed, parse_time(since));
        since_ms = parsed;
    }
    const int limit = call.number("limit", kDecidedLimit);
    A2H_ASSIGN_OR_RETURN(const auto jobs,
                         store::decided_jobs(parts.kernel.reader, call.agent_id(),
                                             call.number("after_id", 0), since_ms, limit));
    json messages = json::array();
    for (const Job& job : jobs) {
        A2H_ASSIGN_OR_RETURN(auto message, replayable(parts, call.agent, job));
        messages.push_back(std::move(message));
    }
    return json{{"messages", std::move(messages)},
                {"listings", listings_json(call.agent)},
                {"language", i18n::language_tag(parts.config->approval.language)},
                {"limits",
                 {{"rounds_per_day", parts.config->limits.rounds_per_day},
                  {"messages_per_minute", parts.config->limits.messages_per_minute}}},
                {"last_id", jobs.empty() ? 0 : jobs.back().id},
                {"more", static_cast<int>(jobs.size()) == limit}};
}

Result<json> handle_playbook_context(const ExplainParts& parts, const Call& call) {
    InboxMessage message;
    message.agent_id = call.agent_id();
    message.sender_id = call.text("peer_id");
    message.message_type = "chat.request";
    message.provenance = Provenance::Verified;
    message.payload_json = "{}";
    A2H_ASSIGN_OR_RETURN(const auto input,
                         mail::take_snapshot(parts.kernel, parts.rules,
                                             parts.config->approval.language, call.agent, message));
    json data = decide::labelled_json(input);
    data.erase("payload");
    return data;
}

}  // namespace

void add_explain(Table& table, const AllParts& all) {
    const CurrentRules& rules = all.rules;
    const ExplainParts parts{all.kernel, all.config, rules.rules()};
    table.add("message.explain", with(parts, handle_message_explain));
    table.add("message.decided", with(parts, handle_message_decided));
    table.add("playbook.context", with(parts, handle_playbook_context));
}

}  // namespace a2h::operations
