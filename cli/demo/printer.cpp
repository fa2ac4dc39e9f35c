#include "cli/demo/printer.h"

namespace a2h::cli {

Printer::Printer(const Invocation& invocation)
    : out_(invocation.json ? stderr : stdout), colours_(colours_for(out_)) {}

void Printer::line(const std::string& words) const {
    text(words.ends_with('\n') ? words : words + "\n");
}

void Printer::title(const std::string& words) const {
    text("\n" + colours_.bold + words + colours_.reset + "\n");
}

/// Escape codes are not words, so they are added after wrapping.
void Printer::say_in(const std::string& colour, const std::string& words,
                     std::size_t indent) const {
    const std::string end = colour.empty() ? std::string() : colours_.reset;
    text(colour + wrap(words, terminal_columns(), indent) + end);
}

void Printer::whisper(const std::string& words, std::size_t indent) const {
    say_in(colours_.dim, words, indent);
}

void Printer::text(const std::string& words) const {
    std::fputs(words.c_str(), out_);
    std::fflush(out_);
}

}  // namespace a2h::cli
