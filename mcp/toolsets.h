#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/catalogue/operations.h"

namespace a2h::mcp {

/// What the options of the command line say about tools; each a list with commas between, or empty.
struct ToolChoice {
    std::string toolsets;       ///< "all" is every one of them
    std::string tools;          ///< these too; only these when no toolset is named
    std::string exclude_tools;  ///< these not
    bool read_only = false;     ///< none that changes anything, whatever else was said
};

/// Which of the catalogue's tools a client is shown and may call. A model pays for each tool that
/// is listed, so without a choice it gets those that are needed every day.
class Toolsets {
  public:
    /// Looking, writing, trading and asking the human.
    static Toolsets everyday();
    static Toolsets all();
    /// Errors: InvalidArgument for an unknown or empty name, with what was probably meant or what
    ///         there is; and when nothing would be left.
    static Result<Toolsets> choose(const ToolChoice& choice);
    /// Names of all toolsets, with ", " between.
    static std::string known();

    bool shows(const catalogue::Operation& operation) const;
    /// Why `operation` is not shown and what would show it, for the model's user.
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
