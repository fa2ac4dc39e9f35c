#pragma once

#include <string>
#include <vector>

#include "core/i18n/messages.h"
#include "core/wire/task_messages.h"
#include "daemon/decide/decision.h"

namespace a2h::stages {

/// The input of our context service: one attempt of one slice.
struct ContextQuestion {
    const decide::Input& input;
    i18n::Language language = i18n::Language::English;  ///< language of the peer
    std::string previous;              ///< result of the previous slice; empty for the first
    std::vector<std::string> reasons;  ///< why earlier attempts of this slice failed
};

/// The blocks of a prompt without their envelope: the writer's role and what must never happen; the
/// message with its conversation and order; the tools, of which there are none; our listings and
/// rules of conduct; the required answer. Everything that was not written for this prompt is quoted
/// (core/base/fence.h). Mandates and approvals are not read, so it cannot contain their amounts. At
/// most about 40 KiB. Pure.
///
/// Thread:  any.
wire::PromptBlocksResponse build_blocks(const ContextQuestion& question);

}  // namespace a2h::stages
