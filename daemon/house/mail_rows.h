#pragma once

// Inside daemon/house only.

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

namespace a2h::house {

// What a file <subject>_mail.cpp registers, and what its rows are given. Thread: the store writer,
// in the transaction that writes what follows.

/// One message on its way through; what follows is put into `effects`.
struct Taking {
    store::Database& db;
    const InboxMessage& message;
    bool is_from_house;
    const Options& options;
    const consent::Policy& policy;
    UnixMs now_ms;
    nlohmann::json& payload;  ///< with our names; what its type requires is there
    nlohmann::json& detail;   ///< of the event that tells what became of the message
    outcome::Effects effects{};

    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return i18n::text(policy.language, key, arguments);
    }
    std::string member(std::string_view name) const;
    /// Reports and answers count when nobody else can have sent them.
    bool is_proved() const { return is_authentic(message.provenance); }
};

/// One type of mail that is more than words. All other mail is for the agent to read; a task that
/// it names keeps it in its story.
struct MailRow {
    AgentMessageType type;
    /// What an arriving message changes for the agent that got it.
    Result<void> (*take)(Taking& taking);
    /// What a message changes for its sender, with the errors of `queue_mail`.
    Result<void> (*send)(store::Database& db, const OutboxMessage& message,
                         const nlohmann::json& payload);
};

/// The row of `type`, or that of words. Thread: any.
const MailRow& mail_row(AgentMessageType type);

/// Settles the message as one that changed nothing.
Result<void> ignore(Taking& taking, std::string_view why_key);
/// The same for one that is not what its type requires.
void record_fault(Taking& taking, const wire::MessageFault& fault);
/// True when `id`, the member `name`, is no id but a sentence; then the message is settled as a
/// faulty one. Our answer would repeat it.
bool has_bad_id(Taking& taking, AgentMessageType type, const char* name, const std::string& id);

consent::Ask new_ask(const Taking& taking, std::string_view action, const nlohmann::json& request);
/// Puts the question to the human; the message waits for the answer.
void ask_human(Taking& taking, const consent::Ask& ask);

/// The task with the sender that the message names: beside an authentic one its own.
Result<std::optional<Assignment>> task_named(const Taking& taking);

}  // namespace a2h::house
