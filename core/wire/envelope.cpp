#include "core/wire/envelope.h"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

constexpr std::size_t kNonceBytes = 8;
constexpr JsonLimits kEnvelopeLimits{kEnvelopeBytesMax, kEnvelopeDepthMax};
constexpr JsonLimits kRefusedLimits{kRefusedBytesMax, kRefusedDepthMax};
constexpr JsonLimits kPayloadLimits{kEnvelopeBytesMax, kEnvelopeDepthMax - 1};

struct TextField {
    const char* name;
    std::string Envelope::*member;
};

constexpr std::array<TextField, 9> kRequiredTexts{{
    {"message_type", &Envelope::message_type},
    {"message_id", &Envelope::message_id},
    {"trace_id", &Envelope::trace_id},
    {"sender_id", &Envelope::sender_id},
    {"target_id", &Envelope::target_id},
    {"timestamp", &Envelope::timestamp},
    {"nonce", &Envelope::nonce},
    {"payload_hash", &Envelope::payload_hash},
    {"signature", &Envelope::signature},
}};
constexpr std::array<TextField, 2> kOptionalTexts{{
    {"sender_key_id", &Envelope::sender_key_id},
    {"sender_signature", &Envelope::sender_signature},
}};

std::optional<RefusedEnvelope> refuse(Refusal reason, std::string detail) {
    return RefusedEnvelope{reason, std::move(detail), {}, {}};
}

bool is_envelope_text(const std::string& text) {
    return !text.empty() && text.size() <= kEnvelopeFieldBytesMax && is_utf8(text);
}

Refusal reason_of(const Error& error) {
    if (error.message.starts_with("too large")) return Refusal::TooLarge;
    if (error.message.starts_with("too deep")) return Refusal::TooDeep;
    if (error.message.starts_with("not UTF-8")) return Refusal::NotUtf8;
    return Refusal::NotJson;
}

std::optional<RefusedEnvelope> check_kind(const json& root, Envelope& envelope) {
    envelope.protocol = text_member(root, "protocol");
    if (envelope.protocol != kProtocol) {
        return refuse(Refusal::WrongProtocol, "protocol is not " + std::string(kProtocol));
    }
    envelope.schema_version = text_member(root, "schema_version");
    if (envelope.schema_version != "1" && !envelope.schema_version.starts_with("1.")) {
        return refuse(Refusal::UnsupportedSchema, "schema_version is not 1.x");
    }
    return std::nullopt;
}

std::optional<RefusedEnvelope> read_text(const json& value, const TextField& field,
                                         Envelope& envelope) {
    if (!value.is_string()) {
        return refuse(Refusal::WrongType, std::string(field.name) + " is not a text");
    }
    const auto& text = value.get_ref<const std::string&>();
    if (text.empty()) return refuse(Refusal::MissingField, std::string(field.name) + " is empty");
    if (text.size() > kEnvelopeFieldBytesMax) {
        return refuse(Refusal::WrongType, std::string(field.name) + " is longer than " +
                                              std::to_string(kEnvelopeFieldBytesMax) + " bytes");
    }
    envelope.*field.member = text;
    return std::nullopt;
}

std::optional<RefusedEnvelope> read_fields(const json& root, Envelope& envelope) {
    for (const TextField& field : kRequiredTexts) {
        const auto member = root.find(field.name);
        if (member == root.end()) {
            return refuse(Refusal::MissingField, std::string(field.name) + " is missing");
        }
        if (auto refused = read_text(*member, field, envelope)) return refused;
    }
    for (const TextField& field : kOptionalTexts) {
        const auto member = root.find(field.name);
        if (member == root.end()) continue;
        if (auto refused = read_text(*member, field, envelope)) return refused;
    }
    const auto payload = root.find("payload");
    if (payload == root.end()) return refuse(Refusal::MissingField, "payload is missing");
    if (!payload->is_object()) return refuse(Refusal::WrongType, "payload is not an object");
    const auto receipts = root.find("receipts");
    // Anything else counts as an unknown field.
    if (receipts != root.end() && receipts->is_boolean())
        envelope.wants_receipt = receipts->get<bool>();
    // The sender's id becomes a topic when we answer. Markets are not answered.
    if (!is_agent_id(envelope.sender_id) && !is_market_sender_id(envelope.sender_id)) {
        return refuse(Refusal::WrongType, "sender_id is not an agent id");
    }
    return std::nullopt;
}

/// Reads the canonical payload and compares its hash. Go clients hash a form of their own.
std::optional<RefusedEnvelope> check_payload(const json& root, Envelope& envelope) {
    const json& payload = root.at("payload");
    envelope.payload_json = canonical_json(payload);
    if (sha256_hex(envelope.payload_json) == envelope.payload_hash) return std::nullopt;
    const auto is_hashed = [&](const std::string& form) {
        return sha256_hex(form) == envelope.payload_hash;
    };
    if (std::ranges::any_of(go_forms(payload, envelope.payload_json), is_hashed))
        return std::nullopt;
    return refuse(Refusal::PayloadHashMismatch, "payload_hash does not match the payload");
}

