#include "daemon/operations/doctor.h"

#include <nlohmann/json.hpp>

#include "daemon/config/current.h"
#include "daemon/doctor/doctor.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct DoctorParts {
    const Current<Config>& config;
    doctor::Doctor& doctor;
};

json line_json(const doctor::Line& line, i18n::Language language) {
    return {{"check", line.check},
            {"title", doctor::title_of(language, line.check)},
            {"state", doctor::to_string(line.finding.state)},
            {"subject", line.finding.subject},
            {"text", line.finding.text},
            {"next", line.finding.next},
            {"repairable", line.finding.repair != doctor::Repair::None}};
}

}  // namespace

json doctor_report_json(const doctor::Report& report, i18n::Language language) {
    json data{{"checks", json::array()},
              {"counts", {{"ok", 0}, {"warning", 0}, {"failed", 0}, {"not_checked", 0}}},
              {"fixed", report.fixed},
              {"backup", report.backup}};
    for (const doctor::Line& line : report.lines)
        add_doctor_line(data, line, language);
    return data;
}

void add_doctor_line(json& data, const doctor::Line& line, i18n::Language language) {
    data["checks"].push_back(line_json(line, language));
    json& count = data["counts"][std::string(doctor::to_string(line.finding.state))];
    count = count.get<int>() + 1;
}

namespace {

void handle_doctor_run(const DoctorParts& parts, const Call& call, const Reply& reply) {
    const std::string language = call.text("language");
    const auto flag = [&](const char* name) { return call.arguments.value(name, false); };
    doctor::Options options{
        .language = language.empty() ? parts.config->language : i18n::language_of(language),
        .full = flag("full"),
        .notify = flag("notify"),
        .fix = flag("fix"),
        .cli_version = call.text("cli_version")};
    parts.doctor.run(options, [reply, action = call.action,
                               language = options.language](const Result<doctor::Report>& report) {
        reply(report ? ok_result(action, doctor_report_json(*report, language))
                     : error_result(action, report.error()));
    });
}

}  // namespace

void add_doctor(Table& table, const Current<Config>& config, doctor::Doctor& doctor) {
    const DoctorParts parts{config, doctor};
    table.add("doctor.run", with(parts, handle_doctor_run));
}

}  // namespace a2h::operations
