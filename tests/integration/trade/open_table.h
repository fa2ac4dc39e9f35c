#pragma once

#include <string>

#include <doctest/doctest.h>

#include "tests/integration/daemon/scene.h"

namespace a2h::test {

/// The answer that an assistant gets when its text waits for the human.
constexpr const char* kAsks = "PLATFORM_CONFIRMATION_REQUIRED";

/// A seller with one listing and a buyer; the seller's assistant talks to the buyer.
struct OpenTable : Scene {
    OpenTable() {
        publish_listing();
        works_id = seller.call_assistant("works.list")["data"]["items"][0]["worksId"];
    }

    /// The seller's assistant calls `send` to the buyer.
    nlohmann::json send(nlohmann::json arguments) {
        arguments["target_agent_id"] = buyer_account.agent_id;
        return seller.call_assistant("send", arguments.dump());
    }
    /// "ok", or the code of the error.
    static std::string code_in(const nlohmann::json& result) {
        return result["ok"] == true ? "ok" : result["error"]["code"].get<std::string>();
    }
    std::string code(const nlohmann::json& arguments) { return code_in(send(arguments)); }
    /// The error's text; empty if there is none.
    static std::string message_in(const nlohmann::json& result) {
        return result["ok"] == true ? "" : result["error"]["message"].get<std::string>();
    }
    static bool is_connected(Daemon& daemon) {
        return daemon.status()["connection"]["connected"] == true;
    }
    std::size_t texts_at_buyer(const std::string& text) {
        std::size_t count = 0;
        for (const nlohmann::json& reply : replies_to_buyer())
            count += reply.value("text", "") == text ? 1 : 0;
        return count;
    }

    std::string works_id;
};

}  // namespace a2h::test
