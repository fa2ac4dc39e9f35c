#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/message.h"
#include "daemon/collab/steps.h"

namespace a2h::collab {

/// Why an answer changed nothing, as a key of the locale area `plan`. Empty: the answer counts.
using Ignored = std::string_view;
/// Applies one answer of a verified sender to an invitation or a proposal, in the caller's
/// transaction together with its events. Returns why it was ignored; empty if it counts.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<Ignored> take_answer(const Writing& to, const InboxMessage& message,
                            const nlohmann::json& payload);

}  // namespace a2h::collab
