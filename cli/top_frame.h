#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "cli/log_text.h"
#include "cli/terminal.h"
#include "core/base/clock.h"

namespace a2h::cli {

/// The metrics that a2hd reported at one moment, made printable.
struct TopReading {
    struct Series {
        std::string name;
        std::map<std::string, std::string> labels;
        double value = 0;
    };

    UnixMs at_ms = 0;
    std::vector<Series> series;
    std::string version;
    std::string agent;
    bool is_connected = false;
    std::string connection;
    std::string model;  ///< empty without a model
    std::vector<std::string> problems;
    std::vector<LogLine> log;  ///< oldest first

    /// The sum of all series with that name, or of those with this label; 0 if there are none.
    double sum(std::string_view name) const;
    double sum(std::string_view name, const std::string& label, std::string_view value) const;
};

/// From `data` of `metrics`, `status` and `logs`.
TopReading read_top(const Invocation& invocation, UnixMs at_ms, const nlohmann::json& metrics,
                    const nlohmann::json& status, const nlohmann::json& logs);

struct ScreenSize {
    std::size_t columns = 80;
    std::size_t rows = 24;
};

/// One frame of `a2h top`: at most `size.rows` lines, none wider than `size.columns`. Rates are
/// those since `before`; null: there are none yet. If it does not fit, the end is left out, and of
/// the log the older lines.
std::string top_frame(const Invocation& invocation, const TopReading& now, const TopReading* before,
                      ScreenSize size, const Colours& colours);

}  // namespace a2h::cli
