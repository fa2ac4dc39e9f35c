#include "daemon/card/assistants_words.h"

#include "core/base/fence.h"
#include "core/base/join.h"
#include "core/base/text.h"

namespace a2h::card {
namespace {

std::string on_one_line(std::string_view text) {
    return one_line(shown_whole(text));
}

}  // namespace

bool is_worded_by_assistant(const Approval& approval) {
    return approval.requested_by == kAssistantAsks;
}

std::string asked_by_assistant(std::string_view question, i18n::Language language) {
    return i18n::text(language, "card.assistant_asks", {{"question", on_one_line(question)}});
}

std::string in_quotes(std::string_view words) {
    return "“" + with_single_quotes(preview(printable(words))) + "”";
}

std::string written_by_assistant(std::string_view words, i18n::Language language) {
    std::string text = i18n::text(language, "card.assistant_writes") + "\n> ";
    for (const char c : shown_whole(words)) {
        text += c;
        if (c == '\n') text += "> ";
    }
    return text;
}

std::string with_marked_breaks(std::string_view text) {
    std::string line;
    for (const char c : shown_whole(text)) {
        if (c == '\n') {
            line += " ⏎ ";
        } else if (c != '\r') {
            line += c;
        }
    }
    return line;
}

std::string options_on_lines(const std::vector<std::string>& options) {
    return joined_with("\n", options, with_marked_breaks);
}

}  // namespace a2h::card
