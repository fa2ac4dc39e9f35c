#pragma once

#include <string>
#include <vector>

#include "core/i18n/messages.h"
#include "core/wire/task_messages.h"
#include "daemon/decide/decision.h"

namespace a2h::stages {

/// What our context service is asked: one try of one slice.
struct ContextQuestion {
    const decide::Input& input;
    i18n::Language language = i18n::Language::English;  ///< the peer's
    std::string previous;              ///< what the slice before came to; empty for the first
    std::vector<std::string> reasons;  ///< why earlier tries of this slice failed
};

/// The blocks of a prompt, without their envelope: who writes and what must never happen; the
/// message with its conversation and order; the tools, of which there are none; our listings and
/// rules of conduct; the answer that is wanted. Everything that was not written for this prompt
/// stands in a fence (core/base/fence.h). No mandate and no approval is looked at, so none of their
/// amounts can be in it. At most about 40 KiB. Pure. Thread: any.
wire::PromptBlocksResponse build_blocks(const ContextQuestion& question);

}  // namespace a2h::stages
