#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace a2h::reading {

/// Corrects a missing, doubled or swapped letter in words that ask for facts. Letters are never
/// replaced by others: "remove" is not "remote".
class Spelling {
  public:
    void add(std::string_view word);
    /// The one word that `word` stands for; empty if there is none.
    std::string correct(std::string_view word) const;

  private:
    std::unordered_map<std::string, std::string>
        words_;  ///< the word with one letter missing -> word
    std::unordered_set<std::string> right_;
};

}  // namespace a2h::reading
