#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/demo/printer.h"
#include "cli/demo/town.h"

namespace a2h::cli {

inline constexpr std::string_view kTownCurrency = "CNY";
/// An amount in the currency of the town.
std::string amount_in_town(std::int64_t minor);

/// Prints the negotiation of a town while it happens, with names in place of ids.
class TownStory {
  public:
    /// All arguments must outlive the object.
    TownStory(const Invocation& invocation, const Town& town, const Printer& printer)
        : invocation_(invocation), town_(town), printer_(printer) {}

    /// Prints the events of `view`, an answer to `negotiation.get`.
    void tell(const nlohmann::json& view);
    /// Prints the plan that all have accepted.
    ///
    /// Errors:  Conflict if there is none.
    Result<void> show_end(const nlohmann::json& view);

    /// `value` with names in place of ids.
    nlohmann::json named(const nlohmann::json& value) const;

    /// Adds a step of the demo, once.
    void step(const std::string& name);
    /// The steps so far: types of events, and those of `step`.
    const std::vector<std::string>& steps() const { return steps_; }

  private:
    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return invocation_.text(key, arguments);
    }
    void tell_event(const nlohmann::json& view, const nlohmann::json& event);
    void tell_candidates(const nlohmann::json& event);
    void tell_offer(const nlohmann::json& view, const nlohmann::json& event);
    void show_total(const nlohmann::json& plan);

    const Invocation& invocation_;
    const Town& town_;
    const Printer& printer_;
    std::vector<std::string> steps_;
    std::string final_plan_json_ = "null";  ///< with names
    std::string rationale_;                 ///< of the newest version
};

}  // namespace a2h::cli
