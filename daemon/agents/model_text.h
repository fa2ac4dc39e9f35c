#pragma once

#include <string>
#include <string_view>

#include "core/domain/message.h"
#include "core/domain/task_brief.h"
#include "core/i18n/messages.h"

namespace a2h::agents {

// The text that an agent's model reads: messages and its brief, as text. Nothing that others wrote
// can look like a header, a hint, or the end of a quotation (R42).
//
// Thread:  any.
// Source:  docs/protocol.md, "Messages between agents".

/// The tool that the reply hint mentions.
enum class ReplyTool {
    SendMessage,  ///< `send_message(to='…', ...)`: text for other programs
    A2hSend,      ///< `a2h_send(target_agent_id='…', ...)`: an assistant that has our tools
};

/// The author as the reader knows it: from authentication and the reader's contacts, never from a
/// payload.
struct Author {
    SourceClass source =
        SourceClass::Peer;  ///< Owner: the human; the other members are then ignored
    std::string agent_id;
    std::string role;  ///< empty if unknown
    Provenance provenance = Provenance::Unverified;
};

/// Header, content, attachments and reply hint. The content is the payload's `text`, or else the
/// whole payload as canonical JSON, between marks that say who wrote it. The owner's words have
/// neither marks nor hint. A role or id is shown as it is, except for characters that could forge a
/// header; an id with such characters is not a valid address and gets no hint.
std::string format_message(const Author& author, std::string_view payload_json, ReplyTool tool,
                           i18n::Language language);

/// The whole brief: required members and all others that were given. Only our own labels begin a
/// line; continuation lines of values are indented.
std::string format_brief(const Author& giver, const TaskBrief& brief, i18n::Language language);

}  // namespace a2h::agents
