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

// The files named *_answer(s) decide how a model's answers are used, one or two prompts each. Each
// answer already fits the schema of its prompt. A model may only choose among the agents present
// and word what they offered. Facts, prices, conditions, who takes part and who has accepted are
// decided by code (R32, R35). Words around an amount of money that the people concerned did not
// name themselves are discarded. This file holds what those files share. Pure; any thread.

/// Limit of gaps listed in a plan.
constexpr std::size_t kGapsMax = 10;

/// Amounts of money in texts. The caller decides whose amounts they are.
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
/// The amounts that anybody who takes part has named.
Amounts amounts_of_all(const Run& run);

/// `said`, or `otherwise` if `said` is empty or names an unknown amount.
std::string words_or(const std::string& said, const Amounts& known, const std::string& otherwise);
void keep_known(std::vector<std::string>& texts, const Amounts& known);
std::vector<std::string> texts_in(const nlohmann::json& list);
void add_once(std::vector<std::string>& to, const std::vector<std::string>& more,
              std::size_t length_max);
/// Whether `text` contains these words; case and character width are ignored.
bool stands_in(std::string_view text, const std::string& words);
/// The tags without empty ones and duplicates, folded.
std::vector<std::string> distinct_tags(const std::vector<std::string>& tags);

}  // namespace a2h::collab
