#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/approval.h"

namespace a2h::card {

// The suggested answers to a question. What an option does is part of the action that its digest
// was made of, so nobody can give the label of a no the effect of a yes. Questions of older
// versions and of assistants have options without a kind.
//
// Pure. Thread: any.

/// The kinds of `options` as a member of the action; null if none has a kind. Without a text to be
/// sent there is nothing that an option could say yes to.
nlohmann::json kinds_json(std::span<const AnswerOption> options, bool has_text);

/// What the option with the label `words` does; Other if there is no such option.
OptionKind kind_of_option(const Approval& approval, std::string_view words);

/// The options that are not simply the yes or the no, for which every surface has its own way.
std::vector<AnswerOption> further_options(const Approval& approval);

}  // namespace a2h::card
