#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/i18n/messages.h"
#include "mcp/daemon_link.h"
#include "mcp/dispatcher.h"
#include "mcp/input.h"
#include "mcp/last_words.h"
#include "mcp/output.h"
#include "mcp/tools.h"

namespace {

struct Options {
    std::string home;
    std::string agent;
    a2h::mcp::ToolChoice tools;
    bool no_start = false;
    bool list_tools = false;
};

void serve(const Options& options, a2h::mcp::Toolsets toolsets) {
    ::signal(SIGPIPE, SIG_IGN);
    a2h::mcp::Output output(STDOUT_FILENO, STDIN_FILENO);
    a2h::mcp::DaemonLink daemon({.home = options.home, .may_start = !options.no_start});
    a2h::mcp::Dispatcher dispatcher(
        [&](std::string line) { output.write(std::move(line)); },
        [&](const a2h::mcp::DaemonCall& call, std::stop_token cancelled) {
            return daemon.call(call, std::move(cancelled));
        },
        options.agent, std::move(toolsets), [&] { return daemon.change_count(); });
    a2h::mcp::LineInput input(STDIN_FILENO, STDOUT_FILENO, a2h::mcp::kLineBytesMax,
                              [&](const std::vector<a2h::mcp::InputLine>& lines) {
                                  const a2h::mcp::Output::Together together(output);
                                  for (const a2h::mcp::InputLine& line : lines) {
                                      if (output.gave_up()) return;
                                      dispatcher.take_line(line);
                                  }
                              });
    dispatcher.read_to_end([&] { return !output.gave_up() && input.read_some(); });
    const auto finished = a2h::mcp::finish(dispatcher, output);
    if (!finished) std::fprintf(stderr, "a2h-mcp: %s\n", finished.error().message.c_str());
    // Calls that nobody waits for any more may still run.
    ::_exit(finished ? 0 : 1);
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    const auto language = a2h::i18n::language_of_environment();
    const auto translated = [&](std::string_view key) { return a2h::i18n::text(language, key); };
    CLI::App app(translated("mcp.about"));
    app.set_version_flag("--version", "a2h-mcp " A2H_VERSION);
    app.add_option("--home", options.home, translated("mcp.option_home"));
    app.add_option("--agent", options.agent, translated("mcp.option_agent"));
    app.add_option("--toolsets", options.tools.toolsets,
                   a2h::i18n::text(language, "mcp.option_toolsets",
                                   {{"names", a2h::mcp::Toolsets::known()}}))
        ->envname("A2H_TOOLSETS");
    app.add_option("--tools", options.tools.tools, translated("mcp.option_tools"))
        ->envname("A2H_TOOLS");
    app.add_option("--exclude-tools", options.tools.exclude_tools,
                   translated("mcp.option_exclude_tools"))
        ->envname("A2H_EXCLUDE_TOOLS");
    app.add_flag("--read-only", options.tools.read_only, translated("mcp.option_read_only"))
        ->envname("A2H_READ_ONLY");
    app.add_flag("--no-start", options.no_start, translated("mcp.option_no_start"));
    app.add_flag("--list-tools", options.list_tools, translated("mcp.option_list_tools"));
    CLI11_PARSE(app, argc, argv);
    auto toolsets = a2h::mcp::Toolsets::choose(options.tools);
    if (!toolsets) {
        std::fprintf(stderr, "a2h-mcp: %s\n", toolsets.error().message.c_str());
        return 2;
    }
    if (options.list_tools) {
        std::puts(a2h::mcp::tool_list(*toolsets).dump(2).c_str());
        return 0;
    }
    serve(options, std::move(*toolsets));
    return 0;
}
