#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/terminal.h"

namespace a2h::cli {

/// Prints what happens in a demo: to stdout, or with --json to stderr.
class Printer {
  public:
    explicit Printer(const Invocation& invocation);

    /// One line, unchanged.
    void line(const std::string& words) const;
    /// A heading after an empty line.
    void title(const std::string& words) const;
    /// Wrapped to the width of the terminal.
    void say(const std::string& words, std::size_t indent = 2) const { say_in({}, words, indent); }
    void say_in(const std::string& colour, const std::string& words, std::size_t indent = 2) const;
    /// The same, dimmed.
    void whisper(const std::string& words, std::size_t indent = 4) const;
    /// A text that has its line breaks.
    void text(const std::string& words) const;

    const Colours& colours() const { return colours_; }

  private:
    std::FILE* const out_;
    const Colours colours_;
};

}  // namespace a2h::cli
