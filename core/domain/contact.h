#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/domain/task_brief.h"

namespace a2h {

/// How a contact came to be known.
enum class ContactSource { System, Parent, Preset, Introduction, FirstMessage, Manual };
std::string_view to_string(ContactSource value);
std::optional<ContactSource> parse_contact_source(std::string_view text);

/// One agent as another agent of ours knows it. Contacts record; they never block a send (R40).
struct Contact {
    std::string agent_id;  ///< whose registry
    std::string peer_id;
    ContactSource source = ContactSource::FirstMessage;
    std::string introduced_by;                    ///< empty unless `source` is Introduction
    std::string role;                             ///< empty when not known
    std::optional<InterfaceSpec> interface_spec;  ///< what it offers, if that was said
    std::string key_id;                           ///< pinned public key; empty until one was seen
    std::string public_key;                       ///< base64url Ed25519
    bool key_changed = false;  ///< a different key was offered later; a human must look
    UnixMs added_at_ms = 0;
};

/// How well an agent of ours knows who writes; a key that changed outweighs everything else.
enum class ContactState {
    New,         ///< this is the first that was heard of it
    Met,         ///< it has written before, or we to it
    Introduced,  ///< another agent introduced it
    Known,       ///< added by the human or the market
    KeyChanged,  ///< it offered another key than the one that is pinned
};
std::string_view to_string(ContactState value);
std::optional<ContactState> parse_contact_state(std::string_view text);
/// `contact` is nullptr when it is in no registry; `has_history`: messages went to and fro before.
ContactState state_of(const Contact* contact, bool has_history);

}  // namespace a2h
