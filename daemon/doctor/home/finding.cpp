#include "daemon/doctor/home/finding.h"

#include <utility>

namespace a2h::doctor {

std::string_view to_string(State state) {
    switch (state) {
        case State::Ok:
            return "ok";
        case State::Warning:
            return "warning";
        case State::Failed:
            return "failed";
        case State::NotChecked:
            break;
    }
    return "not_checked";
}

Finding say(i18n::Language language, State state, std::string_view key, i18n::Arguments arguments,
            std::string subject, Repair repair) {
    const std::string name = "doctor." + std::string(key);
    const std::string next = name + "_next";
    return {state, std::move(subject), i18n::text(language, name, arguments),
            i18n::has_key(language, next) ? i18n::text(language, next, arguments) : std::string(),
            repair};
}

std::string title_of(i18n::Language language, std::string_view id) {
    return i18n::text(language, "doctor.title." + std::string(id));
}

}  // namespace a2h::doctor
