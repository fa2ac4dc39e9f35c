#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace a2h {

// The types of the messages by which agents work together: tasks, reports, introductions,
// collaboration. A type is a row of `kAgentMessages`. The row decides which members a payload must
// have, which of its texts are shown and reviewed, and which types an assistant may send. The
// effect of a message on the agents of this home is its row in daemon/agents.
// Source:  docs/protocol.md, "Messages between agents".

enum class AgentMessageType {
    TaskAssignment,
    StatusReport,
    IntroductionRequest,
    IntroductionResponse,
    CollaborationRequest,
    CollaborationResponse,
    General,
};

/// A member of a payload that the protocol defines.
struct MessageMember {
    enum class Form { Text, Flag, Brief, Contact };
    enum class Needed { Always, WhenTrue, WhenFalse, Never };

    std::string_view name{};
    Form form = Form::Text;
    std::span<const std::string_view>
        words{};                     ///< the only values that a Text may have; empty: any
    Needed needed = Needed::Always;  ///< WhenTrue, WhenFalse: depends on the flag before it
    bool is_new_id = false;          ///< the sender creates the id that the message introduces
    /// Its text is not reviewed before it leaves: either the protocol defines it, or the caller has
    /// asked whether it may leave.
    bool says_nothing = false;
    /// The only value with which the message may leave this home without a yes; empty: any.
    std::string_view unasked{};
};

struct AgentMessageRow {
    AgentMessageType type;
    std::string_view name;
    std::array<MessageMember, 4> members{};
    /// Asks the human, whatever the text, before it leaves this home: it orders or discloses
    /// something.
    bool needs_yes = false;

    const MessageMember* find(std::string_view member) const {
        const auto found = std::find_if(members.begin(), members.end(), [&](const auto& each) {
            return !each.name.empty() && each.name == member;
        });
        return found == members.end() ? nullptr : &*found;
    }
};

inline constexpr std::string_view kReportStatuses[] = {"in_progress", "blocked", "completed",
                                                       "failed", "cancelled"};

inline constexpr AgentMessageRow kAgentMessages[] = {
    {.type = AgentMessageType::TaskAssignment,
     .name = "task_assignment",
     .members = {{{.name = "task_id", .is_new_id = true},
                  {.name = "task_brief", .form = MessageMember::Form::Brief},
                  {.name = "parent_task_id", .needed = MessageMember::Needed::Never},
                  {.name = "mandate_id", .needed = MessageMember::Needed::Never}}},
     .needs_yes = true},
    {.type = AgentMessageType::StatusReport,
     .name = "status_report",
     .members = {{{.name = "task_id"},
                  {.name = "status",
                   .words = kReportStatuses,
                   .says_nothing = true,
                   .unasked = "in_progress"},
                  {.name = "summary"}}}},
    {.type = AgentMessageType::IntroductionRequest,
     .name = "introduction_request",
     .members =
         {{{.name = "reason"},
           {.name = "required_capability"},
           {.name = "request_id", .needed = MessageMember::Needed::Never, .is_new_id = true}}}},
    {.type = AgentMessageType::IntroductionResponse,
     .name = "introduction_response",
     .members = {{{.name = "introduced", .form = MessageMember::Form::Flag, .says_nothing = true},
                  {.name = "contact",
                   .form = MessageMember::Form::Contact,
                   .needed = MessageMember::Needed::WhenTrue},
                  {.name = "reason", .needed = MessageMember::Needed::WhenFalse},
                  {.name = "request_id", .needed = MessageMember::Needed::Never}}},
     .needs_yes = true},
    {.type = AgentMessageType::CollaborationRequest,
     .name = "collaboration_request",
     .members = {{{.name = "request_id", .is_new_id = true}, {.name = "request"}}}},
    {.type = AgentMessageType::CollaborationResponse,
     .name = "collaboration_response",
     .members = {{{.name = "request_id"},
                  {.name = "accepted", .form = MessageMember::Form::Flag},
                  {.name = "response"}}}},
    {.type = AgentMessageType::General, .name = "general"},
};

constexpr bool agent_messages_are_in_order() {
    std::size_t at = 0;
    for (const AgentMessageRow& row : kAgentMessages) {
        if (row.type != static_cast<AgentMessageType>(at++)) return false;
    }
    return true;
}
static_assert(agent_messages_are_in_order());

constexpr const AgentMessageRow& row_of(AgentMessageType type) {
    return kAgentMessages[static_cast<std::size_t>(type)];
}

/// "task_assignment", …
constexpr std::string_view to_string(AgentMessageType type) {
    return row_of(type).name;
}

constexpr std::optional<AgentMessageType> parse_agent_message_type(std::string_view text) {
    for (const AgentMessageRow& row : kAgentMessages) {
        if (row.name == text) return row.type;
    }
    return std::nullopt;
}

}  // namespace a2h