std::optional<RefusedEnvelope> check(const json& root, std::string_view own_agent_id,
                                     Envelope& envelope) {
    if (auto refused = check_kind(root, envelope)) return refused;
    if (auto refused = read_fields(root, envelope)) return refused;
    if (envelope.target_id != own_agent_id) {
        return refuse(Refusal::NotForUs, "target_id names another agent");
    }
    return check_payload(root, envelope);
}

bool is_of(std::string_view text, std::string_view characters, std::size_t max = 64) {
    return text.size() <= max && text.find_first_not_of(characters) == std::string_view::npos;
}

/// A sentence in place of a number or a time is not what the field is for.
bool has_its_form(std::string_view name, const std::string& text) {
    constexpr std::string_view kVersion = "0123456789.";
    constexpr std::string_view kHex = "0123456789abcdefABCDEF-";
    constexpr std::string_view kBase64 =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
    if (name == "schema_version") return is_of(text, kVersion);
    if (name == "nonce" || name == "signature") return is_of(text, kHex);
    if (name == "sender_key_id") return is_of(text, kBase64);
    if (name == "sender_signature") return is_of(text, kBase64, 86);  // of 64 bytes
    if (name == "timestamp") return parse_time(text).has_value();
    return true;
}

bool is_field(std::string_view name) {
    constexpr std::array<std::string_view, 4> kOthers{"protocol", "schema_version", "payload",
                                                      "receipts"};
    const auto has_name = [&](const TextField& field) { return field.name == name; };
    return std::ranges::find(kOthers, name) != kOthers.end() ||
           std::ranges::any_of(kRequiredTexts, has_name) ||
           std::ranges::any_of(kOptionalTexts, has_name);
}

std::string besides_of(const json& root) {
    json besides = json::object();
    for (const auto& [name, value] : root.items()) {
        const bool is_plain =
            is_field(name) && (name != "receipts" || value.is_boolean()) &&
            (!value.is_string() || has_its_form(name, value.get_ref<const std::string&>()));
        if (!is_plain) besides[name] = value;
    }
    return besides.empty() ? std::string() : canonical_json(besides);
}

ParsedEnvelope with_signed_forms(json root, Envelope envelope) {
    ParsedEnvelope parsed;
    parsed.besides_json = besides_of(root);
    root.erase("signature");
    parsed.hmac_form = canonical_json(root);
    parsed.hmac_forms_go = go_forms(root, parsed.hmac_form);
    const bool is_signed = root.erase("sender_signature") > 0;
    parsed.signed_part = {envelope.sender_key_id, envelope.sender_signature,
                          is_signed ? canonical_json(root) : parsed.hmac_form};
    parsed.sent_at_ms = parse_time(envelope.timestamp).value_or(0);
    parsed.envelope = std::move(envelope);
    return parsed;
}

SignedPart signed_part_of(json root) {
    SignedPart part{text_member(root, "sender_key_id"), text_member(root, "sender_signature"), {}};
    root.erase("signature");
    root.erase("sender_signature");
    part.form = canonical_json(root);
    return part;
}

/// `root` is null if the envelope could not be read.
ParseOutcome refused_outcome(RefusedEnvelope refused, json root, std::string_view own_agent_id) {
    const std::string sender_id = text_member(root, "sender_id");
    const std::string target_id = text_member(root, "target_id");
    refused.claimed_sender = preview(sender_id);
    const bool is_for_us = target_id == own_agent_id || !is_agent_id(target_id);
    if (!is_for_us || !is_agent_id(sender_id)) return {std::nullopt, std::move(refused)};
    const std::string hmac = text_member(root, "signature");
    refused.sent_at_ms = parse_time(text_member(root, "timestamp")).value_or(0);
    refused.signed_part = signed_part_of(std::move(root));
    if (refused.signed_part->signature.empty()) refused.hmac = hmac;
    return {std::nullopt, std::move(refused)};
}

/// An envelope that is beyond our limits but, if possible, read all the same.
ParseOutcome unparsed_outcome(const Error& error, std::string_view text,
                              std::string_view own_agent_id) {
    RefusedEnvelope refused{reason_of(error), error.message, {}, {}};
    auto root = parse_json(text, kRefusedLimits);
    return refused_outcome(std::move(refused), root ? std::move(root).value() : json(),
                           own_agent_id);
}

}  // namespace

