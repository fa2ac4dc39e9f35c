#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/domain/approval.h"
#include "core/i18n/messages.h"

namespace a2h::card {

// The words of an assistant that asks its human something (`approval.create`). They are marked when
// the question is made, so that no surface can show them as a2hd's own.
//
// Pure. Thread: any.

/// `requested_by` of a question that an assistant has worded.
constexpr std::string_view kAssistantAsks = "tool:approval.create";

/// True if the question, its context and its options are an assistant's words.
bool is_worded_by_assistant(const Approval& approval);

/// "Your assistant asks: “…”", on one line. Quotation marks inside the words are made single ones,
/// so that the words cannot end before their mark does.
std::string asked_by_assistant(std::string_view question, i18n::Language language);

/// "“…”": words of others inside a question of ours, on one line and at most as long as a preview.
std::string in_quotes(std::string_view words);

/// "Written by your assistant:" and below it `words`, each line after "> ".
std::string written_by_assistant(std::string_view words, i18n::Language language);

/// `text` as shown, with "⏎" for each line break: one element of a list.
std::string with_marked_breaks(std::string_view text);

/// The suggested answers, one on each line.
std::string options_on_lines(const std::vector<std::string>& options);

}  // namespace a2h::card
