#pragma once

#include <stop_token>

#include <nlohmann/json_fwd.hpp>

#include "mcp/era.h"
#include "mcp/resources.h"

namespace a2h::mcp {

/// The playbooks as prompts that a person picks. Thread: any.
/// Source: MCP, "Prompts".
class Prompts {
  public:
    /// `resources` outlives the object.
    explicit Prompts(const Resources& resources) : resources_(resources) {}

    /// In the language of the environment.
    Outcome list(const nlohmann::json& params) const;
    /// The playbook, what it is about this time, and the conversation and order that were named.
    /// Errors: InvalidParams for an unknown prompt or argument, and for values of a wrong form.
    Outcome get(const nlohmann::json& params, std::stop_token cancelled) const;

  private:
    const Resources& resources_;
};

}  // namespace a2h::mcp
