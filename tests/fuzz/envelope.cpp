#include "core/wire/envelope.h"

#include "core/base/check.h"
#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/wire/payload.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

// Public; its secret half is in RFC 8032, section 7.1.
constexpr const char* kKeyId = "OfcT0KZEJT8EUpQh";
constexpr const char* kPublicKey = "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw";

bool is_one_line(std::string_view text) {
    return is_utf8(text) && text.find('\n') == std::string_view::npos;
}

void check_refused(const wire::RefusedEnvelope& refused) {
    A2H_CHECK(!to_string(refused.reason).empty());
    A2H_CHECK(is_one_line(refused.detail) && !refused.detail.empty());
    A2H_CHECK(is_one_line(refused.claimed_sender) &&
              code_point_count(refused.claimed_sender) <= 100);
}

void check_parsed(const wire::ParsedEnvelope& parsed) {
    const Envelope& envelope = parsed.envelope;
    A2H_CHECK(envelope.target_id == "ag_buyer" &&
              (is_agent_id(envelope.sender_id) || is_market_sender_id(envelope.sender_id)));
    A2H_CHECK(!envelope.message_id.empty() && is_utf8(envelope.payload_json));
    A2H_CHECK(parsed.hmac_form.size() >= parsed.signed_part.form.size());
    (void)wire::view_payload(envelope.payload_json);
    (void)wire::check_hmac(parsed, "test-key-0001");
    // A signature is valid only for the key that made it.
    A2H_CHECK(wire::check_sender_signature(parsed, kKeyId, {}) != wire::SignatureCheck::Valid);
    (void)wire::check_sender_signature(parsed, kKeyId, kPublicKey);

    // An accepted envelope is accepted again in its canonical form, with the same content.
    const std::string signature = ",\"signature\":\"" + std::string(64, '0') + "\"}";
    const std::string text = parsed.hmac_form.substr(0, parsed.hmac_form.size() - 1) + signature;
    if (text.size() > wire::kEnvelopeBytesMax) return;
    const wire::ParseOutcome again = wire::parse_envelope(text, "ag_buyer");
    A2H_CHECK(again.parsed && again.parsed->hmac_form == parsed.hmac_form);
    A2H_CHECK(again.parsed->signed_part.form == parsed.signed_part.form);
}

}  // namespace

void envelope(std::string_view input) {
    const wire::ParseOutcome outcome = wire::parse_envelope(input, "ag_buyer");
    A2H_CHECK(outcome.parsed.has_value() != outcome.refused.has_value());
    if (outcome.parsed) check_parsed(*outcome.parsed);
    if (outcome.refused) check_refused(*outcome.refused);
}

}  // namespace a2h::fuzz
