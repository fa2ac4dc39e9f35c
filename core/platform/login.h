#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/http/client.h"

namespace a2h::platform {

/// Where a market takes browser logins that its API is at `api_base`: the public platform has a
/// site of its own for them, ours serves them itself.
std::string login_base_of(std::string_view api_base);

/// A login that a person has to confirm in a browser.
struct LoginStart {
    std::string code;  ///< for `poll_login`
    std::string url;   ///< for the person
};
/// Unsigned, as nobody has a key yet. The platform wants a hardware address besides the time; it
/// gets a random one.
/// Errors: those of `http::Client::send`; Corrupt for an answer without code or an address that is
///         not http or https.
/// Thread: any; blocks.
Result<LoginStart> begin_login(http::Client& http, std::string_view login_base, UnixMs now_ms);

/// The account that was confirmed. Secret.
struct Login {
    std::string agent_id;
    std::string agent_key;
    std::string api_base;  ///< empty: where we asked
    std::string mqtt_url;  ///< empty: the platform's usual one
};
/// nullopt while nobody has confirmed. Errors: as above; NotFound when the login has ended.
Result<std::optional<Login>> poll_login(http::Client& http, std::string_view login_base,
                                        std::string_view code);

}  // namespace a2h::platform
