#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "cli/json_edit.h"
#include "cli/rows.h"
#include "cli/settings_file.h"
#include "cli/toml_edit.h"
#include "core/control/client.h"

namespace a2h::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

enum class ClientFormat { Json, JsonWithComments, Toml };

/// The folder that contains a client's file.
enum class ClientFolder { Current, Home, Config, Codex };

/// Where a client reads its MCP servers from, and in which form.
///
/// Source:  the manual of each.
struct McpClient {
    std::string_view name;
    ClientFolder folder;
    std::string_view file;
    const char* member;  ///< member that contains the servers
    ClientFormat format;
    bool typed;                ///< requires "type": "stdio"
    std::string_view command;  ///< command that adds a server instead; the program follows
};
constexpr McpClient kClients[] = {
    {"claude-code", ClientFolder::Current, ".mcp.json", "mcpServers", ClientFormat::Json, true,
     "claude mcp add --scope user a2h -- "},
    {"claude-desktop", ClientFolder::Config, "Claude/claude_desktop_config.json", "mcpServers",
     ClientFormat::Json, false, ""},
    {"cursor", ClientFolder::Home, ".cursor/mcp.json", "mcpServers", ClientFormat::JsonWithComments,
     false, ""},
    {"vscode", ClientFolder::Config, "Code/User/mcp.json", "servers",
     ClientFormat::JsonWithComments, true, ""},
    {"codex", ClientFolder::Codex, "config.toml", "mcp_servers", ClientFormat::Toml, false,
     "codex mcp add a2h -- "},
    {"gemini", ClientFolder::Home, ".gemini/settings.json", "mcpServers",
     ClientFormat::JsonWithComments, false, ""},
    {"zed", ClientFolder::Config, "zed/settings.json", "context_servers",
     ClientFormat::JsonWithComments, false, ""},
};

const McpClient* find_client(std::string_view name) {
    for (const McpClient& client : kClients) {
        if (client.name == name) return &client;
    }
    return nullptr;
}

/// The value of an environment variable, which must be an absolute path; otherwise empty.
fs::path folder_variable(const char* name) {
    const char* value = std::getenv(name);
    const fs::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : fs::path();
}

/// Empty if the location of the folder is unknown.
fs::path folder_path(ClientFolder folder) {
    const fs::path home = folder_variable("HOME");
    const auto below_home = [&](const char* name) { return home.empty() ? home : home / name; };
    std::error_code error;
    fs::path own;
    switch (folder) {
        case ClientFolder::Current:
            return fs::current_path(error);
        case ClientFolder::Home:
            return home;
        case ClientFolder::Config:
            own = folder_variable("XDG_CONFIG_HOME");
            return own.empty() ? below_home(".config") : own;
        case ClientFolder::Codex:
            own = folder_variable("CODEX_HOME");
            return own.empty() ? below_home(".codex") : own;
    }
    return {};
}

/// Quotes one word for a POSIX shell.
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

std::string json_text(const ordered_json& value) {
    return value.dump(2, ' ', false, json::error_handler_t::replace);
}

/// Our entry in the form of one client.
class ClientEntry {
  public:
    ClientEntry(const McpClient& client, std::string program, std::string home)
        : client_(client), program_(std::move(program)), home_(std::move(home)) {
        if (client.typed) server_["type"] = "stdio";
        server_["command"] = program_;
        server_["args"] = {"--home", home_};
    }

    ordered_json config() const { return {{client_.member, {{"a2h", server_}}}}; }
    std::string snippet() const {
        if (client_.format == ClientFormat::Toml) return merged_into({}).value_or(std::string());
        return json_text(config()) + "\n";
    }
    /// Empty: the client has none.
    std::string command() const {
        if (client_.command.empty()) return {};
        return std::string(client_.command) + quoted(program_) + " --home " + quoted(home_);
    }
    /// Errors: those of `set_json_entry` and `set_toml_entry`.
    Result<std::string> merged_into(const std::string& text) const {
        const std::vector<std::string> path = {client_.member, "a2h"};
        if (client_.format == ClientFormat::Toml) {
            // JSON and TOML write strings and lists of strings in the same way.
            return set_toml_entry(
                text, path,
                {{"command", server_["command"].dump()}, {"args", server_["args"].dump()}});
        }
        return set_json_entry(
            text, path, server_,
            client_.format == ClientFormat::Json ? JsonDialect::Strict : JsonDialect::WithComments);
    }

  private:
    const McpClient& client_;
    std::string program_;
    std::string home_;
    ordered_json server_;
};

/// Merges the entry into `file`, records in `data` what was done, and returns a text about it.
Result<std::string> write_entry(const Invocation& invocation, const ClientEntry& entry,
                                const fs::path& file, json& data) {
    A2H_ASSIGN_OR_RETURN(const auto before, read_settings(file));
    const auto after = entry.merged_into(before);
    if (!after) return fail(after.error().with_context(file.string()));
    data["written"] = *after != before;
    if (*after == before) {
        return invocation.text("cli.mcp_unchanged", {{"file", file.string()}}) + "\n";
    }
    A2H_ASSIGN_OR_RETURN(const auto backup, replace_settings(file, before, *after));
    std::string text = invocation.text("cli.mcp_written", {{"file", file.string()}}) + "\n";
    if (!backup.empty()) {
        data["backup"] = backup.string();
        text += invocation.text("cli.mcp_backup", {{"file", backup.string()}}) + "\n";
    }
    return text;
}

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
    const fs::path folder = folder_path(client->folder);
    const fs::path file =
        invocation.has("--file") ? fs::path(invocation.value("--file")) : folder / client->file;
    std::error_code error;
    const ClientEntry entry(*client, program, fs::absolute(invocation.home.root, error).string());
    json data = {{"client", wanted},
                 {"file", file.string()},
                 {"config", entry.config()},
                 {"snippet", entry.snippet()}};
    if (!entry.command().empty()) data["command"] = entry.command();
    if (invocation.has("--write")) {
        const auto text = write_entry(invocation, entry, fs::absolute(file, error), data);
        if (text) return report("mcp.config", data, *text);
        return failure(
            invocation.language, text.error(), invocation.text("cli.mcp_not_written"),
            invocation.text("cli.mcp_by_hand",
                            {{"command", invocation.hint("mcp-config --client " + wanted)}}));
    }
    std::string text;
    if (!entry.command().empty()) {
        text = invocation.text("cli.mcp_command") + "\n\n  " + entry.command() + "\n\n";
    }
    text += invocation.text("cli.mcp_file", {{"file", file.string()}}) + "\n\n" + entry.snippet() +
            "\n" +
            invocation.text(
                "cli.mcp_write_hint",
                {{"command", invocation.hint("mcp-config --client " + wanted + " --write")}}) +
            "\n";
    return report("mcp.config", data, text);
}

}  // namespace

std::vector<Command> mcp_config_rows() {
    using enum ParameterKind;
    return {
        {"mcp-config",
         "mcp.config",
         "cli.mcp_config",
         {{"--client", Value, "cli.option_client", "CLIENT"},
          {"--write", Flag, "cli.option_write"},
          {"--file", Value, "cli.option_client_file", "FILE"}},
         run_mcp_config},
    };
}

}  // namespace a2h::cli
