#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/http/client.h"
#include "core/i18n/messages.h"
#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// HTTP errors that may be temporary: 408, 425, 429, 5xx.
bool may_pass(int status);

/// The HTTP API of one channel's service.
///
/// Errors:  of all calls, in `language` and without the address, which may contain a secret:
///          Unavailable (nothing was sent, or the service is temporarily unable: 408, 425, 429,
///          5xx), Timeout (it may have arrived), InvalidArgument (it was refused). `take_wait`
///          returns how long the service asked to wait.
/// Thread:  any.
class ChannelApi {
  public:
    struct Call {
        std::string method = "POST";
        std::string url;
        std::vector<std::pair<std::string, std::string>> headers{};
        std::string content_type = "application/json; charset=utf-8";
        std::string body{};
        /// True if the caller handles an answer 400 whose JSON has a `code`.
        bool codes_with_400 = false;
        std::chrono::milliseconds limit{10'000};
    };

    /// `ca_file` is for a server with its own authority; empty: the system's. `transfers` may be
    /// null. An empty `user_agent` means a2hd's own.
    ChannelApi(std::string name, std::string ca_file, http::Transfers* transfers,
               std::string user_agent = {});

    /// The JSON of the answer; an empty object if it has none.
    Result<nlohmann::json> call(const Call& call, i18n::Language language);

    /// The longest wait that an answer requested since the last call of this function; 0: none.
    std::chrono::milliseconds take_wait() {
        return std::chrono::milliseconds(wait_ms_.exchange(0));
    }

    const std::string& name() const { return name_; }
    http::Client& client() { return client_; }
    Unexpected refused(std::string_view why, i18n::Language language) const;
    Unexpected unreachable(std::string_view why, i18n::Language language) const;
    /// Returns the words that report that the message was accepted, and how many of its pictures
    /// were not.
    std::string taken(i18n::Language language, std::size_t pictures_lost = 0) const;

  private:
    void keep_wait(const http::ClientResponse& response, const nlohmann::json& answer);

    std::string name_;
    http::Client client_;
    std::atomic<std::int64_t> wait_ms_{0};
};

/// How long a refusal asks to wait: its header `Retry-After`, or the header `x-ogw-ratelimit-reset`
/// (Feishu) and the members `parameters.retry_after` (Telegram) and `retry_after` (Discord), all in
/// seconds; the longest of them. 0: it does not say.
///
/// Source:  RFC 9110, 10.2.3; core.telegram.org/bots/api, "ResponseParameters"; docs.discord.com,
///          "Rate Limits"; open.feishu.cn, "Rate limits".
std::chrono::milliseconds asked_wait(const http::ClientResponse& response,
                                     const nlohmann::json& answer, UnixMs now_ms);

/// One part of `multipart/form-data`, as the services' file uploads require.
///
/// Source:  RFC 7578.
struct Part {
    std::string name;
    std::string file_name;     ///< empty: a plain field
    std::string content_type;  ///< empty: none
    std::string bytes;
};
/// Returns Content-Type and body.
std::pair<std::string, std::string> multipart(const std::vector<Part>& parts);

}  // namespace a2h::notify
