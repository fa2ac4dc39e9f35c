#pragma once

#include <span>
#include <string_view>

#include "core/base/former_names.h"

namespace a2h::catalogue {

/// The four hints of MCP, all explicit.
struct Hints {
    bool read_only = false;
    bool destructive = false;
    bool idempotent = false;
    bool open_world = false;
};

/// One operation. Every face (MCP tool, control method, command, reference) is made from these rows
/// alone.
struct Operation {
    std::string_view action;   ///< `noun.verb` or one word; control method, and `action` of results
    std::string_view tool{};   ///< MCP name, `a2h_…`; empty if assistants may not call it
    std::string_view title;    ///< short English title
    std::string_view summary;  ///< what it does and when to use it, for a model; less than 2 KB
    std::string_view arguments{};  ///< members of one JSON object, see core/catalogue/arguments.h
    std::string_view toolset{};    ///< "core", "works", "approvals", …
    Hints hints;
    bool needs_proof = false;  ///< a person calls it, who proves it by the PIN or a session
    bool takes_long = false;   ///< it may take seconds, because it asks the market or a model first
    /// The words of a2h that call it, if the command is made from this row alone (cli/standard.h).
    std::string_view command{};
    /// Only with `command`: JSON Schema of the result, with titles for what the command shows.
    std::string_view output_schema{};

    /// Whether a2h-mcp may call it. A person always may, with a proof if one is needed.
    bool is_for_assistants() const { return !tool.empty(); }
};

/// Actions of earlier versions, which the control protocol still takes.
inline constexpr FormerName kFormerActions[] = {{"negotiation.start", "bargain.start"}};

/// All operations in the order in which they are listed.
std::span<const Operation> operations();
/// nullptr if unknown.
const Operation* find_action(std::string_view action);
const Operation* find_tool(std::string_view tool);

}  // namespace a2h::catalogue
