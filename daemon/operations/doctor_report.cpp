#include "daemon/operations/doctor_report.h"

#include <nlohmann/json.hpp>

namespace a2h::operations {
namespace {

using nlohmann::json;

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

}  // namespace a2h::operations
