#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h {

/// How certain it is that a message comes from the agent that it names. A stored property that
/// depends only on how the message was authenticated (R3).
enum class Provenance {
    Verified,    ///< a valid Ed25519 signature with the pinned key
    Vouched,     ///< the market, which holds the HMAC key, confirmed the signature
    Unverified,  ///< it could not be checked
    Forged,      ///< it had a wrong signature; never shown to a model
};
std::string_view to_string(Provenance provenance);
std::optional<Provenance> parse_provenance(std::string_view text);
/// True if the sender's key or the market confirms the sender. A message that is not authentic has
/// no effect on the agent that it names: not on limits, keys, context or mandates (R49).
constexpr bool is_authentic(Provenance provenance) {
    return provenance == Provenance::Verified || provenance == Provenance::Vouched;
}

/// How certain it is, as a number to be compared: 3 for verified, 0 for forged.
int certainty(Provenance provenance);

/// The class of the sender, from authentication and never from the spelling of an id (R3).
enum class SourceClass { Peer, Platform, Owner };
std::string_view to_string(SourceClass source);
std::optional<SourceClass> parse_source_class(std::string_view text);

/// One message on the wire.
///
/// Source:  docs/protocol.md, "Envelope".
struct Envelope {
    std::string protocol;
    std::string schema_version;
    std::string message_type;
    std::string message_id;
    std::string trace_id;
    std::string sender_id;
    std::string target_id;
    std::string timestamp;
    std::string nonce;
    std::string payload_json;  ///< canonical JSON text of an object
    std::string payload_hash;
    std::string signature;
    std::string sender_key_id;     ///< empty if the sender signs only with HMAC
    std::string sender_signature;  ///< base64url Ed25519; empty as above
    bool wants_receipt = false;    ///< the sender understands delivery receipts
};

/// Why a message was not accepted, in the order of the checks.
///
/// Source:  docs/protocol.md, "Acceptance".
enum class Refusal {
    TooLarge,
    TooDeep,
    NotUtf8,
    NotJson,
    WrongProtocol,
    UnsupportedSchema,
    MissingField,
    WrongType,
    NotForUs,
    PayloadHashMismatch,
    BadSignature,
    ConflictingDuplicate,
    OwnEcho,
    RateLimited,
};
std::string_view to_string(Refusal refusal);
std::optional<Refusal> parse_refusal(std::string_view text);

/// An accepted message in the inbox.
struct InboxMessage {
    std::int64_t id = 0;   ///< row id; grows in order of arrival
    std::string agent_id;  ///< agent of the mailbox
    std::string sender_id;
    std::string message_id;
    std::string message_type;
    std::string trace_id;
    std::string payload_json;
    std::string payload_hash;
    std::string envelope_json;  ///< as received
    Provenance provenance = Provenance::Unverified;
    SourceClass source = SourceClass::Peer;
    UnixMs sent_at_ms = 0;  ///< as the sender claims; 0 if unreadable
    UnixMs received_at_ms = 0;
};

/// One message of a conversation's history, in either direction.
struct HistoryEntry {
    bool incoming = true;
    std::string message_id;
    std::string sender_id;
    std::string target_id;
    std::string message_type;
    std::string payload_json;
    Provenance provenance = Provenance::Unverified;  ///< incoming only
    std::string outbox_state;                        ///< outgoing only
    UnixMs at_ms = 0;
};

/// A message that was not accepted. Kept in limited number. Nobody reads its words, but people are
/// told of what a known peer has sent (R45).
struct RefusedMessage {
    std::int64_t id = 0;
    std::string agent_id;
    std::string claimed_sender;  ///< unchecked; may be empty
    Refusal reason = Refusal::NotJson;
    std::string detail;  ///< one line, shortened; never shown to a model
    std::int64_t size_bytes = 0;
    UnixMs received_at_ms = 0;
    /// How certain it is that the claimed sender sent the message; nullopt if the message is surely
    /// not the sender's, or says nothing to us.
    std::optional<Provenance> provenance = {};
    std::string digest = {};  ///< with a provenance: SHA-256 of what was sent, so it counts once
};

}  // namespace a2h
