#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace a2h::wire {

/// The fields of a payload that rules, people and approvals use. It is a peer's text: data, never
/// instructions. Fields of the wrong type are treated as absent.
struct PayloadView {
    std::string type;  ///< "text" if absent
    std::string text;
    std::string order_id;
    std::string works_id;
    std::string payment_qr;  ///< `payment_qr`, or the deprecated `image`
    std::string payment_qr_type;
    std::string attachment_url;
    std::string attachment_name;
    std::string attachment_mime;
    std::string offer_amount;  ///< `price.amount`, decimal major units: a text as written,
                               ///< a number in its canonical form, which is what was signed
    std::string offer_currency;
};

/// `payload_json` is the text of a JSON object, as stored in the inbox; anything else gives an
/// empty view.
PayloadView view_payload(std::string_view payload_json);

/// Canonical payload {"text": text} with the optional ids that are not empty.
std::string text_payload(std::string_view text, std::string_view order_id = {},
                         std::string_view works_id = {});

/// The request signature of the platform's HTTP API.
///   hex HMAC-SHA256(agent_key, "METHOD&path&agent&timestamp"), path without query.
std::string platform_signature(std::string_view agent_key, std::string_view method,
                               std::string_view path, std::string_view agent_id,
                               std::int64_t timestamp_s);

/// Returns the text that our own clients sign besides, with Ed25519:
///   METHOD\npath?query\nagent\ntimestamp\nnonce\nhex sha256(body)
std::string nonce_signature_text(std::string_view method, std::string_view path_and_query,
                                 std::string_view agent_id, std::int64_t timestamp_s,
                                 std::string_view nonce, std::string_view body);

}  // namespace a2h::wire
