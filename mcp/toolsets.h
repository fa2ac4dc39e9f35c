#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/catalogue/operations.h"

namespace a2h::mcp {

/// The options of the command line about tools; each is a list separated by commas, or empty.
struct ToolChoice {
    std::string toolsets;       ///< "all" means every toolset
    std::string tools;          ///< additional tools; only these if no toolset is named
    std::string exclude_tools;  ///< tools to exclude
    bool read_only = false;     ///< no tool that changes anything, whatever the other options say
};

/// The tools of the catalogue that a client sees and may call. A model pays for each listed tool,
/// so by default it gets those that are needed every day.
class Toolsets {
  public:
    /// Tools for looking, writing, trading and asking the human.
    static Toolsets everyday();
    static Toolsets all();
    /// Errors:  InvalidArgument for an unknown or empty name, with a suggestion or the known names,
    ///          and if no tool would be left.
    static Result<Toolsets> choose(const ToolChoice& choice);
    /// Names of all toolsets, separated by ", ".
    static std::string known();

    bool shows(const catalogue::Operation& operation) const;
    /// Why `operation` is hidden and which option shows it, for the model's user.
    std::string why_hidden(const catalogue::Operation& operation) const;

  private:
    using Names = std::vector<std::string_view>;  ///< of the catalogue
    explicit Toolsets(Names toolsets) : toolsets_(std::move(toolsets)) {}

    Names toolsets_;
    Names tools_;
    Names excluded_;
    bool read_only_ = false;
};

}  // namespace a2h::mcp
