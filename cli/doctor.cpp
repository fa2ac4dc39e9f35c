#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/daemon_call.h"
#include "cli/rows.h"
#include "cli/terminal.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"
#include "daemon/doctor/home/home_checks.h"

namespace a2h::cli {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds kDoctorPatience{60};
constexpr std::chrono::seconds kDoctorPatienceFull{400};

struct StateStyle {
    std::string_view state;
    std::string_view word;  ///< locale key
    std::string Colours::*colour;
};
constexpr StateStyle kStateStyles[] = {
    {"ok", "cli.doctor_ok", &Colours::green},
    {"warning", "cli.doctor_warning", &Colours::yellow},
    {"failed", "cli.doctor_failed", &Colours::red},
    {"not_checked", "cli.doctor_not_checked", &Colours::dim},
};

std::string column_of(std::string text, std::size_t columns) {
    const std::size_t width = display_width(text);
    if (width < columns) text.append(columns - width, ' ');
    return text;
}

std::string line_text(const Invocation& invocation, const Colours& colours, const json& line,
                      std::size_t title_columns) {
    constexpr std::size_t kStateColumns = 13;
    const std::string state = wire::text_member(line, "state");
    std::string word = state;
    std::string colour;
    for (const StateStyle& style : kStateStyles) {
        if (style.state != state) continue;
        word = invocation.text(style.word);
        colour = colours.*style.colour;
    }
    std::string text =
        colour + column_of(word, kStateColumns) + (colour.empty() ? "" : colours.reset);
    text += column_of(printable(wire::text_member(line, "title")), title_columns + 2);
    text += printable(wire::text_member(line, "text"));
    const std::string next = printable(wire::text_member(line, "next"));
    if (!next.empty()) text += " → " + next;
    return text + "\n";
}

int count_of(const json& data, const char* state) {
    const json& counts = wire::member(data, "counts");
    const json& count = wire::member(counts, state);
    return count.is_number_integer() ? count.get<int>() : 0;
}

std::string render_doctor(const Invocation& invocation, const json& data) {
    const Colours colours = colours_for(stdout);
    std::size_t title_columns = 0;
    for (const json& line : wire::member(data, "checks")) {
        title_columns =
            std::max(title_columns, display_width(printable(wire::text_member(line, "title"))));
    }
    std::string text;
    for (const json& line : wire::member(data, "checks"))
        text += line_text(invocation, colours, line, title_columns);
    const std::string backup = printable(wire::text_member(data, "backup"));
    if (!backup.empty()) {
        text += "\n" + invocation.text("cli.doctor_backup", {{"file", backup}}) + "\n";
    }
    for (const json& fixed : wire::member(data, "fixed")) {
        if (fixed.is_string()) text += "  " + printable(fixed.get<std::string>()) + "\n";
    }
    const auto number = [&](const char* state) { return std::to_string(count_of(data, state)); };
    return text + "\n" +
           invocation.text("cli.doctor_counts", {{"ok", number("ok")},
                                                 {"warnings", number("warning")},
                                                 {"failed", number("failed")},
                                                 {"not_checked", number("not_checked")}});
}

int exit_status_of(const json& data) {
    if (count_of(data, "failed") > 0) return kFailedChecks;
    return count_of(data, "warning") > 0 ? kWarnedChecks : kDone;
}

json line_of(const Invocation& invocation, std::string_view check, const doctor::Finding& finding) {
    return {{"check", check},
            {"title", doctor::title_of(invocation.language, check)},
            {"state", doctor::to_string(finding.state)},
            {"subject", finding.subject},
            {"text", finding.text},
            {"next", finding.next},
            {"repairable", finding.repair != doctor::Repair::None}};
}

/// If a2hd does not start, examining the home alone may show why.
Report check_home(const Invocation& invocation, const Failure& why) {
    const doctor::HomeFacts facts{.home = invocation.home, .language = invocation.language};
    json checks = json::array();
    json counts{{"ok", 0}, {"warning", 0}, {"failed", 0}, {"not_checked", 0}};
    const auto add = [&](std::string_view check, const doctor::Finding& finding) {
        checks.push_back(line_of(invocation, check, finding));
        json& count = counts[std::string(doctor::to_string(finding.state))];
        count = count.get<int>() + 1;
    };
    for (const doctor::HomeCheck& check : doctor::home_checks()) {
        for (const doctor::Finding& finding : check.run(facts))
            add(check.id, finding);
    }
    add("daemon", doctor::say(invocation.language, doctor::State::Failed, "daemon_none",
                              {{"why", why.message}}));
    const json data{{"checks", std::move(checks)},
                    {"counts", std::move(counts)},
                    {"fixed", json::array()},
                    {"backup", ""}};
    Report done = report("doctor.run", data, render_doctor(invocation, data));
    done.status = exit_status_of(data);
    return done;
}

Outcome run_doctor(const Invocation& invocation) {
    const bool full = invocation.has("--full");
    const bool takes_long = full || invocation.has("--fix");
    const json params{{"full", full},
                      {"notify", invocation.has("--notify")},
                      {"fix", invocation.has("--fix")},
                      {"language", invocation.language == i18n::Language::Chinese ? "zh" : "en"},
                      {"cli_version", A2H_VERSION}};
    Outcome outcome = call_daemon_or_once(invocation, "doctor.run", params, render_doctor,
                                          takes_long ? kDoctorPatienceFull : kDoctorPatience);
    if (auto* done = std::get_if<Report>(&outcome)) {
        done->status = exit_status_of(data_of(*done));
        return outcome;
    }
    const bool serves = control::Client::connect(invocation.home.socket_file()).has_value();
    if (serves) return outcome;
    return check_home(invocation, *std::get_if<Failure>(&outcome));
}

}  // namespace

std::vector<Command> doctor_rows() {
    using enum ParameterKind;
    return {
        {"doctor",
         "doctor.run",
         "cli.doctor",
         {{"--full", Flag, "cli.option_full"},
          {"--notify", Flag, "cli.option_notify"},
          {"--fix", Flag, "cli.option_fix"}},
         run_doctor},
    };
}

}  // namespace a2h::cli
