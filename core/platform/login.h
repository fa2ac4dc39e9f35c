#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/http/client.h"

namespace a2h::platform {

/// The base URL of browser logins for a market whose API is at `api_base`: the public platform has
/// a separate site for them; our market serves them itself.
std::string login_base_of(std::string_view api_base);

/// A login that a person has to confirm in a browser.
struct LoginStart {
    std::string code;  ///< for `poll_login`
    std::string url;   ///< for the person
};
/// Starts a login. The request is not signed, because there is no key yet. The platform requires a
/// hardware address and the time; it gets a random address.
///
/// Errors:  those of `http::Client::send`; Corrupt for an answer without a code, or with an address
///          that is not http or https.
/// Thread:  any; blocks.
Result<LoginStart> begin_login(http::Client& http, std::string_view login_base, UnixMs now_ms);

/// The confirmed account. Secret.
struct Login {
    std::string agent_id;
    std::string agent_key;
    std::string api_base;  ///< empty: the address that was asked
    std::string mqtt_url;  ///< empty: the platform's default
};
/// nullopt while it is not confirmed.
///
/// Errors:  as above; NotFound if the login has ended.
Result<std::optional<Login>> poll_login(http::Client& http, std::string_view login_base,
                                        std::string_view code);

}  // namespace a2h::platform
