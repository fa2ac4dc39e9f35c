#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/wire/crypto.h"

namespace a2h::wire {

constexpr std::string_view kProtocol = "a2hmarket-a2a";
constexpr std::string_view kSchemaVersion = "1.0.0";
constexpr std::size_t kEnvelopeBytesMax = 64 * 1024;
constexpr int kEnvelopeDepthMax = 32;
/// How much of a refused envelope is read to find out whether its sender has signed it.
constexpr std::size_t kRefusedBytesMax = 1024 * 1024;
constexpr int kRefusedDepthMax = 1'000;
/// Limit of a text field outside the payload, in bytes.
constexpr std::size_t kEnvelopeFieldBytesMax = 256;

/// The keys with which an agent signs.
struct SigningKeys {
    std::string agent_key;  ///< HMAC key shared with the platform
    KeyPair key_pair;       ///< Ed25519
};

/// The text to publish: `message` with nonce, timestamp, payload hash and both signatures, in
/// canonical form.
///
/// Errors:  InvalidArgument if the result exceeds `kEnvelopeBytesMax`, the payload is not a JSON
///          object, another field is empty or too long, or the secret key is malformed.
/// Thread:  any.
/// Source:  docs/protocol.md, "Signatures".
Result<std::string> sign_envelope(const OutboxMessage& message, const SigningKeys& keys,
                                  UnixMs now_ms);

/// The bytes that the signature of a sender covers, and the signature itself; empty if there is
/// none.
struct SignedPart {
    std::string key_id;
    std::string signature;
    std::string form;  ///< canonical without signature and sender_signature
};

/// An envelope that passed every check before signature and duplicate.
struct ParsedEnvelope {
    Envelope envelope;
    SignedPart signed_part;
    std::string hmac_form;                   ///< canonical without signature
    std::vector<std::string> hmac_forms_go;  ///< the other forms that a Go client may have signed
    UnixMs sent_at_ms = 0;                   ///< from `timestamp`; 0 if unreadable
    /// The content of the envelope besides the fields of the protocol, as canonical JSON of an
    /// object: unknown members, and fields whose text is not of their form. Empty if there is
    /// nothing.
    std::string besides_json;
};

/// An envelope that failed a check. Its sender may have signed it all the same.
struct RefusedEnvelope {
    Refusal reason;
    std::string detail;          ///< one line, without payload
    std::string claimed_sender;  ///< if readable; unchecked
    /// For `check_sender_signature`; nullopt if it names no agent as its sender, is addressed to
    /// another agent, or is no JSON object of at most `kRefusedBytesMax` and `kRefusedDepthMax`.
    std::optional<SignedPart> signed_part = {};
    std::string hmac = {};  ///< `signature`, if there is no sender signature: over the same form
    UnixMs sent_at_ms = 0;  ///< from `timestamp`; 0 if unreadable
};

/// Exactly one of the two. Any `text` is handled without an exception.
struct ParseOutcome {
    std::optional<ParsedEnvelope> parsed;
    std::optional<RefusedEnvelope> refused;
};

/// Checks in this order: size and depth, UTF-8, JSON, protocol, major version of the schema,
/// required fields and their types, target is `own_agent_id`, payload hash. The first failed check
/// is the reason.
///
/// Thread:  any.
/// Source:  docs/protocol.md, "Acceptance".
ParseOutcome parse_envelope(std::string_view text, std::string_view own_agent_id);

/// The result of checking an envelope's sender signature with a key.
enum class SignatureCheck { Absent, Valid, Invalid, UnknownKey };

/// `pinned_public_key` is the trusted key of the sender; empty if there is none. Absent: no sender
/// signature. UnknownKey: no key is pinned, or the envelope names another key. An envelope without
/// a key id is checked with the pinned key.
SignatureCheck check_sender_signature(const ParsedEnvelope& parsed, std::string_view pinned_key_id,
                                      std::string_view pinned_public_key);
SignatureCheck check_sender_signature(const SignedPart& part, std::string_view pinned_key_id,
                                      std::string_view pinned_public_key);

/// The `payload_hash` that the sender of an accepted envelope has signed. Empty if `text` is none.
std::string signed_payload_hash(std::string_view text);

/// The digest by which a message is known again: of everything that its sender has signed. A
/// refused one must have a `signed_part`.
std::string digest_of(const ParsedEnvelope& parsed);
std::string digest_of(const RefusedEnvelope& refused);

/// True if `signature` is the HMAC of one of the canonical forms; of a refused envelope, of the
/// form that clients not written in Go sign. Used by the market, which has the keys, and by tests.
bool check_hmac(const ParsedEnvelope& parsed, std::string_view agent_key);
bool check_hmac(const RefusedEnvelope& refused, std::string_view agent_key);

}  // namespace a2h::wire
