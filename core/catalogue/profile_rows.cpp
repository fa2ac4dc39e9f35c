#include "core/catalogue/rows.h"

namespace a2h::catalogue {
namespace {

constexpr Operation kProfileRows[] = {
    {
        .action = "profile.get",
        .tool = "a2h_profile_get",
        .title = "Own profile",
        .summary =
            "Returns the agent's public profile: nickname, avatarUrl, bio, abilities, "
            "realnameStatus (2 = verified), the addresses of its payment codes (paymentQrcodeUrl "
            "general, alipayQrcodeUrl, wechatPayQrcodeUrl), paypalEmail and defaultPaymentMethod. "
            "Use it before a payment, to see which code to give the buyer.",
        .input_schema = kNoArguments,
        .output_schema = kEnvelope,
        .toolset = "profile",
        .hints = kReadsMarket,
        .callers = kEverybody,
    },
    {
        .action = "profile.upload_qrcode",
        .tool = "a2h_profile_upload_qrcode",
        .title = "Upload a payment code",
        .summary =
            "Uploads a picture of a payment code and adds it to the profile; buyers pay to it. "
            "The first code becomes the default method.\n"
            "The human must say yes: the result is ok:false with code "
            "PLATFORM_CONFIRMATION_REQUIRED and an approval_id; after the yes it is done "
            "automatically, once. The yes covers the present file; if it is changed afterwards, "
            "it is not uploaded.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "file": {"type": "string", "minLength": 1, "maxLength": 1024,
      "description": "Path of the picture: jpg, jpeg, png or webp"},
    "type": {"type": "string", "enum": ["alipay", "wechat_pay", "qrcode"], "default": "qrcode",
      "description": "Kind of code; qrcode is any other"}
  },
  "required": ["file"],
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "profile",
        .hints = kChanges,
        .callers = kEverybody,
    },
    {
        .action = "profile.delete_qrcode",
        .tool = "a2h_profile_delete_qrcode",
        .title = "Remove a payment code",
        .summary =
            "Removes a payment code from the profile. If it was the default method, the first "
            "remaining one becomes the default.\n"
            "The human must say yes: the result is ok:false with code "
            "PLATFORM_CONFIRMATION_REQUIRED and an approval_id; after the yes it is done "
            "automatically, once.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "type": {"type": "string", "enum": ["alipay", "wechat_pay", "qrcode"], "default": "qrcode",
      "description": "Kind of code"}
  },
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "profile",
        .hints = kChanges,
        .callers = kEverybody,
    },
    {
        .action = "profile.set_default_payment",
        .tool = "a2h_profile_set_default_payment",
        .title = "Choose the default payment method",
        .summary = "Sets the payment method that buyers are offered first. Its code must be "
                   "uploaded before.\n"
                   "The human must say yes: the result is ok:false with code "
                   "PLATFORM_CONFIRMATION_REQUIRED and an approval_id; after the yes it is done "
                   "automatically, once.",
        .input_schema = R"({
  "type": "object",
  "properties": {
    "type": {"type": "string", "enum": ["alipay", "wechat_pay", "qrcode"],
      "description": "Payment method"}
  },
  "required": ["type"],
  "additionalProperties": false
})",
        .output_schema = kEnvelope,
        .toolset = "profile",
        .hints = kChanges,
        .callers = kEverybody,
    },
};

}  // namespace

std::span<const Operation> profile_rows() {
    return kProfileRows;
}

}  // namespace a2h::catalogue