Result<std::string> sign_envelope(const OutboxMessage& message, const SigningKeys& keys,
                                  UnixMs now_ms) {
    auto payload = parse_json(message.payload_json, kPayloadLimits);
    if (!payload) {
        return fail(ErrorCode::InvalidArgument, "payload: " + payload.error().message);
    }
    if (!payload->is_object()) {
        return fail(ErrorCode::InvalidArgument, "the payload must be a JSON object");
    }
    if (!is_envelope_text(message.message_type) || !is_envelope_text(message.message_id) ||
        !is_envelope_text(message.trace_id)) {
        return fail(ErrorCode::InvalidArgument,
                    "message_type, message_id and trace_id must be UTF-8 texts of 1 to " +
                        std::to_string(kEnvelopeFieldBytesMax) + " bytes");
    }
    json root = json::object();
    root["protocol"] = kProtocol;
    root["schema_version"] = kSchemaVersion;
    root["message_type"] = message.message_type;
    root["message_id"] = message.message_id;
    root["trace_id"] = message.trace_id;
    root["sender_id"] = message.agent_id;
    root["target_id"] = message.target_id;
    root["timestamp"] = to_envelope_time(now_ms);
    root["nonce"] = random_hex(kNonceBytes);
    root["payload_hash"] = sha256_hex(canonical_json(*payload));
    root["payload"] = std::move(payload).value();
    // An agent that logged in through a browser has no key pair.
    if (!keys.key_pair.secret_key.empty()) {
        root["sender_key_id"] = keys.key_pair.key_id;
        auto signature = ed25519_sign(keys.key_pair.secret_key, canonical_json(root));
        if (!signature) return fail(std::move(signature).error());
        root["sender_signature"] = std::move(signature).value();
    }
    root["signature"] = hmac_sha256_hex(keys.agent_key, canonical_json(root));

    std::string text = canonical_json(root);
    if (text.size() > kEnvelopeBytesMax) {
        return fail(ErrorCode::InvalidArgument,
                    "the message has " + std::to_string(text.size()) + " bytes; at most " +
                        std::to_string(kEnvelopeBytesMax) + " can be sent");
    }
    return text;
}

ParseOutcome parse_envelope(std::string_view text, std::string_view own_agent_id) {
    auto root = parse_json(text, kEnvelopeLimits);
    if (!root) return unparsed_outcome(root.error(), text, own_agent_id);
    if (!root->is_object()) {
        return {std::nullopt, refuse(Refusal::NotJson, "not a JSON object")};
    }
    Envelope envelope;
    if (auto refused = check(*root, own_agent_id, envelope))
        return refused_outcome(std::move(*refused), std::move(root).value(), own_agent_id);
    return {with_signed_forms(std::move(root).value(), std::move(envelope)), std::nullopt};
}

SignatureCheck check_sender_signature(const SignedPart& part, std::string_view pinned_key_id,
                                      std::string_view pinned_public_key) {
    if (part.signature.empty()) return SignatureCheck::Absent;
    if (pinned_public_key.empty()) return SignatureCheck::UnknownKey;
    if (!part.key_id.empty() && part.key_id != pinned_key_id) return SignatureCheck::UnknownKey;
    return ed25519_verify(pinned_public_key, part.form, part.signature) ? SignatureCheck::Valid
                                                                        : SignatureCheck::Invalid;
}

SignatureCheck check_sender_signature(const ParsedEnvelope& parsed, std::string_view pinned_key_id,
                                      std::string_view pinned_public_key) {
    return check_sender_signature(parsed.signed_part, pinned_key_id, pinned_public_key);
}

std::string signed_payload_hash(std::string_view text) {
    return text_member(json::parse(text, nullptr, false), "payload_hash");
}

std::string digest_of(const ParsedEnvelope& parsed) {
    const SignedPart& part = parsed.signed_part;
    const std::string& signature =
        part.signature.empty() ? parsed.envelope.signature : part.signature;
    return sha256_hex(part.form + signature);
}

std::string digest_of(const RefusedEnvelope& refused) {
    const SignedPart& part = *refused.signed_part;
    return sha256_hex(part.form + part.signature + refused.hmac);
}

bool check_hmac(const ParsedEnvelope& parsed, std::string_view agent_key) {
    const auto is_signed = [&](const std::string& form) {
        return equal_constant_time(hmac_sha256_hex(agent_key, form), parsed.envelope.signature);
    };
    return is_signed(parsed.hmac_form) || std::ranges::any_of(parsed.hmac_forms_go, is_signed);
}

bool check_hmac(const RefusedEnvelope& refused, std::string_view agent_key) {
    if (!refused.signed_part || refused.hmac.empty()) return false;
    return equal_constant_time(hmac_sha256_hex(agent_key, refused.signed_part->form), refused.hmac);
}

}  // namespace a2h::wire
