#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/domain/task_brief.h"

namespace a2h {

/// How a contact became known.
enum class ContactSource { System, Parent, Preset, Introduction, FirstMessage, Manual };
std::string_view to_string(ContactSource value);
std::optional<ContactSource> parse_contact_source(std::string_view text);

/// One agent as known by one of our agents. Contacts are records; they never prevent sending (R40).
struct Contact {
    std::string agent_id;  ///< the agent whose registry this is
    std::string peer_id;
    ContactSource source = ContactSource::FirstMessage;
    std::string introduced_by;                    ///< empty unless `source` is Introduction
    std::string role;                             ///< empty if unknown
    std::optional<InterfaceSpec> interface_spec;  ///< what it offers, if stated
    std::string key_id;        ///< pinned public key; empty until one was received
    std::string public_key;    ///< base64url Ed25519
    bool key_changed = false;  ///< another key was offered later; a human must check it
    UnixMs added_at_ms = 0;
};

/// How well one of our agents knows a sender. A changed key takes precedence.
enum class ContactState {
    New,         ///< this is its first message
    Met,         ///< it has written before, or we have
    Introduced,  ///< another agent introduced it
    Known,       ///< added by the human or the market
    KeyChanged,  ///< it offered a key other than the pinned one
};
std::string_view to_string(ContactState value);
std::optional<ContactState> parse_contact_state(std::string_view text);
/// `contact` is nullptr if it is in no registry; `has_history` says whether messages were exchanged
/// before.
ContactState state_of(const Contact* contact, bool has_history);

}  // namespace a2h
