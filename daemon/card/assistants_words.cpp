#include "daemon/card/assistants_words.h"

#include <array>
#include <utility>

#include "core/base/fence.h"
#include "core/base/join.h"
#include "core/base/text.h"

namespace a2h::card {
namespace {

/// Double quotation marks, and what looks like them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSingle = {{{"“", "‘"},
                                                                                   {"”", "’"},
                                                                                   {"„", "‚"},
                                                                                   {"‟", "‛"},
                                                                                   {"\u301d", "‘"},
                                                                                   {"\u301e", "’"},
                                                                                   {"\u301f", "’"},
                                                                                   {"\uff02", "'"},
                                                                                   {"\"", "'"}}};

std::string with_single_quotes(std::string text) {
    for (const auto& [twice, once] : kSingle) {
        for (std::size_t at = text.find(twice); at != std::string::npos;
             at = text.find(twice, at + once.size()))
            text.replace(at, twice.size(), once);
    }
    return text;
}

std::string on_one_line(std::string_view text) {
    return one_line(shown_whole(text));
}

}  // namespace

bool is_worded_by_assistant(const Approval& approval) {
    return approval.requested_by == kAssistantAsks;
}

std::string asked_by_assistant(std::string_view question, i18n::Language language) {
    return i18n::text(language, "card.assistant_asks",
                      {{"question", with_single_quotes(on_one_line(question))}});
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
