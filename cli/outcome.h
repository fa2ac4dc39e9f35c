#pragma once

#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/i18n/messages.h"

namespace a2h::cli {

/// The result of a command: `envelope` for `--json` (R16), `text` for people. An empty `text`
/// prints nothing, because the command has written while it ran. `status` is the exit status.
struct Report {
    std::string envelope;
    std::string text;
    int status = 0;
};

/// Why a command failed and what to do now. `envelope` is the daemon's own answer if there is one;
/// `next` may be empty.
struct Failure {
    std::string code;
    std::string message;
    std::string next;
    std::string envelope;
};

using Outcome = std::variant<Report, Failure>;

/// `{"ok":true,"action","data"}`, and the same as a report.
std::string ok_envelope(std::string_view action, const nlohmann::json& data);
Report report(std::string_view action, const nlohmann::json& data, std::string text);

/// `data` in the envelope of an answer; an empty object if it has none.
nlohmann::json data_of(const Report& report);
/// The same; null if there is no report.
nlohmann::json data_of(const Outcome& outcome);
/// The `error` in the daemon's own answer; null if there is none.
nlohmann::json error_of(const Failure& failure);

/// `message` comes first, followed by the error's own message, which is English.
Failure failure(i18n::Language language, const Error& error, std::string_view message,
                std::string next = {});

/// Exit statuses, the same for every command.
constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;
/// Only for `a2h doctor`: there are warnings; a check failed.
constexpr int kWarnedChecks = 3;
constexpr int kFailedChecks = 4;

/// The code of a wrong command line; such a failure ends with kUsage.
constexpr std::string_view kUsageCode = "usage";

/// Prints to stdout (envelopes, texts) or stderr (failures for people) and returns the exit status.
int print(const Outcome& outcome, std::string_view action, bool json);

}  // namespace a2h::cli
