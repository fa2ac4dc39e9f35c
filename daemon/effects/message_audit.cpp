#include "daemon/effects/message_audit.h"

#include <charconv>
#include <optional>

#include "core/store/approval_store.h"
#include "core/store/inbox_store.h"
#include "core/store/job_store.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"

namespace a2h::effects {
namespace {

/// The text after `prefix`; empty if `text` does not begin with it.
std::string_view after(std::string_view text, std::string_view prefix) {
    return text.starts_with(prefix) ? text.substr(prefix.size()) : std::string_view();
}

/// The message that one of ours answers by rule: its effect key names the job.
struct Answered {
    Job job;
    InboxMessage message;
};
Result<std::optional<Answered>> answered_by(store::Database& db, const OutboxMessage& message) {
    const std::string_view digits = after(message.effect_key, "task:");
    std::int64_t id = 0;
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, id);
    if (error != std::errc() || rest != end) return std::optional<Answered>();
    A2H_ASSIGN_OR_RETURN(auto job, store::get_job(db, id));
    if (!job) return std::optional<Answered>();
    A2H_ASSIGN_OR_RETURN(auto received, store::get_inbox(db, job->inbox_id));
    if (!received) return std::optional<Answered>();
    return std::optional(Answered{std::move(*job), std::move(*received)});
}

/// The approval that caused the message, if there is one. Somebody may have changed the cause in
/// the database, and a message that was sent must not be sent again because its end has no row.
Result<std::string> approval_of(store::Database& db, const OutboxMessage& message) {
    const std::string_view id = after(message.cause, "approval:");
    if (id.empty()) return std::string();
    A2H_ASSIGN_OR_RETURN(const auto approval, store::get_approval(db, id));
    return approval ? approval->id : std::string();
}

}  // namespace

Result<void> audit_decision(store::Database& db, const Job& job, std::string_view approval_id,
                            UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto message, store::get_inbox(db, job.inbox_id));
    if (!message) return {};
    return store::append_audit(db, approval_id, "message.decided",
                               wire::text_object({{"agent", job.agent_id},
                                                  {"decision", job.decision},
                                                  {"from", message->sender_id},
                                                  {"message", message->message_id},
                                                  {"payload_sha256", message->payload_hash},
                                                  {"provenance", to_string(message->provenance)},
                                                  {"rule", job.rule_id}}),
                               now_ms);
}

Result<void> audit_end(store::Database& db, const OutboxMessage& message, std::string_view what,
                       UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto answered, answered_by(db, message));
    const std::string hash = wire::sha256_hex(message.payload_json);
    if (!answered) {
        A2H_ASSIGN_OR_RETURN(const auto approval_id, approval_of(db, message));
        return store::append_audit(db, approval_id, what,
                                   wire::text_object({{"agent", message.agent_id},
                                                      {"cause", message.cause},
                                                      {"message", message.message_id},
                                                      {"payload_sha256", hash},
                                                      {"to", message.target_id}}),
                                   now_ms);
    }
    const auto& [job, received] = *answered;
    return store::append_audit(
        db, "", what,
        wire::text_object({{"agent", message.agent_id},
                           {"answers", received.message_id},
                           {"answers_provenance", to_string(received.provenance)},
                           {"answers_sha256", received.payload_hash},
                           {"decision", job.decision},
                           {"message", message.message_id},
                           {"payload_sha256", hash},
                           {"rule", job.rule_id},
                           {"to", message.target_id}}),
        now_ms);
}

}  // namespace a2h::effects
