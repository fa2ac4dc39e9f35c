#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/message.h"

namespace a2h::operations {

/// The messages of a conversation, without forged ones: their words are counted in `a2h status` but
/// never shown to a model.
nlohmann::json history_json(const std::vector<HistoryEntry>& entries);

}  // namespace a2h::operations
