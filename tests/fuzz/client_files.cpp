#include <nlohmann/json.hpp>

#include "cli/json_edit.h"
#include "cli/toml_edit.h"
#include "core/base/check.h"
#include "core/base/text.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {

/// Configuration files of other programs, into which `a2h mcp-config --write` puts its entry.
void client_files(std::string_view input) {
    const std::vector<std::string> path{"mcpServers", "a2h"};
    const nlohmann::ordered_json entry{{"command", "a2h-mcp"}};
    for (const auto dialect : {cli::JsonDialect::Strict, cli::JsonDialect::WithComments}) {
        const auto written = cli::set_json_entry(input, path, entry, dialect);
        if (!written) {
            A2H_CHECK(written.error().code == ErrorCode::InvalidArgument);
            continue;
        }
        A2H_CHECK(is_utf8(*written) && written->find("a2h-mcp") != std::string::npos);
        A2H_CHECK(cli::set_json_entry(*written, path, entry, dialect).value() == *written);
    }
    const auto toml =
        cli::set_toml_entry(input, {"mcp_servers", "a2h"}, {{"command", "\"a2h-mcp\""}});
    if (!toml) {
        A2H_CHECK(toml.error().code == ErrorCode::InvalidArgument);
        return;
    }
    A2H_CHECK(
        cli::set_toml_entry(*toml, {"mcp_servers", "a2h"}, {{"command", "\"a2h-mcp\""}}).value() ==
        *toml);
}

}  // namespace a2h::fuzz
