#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/control/home.h"
#include "core/i18n/messages.h"
#include "core/mqtt/connection.h"
#include "core/systemd/journal.h"
#include "daemon/app/app.h"
#include "daemon/app/features.h"
#include "daemon/app/once.h"
#include "daemon/kernel/file_limit.h"
#include "daemon/kernel/home_lock.h"

namespace {

int failed(std::string_view why) {
    const auto language = a2h::i18n::language_of_environment();
    a2h::log::error(a2h::i18n::text(language, "daemon.cannot_start", {{"why", why}}));
    return a2h::kExitFailed;
}

int serve(const a2h::control::Home& home) {
    a2h::log::set_output(a2h::systemd::journal_of_stderr());
    a2h::mqtt::keep_paho();
    a2h::kernel::raise_file_limit();
    auto app = a2h::App::start(home);
    if (!app) {
        if (app.error().code != a2h::ErrorCode::Conflict) return failed(app.error().message);
        failed(a2h::i18n::text(a2h::i18n::language_of_environment(), "daemon.home_taken",
                               {{"process", a2h::HomeLock::owner(home.lock_file())}}));
        return a2h::kExitHomeTaken;
    }
    a2h::release_start_memory();
    (*app)->run();
    return 0;
}

/// If PARAMS is `-`, they are read from stdin, so that no other user of the machine sees a PIN in
/// the list of processes.
int once(const a2h::control::Home& home, a2h::Once asked) {
    if (asked.params == "-") {
        asked.params.assign(std::istreambuf_iterator<char>(std::cin), {});
    }
    const a2h::OnceResult result = a2h::run_once(home, asked);
    std::printf("%s\n", result.envelope.c_str());
    return std::fflush(stdout) == 0 ? result.exit_status : a2h::kExitFailed;
}

}  // namespace

int main(int argc, char** argv) {
    a2h::register_features();
    const auto language = a2h::i18n::language_of_environment();
    const auto translated = [&](std::string_view key) { return a2h::i18n::text(language, key); };
    CLI::App options(translated("daemon.about"));
    std::string home_option;
    a2h::Once asked;
    bool verbose = false;
    options.add_option("--home", home_option, translated("daemon.option_home"));
    auto* action = options.add_option("--once", asked.action, translated("daemon.option_once"));
    action->type_name("ACTION");
    options.add_option("PARAMS", asked.params, translated("daemon.option_params"))->needs(action);
    options.add_flag("--verbose", verbose, translated("daemon.option_verbose"));
    options.set_version_flag("--version", "a2hd " A2H_VERSION);
    CLI11_PARSE(options, argc, argv);
    if (verbose) a2h::log::set_level(a2h::log::Level::Debug);
    const auto home = a2h::control::find_home(home_option);
    if (!home) return failed(home.error().message);
    return asked.action.empty() ? serve(*home) : once(*home, asked);
}
