#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace a2h::reading {

/// Corrects a letter that is missing, doubled or swapped in the words that ask for facts. Letters
/// are never exchanged for others: "remove" is no "remote".
class Spelling {
  public:
    void add(std::string_view word);
    /// The one word meant by `word`, empty when there is none.
    std::string correct(std::string_view word) const;

  private:
    std::unordered_map<std::string, std::string> words_;  ///< with one letter missing -> word
    std::unordered_set<std::string> right_;
};

}  // namespace a2h::reading
