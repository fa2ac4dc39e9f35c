#pragma once

#include <optional>
#include <string>

#include "core/domain/message.h"
#include "core/domain/stage_case.h"
#include "core/i18n/messages.h"
#include "core/wire/task_messages.h"
#include "daemon/config/stages_options.h"

namespace a2h::stages {

/// Limit of bytes of a stage message from another program. What follows from it has to fit into an
/// envelope as well.
constexpr std::size_t kIncomingBytesMax = 48 * 1024;
/// How often a drafting program may request the blocks of one attempt.
constexpr int kContextReadsMax = 10;

/// True for every message type of the stages.
bool is_stage_message(std::string_view message_type);

/// A stage message that was accepted as far as possible without its case.
struct Incoming {
    wire::TaskMessageType type = wire::TaskMessageType::TaskEvent;
    std::string task_id;       ///< uuid; empty for prompt blocks, which have none
    std::string trace_id;      ///< of the message itself; may be empty
    std::string agent_id;      ///< GetContextRequest: uuid of the requester
    std::string results_json;  ///< for a ReportResultRequest
    wire::EvaluationResponse evaluation;
};

/// Why a stage message does not count, as a sentence for people.
struct Refused {
    std::string why;
};

/// Checks type, provenance and form, and fills `out`. Returns why the message does not count;
/// nullopt if it does. The caller records refused messages, which change nothing. Pure.
///
/// Thread:  any.
/// Source:  docs/protocol.md, "Task messages".
std::optional<Refused> read_incoming(const InboxMessage& message, i18n::Language language,
                                     Incoming& out);

/// Checks that `incoming` is what `waiting` waits for, from the configured program, for the current
/// attempt. `waiting` is null if no open case has the trace of the envelope. Returns as above.
/// Pure.
///
/// Thread:  any.
std::optional<Refused> match_incoming(const InboxMessage& message, const Incoming& incoming,
                                      const StageCase* waiting, const Options& options,
                                      i18n::Language language);

}  // namespace a2h::stages
