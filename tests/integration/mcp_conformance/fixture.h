#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "mcp/client_requests.h"
#include "mcp/protocol.h"
#include "mcp/tasks.h"

namespace a2h::test {

/// A request to the client for a form with the one member `member`.
nlohmann::json question(const char* words, const char* member, const char* type);

/// A server on our library with the tools, prompts and resources that the official conformance
/// program wants to find. What it must do stands in the scenarios' descriptions.
/// Thread: as `mcp::Protocol`.
class Fixture : private mcp::Methods {
  public:
    explicit Fixture(mcp::Protocol::Write write);

    void take_line(const mcp::InputLine& line) { protocol_.take_line(line); }
    void read_to_end(mcp::Calls::Read read) { protocol_.calls().read_to_end(std::move(read)); }

    /// One tools/call, prompts/get or resources/read on its way through.
    struct Call {
        const nlohmann::json* params = nullptr;
        mcp::Version version = mcp::kLatestLegacy;
        nlohmann::json* capabilities = nullptr;  ///< of the client
        std::stop_token cancelled;
    };

    /// Requests to the client up to 2025-11-25: the result, or an empty object.
    nlohmann::json ask(const Call& call, std::string_view method, const nlohmann::json& params);
    void notify(std::string_view method, const nlohmann::json& params);
    /// The destination of log messages of that request.
    void log(const Call& call, std::string_view text);
    /// Tells who listens for `kind`, e.g. "toolsListChanged".
    void tell_listeners(std::string_view kind, std::string_view method);

    /// A result of type input_required that asks for `rounds` one after the other (2026-07-28), or
    /// nullptr when the client has answered all of them: then `answers` holds what it said.
    /// `sealed`: what was asked before comes back in a requestState.
    mcp::Outcome ask_in_rounds(const Call& call, const nlohmann::json& rounds, bool sealed,
                               nlohmann::json& answers);

  private:
    bool take_request(const mcp::Message& message, mcp::Version version,
                      const Reply& reply) override;
    void take_response(const mcp::Message& message) override { client_.take_response(message); }
    void take_cancellation(const std::string& key) override;

    /// Methods that are answered from memory.
    mcp::Outcome answer_now(const mcp::Message& message, mcp::Version version);
    mcp::Outcome set_level(const nlohmann::json& params);
    void listen(const mcp::Message& message);

    // fixture_tasks.cpp
    /// False when the tool answers with results only.
    bool call_task_tool(const mcp::Message& message, mcp::Version version, const Reply& reply);
    void begin_task(const std::string& id, std::shared_ptr<const nlohmann::json> params,
                    const nlohmann::json& answers);
    mcp::Outcome answer_about_task(const std::string& method, const nlohmann::json& params);

    const mcp::Protocol::Write write_;
    const std::string key_;  ///< seals requestState
    mcp::ClientRequests client_;
    std::mutex mutex_;
    std::string level_ = "debug";  ///< of the session
    struct Listener {
        std::string id;  ///< raw text
        std::string kinds;
    };
    std::map<std::string, Listener> listeners_;  ///< by `id_key`
    std::string session_capabilities_ = "{}";
    const SystemClock clock_;
    mcp::Tasks tasks_;
    std::map<std::string, std::shared_ptr<const nlohmann::json>> task_params_;  ///< by task
    mcp::Protocol protocol_;  ///< last: what it runs uses the members above
};

/// Answers of tools/call, prompts/get and resources/read. Errors: InvalidParams and others as the
/// scenarios require. Thread: any.
mcp::Outcome run_fixture_tool(Fixture& fixture, const Fixture::Call& call);
mcp::Outcome get_fixture_prompt(Fixture& fixture, const Fixture::Call& call);
mcp::Outcome read_fixture_resource(const Fixture::Call& call);

/// Members tools, prompts, resources and resourceTemplates of the lists.
nlohmann::ordered_json fixture_tools();
nlohmann::ordered_json fixture_task_tools();
nlohmann::ordered_json fixture_prompts();
nlohmann::ordered_json fixture_resources();
nlohmann::ordered_json fixture_templates();

}  // namespace a2h::test
