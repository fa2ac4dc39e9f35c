#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h {

/// What a case is about: a reply that has yet to be drafted, one that a rule has worded already, or
/// the words that tell a peer to wait while a human is asked.
enum class CaseKind { Draft, Reply, Holding };
std::string_view to_string(CaseKind value);
std::optional<CaseKind> parse_case_kind(std::string_view text);

/// For whom a case waits. Closed is final.
enum class CaseStage { Context, Agent, Review, Closed };
std::string_view to_string(CaseStage value);
std::optional<CaseStage> parse_case_stage(std::string_view text);

/// One job on its way through the stages; see daemon/stages/README.md.
struct StageCase {
    std::int64_t job_id = 0;
    std::string agent_id;
    std::string peer_id;
    std::string task_uuid;  ///< what other programs know the job by
    CaseKind kind = CaseKind::Draft;
    CaseStage stage = CaseStage::Context;
    int slice = 0;
    int retry_count = 0;  ///< of this slice
    int max_attempts = 1;
    int version = 1;            ///< one more with each change: who is late changes nothing
    int context_reads = 0;      ///< of this try, by a program that drafts
    std::string trace_id;       ///< of this try: what an answer must keep
    UnixMs deadline_ms = 0;     ///< until when the stage must answer
    std::string decision_json;  ///< what the rule decided: the question in reserve, or the reply
    std::string event_json;     ///< the TaskEvent or RetryEvent of this try
    std::string blocks_json;    ///< the PromptBlocksResponse of this try; empty before
    std::string results_json;   ///< what was reported in this try; empty before
    std::string reasons_json{"[]"};  ///< why the tries of this slice failed so far
    std::string outcome;             ///< closed: "passed", "silent", "asked" or "dropped"
    std::int64_t bytes = 0;          ///< of its messages
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

/// One message of a case, as it was handed on.
struct StageMessage {
    std::int64_t id = 0;
    std::int64_t job_id = 0;
    std::string type;    ///< name of a wire::TaskMessageType
    std::string author;  ///< "a2hd", "rule:<id>", "model:<name>" or an agent id
    std::string target;  ///< "a2hd" or an agent id
    std::string message_json;
    UnixMs created_at_ms = 0;
};

}  // namespace a2h
