#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/control/home.h"
#include "core/i18n/messages.h"
#include "daemon/app.h"

namespace {

constexpr int kExitFailed = 1;
constexpr int kExitHomeTaken = 3;

int serve(const std::string& home_option) {
    const auto home = a2h::control::find_home(home_option);
    if (!home) {
        a2h::log::error("a2hd cannot start: " + home.error().message);
        return kExitFailed;
    }
    auto app = a2h::App::start(*home);
    if (!app) {
        a2h::log::error("a2hd cannot start: " + app.error().message);
        return app.error().code == a2h::ErrorCode::Conflict ? kExitHomeTaken : kExitFailed;
    }
    a2h::release_start_memory();
    (*app)->run();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const auto language = a2h::i18n::language_of_environment();
    const auto tell = [&](std::string_view key) { return a2h::i18n::text(language, key); };
    CLI::App options(tell("daemon.about"));
    std::string home;
    bool verbose = false;
    options.add_option("--home", home, tell("daemon.option_home"));
    options.add_flag("--verbose", verbose, tell("daemon.option_verbose"));
    options.set_version_flag("--version", "a2hd " A2H_VERSION);
    CLI11_PARSE(options, argc, argv);
    if (verbose) a2h::log::set_level(a2h::log::Level::Debug);
    return serve(home);
}
