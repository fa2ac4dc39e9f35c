#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/catalogue/operations.h"

namespace a2h::mcp {

/// Which of the catalogue's tools a client is shown and may call. A model pays for each tool that
/// is listed, so without a choice it gets those that are needed every day.
class Toolsets {
  public:
    /// Looking, writing, trading and asking the human.
    static Toolsets everyday();
    static Toolsets all();
    /// "all", or names of toolsets with commas between them.
    /// Errors: InvalidArgument naming what is known.
    static Result<Toolsets> parse(std::string_view text);

    bool shows(const catalogue::Operation& operation) const;

  private:
    explicit Toolsets(std::vector<std::string_view> names) : names_(std::move(names)) {}

    std::vector<std::string_view> names_;  ///< of the catalogue
};

}  // namespace a2h::mcp
