#include "daemon/approvals/approvals.h"

#include <nlohmann/json.hpp>

#include "core/store/approval_store.h"
#include "daemon/operations/ask.h"
#include "daemon/pipeline/conversation_text.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr int kListLimit = 100;
constexpr int kContextMessages = 6;

/// The approval an answer is about, if this agent has it.
Result<Approval> own_approval(Runtime& runtime, const Call& call) {
    const std::string id = call.text("approval_id");
    auto approval = store::get_approval(runtime.context.reader, id);
    if (!approval) return fail(approval.error());
    if (!*approval || (*approval)->agent_id != call.agent_id()) {
        return fail(ErrorCode::NotFound, "there is no approval " + id.substr(0, 40));
    }
    return std::move(**approval);
}

json to_json(const approvals::Answered& answered) {
    json data = operations::to_json(answered.approval);
    data["reply_queued"] = answered.reply_queued;
    if (answered.next) {
        data["next_approval_id"] = answered.next->id;
        data["next_reply_text"] = answered.next->reply_text;
    }
    return data;
}

void hand_in(Runtime& runtime, const Call& call, const approvals::Answer& answer,
             const std::string& pin, const Reply& reply) {
    runtime.answers.answer(
        answer, pin, [action = call.action, reply](const Result<approvals::Answered>& answered) {
            reply(answered ? ok_result(action, to_json(*answered))
                           : error_result(action, answered.error()));
        });
}

}  // namespace

void handle_approval_create(Runtime& runtime, const Call& call, const Reply& reply) {
    approvals::Ask ask;
    ask.agent_id = call.agent_id();
    ask.peer_id = call.text("peer_id");
    ask.action = "reply.send";
    ask.reply_text = call.text("reply_text");
    ask.question = call.text("question");
    ask.context = call.text("context");
    ask.options = call.arguments.value("options", std::vector<std::string>());
    ask.requested_by = "tool:approval.create";
    if (ask.context.empty()) {
        const auto recent =
            store::history(runtime.context.reader, ask.agent_id, ask.peer_id, 1, kContextMessages);
        if (recent) {
            ask.context =
                pipeline::conversation_text(*recent, nullptr, runtime.context.config.language);
        }
    }
    const Approval approval = approvals::new_approval(ask, runtime.context.config.approval,
                                                      runtime.context.clock.now_ms());
    open_and_notify(runtime, approval,
                    [action = call.action, approval, reply](const Result<json>& notified) {
                        if (!notified) {
                            reply(error_result(action, notified.error()));
                            return;
                        }
                        reply(ok_result(action, {{"approval_id", approval.id},
                                                 {"status", to_string(approval.status)},
                                                 {"notified", *notified}}));
                    });
}

void handle_approval_response(Runtime& runtime, const Call& call, const Reply& reply) {
    const auto approval = own_approval(runtime, call);
    if (!approval) {
        reply(error_result(call.action, approval.error()));
        return;
    }
    approvals::Answer answer;
    answer.approval_id = approval->id;
    answer.words = call.text("decision");
    answer.kind = approvals::understand_answer(*approval, answer.words);
    answer.proof = call.text("code");
    answer.surface = answer.proof.empty() ? AnswerSurface::Relayed : AnswerSurface::Code;
    hand_in(runtime, call, answer, "", reply);
}

void handle_approval_answer(Runtime& runtime, const Call& call, const Reply& reply) {
    const auto approval = own_approval(runtime, call);
    if (!approval) {
        reply(error_result(call.action, approval.error()));
        return;
    }
    approvals::Answer answer;
    answer.approval_id = approval->id;
    answer.words = call.text("decision");
    answer.kind = approvals::understand_answer(*approval, answer.words);
    answer.edited_reply_text = call.text("reply_text");
    answer.surface = AnswerSurface::Terminal;
    answer.digest_seen = call.text("digest");
    hand_in(runtime, call, answer, call.text("pin"), reply);
}

void handle_approval_list(Runtime& runtime, const Call& call, const Reply& reply) {
    if (!call.text("approval_id").empty()) {
        const auto approval = own_approval(runtime, call);
        reply(approval ? ok_result(call.action, {{"approvals", {operations::to_json(*approval)}}})
                       : error_result(call.action, approval.error()));
        return;
    }
    const auto list = store::list_approvals(runtime.context.reader, call.agent_id(),
                                            parse_approval_status(call.text("status")),
                                            call.number("limit", kListLimit));
    if (!list) {
        reply(error_result(call.action, list.error()));
        return;
    }
    json approvals = json::array();
    for (const Approval& approval : *list)
        approvals.push_back(operations::to_json(approval));
    reply(ok_result(call.action, {{"approvals", std::move(approvals)}}));
}

}  // namespace a2h::operations
