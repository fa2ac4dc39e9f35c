#include "mcp/tool_calls.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/text.h"
#include "core/catalogue/operations.h"
#include "core/wire/crypto.h"
#include "mcp/tools.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// The longest wait for a human's answer to a dialog; the question stays open longer.
constexpr std::chrono::minutes kDialogPatience(10);
/// The name of our one question in `inputRequests`.
constexpr std::string_view kDialogName = "approval";

std::string unknown_tool(std::string_view name, const Toolsets& toolsets) {
    constexpr std::size_t kDistanceMax = 3;
    constexpr std::size_t kShownCodePoints = 64;
    const std::string_view shown = truncate(name, kShownCodePoints);
    std::string words = "Unknown tool: " + std::string(shown);
    const auto* hidden = catalogue::find_tool(name);
    if (hidden != nullptr) {
        return words + "; " + toolsets.why_hidden(*hidden);
    }
    for (const catalogue::Operation& row : catalogue::operations()) {
        if (toolsets.shows(row) && edit_distance(shown, row.tool) <= kDistanceMax) {
            return words + "; did you mean " + std::string(row.tool) + "?";
        }
    }
    return words;
}

/// The digest to which a sealed state is bound.
std::string call_digest(const ToolCall& call) {
    return wire::sha256_hex(std::string(call.operation->tool) + "\n" + call.arguments().dump());
}

/// The answer to our question; nullptr if there is none.
const json* dialog_answer(const json& params) {
    const auto responses = params.find("inputResponses");
    if (responses == params.end() || !responses->is_object()) return nullptr;
    const auto given = responses->find(kDialogName);
    return given == responses->end() ? nullptr : &*given;
}

}  // namespace

const json& ToolCall::arguments() const {
    static const json kNone = json::object();
    const auto found = params->find("arguments");
    return found == params->end() ? kNone : *found;
}

ToolCalls::ToolCalls(CallDaemon call_daemon, std::string agent, Toolsets toolsets,
                     ClientRequests::Write write)
    : call_daemon_(std::move(call_daemon)),
      agent_(std::move(agent)),
      toolsets_(std::move(toolsets)),
      dialog_(call_daemon_, agent_),
      state_key_(wire::new_token()),
      client_(std::move(write)) {}

std::variant<ToolCall, RpcError> ToolCalls::read(std::shared_ptr<const json> params,
                                                 Version version, bool shows_dialogs) const {
    const auto name = params->find("name");
    if (name == params->end() || !name->is_string()) {
        return invalid_params("name must be a string");
    }
    const auto& tool = name->get_ref<const std::string&>();
    const auto* operation = catalogue::find_tool(tool);
    if (operation == nullptr || !toolsets_.shows(*operation)) {
        return invalid_params(unknown_tool(tool, toolsets_));
    }
    const auto arguments = params->find("arguments");
    if (arguments != params->end() && !arguments->is_object()) {
        return invalid_params("arguments must be an object");
    }
    ToolCall call{operation, std::move(params), version, shows_dialogs, {}};
    if (!is_modern(version) || !call.params->contains("requestState")) return call;
    const json& state = call.params->at("requestState");
    call.resumes = open_seal(state.is_string() ? state.get<std::string>() : std::string(),
                             state_key_, call_digest(call), std::chrono::steady_clock::now());
    const json responses = call.params->value("inputResponses", json::object());
    if (!call.resumes || !responses.is_object() ||
        !responses.value(kDialogName, json::object()).is_object()) {
        return invalid_params("requestState or inputResponses is not valid, or no longer");
    }
    return call;
}

ordered_json ToolCalls::run(const ToolCall& call, std::stop_token cancelled) {
    if (call.resumes) return answer_dialog(call, std::move(cancelled));
    auto result = call_tool(*call.operation, call.arguments(), agent_, call_daemon_, cancelled);
    if (!call.shows_dialogs || cancelled.stop_requested()) return result;
    const auto question = dialog_.question_of(result, cancelled);
    return question ? ask_in_dialog(call, *question, std::move(cancelled)) : result;
}

std::optional<ToolCall> ToolCalls::resume(const ToolCall& call, const ordered_json& input_required,
                                          const json& responses) const {
    json params = *call.params;
    params["inputResponses"] = responses;
    params["requestState"] = input_required.at("requestState").get<std::string>();
    if (dialog_answer(params) == nullptr) return std::nullopt;
    auto resumed =
        read(std::make_shared<const json>(std::move(params)), call.version, call.shows_dialogs);
    if (!std::holds_alternative<ToolCall>(resumed)) return std::nullopt;
    return std::get<ToolCall>(std::move(resumed));
}

ordered_json ToolCalls::ask_in_dialog(const ToolCall& call, const HumanDialog::Question& question,
                                      std::stop_token cancelled) {
    ordered_json form = HumanDialog::form(question, call.version);
    if (!is_modern(call.version)) {
        const auto given =
            client_.ask("elicitation/create", form.dump(),
                        {.timeout = kDialogPatience, .cancelled = cancelled, .is_over = [&] {
                             return dialog_.is_decided(question.approval_id, cancelled);
                         }});
        if (!given) return HumanDialog::not_shown(*call.operation, question);
        return dialog_.settle(*call.operation, question, *given, std::move(cancelled));
    }
    const RequestState state{call_digest(call), question.approval_id, question.digest,
                             std::chrono::steady_clock::now() + kDialogPatience};
    return {{"resultType", "input_required"},
            {"inputRequests",
             {{kDialogName, {{"method", "elicitation/create"}, {"params", std::move(form)}}}}},
            {"requestState", seal(state, state_key_)}};
}

ordered_json ToolCalls::answer_dialog(const ToolCall& call, std::stop_token cancelled) {
    const json* given = dialog_answer(*call.params);
    if (given == nullptr && call.shows_dialogs) {
        const auto question = dialog_.question_about(call.resumes->approval_id, cancelled);
        if (question) return ask_in_dialog(call, *question, std::move(cancelled));
    }
    return dialog_.settle(
        *call.operation,
        {.approval_id = call.resumes->approval_id, .digest = call.resumes->digest, .message = {}},
        given == nullptr ? json::object() : *given, std::move(cancelled));
}

}  // namespace a2h::mcp
