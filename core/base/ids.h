#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/clock.h"

namespace a2h {

/// Fills `out` from the kernel's random source. This cannot fail on a running Linux; if it does,
/// the process ends, because weak ids and nonces would be worse.
void fill_random(std::span<std::byte> out);

/// `byte_count` random bytes as lower-case hex (two characters a byte).
std::string random_hex(std::size_t byte_count);

/// `msg_{unix ms}_{8 hex}`. Source: docs/protocol.md, "Envelope".
std::string new_message_id(UnixMs now_ms);
/// `trace_{unix ms}_{8 hex}`. Source: docs/protocol.md, "Envelope".
std::string new_trace_id(UnixMs now_ms);
/// `apr_` + 20 hex.
std::string new_approval_id();
/// `ag_` + 20 letters and digits.
std::string new_agent_id();

/// True for `ag_` followed by 1 to 48 letters and digits: any other character would be ambiguous
/// in MQTT client ids and topics. Source: docs/protocol.md, "Agent ids".
bool is_agent_id(std::string_view text);

/// The sender id of the market's own messages: `market_` and the letters and digits of its own
/// agent's id; empty if that is not an agent id. Published clients treat a sender that begins with
/// `ag_` as a peer and answer it.
std::string market_sender_id(std::string_view agent_id);
/// True for `market_` followed by 1 to 48 letters and digits. No mailbox has such an id.
bool is_market_sender_id(std::string_view text);
/// The id of the market's own agent; empty if `text` is not a market sender id.
std::string agent_of_market_sender(std::string_view text);

/// True for an id without words: at least 16 hexadecimal digits in groups separated by `_` or `-`,
/// after the prefix of a message, request, task or trace or none, as in a UUID or
/// `msg_1760000000000_0badf00d`. Peers choose ids, and a sentence must not pass as one.
bool is_wordless_id(std::string_view text);

/// True for the id of a negotiation of many parties or of its demand: at least 8 hexadecimal digits
/// after `collab-` or `d-`, as the specification writes them (`collab-abc12345`), or a wordless id.
bool is_negotiation_id(std::string_view text);

/// The two ids, sorted by bytes and joined by `_` (R5).
std::string session_id(std::string_view agent_a, std::string_view agent_b);

}  // namespace a2h
