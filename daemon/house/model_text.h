#pragma once

#include <string>
#include <string_view>

#include "core/domain/message.h"
#include "core/domain/task_brief.h"
#include "core/i18n/messages.h"

namespace a2h::house {

// What an agent's model reads: messages and its brief, as text. Nothing that somebody wrote can
// look like a header, a hint, or the end of what they wrote (R42). Thread: any.
// Source: docs/protocol.md, "Messages between agents".

/// Of which tool the reply hint speaks.
enum class ReplyTool {
    SendMessage,  ///< `send_message(to='…', ...)`: text for other programs
    A2hSend,      ///< `a2h_send(target_agent_id='…', ...)`: an assistant that has our tools
};

/// Who wrote, as the reader knows it: from authentication and the reader's contacts, never from
/// what a payload says.
struct Author {
    SourceClass source = SourceClass::Peer;  ///< Owner: the human; the rest is not looked at then
    std::string agent_id;
    std::string role;  ///< empty when not known
    Provenance provenance = Provenance::Unverified;
};

/// Header, content, attachments and reply hint. The content is the payload's `text`, or else the
/// whole payload as canonical JSON, between fence marks that say who wrote it. What the owner
/// wrote has neither marks nor hint. A role or id is shown as it is, but for what could forge a
/// header; an id with such characters is nobody's address and gets no hint.
std::string format_message(const Author& author, std::string_view payload_json, ReplyTool tool,
                           i18n::Language language);

/// The whole brief: all that is required, and what was given besides. Only our own labels begin a
/// line; the other lines of a value are indented.
std::string format_brief(const Author& giver, const TaskBrief& brief, i18n::Language language);

}  // namespace a2h::house
