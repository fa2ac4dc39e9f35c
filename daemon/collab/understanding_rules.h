#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/wire/demand_json.h"

namespace a2h::collab {

/// Understands a text without a model, as far as it is plain. Tags are those of known profiles that
/// the text contains completely, by a Chinese word or by all their English words; of several tags
/// found by the same word, the one that most profiles have. The place is the location of a known
/// profile. People, date and budget are filled only if written as such ("30 people", "2月15日",
/// "budget of 5000 CNY"). Confidence is low, and the surface demand is the text.
///
/// Errors:  those of the database.
/// Thread:  any, with a reader of its own; blocks on the disk.
/// Source:  R35.
Result<wire::Understanding> understand_by_rules(store::Database& reader,
                                                std::string_view raw_input);

}  // namespace a2h::collab
