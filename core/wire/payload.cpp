#include "core/wire/payload.h"

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

/// The amount of a price as decimal text; empty if there is none.
std::string amount_of(const json& price) {
    const json& amount = member(price, "amount");
    return amount.is_number() ? canonical_json(amount) : text_member(price, "amount");
}

}  // namespace

PayloadView view_payload(std::string_view payload_json) {
    PayloadView view;
    const auto parsed = parse_json(payload_json);
    const json payload = parsed ? parsed.value() : json();
    view.type = text_member(payload, "type");
    if (view.type.empty()) view.type = "text";
    view.text = text_member(payload, "text");
    view.order_id = text_member(payload, "orderId");
    view.works_id = text_member(payload, "worksId");
    view.payment_qr = text_member(payload, "payment_qr");
    if (view.payment_qr.empty()) view.payment_qr = text_member(payload, "image");
    view.payment_qr_type = text_member(payload, "payment_qr_type");
    const json& attachment = member(payload, "attachment");
    view.attachment_url = text_member(attachment, "url");
    view.attachment_name = text_member(attachment, "name");
    view.attachment_mime = text_member(attachment, "mime_type");
    const json& price = member(payload, "price");
    view.offer_amount = amount_of(price);
    view.offer_currency = text_member(price, "currency");
    return view;
}

std::string text_payload(std::string_view text, std::string_view order_id,
                         std::string_view works_id) {
    json payload{{"text", text}};
    if (!order_id.empty()) payload["orderId"] = order_id;
    if (!works_id.empty()) payload["worksId"] = works_id;
    return canonical_json(payload);
}

std::string platform_signature(std::string_view agent_key, std::string_view method,
                               std::string_view path, std::string_view agent_id,
                               std::int64_t timestamp_s) {
    std::string text;
    text.append(method).append("&").append(path).append("&").append(agent_id).append("&");
    text += std::to_string(timestamp_s);
    return hmac_sha256_hex(agent_key, text);
}

std::string nonce_signature_text(std::string_view method, std::string_view path_and_query,
                                 std::string_view agent_id, std::int64_t timestamp_s,
                                 std::string_view nonce, std::string_view body) {
    std::string text;
    text.append(method).append("\n").append(path_and_query).append("\n").append(agent_id);
    text.append("\n").append(std::to_string(timestamp_s)).append("\n").append(nonce);
    text.append("\n").append(sha256_hex(body));
    return text;
}

}  // namespace a2h::wire
