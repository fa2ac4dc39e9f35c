#include <algorithm>

#include "core/base/check.h"
#include "core/base/text.h"
#include "daemon/config/option.h"
#include "tests/fuzz/targets.h"
#include "tests/support/no_variable.h"

namespace a2h::fuzz {

/// The config.toml of a home.
void configuration(std::string_view input) {
    const auto read = config::parse(input, "config.toml", config::no_variable);
    if (!read) {
        A2H_CHECK(read.error().code == ErrorCode::InvalidArgument);
        A2H_CHECK(is_utf8(read.error().message));
        A2H_CHECK(read.error().message.find("config.toml") != std::string::npos);
        return;
    }
    const auto lines = 1 + std::count(input.begin(), input.end(), '\n');
    for (const auto& [name, origin] : read->origins) {
        A2H_CHECK(origin.kind == config::Origin::Kind::File);
        A2H_CHECK(origin.line >= 1 && origin.line <= lines);
    }
}

}  // namespace a2h::fuzz
