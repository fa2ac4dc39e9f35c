#pragma once

// Inside daemon/agents only.

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/agent_message_types.h"
#include "core/domain/assignment.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "core/wire/agent_messages.h"
#include "daemon/config/agents_options.h"
#include "daemon/outcome/outcome.h"

namespace a2h::agents {

// The interface of the files <subject>_mail.cpp: each registers rows, whose functions get a
// `Taking`.
//
// Errors:  those of the store, unless stated otherwise.
// Thread:  the store writer, in the transaction that writes the effects.

/// One received message while it is processed; the functions put their changes into `effects`.
struct Taking {
    store::Database& db;
    const InboxMessage& message;
    bool is_from_this_home;
    const Options& options;
    const consent::Policy& policy;
    UnixMs now_ms;
    nlohmann::json& payload;  ///< with our names; the members that its type requires are present
    nlohmann::json& detail;   ///< of the event that records the result
    outcome::Effects effects{};

    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return i18n::text(policy.language, key, arguments);
    }
    std::string member(std::string_view name) const;
    /// Reports and answers count only if nobody else can have sent them.
    bool is_proved() const { return is_authentic(message.provenance); }
};

/// One type of mail with an effect of its own. Mail of all other types is only read by the agent;
/// if it names a task, it is recorded in the task's story.
struct MailRow {
    AgentMessageType type;
    /// Makes the changes that an arriving message causes for the agent that received it.
    Result<void> (*take)(Taking& taking);
    /// Makes the changes that a message causes for its sender, with the errors of `queue_mail`.
    Result<void> (*send)(store::Database& db, const OutboxMessage& message,
                         const nlohmann::json& payload);
};

/// The row of `type`, or the row of mail without an effect. Thread: any.
const MailRow& mail_row(AgentMessageType type);

/// Takes mail whose type has no other effect: if it names a task, it is recorded in the task's
/// story.
Result<void> take_words(Taking& taking);
Result<void> note_in_story(store::Database& db, const OutboxMessage& message,
                           const nlohmann::json& payload);

/// Settles the message as one that changed nothing.
Result<void> ignore(Taking& taking, std::string_view why_key);
/// The same for a message that lacks members that its type requires.
void record_fault(Taking& taking, const wire::MessageFault& fault);
/// True if `id`, the value of the member `name`, is a sentence instead of an id; then the message
/// is settled as a faulty one, because our answer would repeat the sentence.
bool has_bad_id(Taking& taking, AgentMessageType type, const char* name, const std::string& id);

/// Returns the question that `taking` leads to, with `request` as its action's arguments.
consent::Ask new_ask(const Taking& taking, std::string_view action, const nlohmann::json& request);
/// Opens the question to the human; the message waits for the answer.
void ask_human(Taking& taking, const consent::Ask& ask);

/// The task between our agent and the sender that the message names. An authentic message finds
/// only authentic tasks.
Result<std::optional<Assignment>> task_named(const Taking& taking);

}  // namespace a2h::agents
