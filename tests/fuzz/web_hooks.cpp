#include <map>
#include <memory>
#include <string>

#include "core/base/check.h"
#include "core/wire/crypto.h"
#include "daemon/notify/channels.h"
#include "daemon/notify/hook_signature.h"
#include "tests/fuzz/targets.h"

namespace a2h::fuzz {
namespace {

constexpr UnixMs kCalledAt = 1'760'000'000'000;
constexpr std::string_view kCalledAtText = "1760000000";
using Headers = std::map<std::string, std::string, std::less<>>;

notify::HookResponse call(notify::Channel& channel, std::string_view body, const Headers& headers) {
    return channel.hook({.body = std::string(body),
                         .header =
                             [&](std::string_view name) {
                                 const auto found = headers.find(name);
                                 return found == headers.end() ? std::string() : found->second;
                             },
                         .now_ms = kCalledAt},
                        [](const notify::Click&) { return notify::ClickAnswer{}; });
}

}  // namespace

/// Calls of the services behind channels: unsigned ones are refused, signed ones are read.
void web_hooks(std::string_view input) {
    static const auto slack = notify::make_slack_channel(
        {"slack",
         "slack",
         {{"token", "x"}, {"signing_secret", "s"}, {"channel_id", "C"}, {"users", "U1"}}});
    static const auto feishu = notify::make_feishu_channel({"feishu",
                                                            "feishu",
                                                            {{"app_id", "a"},
                                                             {"app_secret", "x"},
                                                             {"verification_token", "v"},
                                                             {"encrypt_key", "k"},
                                                             {"receive_id", "r"},
                                                             {"receive_id_type", "chat_id"},
                                                             {"users", "U1"}}});
    A2H_CHECK(call(*slack, input, {}).status == 401);
    const std::string text = "v0:" + std::string(kCalledAtText) + ":" + std::string(input);
    const int status = call(*slack, input,
                            {{"x-slack-request-timestamp", std::string(kCalledAtText)},
                             {"x-slack-signature", "v0=" + wire::hmac_sha256_hex("s", text)}})
                           .status;
    A2H_CHECK(status == 200 || status == 400);
    A2H_CHECK(call(*feishu, input, {}).status != 200);
    const std::string proof = std::string(kCalledAtText) + "nonce" + "k" + std::string(input);
    (void)call(*feishu, input,
               {{"x-lark-request-timestamp", std::string(kCalledAtText)},
                {"x-lark-request-nonce", "nonce"},
                {"x-lark-signature", wire::sha256_hex(proof)}});
    const auto plain = notify::decrypt_feishu("k", input);
    if (!plain) A2H_CHECK(plain.error().code == ErrorCode::InvalidArgument);
}

}  // namespace a2h::fuzz
