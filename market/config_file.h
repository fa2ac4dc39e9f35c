#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace a2h::market {

/// Converts a TOML file of options into command-line words: `mqtt_url = "mqtt://x"` is
/// "--mqtt-url=mqtt://x". `known` are the names of the options without dashes at the beginning.
///
/// Errors:  InvalidArgument for a file that is not TOML, for an unknown key (with "did you mean")
///          and for a value that is not a text, number or boolean; Unavailable if the file cannot
///          be read.
Result<std::vector<std::string>> read_config_file(const std::filesystem::path& file,
                                                  const std::vector<std::string>& known);

}  // namespace a2h::market
