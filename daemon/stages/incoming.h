#pragma once

#include <optional>
#include <string>

#include "core/domain/message.h"
#include "core/domain/stage_case.h"
#include "core/i18n/messages.h"
#include "core/wire/task_messages.h"
#include "daemon/config/stages_options.h"

namespace a2h::stages {

/// Bytes of a stage message that another program may send; what follows from it has to fit into an
/// envelope as well.
constexpr std::size_t kIncomingBytesMax = 48 * 1024;
/// How often a drafting program may read the blocks of one try.
constexpr int kContextReadsMax = 10;

/// True for every message of the stages, whatever it holds.
bool is_stage_message(std::string_view message_type);

/// A stage message that counts, checked as far as it can be without its case.
struct Incoming {
    wire::TaskMessageType type = wire::TaskMessageType::TaskEvent;
    std::string task_id;       ///< uuid; empty for prompt blocks, which name none
    std::string trace_id;      ///< of the message itself; may be empty
    std::string agent_id;      ///< GetContextRequest: uuid of who asks
    std::string results_json;  ///< ReportResultRequest
    wire::EvaluationResponse evaluation;
};

/// Why a stage message does not count: the sentence is for people.
struct Refused {
    std::string why;
};

/// Type, provenance and form. Everything that is refused is recorded and changes nothing.
/// Source: docs/protocol.md, "Task messages".
std::optional<Refused> read_incoming(const InboxMessage& message, i18n::Language language,
                                     Incoming& out);

/// Whether `incoming` is what `waiting` waits for, from who was configured, about this very try.
/// `waiting` is null when no open case has the trace of the envelope.
std::optional<Refused> match_incoming(const InboxMessage& message, const Incoming& incoming,
                                      const StageCase* waiting, const Options& options,
                                      i18n::Language language);

}  // namespace a2h::stages
