#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "daemon/config/value.h"

namespace a2h::config {

/// One `key = value` of a file.
struct Entry {
    std::string name;            ///< including its table: `mqtt.version`, `person.name`
    std::optional<Value> value;  ///< absent if it has a form that no option has
    int line = 0;
};

/// One `[[table]]` entry.
struct ListedTable {
    std::vector<Entry> entries;
    int line = 0;

    bool has(std::string_view name) const;
};

/// A configuration file as written, before it is compared with the known options.
struct Source {
    std::string file_name;  ///< for messages
    std::vector<Entry> entries;
    std::map<std::string, int, std::less<>> tables;  ///< line of each `[table]`
    std::map<std::string, std::vector<ListedTable>, std::less<>> lists;

    /// "FILE:LINE: message".
    Unexpected error_at(int line, const std::string& message) const;
};

/// Errors: InvalidArgument with file and line when `toml` is not TOML.
Result<Source> read_source(std::string_view toml, std::string_view file_name);

}  // namespace a2h::config
