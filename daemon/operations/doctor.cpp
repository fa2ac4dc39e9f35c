#include <nlohmann/json.hpp>

#include "daemon/config/current.h"
#include "daemon/doctor/doctor.h"
#include "daemon/operations/doctor_report.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct DoctorParts {
    const Current<Config>& config;
    doctor::Doctor& doctor;
};

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

void add_doctor(Table& table, const AllParts& all) {
    const DoctorParts parts{all.config, all.doctor};
    table.add("doctor.run", with(parts, handle_doctor_run));
}

}  // namespace a2h::operations
