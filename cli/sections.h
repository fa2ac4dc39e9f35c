#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "cli/terminal.h"

namespace a2h::cli {

// Common parts of the texts about negotiations of many parties.

/// The reader's word for a value of a closed set; the value itself if there is none.
std::string name_of(const Invocation& invocation, std::string_view set, const std::string& value);
/// Appends `next` to a list in a sentence, with the comma of the language.
void add_to_list(const Invocation& invocation, std::string& list, const std::string& next);
/// A list of texts in a sentence.
std::string joined(const Invocation& invocation, const nlohmann::json& object, const char* name);
/// A price in minor units as people write it; empty if there is none.
std::string price_text(const nlohmann::json& object, const char* name);
/// "Bob (ag_bob)", or only the id.
std::string person(const nlohmann::json& row);
/// The same for a participant of the negotiation `data`; only the id of others.
std::string person_by_id(const nlohmann::json& data, const std::string& id);

/// Sections of a page: a heading, lines below it, and an empty line before the next one.
class Sections {
  public:
    explicit Sections(const Invocation& invocation);

    void head(std::string_view key);
    void line(const std::string& words, std::size_t indent = 2);
    /// For copying, so it is never wrapped.
    void command(const std::string& words);
    void rows(const std::vector<std::string_view>& headings,
              const std::vector<std::vector<std::string>>& cells);
    /// Each item of a list as a line with a bullet.
    void marks(std::string_view key, const nlohmann::json& object, const char* name);
    std::string take() { return std::move(text_); }

  private:
    const Invocation& invocation_;
    const Colours colours_;
    const std::size_t columns_;
    std::string text_;
};

}  // namespace a2h::cli
