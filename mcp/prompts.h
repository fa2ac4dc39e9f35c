#pragma once

#include <stop_token>

#include <nlohmann/json_fwd.hpp>

#include "mcp/resources.h"
#include "mcp/version.h"

namespace a2h::mcp {

/// The playbooks as prompts that a person selects.
///
/// Thread:  any.
/// Source:  MCP, "Prompts".
class Prompts {
  public:
    /// `resources` must outlive the object.
    explicit Prompts(const Resources& resources) : resources_(resources) {}

    /// In the language of the environment.
    Outcome list(const nlohmann::json& params) const;
    /// The playbook with the given arguments, and the conversation and order that they name.
    ///
    /// Errors:  InvalidParams for an unknown prompt or argument, and for values in a wrong form.
    Outcome get(const nlohmann::json& params, std::stop_token cancelled) const;

  private:
    const Resources& resources_;
};

}  // namespace a2h::mcp
