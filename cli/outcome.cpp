#include "cli/outcome.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/text.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

std::string to_line(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string failure_envelope(std::string_view action, const Failure& failure) {
    if (!failure.envelope.empty()) return failure.envelope;
    return to_line(
        {{"ok", false},
         {"action", action},
         {"error",
          {{"code", failure.code}, {"message", failure.message}, {"next", failure.next}}}});
}

void write_line(std::FILE* stream, const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stream);
    if (!text.ends_with('\n')) std::fputc('\n', stream);
}

}  // namespace

std::string ok_envelope(std::string_view action, const json& data) {
    return to_line({{"ok", true}, {"action", action}, {"data", data}});
}

Report report(std::string_view action, const json& data, std::string text) {
    return {ok_envelope(action, data), std::move(text), kDone};
}

json data_of(const Report& report) {
    const json envelope = json::parse(report.envelope, nullptr, false);
    return envelope.is_object() ? envelope.value("data", json::object()) : json::object();
}

json data_of(const Outcome& outcome) {
    const auto* report = std::get_if<Report>(&outcome);
    return report == nullptr ? json() : data_of(*report);
}

json error_of(const Failure& failure) {
    const json envelope = json::parse(failure.envelope, nullptr, false);
    return envelope.is_object() ? envelope.value("error", json()) : json();
}

Failure failure(i18n::Language language, const Error& error, std::string_view message,
                std::string next) {
    return {std::string(to_string(error.code)),
            i18n::text(language, "cli.with_detail",
                       {{"message", message}, {"detail", printable(error.message)}}),
            std::move(next),
            {}};
}

int print(const Outcome& outcome, std::string_view action, bool as_json) {
    if (const auto* done = std::get_if<Report>(&outcome)) {
        const std::string& text = as_json ? done->envelope : done->text;
        if (!text.empty()) write_line(stdout, text);
        return std::fflush(stdout) == 0 ? done->status : kFailed;
    }
    const auto& failed = *std::get_if<Failure>(&outcome);
    if (as_json) {
        write_line(stdout, failure_envelope(action, failed));
    } else {
        write_line(stderr, "a2h: " + failed.message);
        if (!failed.next.empty()) write_line(stderr, "  " + failed.next);
    }
    return failed.code == kUsageCode ? kUsage : kFailed;
}

}  // namespace a2h::cli
