#include <nlohmann/json.hpp>
#include <vector>

#include "cli/handlers.h"
#include "core/control/client.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

/// Where each client reads its MCP servers from, and under which member.
struct McpClient {
    std::string_view name;
    std::string_view file;
    const char* member;
    bool typed;  ///< wants "type": "stdio"
};
constexpr McpClient kClients[] = {
    {"claude-code", ".mcp.json", "mcpServers", true},
    {"claude-desktop", "claude_desktop_config.json", "mcpServers", false},
    {"cursor", "~/.cursor/mcp.json", "mcpServers", false},
    {"vscode", ".vscode/mcp.json", "servers", true},
};

const McpClient* find_client(std::string_view name) {
    for (const McpClient& client : kClients) {
        if (client.name == name) return &client;
    }
    return nullptr;
}

/// One word of a POSIX shell.
std::string quoted(const std::string& word) {
    const bool plain = word.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                           "0123456789_-./+:@%") == std::string::npos;
    if (plain && !word.empty()) return word;
    std::string out = "'";
    for (const char byte : word)
        out += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
    return out + "'";
}

}  // namespace

Outcome run_mcp_config(const Invocation& invocation) {
    const std::string wanted =
        invocation.has("--client") ? invocation.value("--client") : "claude-code";
    const McpClient* client = find_client(wanted);
    if (client == nullptr) {
        return Failure{std::string(kUsageCode),
                       invocation.text("cli.unknown_client", {{"client", wanted}}),
                       invocation.text("cli.known_clients"),
                       {}};
    }
    const std::string program = control::find_program("a2h-mcp").string();
    if (program.empty()) {
        return Failure{"not_found",
                       invocation.text("cli.no_mcp_program"),
                       invocation.text("cli.reinstall"),
                       {}};
    }
    const std::string home = invocation.home.root.string();
    json server = {{"command", program}, {"args", {"--home", home}}};
    if (client->typed) server["type"] = "stdio";
    const json config = {{client->member, {{"a2h", server}}}};
    std::string text = invocation.text("cli.mcp_file", {{"file", client->file}}) + "\n\n" +
                       config.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
    json data = {{"client", wanted}, {"file", client->file}, {"config", config}};
    if (wanted == "claude-code") {
        const std::string command =
            "claude mcp add a2h -- " + quoted(program) + " --home " + quoted(home);
        data["command"] = command;
        text = invocation.text("cli.mcp_command") + "\n\n  " + command + "\n\n" + text;
    }
    return report("mcp.config", data, text);
}

}  // namespace a2h::cli
