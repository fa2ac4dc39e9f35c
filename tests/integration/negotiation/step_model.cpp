#include "tests/integration/negotiation/step_model.h"

#include <fstream>
#include <iterator>

namespace a2h::test {
namespace {

using nlohmann::json;

constexpr const char* kHang = "(hang)";
constexpr const char* kSteps[] = {kUnderstand, kChoose, kAnswer,  kPlan,      kJudge,
                                  kAdjust,     kGaps,   kRecurse, kCompromise};

std::string step_of(const json& request) {
    const std::string system = request.value("system", json()).dump();
    for (const char* step : kSteps)
        if (system.find(std::string("# ") + step) != std::string::npos) return step;
    return {};
}

std::string sse_event(const json& data) {
    return "event: " + data.at("type").get<std::string>() + "\ndata: " + data.dump() + "\n\n";
}

std::string streamed(const std::string& text) {
    return sse_event(
               {{"type", "message_start"},
                {"message",
                 {{"model", "m-1"}, {"usage", {{"input_tokens", 9}, {"output_tokens", 1}}}}}}) +
           sse_event({{"type", "content_block_delta"},
                      {"delta", {{"type", "text_delta"}, {"text", text}}}}) +
           sse_event({{"type", "message_delta"},
                      {"delta", {{"stop_reason", "end_turn"}}},
                      {"usage", {{"output_tokens", 9}}}}) +
           sse_event({{"type", "message_stop"}});
}

}  // namespace

StepModel::StepModel()
    : server_([this](auto& peer, const auto& request) { serve(peer, request); }) {}

std::string StepModel::config(const std::filesystem::path& folder, int timeout_seconds) const {
    const std::filesystem::path key = folder / "model.key";
    std::ofstream(key) << kKey;
    std::filesystem::permissions(
        key, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    return "[model]\napi = \"messages\"\nmodel = \"m\"\noutput_tokens_max = 4096\nurl = \"" +
           server_.url("/v1/messages") +
           "\"\ntimeout_seconds = " + std::to_string(timeout_seconds) + "\nkey_file = \"" +
           key.string() + "\"\n";
}

void StepModel::answer(const std::string& step, const json& with) {
    const std::lock_guard lock(mutex_);
    answers_[step] = with.dump();
}

void StepModel::hang(const std::string& step) {
    const std::lock_guard lock(mutex_);
    answers_[step] = kHang;
}

int StepModel::count(const std::string& step) const {
    const std::lock_guard lock(mutex_);
    const auto found = counts_.find(step);
    return found == counts_.end() ? 0 : found->second;
}

json StepModel::last(const std::string& step) const {
    const std::lock_guard lock(mutex_);
    const auto found = last_.find(step);
    return found == last_.end() ? json() : found->second;
}

void StepModel::serve(ScriptedHttp::Peer& peer, const ScriptedHttp::Request& request) {
    if (request.header("x-api-key") != kKey) {
        peer.answer(401, R"({"type":"error","error":{"type":"authentication_error"}})");
        return;
    }
    const json body = json::parse(request.body, nullptr, false);
    const bool is_ours = body.is_object() && body.value("stream", false) &&
                         body.contains("max_tokens") && body.contains("messages") &&
                         !request.header("anthropic-version").empty() &&
                         request.head.starts_with("POST /v1/messages ");
    if (!is_ours) {
        peer.answer(400, R"({"type":"error","error":{"type":"invalid_request_error"}})");
        return;
    }
    const std::string step = step_of(body);
    std::string text = "Sure, I have done all that!";
    {
        const std::lock_guard lock(mutex_);
        ++counts_[step];
        last_[step] = body;
        if (const auto found = answers_.find(step); found != answers_.end()) text = found->second;
    }
    if (text == kHang) return peer.hang();
    peer.begin_stream();
    peer.send(streamed(text));
}

}  // namespace a2h::test
