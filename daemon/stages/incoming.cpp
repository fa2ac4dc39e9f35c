#include "daemon/stages/incoming.h"

#include "daemon/stages/case_json.h"
#include "daemon/stages/flow.h"

namespace a2h::stages {
namespace {

using wire::TaskMessageType;

/// Reads one type and takes the relevant members.
template <typename Message, typename Take>
std::optional<Error> read_as(const std::string& payload, Incoming& out, Take take) {
    auto read = wire::read_task_message<Message>(payload);
    if (!read) return read.error();
    out.trace_id = read->envelope.trace_id;
    take(*read);
    return std::nullopt;
}

std::optional<Error> read_context_request(const std::string& payload, Incoming& out) {
    return read_as<wire::GetContextRequest>(payload, out, [&](auto& read) {
        out.task_id = read.task_id;
        out.agent_id = read.agent_id;
    });
}

std::optional<Error> read_blocks(const std::string& payload, Incoming& out) {
    return read_as<wire::PromptBlocksResponse>(payload, out, [](const auto&) {});
}

std::optional<Error> read_report(const std::string& payload, Incoming& out) {
    auto failed = read_as<wire::ReportResultRequest>(payload, out, [&](auto& read) {
        out.task_id = read.task_id;
        out.results_json = std::move(read.task_results_json);
    });
    if (failed) return failed;
    const auto draft = read_results(out.results_json);
    return draft ? std::nullopt : std::optional(draft.error());
}

std::optional<Error> read_evaluation(const std::string& payload, Incoming& out) {
    return read_as<wire::EvaluationResponse>(payload, out, [&](auto& read) {
        out.task_id = read.task_id;
        out.evaluation = read;
    });
}

/// A type that another program may send: who may, and whose turn it must be.
struct IncomingRow {
    TaskMessageType type;
    std::optional<Error> (*read)(const std::string& payload, Incoming& out);  ///< nullopt: read
    std::string Options::*sender;
    CaseStage stage;
};
constexpr IncomingRow kIncomingRows[] = {
    {TaskMessageType::GetContextRequest, read_context_request, &Options::agent, CaseStage::Agent},
    {TaskMessageType::PromptBlocksResponse, read_blocks, &Options::context, CaseStage::Context},
    {TaskMessageType::ReportResultRequest, read_report, &Options::agent, CaseStage::Agent},
    {TaskMessageType::EvaluationResponse, read_evaluation, &Options::review, CaseStage::Review},
};

const IncomingRow* row_of(TaskMessageType type) {
    for (const IncomingRow& row : kIncomingRows)
        if (row.type == type) return &row;
    return nullptr;
}

Refused refused(i18n::Language language, std::string_view reason, const std::string& detail = {}) {
    return {
        i18n::text(language, std::string("stages.refused_").append(reason), {{"detail", detail}})};
}

}  // namespace

bool is_stage_message(std::string_view message_type) {
    return message_type.starts_with(kStageMessagePrefix);
}

std::optional<Refused> read_incoming(const InboxMessage& message, i18n::Language language,
                                     Incoming& out) {
    const std::string name = message.message_type.substr(kStageMessagePrefix.size());
    const auto type = wire::parse_task_message_type(name);
    if (!type) return refused(language, "type", name);
    if (wire::is_reserved(*type)) return refused(language, "reserved", name);
    const bool is_known_sender =
        message.provenance == Provenance::Verified || message.provenance == Provenance::Vouched;
    if (!is_known_sender) return refused(language, "provenance");
    if (message.payload_json.size() > kIncomingBytesMax) return refused(language, "size");
    out.type = *type;
    const IncomingRow* row = row_of(out.type);
    if (row == nullptr) return refused(language, "form", "a2hd does not receive this type");
    if (const auto failed = row->read(message.payload_json, out)) {
        return refused(language, "form", failed->message);
    }
    return std::nullopt;
}

std::optional<Refused> match_incoming(const InboxMessage& message, const Incoming& incoming,
                                      const StageCase* waiting, const Options& options,
                                      i18n::Language language) {
    if (waiting == nullptr || waiting->agent_id != message.agent_id) {
        return refused(language, "no_case");
    }
    const IncomingRow* row = row_of(incoming.type);
    if (row == nullptr) return refused(language, "sender");
    const std::string& sender = options.*row->sender;
    if (sender.empty() || sender != message.sender_id) return refused(language, "sender");
    const bool names_task = incoming.type != TaskMessageType::PromptBlocksResponse;
    if (names_task && incoming.task_id != waiting->task_uuid) return refused(language, "task");
    if (!incoming.trace_id.empty() && incoming.trace_id != waiting->trace_id) {
        return refused(language, "trace");
    }
    if (waiting->stage != row->stage) return refused(language, "not_waiting");
    if (incoming.type == TaskMessageType::GetContextRequest) {
        if (incoming.agent_id != wire::uuid_of(message.sender_id)) {
            return refused(language, "sender");
        }
        if (waiting->context_reads >= kContextReadsMax) return refused(language, "too_often");
    }
    return std::nullopt;
}

}  // namespace a2h::stages
