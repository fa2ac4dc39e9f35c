#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/wire/demand_json.h"

namespace a2h::collab {

/// What a text plainly says, without a model. Tags are those of known profiles that stand in it as
/// a whole, by a word of Chinese or by all their English words; of several found by the same word
/// the one that most profiles have. Place: a location of a known profile. People, date and budget
/// only where they are written as such ("30 people", "2月15日", "budget of 5000 CNY"). Confidence
/// is low, and the surface demand is the text.
/// Errors: those of the database. Thread: any with a reader of its own; blocks on the disk.
/// Source: R35.
Result<wire::Understanding> understand_by_rules(store::Database& reader,
                                                std::string_view raw_input);

}  // namespace a2h::collab
