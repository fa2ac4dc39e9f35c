#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/i18n/messages.h"

namespace a2h::doctor {

enum class State { Ok, Warning, Failed, NotChecked };
/// "ok", "warning", "failed", "not_checked".
std::string_view to_string(State state);

/// The repair that `--fix` makes about a finding.
enum class Repair { None, Permissions, StaleFile, Requeue, Checkpoint, Reindex };

/// One finding of the doctor.
struct Finding {
    State state = State::Ok;
    std::string subject;  ///< agent, host, channel or file; empty: the whole home
    std::string text;     ///< in the language of the reader
    std::string next;     ///< what to do; empty: nothing
    Repair repair = Repair::None;
};
using Findings = std::vector<Finding>;

/// Uses the texts "doctor.{key}" and, if it exists, "doctor.{key}_next".
Finding say(i18n::Language language, State state, std::string_view key,
            i18n::Arguments arguments = {}, std::string subject = {}, Repair repair = Repair::None);

/// The title of the check `id`: "doctor.title.{id}".
std::string title_of(i18n::Language language, std::string_view id);

}  // namespace a2h::doctor
