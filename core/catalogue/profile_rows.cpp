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
        .hints = kReadsMarket,
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
        .arguments = R"(
  "file!": ["text 1-1024", "Path of the picture: jpg, jpeg, png or webp"],
  "type": ["one of alipay wechat_pay qrcode = qrcode", "Kind of code; qrcode is any other"]
)",
        .hints = kChanges,
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
        .arguments = R"(
  "type": ["one of alipay wechat_pay qrcode = qrcode", "Kind of code"]
)",
        .hints = kChanges,
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
        .arguments = R"(
  "type!": ["one of alipay wechat_pay qrcode", "Payment method"]
)",
        .hints = kChanges,
    },
};

}  // namespace

std::span<const Operation> profile_rows() {
    return kProfileRows;
}

}  // namespace a2h::catalogue
