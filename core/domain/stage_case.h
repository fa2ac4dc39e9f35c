#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h {

/// The purpose of a case: a reply to be drafted, a reply worded by a rule, or a holding reply while
/// a human is asked.
enum class CaseKind { Draft, Reply, Holding };
std::string_view to_string(CaseKind value);
std::optional<CaseKind> parse_case_kind(std::string_view text);

/// The step that a case waits for. Closed is final.
enum class CaseStage { Context, Agent, Review, Closed };
std::string_view to_string(CaseStage value);
std::optional<CaseStage> parse_case_stage(std::string_view text);

/// One job on its way through the stages; see daemon/stages/README.md.
struct StageCase {
    std::int64_t job_id = 0;
    std::string agent_id;
    std::string peer_id;
    std::string task_uuid;  ///< the id of the job for other programs
    CaseKind kind = CaseKind::Draft;
    CaseStage stage = CaseStage::Context;
    int slice = 0;
    int retry_count = 0;  ///< attempts of this slice
    int max_attempts = 1;
    int version = 1;                 ///< grows with each change, so that a late event has no effect
    int context_reads = 0;           ///< requests of a drafting program in this attempt
    std::string trace_id;            ///< of this attempt: an answer must repeat it
    UnixMs deadline_ms = 0;          ///< deadline for the stage's answer
    std::string decision_json;       ///< the rule's decision: the question in reserve, or the reply
    std::string event_json;          ///< the TaskEvent or RetryEvent of this attempt
    std::string blocks_json;         ///< the PromptBlocksResponse of this attempt; empty before
    std::string results_json;        ///< the reported results of this attempt; empty before
    std::string reasons_json{"[]"};  ///< why attempts of this slice have failed so far
    std::string outcome;             ///< closed: "passed", "silent", "asked" or "dropped"
    std::int64_t bytes = 0;          ///< bytes of its messages
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
};

/// One message of a case, as passed on.
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
