#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "mcp/dispatcher.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

using nlohmann::json;

/// Answers for a2hd; the arguments must be a JSON object whatever the client sent. Only a2h-mcp's
/// own calls use the rights of the human's programs.
Result<std::string> call_daemon(const mcp::DaemonCall& call, std::stop_token) {
    const json params = json::parse(call.params_json, nullptr, false);
    const bool ours = call.method == "inbox.list" || call.method == "events.list";
    A2H_CHECK(params.is_object() && params.value("face", "") == (ours ? "human" : "assistant"));
    if (call.method == "status") return fail(ErrorCode::Unavailable, "not there");
    return std::string(R"({"ok":true,"action":"fuzz","data":{}})");
}

void check_answer(const json& answer) {
    A2H_CHECK(answer.is_object() && answer.value("jsonrpc", "") == "2.0");
    if (answer.contains("method")) {
        A2H_CHECK(answer.at("method").get<std::string>().starts_with("notifications/"));
        return;
    }
    A2H_CHECK(answer.contains("result") != answer.contains("error"));
    A2H_CHECK(!answer.contains("error") || answer.at("error").at("code").is_number_integer());
}

void check_line(const std::string& line) {
    A2H_CHECK(line.find('\n') == std::string::npos);
    const json answer = json::parse(line, nullptr, false);
    A2H_CHECK(!answer.is_discarded());
    if (answer.is_array()) {
        A2H_CHECK(!answer.empty());
        for (const json& one : answer)
            check_answer(one);
    } else {
        check_answer(answer);
    }
}

}  // namespace

/// Each line of the input is one line of a client.
void mcp_lines(std::string_view input) {
    std::mutex mutex;
    std::vector<std::string> written;
    {
        mcp::Dispatcher dispatcher(
            [&](std::string line) {
                const std::lock_guard lock(mutex);
                written.push_back(std::move(line));
            },
            call_daemon, {});
        while (!input.empty()) {
            const std::size_t end = input.find('\n');
            dispatcher.take_line(input.substr(0, end));
            input.remove_prefix(end == std::string_view::npos ? input.size() : end + 1);
        }
    }
    for (const std::string& line : written)
        check_line(line);
}

}  // namespace a2h::fuzz
