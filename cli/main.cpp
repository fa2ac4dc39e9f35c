#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command.h"
#include "core/i18n/messages.h"

namespace {

using namespace a2h;

int run(const std::vector<std::string>& arguments) {
    const auto parsed = cli::parse(arguments, i18n::language_of_environment());
    if (const auto* print = std::get_if<cli::Print>(&parsed)) {
        std::fputs((print->text + "\n").c_str(), stdout);
        return cli::kDone;
    }
    if (const auto* wrong = std::get_if<cli::Failure>(&parsed)) {
        const bool json =
            std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
        return cli::print(*wrong, "usage", json);
    }
    const auto& invocation = *std::get_if<cli::Invocation>(&parsed);
    if (!invocation.former_name.empty())
        cli::warn_of_former_name(invocation, invocation.former_name, invocation.command->name);
    return cli::print(invocation.command->run(invocation), invocation.command->action,
                      invocation.json);
}

}  // namespace

int main(int argc, char** argv) {
    return run({argv + 1, argv + argc});
}
