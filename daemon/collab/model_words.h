#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/profile.h"
#include "daemon/collab/negotiation.h"

namespace a2h::collab {

// What a model's answers become is decided in the files named *_answer(s), one prompt or two each:
// each answer fits the schema of its prompt already; what it may change is decided there, whatever
// it says: it may choose among those who are there and word what they offered. Facts, prices,
// conditions, who takes part and who has accepted stay code's own (R32, R35). An amount of money
// that the people concerned have not named themselves makes the words around it count for nothing.
// Here is what these files share. Pure; any thread.

/// That a plan tells.
constexpr std::size_t kGapsMax = 10;

/// Amounts of money in texts: whose they are is for the caller to know.
class Amounts {
  public:
    void add(std::string_view text);
    void add(const std::optional<Price>& price);
    void add(const Offer& offer);
    void add(const Feedback& feedback);
    bool know_all_of(std::string_view text) const;

  private:
    using Amount = std::pair<std::string, std::string>;  // currency, digits
    static std::set<Amount> in(std::string_view text);
    std::set<Amount> known_;
};

Amounts amounts_of_demand(const Run& run);
/// What everybody who takes part has named.
Amounts amounts_of_all(const Run& run);

/// `said`, or `otherwise` when it is empty or names an amount that is not known.
std::string words_or(const std::string& said, const Amounts& known, const std::string& otherwise);
void keep_known(std::vector<std::string>& texts, const Amounts& known);
std::vector<std::string> texts_in(const nlohmann::json& list);
void add_once(std::vector<std::string>& to, const std::vector<std::string>& more,
              std::size_t length_max);
/// Whether `text` holds these words, case and width aside.
bool stands_in(std::string_view text, const std::string& words);
/// Without those that are empty or the same, folded.
std::vector<std::string> distinct_tags(const std::vector<std::string>& tags);

}  // namespace a2h::collab
