#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h {

/// How sure we are that a message comes from the agent it names. A stored property of the
/// message, set by how it was authenticated and by nothing else (R3).
enum class Provenance {
    Verified,    ///< a valid Ed25519 signature of the pinned key
    Vouched,     ///< the market, which holds the HMAC key, confirmed the signature
    Unverified,  ///< nobody could check it
    Forged,      ///< a signature was present and wrong; never shown to a model
};
std::string_view to_string(Provenance provenance);
std::optional<Provenance> parse_provenance(std::string_view text);
/// True when the sender's key or the market says so. What is not authentic counts for nobody in
/// whose name it comes: not for limits, keys, context or mandates (R49).
constexpr bool is_authentic(Provenance provenance) {
    return provenance == Provenance::Verified || provenance == Provenance::Vouched;
}

/// Who speaks. From authentication, never from how an id is spelt (R3).
enum class SourceClass { Peer, Platform, Owner };
std::string_view to_string(SourceClass source);
std::optional<SourceClass> parse_source_class(std::string_view text);

/// One message as it travels. Source: docs/protocol.md, "Envelope".
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
    std::string sender_key_id;     ///< empty when the sender signs with HMAC only
    std::string sender_signature;  ///< base64url Ed25519; empty as above
    bool wants_receipt = false;    ///< the sender understands delivery receipts
};

/// Why an arriving message was not accepted, in the order of the checks.
/// Source: docs/protocol.md, "Acceptance".
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

/// A message that was accepted, as the inbox keeps it.
struct InboxMessage {
    std::int64_t id = 0;   ///< row id; grows in order of arrival
    std::string agent_id;  ///< whose mailbox
    std::string sender_id;
    std::string message_id;
    std::string message_type;
    std::string trace_id;
    std::string payload_json;
    std::string payload_hash;
    std::string envelope_json;  ///< as received
    Provenance provenance = Provenance::Unverified;
    SourceClass source = SourceClass::Peer;
    UnixMs sent_at_ms = 0;  ///< what the sender claims; 0 when unreadable
    UnixMs received_at_ms = 0;
};

/// One message of a conversation, in either direction, for history.
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

/// A message that was not accepted; kept bounded, for people only.
struct RefusedMessage {
    std::int64_t id = 0;
    std::string agent_id;
    std::string claimed_sender;  ///< unchecked; may be empty
    Refusal reason = Refusal::NotJson;
    std::string detail;  ///< one line, previewed; never shown to a model
    std::int64_t size_bytes = 0;
    UnixMs received_at_ms = 0;
};

}  // namespace a2h
